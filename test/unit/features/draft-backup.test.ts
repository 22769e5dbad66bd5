/** VS Code's backup of the translation editor, with real databases. */
import { expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPersonalDatabase } from "../../../src/database/database-recovery.ts";
import { Database } from "../../../src/database/database.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { TranslationDraftRepository } from "../../../src/database/personal/translation-draft-repository.ts";
import { Project } from "../../../src/database/project-state.ts";
import { backupDrafts, restoreDrafts } from "../../../src/features/translation-editor/draft-backup.ts";
import { typedDraft } from "../support/typed-draft.ts";

const draft = (letter: string, value: string) => typedDraft("nl", letter.repeat(40), value);

/** Opens the window after a reload: what was in memory is gone. */
function openWindow(path: string): Project {
  const personal = openPersonalDatabase(path, { warn: () => undefined });
  return new Project("id", "label", new Database(), new PersonalData(personal, "shop"));
}
const restoreInto = ({ personal, database }: Project, content: string): number =>
  restoreDrafts(
    content,
    (project) => new TranslationDraftRepository(new PersonalData(personal.database, project), database),
  );
const textsOf = ({ drafts }: Project): unknown[] => [...drafts.all()].map(({ text }) => text);

test("a backup has the drafts that a full disk kept in memory, and restores them", () => {
  const folder = mkdtempSync(join(tmpdir(), "backup-"));
  const path = join(folder, "personal.db");
  const before = openWindow(path);
  const { database } = before.personal;
  before.drafts.put([draft("a", "Mand"), draft("b", "Kar")]);
  const size = database.number("PRAGMA page_count");
  database.sql(`PRAGMA max_page_count = ${size}`).get();
  before.drafts.put([draft("b", "x".repeat(100_000)), draft("c", "Tas")]);
  expect(database.isOnDisk).toBe(false);
  const content = backupDrafts(before);
  database.close();
  const after = openWindow(path);
  expect(textsOf(after)).toEqual([{ value: "Mand" }, { value: "Kar" }]);
  expect(restoreInto(after, content)).toBe(3);
  expect(textsOf(after)).toEqual([{ value: "Mand" }, { value: "x".repeat(100_000) }, { value: "Tas" }]);
  after.personal.database.close();
  rmSync(folder, { recursive: true });
});

test("a backup of drafts on disk restores nothing that was discarded since", () => {
  const folder = mkdtempSync(join(tmpdir(), "backup-"));
  const path = join(folder, "personal.db");
  const before = openWindow(path);
  before.drafts.put([draft("a", "Mand")]);
  const content = backupDrafts(before);
  expect(JSON.parse(content)).toMatchObject({ project: "shop", drafts: [{ text: { value: "Mand" } }] });
  before.drafts.remove([draft("a", "Mand")]);
  expect(restoreInto(before, content)).toBe(0);
  expect(textsOf(before)).toEqual([]);
  expect(() => restoreInto(before, '{ "baseUrl": "https://a.example/v1" }')).toThrow("Invalid key");
  before.personal.database.close();
  rmSync(folder, { recursive: true });
});

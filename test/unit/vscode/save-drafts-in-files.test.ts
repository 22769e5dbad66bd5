/** Unsaved texts that are written to local files. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TranslationDraft } from "../../../src/database/personal/translation-draft-repository.ts";
import type { ProjectFiles } from "../../../src/model/platform.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { saveDraftsInFiles } from "../../../src/vscode/files/save-drafts-in-files.ts";
import { createCommandRunner, rootOf } from "../support/command-runner.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";

const FILE = "lang/nl/cart.php";
const nameOf = (key: string) => ({ namespace: "cart", key, context: null });
const draft = (key: string, base: string, value: string, source: string | null = null): TranslationDraft => ({
  locale: "nl",
  hash: keyHash(nameOf(key)),
  text: { value },
  base: { value: base },
  baseVersion: null,
  origin: source === null ? "person" : "machine",
  model: null,
  source: source === null ? null : { value: source },
});

let shop: FixtureProject;
let window: TestWindow;
beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  await window.local.load();
});
afterEach(() => shop.close());

const save = (drafts: readonly TranslationDraft[], files = window.files) =>
  saveDraftsInFiles(
    createCommandRunner(window, rootOf(shop), []).open.connection,
    files,
    drafts,
    ({ hash }) => nameOf(["title", "total"].find((key) => keyHash(nameOf(key)) === hash) ?? ""),
    new AbortController().signal,
  );

test("a machine translation of another source text is not, the others are", async () => {
  const stale = draft("title", "Je mandje", "Mand", "Basket");
  const current = draft("total", "Totaal: :amount", "Samen: :amount");
  expect(await save([stale, current])).toMatchObject({
    saved: [current],
    conflicts: [],
    stale: [stale],
    failure: null,
  });
  expect(await shop.read(FILE)).toContain("'Je mandje'");
  expect(await shop.read(FILE)).toContain("Samen: :amount");
});

test("a machine translation is not once its source text changed on disk, and then it is if a person agrees", async () => {
  const proposed = draft("title", "Je mandje", "Mand", "Your cart");
  const source = await shop.read("lang/en/cart.php");
  // No window has read it yet.
  await shop.write("lang/en/cart.php", source.replace("Your cart", "Your basket"));
  expect(await save([proposed])).toMatchObject({ saved: [], conflicts: [], stale: [proposed] });
  expect(await shop.read(FILE)).toContain("'Je mandje'");
  const kept: TranslationDraft = { ...proposed, origin: "person", source: null };
  expect(await save([kept])).toMatchObject({ saved: [kept], stale: [] });
  expect(await shop.read(FILE)).toContain("'Mand'");
});

test("one whose text changed in the file meanwhile is a conflict, and then is written over the text that is there", async () => {
  await shop.write(FILE, (await shop.read(FILE)).replace("Je mandje", "Mandje"));
  const typed = draft("title", "Je mandje", "Mand");
  expect(await save([typed])).toMatchObject({ saved: [], conflicts: [typed] });
  expect(await shop.read(FILE)).toContain("'Mandje'");
  expect(await save([draft("title", "Mandje", "Mand")])).toMatchObject({ conflicts: [], failure: null });
  expect(await shop.read(FILE)).toContain("'Mand'");
});

test("one whose file changes while it is written fails, and then is written", async () => {
  const typed = draft("title", "Je mandje", "Mand");
  /** What is written is read again, as in a window. */
  const write: ProjectFiles["write"] = async (writes) => {
    const outcome = await window.files.write(writes);
    window.local.invalidate(writes.map(({ path }) => path));
    return outcome;
  };
  const changing: ProjectFiles = {
    ...window.files,
    write: async (writes) => {
      await shop.write(FILE, `${await shop.read(FILE)}// of a colleague\n`);
      return write(writes);
    },
  };
  const { saved, failure } = await save([typed], changing);
  expect([saved, failure]).toMatchObject([[], { error: { code: "file_changed" } }]);
  expect(await shop.read(FILE)).toContain("'Je mandje'");
  expect(await save([typed], { ...window.files, write })).toMatchObject({ saved: [typed], failure: null });
  // At once.
  const known = window.local.loaded?.entries("nl").get(keyHash(nameOf("title")));
  expect(known?.text).toEqual({ value: "Mand" });
});

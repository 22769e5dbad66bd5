/** Which texts drafts in local files are compared with. */
import { expect, test } from "vitest";
import { KeyRepository } from "../../../../src/database/key-repository.ts";
import type { TranslationDraft } from "../../../../src/database/personal/translation-draft-repository.ts";
import { textsInFiles } from "../../../../src/sync/drafts/current-texts.ts";
import { saveInFiles } from "../../../../src/sync/drafts/save-drafts.ts";
import { addKeys } from "../../support/key-database.ts";
import { createLocalProject, hashOf, nameOf } from "../../workspace/local-files/local-project.ts";

const FILES = { "en.json": '{"a": "A"}', "nl.json": '{"a": "Aa"}' };
const draftOf = (key: string, locale: string, base: string | null): TranslationDraft => ({
  locale,
  hash: hashOf(nameOf(key)),
  text: { value: "Mine" },
  base: base === null ? null : { value: base },
  baseVersion: null,
  origin: "person",
  model: null,
  source: null,
});

/** A project whose service has the keys `a` and `theirs`. */
async function openProject(sourceLocale: string | null) {
  const { local, files, database } = createLocalProject(FILES, {
    files: [{ path: "{locale}.json", format: "json_js" }],
    serviceLocales: ["en", "nl"],
  });
  await local.load();
  const known = ["a", "theirs"].map((key) => ({ ...nameOf(key), hash: hashOf(nameOf(key)) }));
  addKeys(
    database,
    known.map((key) => ({ ...key, text: { value: `Service ${key.key}` } })),
  );
  return { local, files, project: { keys: new KeyRepository(database), sourceLocale } };
}

test("a source text is that of the file, else that of the service, which is then written into the file", async () => {
  const target = await openProject(null);
  const texts = (key: string, locale: string) => {
    const { stored, source } = textsInFiles(target, draftOf(key, locale, null));
    return [stored, source];
  };
  const fileText = (value: string | null) => ({ text: value === null ? null : { value }, version: null });
  expect(texts("a", "en")).toEqual([fileText("A"), { value: "A" }]);
  expect(texts("theirs", "en")).toEqual([fileText("Service theirs"), null]);
  expect(texts("a", "nl")).toEqual([fileText("Aa"), { value: "A" }]);
  expect(texts("theirs", "nl")).toEqual([fileText(null), null]);
  const drafts = [draftOf("theirs", "en", "Service theirs"), draftOf("a", "en", "Service a")];
  const { saved, conflicts } = await saveInFiles(target, drafts, ({ hash }) =>
    nameOf(hash === drafts[0]?.hash ? "theirs" : "a"),
  );
  expect([saved, conflicts]).toEqual([[drafts[0]], [drafts[1]]]);
  expect(JSON.parse(target.files.text("en.json") ?? "")).toEqual({ a: "A", theirs: "Mine" });
});

test("the source language is that of the service, if it has one", async () => {
  const target = await openProject("nl");
  expect(textsInFiles(target, draftOf("theirs", "nl", null)).stored.text).toEqual({
    value: "Service theirs",
  });
  expect(textsInFiles(target, draftOf("a", "en", null))).toEqual({
    stored: { text: { value: "A" }, version: null },
    source: { value: "Aa" },
  });
});

/** Counts of pending pushes and pulls in the database, compared with a count of each text. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PendingChangeQueries } from "../../../src/database/pending-change-queries.ts";
import { addRename } from "../../../src/database/personal/pending-rename-repository.ts";
import { Project } from "../../../src/database/project-state.ts";
import { textFingerprint } from "../../../src/model/agreed-text.ts";
import { isEmptyText, areTextsEqual, type Text } from "../../../src/model/translation-text.ts";
import {
  changedEntries,
  countPendingChanges,
  localOnlyEntries,
  localOnlyEntry,
} from "../../../src/sync/count-pending-changes.ts";
import { hashOf, nameOf, createLocalProject } from "../workspace/local-files/local-project.ts";
import { COMPLETE_CURSOR } from "../support/complete-cursor.ts";
import { runCount } from "../support/full-run.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const words = fc.constantFrom("", "one", "two", "three");
const texts = fc.dictionary(fc.constantFrom(...NAMES), words, { noNullPrototype: true });
const rows = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.record({ words: fc.option(words, { nil: null }), isTranslated: fc.boolean() }),
  { noNullPrototype: true },
);
const textOf = (value: string | null): Text | null => (value === null ? null : { value });
const SIGNED_IN = { kind: "signed-in", baseUrl: "x", slug: "shop", name: "Shop", canWrite: true } as const;

const idOf = (name: string): string => hashOf(nameOf(name));

test("counts texts that are missing or different on the other side", async () => {
  await fc.assert(
    fc.asyncProperty(texts, texts, rows, texts, async (source, target, there, keys) => {
      const fixture = createLocalProject(
        { "en.json": JSON.stringify(source), "nl.json": JSON.stringify(target) },
        { files: [{ path: "{locale}.json", format: "json_js" }], serviceLocales: ["en", "nl"] },
      );
      const local = await fixture.local.load();
      const project = new Project("id", "label", fixture.database, undefined, undefined, SIGNED_IN);
      const count = () => countPendingChanges(project, local, new PendingChangeQueries(fixture.database));
      const known = Object.entries(keys).map(([key, value]) => ({
        hash: idOf(key),
        namespace: "*",
        key,
        context: null,
        isPlural: false,
        text: { value },
        sourceHash: null,
        description: null,
        maxLength: null,
        tags: [],
        updatedAt: null,
      }));
      const translated = Object.entries(there).map(([key, row]) => ({
        hash: idOf(key),
        text: textOf(row.words),
        isTranslated: row.isTranslated,
        isOutdated: false,
        issues: [],
        version: null,
        updatedAt: null,
      }));
      expect(await count()).toMatchObject({ toPush: null, toPull: null, localOnly: new Map(), renames: [] });
      project.keys.put(known, 1);
      project.translations.put("nl", translated, 1);
      project.syncMetadata.setCursor(COMPLETE_CURSOR);
      project.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
      project.showLanguage("nl");

      const counts = await count();
      const filled = Object.entries(source).filter(([, value]) => !isEmptyText({ value }));
      expect(counts.toPush).toEqual({
        new: filled.filter(([key]) => keys[key] === undefined).length,
        changed: filled.filter(([key, value]) => keys[key] !== undefined && keys[key] !== value).length,
        restored: 0,
      });
      const toPull = Object.entries(there).filter(([key, row]) => {
        const text = textOf(row.words);
        if (!row.isTranslated || text === null || keys[key] === undefined) return false;
        const here = textOf(target[key] ?? null);
        return here === null || !areTextsEqual(here, text);
      });
      expect(counts.toPull).toBe(toPull.length);

      const localOnly = Object.entries(target).filter(([key, value]) => {
        const isSource = keys[key] === value;
        return keys[key] !== undefined && there[key]?.isTranslated !== true && value !== "" && !isSource;
      });
      expect(counts.localOnly.get("nl") ?? 0).toBe(localOnly.length);
      expect(NAMES.filter((name) => localOnlyEntry(project, local, "nl", idOf(name)) !== undefined)).toEqual(
        localOnly.map(([key]) => key).sort(),
      );
      expect(counts.localOnly.has("en")).toBe(false);
    }),
    { numRuns: runCount(100) },
  );
});

test("does not count keys that are known to be archived until the service restores or deletes them", async () => {
  const fixture = createLocalProject(
    { "en.json": '{"a": "A", "b": "B", "c": "C"}' },
    { files: [{ path: "{locale}.json", format: "json_js" }], serviceLocales: ["en", "nl"] },
  );
  const local = await fixture.local.load();
  const project = new Project("id", "label", fixture.database, undefined, undefined, SIGNED_IN);
  const counts = () => countPendingChanges(project, local, new PendingChangeQueries(fixture.database));
  const pushed = async () => (await counts()).toPush;
  const known = (name: string) => ({
    hash: idOf(name),
    namespace: "*",
    key: name,
    context: null,
    isPlural: false,
    text: { value: name.toUpperCase() },
    sourceHash: null,
    description: null,
    maxLength: null,
    tags: [],
    updatedAt: null,
  });
  project.keys.put([known("a"), known("b")], 1);
  project.syncMetadata.setCursor(COMPLETE_CURSOR);
  expect(await pushed()).toEqual({ new: 1, changed: 0, restored: 0 });
  // `a` is no longer among the keys of the service, `c` is found among the archived ones.
  void [...project.keys.remove([idOf("a")], 2)];
  void [...project.keys.setArchived([idOf("c")], [])];
  expect(await pushed()).toEqual({ new: 0, changed: 0, restored: 2 });
  project.keys.put([{ ...known("a"), text: { value: "Other" } }], 3);
  void [...project.keys.setArchived([], [idOf("c")])];
  expect(await counts()).toMatchObject({
    toPush: { new: 1, changed: 0, restored: 0 },
    sourceAtService: 1,
  });
});

test("counts local translations of an unread language if the service has none", async () => {
  const fixture = createLocalProject(
    { "en.json": '{"a": "A", "b": "B"}', "nl.json": '{"a": "Aa", "b": "Bb"}' },
    { files: [{ path: "{locale}.json", format: "json_js" }], serviceLocales: ["en", "nl"] },
  );
  const local = await fixture.local.load();
  const project = new Project("id", "label", fixture.database, undefined, undefined, SIGNED_IN);
  const count = () => countPendingChanges(project, local, new PendingChangeQueries(fixture.database));
  project.keys.put(
    [
      {
        hash: idOf("a"),
        namespace: "*",
        key: "a",
        context: null,
        isPlural: false,
        text: { value: "A" },
        sourceHash: null,
        description: null,
        maxLength: null,
        tags: [],
        updatedAt: null,
      },
    ],
    1,
  );
  project.syncMetadata.setCursor(COMPLETE_CURSOR);
  const told = (translated: number | null): void => {
    const numbers = { totalKeys: 1, outdated: 0, qaErrors: 0, percent: 0, lastTranslatedAt: null };
    const english = { ...numbers, locale: "en", name: "English", isSource: true, translated: 1 };
    const dutch = { ...numbers, locale: "nl", name: "Nederlands", isSource: false };
    const languages = translated === null ? [english] : [english, { ...dutch, translated }];
    project.setStats({ contentVersion: 1, languages }, { kind: "fresh", at: 0 });
  };
  told(1);
  expect(await count()).toMatchObject({ localOnly: new Map(), uncounted: ["nl"] });
  // It may have a translation that is not known here.
  expect(localOnlyEntry(project, local, "nl", idOf("a"))).toBeUndefined();
  told(0);
  expect(localOnlyEntry(project, local, "nl", idOf("a"))?.text).toEqual({ value: "Aa" });
  // One that waits to be pushed is no key of the service yet.
  expect(await count()).toMatchObject({ localOnly: new Map([["nl", 1]]), uncounted: [] });
  // Nothing waits to be read of a language that the service does not have.
  told(null);
  expect(await count()).toMatchObject({ localOnly: new Map(), uncounted: [] });
});

test("counts source texts in files of other languages, and ignores the order of forms", async () => {
  const po = (id: string, text: string): string => `msgid "${id}"\nmsgstr "${text}"\n`;
  const fixture = createLocalProject(
    {
      "nl/LC_MESSAGES/shop.po": `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n${po("Cart", "Wagen")}\n${po("Pay", "Betalen")}`,
      "en.json": JSON.stringify({ items_one: "one", items_other: "many" }),
    },
    {
      files: [
        { path: "{locale}/LC_MESSAGES/{namespace}.po", format: "po" },
        { path: "{locale}.json", format: "json_js" },
      ],
      serviceLocales: ["en", "nl"],
      sourceLocale: "en",
    },
  );
  const project = new Project("id", "label", fixture.database, undefined, undefined, SIGNED_IN);
  const local = await fixture.local.load();
  const entries = [...local.entries("en").values()];
  expect(entries.map(({ name }) => name.key).sort()).toEqual(["Cart", "Pay", "items"]);
  project.keys.put(
    entries
      .filter(({ name }) => name.key !== "Pay")
      .map(({ hash, name, text }) => ({
        hash,
        ...name,
        isPlural: "forms" in text,
        text: "forms" in text ? { forms: { other: "many", one: "one" } } : text,
        sourceHash: null,
        description: null,
        maxLength: null,
        tags: [],
        updatedAt: null,
      })),
    1,
  );
  const { personal } = project;
  const scope = {
    personal: { project: "", path: personal.database.path },
    sourceLocale: "en",
    covered: local.covered,
    targets: [],
  };
  expect(await new PendingChangeQueries(fixture.database, personal.database).count(scope)).toEqual({
    created: 1,
    changed: 0,
    restored: 0,
    changedAtService: 0,
    toPull: 0,
    localOnly: {},
    changedInFiles: {},
    conflicts: 0,
  });
});

test("counts texts to pull as soon as one language is known, except pending renames", async () => {
  const fixture = createLocalProject(
    {
      "en.json": '{"a": "A", "new": "Old"}',
      "nl.json": '{"a": "Aa", "new": "Oud"}',
      "fr.json": '{"a": "Aaa"}',
    },
    { files: [{ path: "{locale}.json", format: "json_js" }], serviceLocales: ["en", "nl", "fr"] },
  );
  const { local } = fixture;
  const project = new Project("id", "label", fixture.database, undefined, undefined, SIGNED_IN);
  const count = () => countPendingChanges(project, local, new PendingChangeQueries(fixture.database));
  project.keys.put(
    ["a", "old"].map((key) => ({
      hash: idOf(key),
      namespace: "*",
      key,
      context: null,
      isPlural: false,
      text: { value: "A" },
      sourceHash: null,
      description: null,
      maxLength: null,
      tags: [],
      updatedAt: null,
    })),
    1,
  );
  project.syncMetadata.setCursor(COMPLETE_CURSOR);
  const numbers = { totalKeys: 2, outdated: 0, qaErrors: 0, percent: 0, lastTranslatedAt: null };
  const languages = [
    { ...numbers, locale: "en", name: "English", isSource: true, translated: 2 },
    { ...numbers, locale: "nl", name: "Nederlands", isSource: false, translated: 0 },
    { ...numbers, locale: "fr", name: "Français", isSource: false, translated: 0 },
  ];
  project.setStats({ contentVersion: 1, languages }, { kind: "fresh", at: 0 });
  // The service has nothing in either language, so that all of the files stands there alone.
  expect(await count()).toMatchObject({
    toPull: null,
    localOnly: new Map([
      ["nl", 1],
      ["fr", 1],
    ]),
  });

  const row = (key: string, value: string) => ({
    hash: idOf(key),
    text: { value },
    isTranslated: true,
    isOutdated: false,
    issues: [],
    version: 1,
    updatedAt: null,
  });
  project.translations.put("nl", [row("a", "Ander"), row("old", "Oud")], 1);
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
  project.showLanguage("nl");
  // French is still known by the numbers alone.
  expect(await count()).toMatchObject({ toPull: 2, toPush: { new: 1, changed: 0 } });
  // Also where somebody looks at the source language, whose texts are pushed.
  project.translations.put("en", [row("a", "Other"), row("old", "Other")], 1);
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "en");
  project.showLanguage("en");
  expect(await count()).toMatchObject({ toPull: 2, conflicts: 0, changedInFiles: new Map() });
  // The list of all files is only read for renames.
  expect(local.files).toEqual([]);
  addRename(project, nameOf("old"), nameOf("new"));
  expect(await count()).toMatchObject({ toPull: 1, toPush: { new: 0, changed: 0 } });
  // Nothing would be pulled under a name without a translation.
  project.translations.put("nl", [{ ...row("old", "Oud"), text: null, isTranslated: false }], 2);
  expect(await count()).toMatchObject({ toPull: 1 });
  // And then the service has the new key, too, as after a rename that was interrupted.
  const created = project.keys.get(idOf("a"));
  if (created === undefined) throw new Error("no key");
  project.keys.put([{ ...created, ...nameOf("new"), hash: idOf("new"), text: { value: "Old" } }], 2);
  expect(await count()).toMatchObject({ toPush: { new: 0, changed: 0 } });
});

test("counts nothing to pull into namespaces without a file of the language", async () => {
  const fixture = createLocalProject(
    {
      "lang/en/cart.json": '{"a": "A"}',
      "lang/en/mail.json": '{"a": "A"}',
      "lang/nl/cart.json": "{}",
    },
    {
      files: [{ path: "lang/{locale}/{namespace}.json", format: "json_js" }],
      serviceLocales: ["en", "nl"],
    },
  );
  const project = new Project("id", "label", fixture.database, undefined, undefined, SIGNED_IN);
  const names = ["cart", "mail"].map((namespace) => ({ namespace, key: "a", context: null }));
  const more = { isPlural: false, sourceHash: null, description: null, maxLength: null, updatedAt: null };
  project.keys.put(
    names.map((name) => ({ ...name, ...more, hash: hashOf(name), text: { value: "A" }, tags: [] })),
    1,
  );
  const state = { isTranslated: true, isOutdated: false, issues: [], version: 1, updatedAt: null };
  project.translations.put(
    "nl",
    names.map((name) => ({ ...state, hash: hashOf(name), text: { value: "Aa" } })),
    1,
  );
  project.syncMetadata.setCursor(COMPLETE_CURSOR);
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
  project.showLanguage("nl");
  const queries = new PendingChangeQueries(fixture.database);
  expect(await countPendingChanges(project, fixture.local, queries)).toMatchObject({ toPull: 1 });
});

test("lists the translations that only files have, and those that changed only in files", async () => {
  const fixture = createLocalProject({}, { files: [], serviceLocales: [] });
  const project = new Project("id", "label", fixture.database, undefined, undefined, SIGNED_IN);
  const more = { namespace: "*", context: null, isPlural: false, sourceHash: null, description: null };
  const key = (name: string) => ({ ...more, hash: idOf(name), key: name, maxLength: null, updatedAt: null });
  const state = { isOutdated: false, issues: [], version: 1, updatedAt: null };
  /** What the file, and the service have of a key, and what both last agreed on. */
  const texts: Readonly<Record<string, readonly [string, string | null, string?]>> = {
    same: ["Aa", "Aa"],
    only: ["Aa", null],
    asSource: ["Source", null],
    empty: ["", null],
    fuzzy: ["Aa", null],
    unknown: ["Aa", null],
    changed: ["Bb", "Aa", "Aa"],
    theirs: ["Aa", "Bb", "Aa"],
    both: ["Bb", "Cc", "Aa"],
    neverAgreed: ["Bb", "Aa"],
    toSource: ["Source", "Aa", "Aa"],
    toFuzzy: ["Bb", "Aa", "Aa"],
    cleared: ["", "Aa", "Aa"],
    untranslated: ["Bb", "Aa", "Aa"],
    onlyNoSource: ["Aa", null],
    changedNoSource: ["Bb", "Aa", "Aa"],
  };
  const names = Object.keys(texts);
  const known = names.filter((name) => name !== "unknown");
  project.keys.put(
    known.map((name) => ({
      ...key(name),
      text: name.endsWith("NoSource") ? null : { value: "Source" },
      tags: [],
    })),
    1,
  );
  const entryOf = (name: string, value: string) => {
    const isFuzzy = name.toLowerCase().includes("fuzzy");
    return [
      idOf(name),
      { hash: idOf(name), name: nameOf(name), text: { value }, entry: { isFuzzy } },
    ] as const;
  };
  const entries = new Map(names.map((name) => entryOf(name, texts[name]?.[0] ?? "")));
  const local = { sourceLocale: "en", entries: () => entries } as unknown as Parameters<
    typeof localOnlyEntries
  >[1];
  const rows = known.flatMap((name) => {
    const value = texts[name]?.[1] ?? null;
    const isTranslated = name !== "untranslated";
    return value === null ? [] : [{ ...state, hash: idOf(name), text: { value }, isTranslated }];
  });
  for (const locale of ["en", "nl"]) {
    project.translations.put(locale, rows, 1);
    const agreed = names.flatMap((name) => {
      const value = texts[name]?.[2];
      return value === undefined
        ? []
        : [{ locale, hash: idOf(name), fingerprint: textFingerprint({ value }) }];
    });
    await project.agreedTexts.store(agreed);
  }
  const lists = async (locale: string) => {
    const only = await localOnlyEntries(project, local, locale);
    const one = names.filter((name) => localOnlyEntry(project, local, locale, idOf(name)) !== undefined);
    expect(one).toEqual(only.map(({ name }) => name.key));
    const changed = await changedEntries(project, local, locale);
    return [one, changed.map(({ entry, row }) => [entry.name.key, row.text])];
  };
  // Nothing is known of Dutch, and then that the service has nothing in it.
  expect(await lists("nl")).toEqual([[], []]);
  const numbers = { totalKeys: 2, outdated: 0, qaErrors: 0, percent: 0, lastTranslatedAt: null };
  const dutch = { ...numbers, locale: "nl", name: "Nederlands", isSource: false };
  const told = (translated: number): void =>
    project.setStats({ contentVersion: 1, languages: [{ ...dutch, translated }] }, { kind: "fresh", at: 0 });
  told(0);
  const translations = known.filter(
    (name) => !/^(?:asSource|empty|fuzzy|toSource|toFuzzy|cleared)$/u.test(name),
  );
  expect(await lists("nl")).toEqual([translations, []]);
  told(1);
  for (const locale of ["en", "nl"]) {
    project.syncMetadata.setCursor(COMPLETE_CURSOR, locale);
    project.showLanguage(locale);
  }
  expect(await lists("nl")).toEqual([
    ["only", "untranslated", "onlyNoSource"],
    [
      ["changed", { value: "Aa" }],
      ["changedNoSource", { value: "Aa" }],
    ],
  ]);
  expect(await lists("en")).toEqual([[], []]);
});

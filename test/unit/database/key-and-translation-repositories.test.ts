/** Keys and translations: stored values, and which of two writes wins. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { translationsIn } from "../support/key-database.ts";
import type { QaIssue } from "../../../src/api/response-schemas.ts";
import type { Database } from "../../../src/database/database.ts";
import type { KeyRepository } from "../../../src/database/key-repository.ts";
import { SyncMetadataRepository } from "../../../src/database/sync-metadata-repository.ts";
import type { TranslationRepository } from "../../../src/database/translation-repository.ts";
import { sha1 } from "../support/node-platform.ts";
import { CURSOR, key, many, row } from "./numbered-rows.ts";
import { openRepositories } from "./open-repositories.ts";

let database: Database;
let keys: KeyRepository;
let translations: TranslationRepository;
let syncMetadata: SyncMetadataRepository;
let close: () => void;

beforeEach(() => {
  ({ database, keys, translations, syncMetadata, close } = openRepositories());
});
afterEach(() => close());

const byHash = <Item extends { readonly hash: string }>(items: Iterable<Item>): Item[] =>
  [...items].sort((a, b) => (a.hash < b.hash ? -1 : 1));
describe("keys", () => {
  it("keep the previous source text, except of local files", () => {
    const { hash } = key(1);
    const text = (value: string) => [key(1, { text: { value } })];
    keys.put(text("from a file"), 0);
    keys.put(text("first"), syncMetadata.nextRevision());
    expect(keys.previousText(hash)).toBeNull();
    keys.put(text("second"), syncMetadata.nextRevision());
    expect(keys.previousText(hash)).toEqual({ value: "first" });
    keys.put(text("second"), syncMetadata.nextRevision());
    expect(keys.previousText(hash)).toEqual({ value: "first" });
    keys.put(text("third"), syncMetadata.nextRevision());
    keys.put([key(1, { text: null })], syncMetadata.nextRevision());
    expect(keys.previousText(hash)).toEqual({ value: "third" });
    expect(keys.previousText("")).toBeNull();
    const forms = (...order: readonly string[]) => [
      key(1, { text: { forms: Object.fromEntries(order.map((form) => [form, form])) } }),
    ];
    keys.put(forms("one", "other"), syncMetadata.nextRevision());
    keys.put(forms("other", "one"), syncMetadata.nextRevision());
    expect(keys.previousText(hash)).toEqual({ value: "third" });
  });

  it("round-trip, also over several batches", () => {
    const all = many(key, 2500);
    for (let start = 0; start < all.length; start += 1000)
      keys.put(all.slice(start, start + 1000), syncMetadata.nextRevision());
    expect([...keys.values()]).toEqual(all);
    expect([...keys.names()]).toEqual(
      all.map(({ hash, namespace, key: name, context }) => ({ hash, namespace, key: name, context })),
    );
    expect(keys.size).toBe(2500);
    expect(keys.get(all[4]?.hash ?? "")).toEqual(all[4]);
    expect(keys.text(all[3]?.hash ?? "")).toEqual(all[3]?.text);
    expect(keys.isPlural(all[4]?.hash ?? "")).toBe(true);
    expect([keys.get(""), keys.isPlural(""), keys.text("")]).toEqual(Array.from({ length: 3 }));
    expect(keys.latestChange()).toBe("2026-01-02T03:04:59.000Z");
    expect(keys.countChangedAfter("2026-01-02T03:04:57.000Z", 1000)).toBe(82);
    expect(keys.countChangedAfter("2026-01-02T03:04:57.000Z", 10)).toBe(10);
    expect(keys.namespacesChangedAfter("2026-01-02T03:04:58.000Z", 2_000)).toEqual(
      new Map([["shop/Ωmega", 1250]]),
    );
  });

  it("of a page do not overwrite a later write", () => {
    const page = syncMetadata.nextRevision();
    keys.put([key(1)], page);
    keys.put([key(1, { description: "edited" }), key(2)], syncMetadata.nextRevision());
    keys.put([key(1, { description: "old" }), key(3)], page);
    Array.from(keys.removeBefore(page));
    expect(keys.get(key(1).hash)?.description).toBe("edited");
    expect(keys.size).toBe(3);
    keys.put([key(1, { description: "newer" })], syncMetadata.nextRevision());
    expect(keys.get(key(1).hash)?.description).toBe("newer");
  });

  it("that were archived are not restored by an earlier page", () => {
    syncMetadata.setCursor(CURSOR, "nl");
    keys.put([key(1), key(2)], syncMetadata.nextRevision());
    translations.put("nl", [row(1), row(2)], syncMetadata.nextRevision());
    const page = syncMetadata.nextRevision();
    Array.from(keys.remove([key(1).hash], syncMetadata.nextRevision()));
    keys.put([key(1), key(2)], page);
    expect([...keys.values()].map(({ hash }) => hash)).toEqual([key(2).hash]);
    expect(translationsIn(database, "nl").map(({ hash }) => hash)).toEqual([row(2).hash]);
    keys.put([key(1)], syncMetadata.nextRevision());
    expect(keys.has(key(1).hash)).toBe(true);
  });

  it("are removed in batches of fifty with their translations", () => {
    for (const locale of ["nl", "fr"]) syncMetadata.setCursor(CURSOR, locale);
    const all = many(key, 2500);
    const gone = all.slice(0, 2200).map(({ hash }) => hash);
    keys.put(all, syncMetadata.nextRevision());
    for (const locale of ["nl", "fr"]) translations.put(locale, many(row, 2500), syncMetadata.nextRevision());
    const steps = [...keys.remove(gone, syncMetadata.nextRevision())];
    // One transaction would keep others waiting.
    expect(steps).toHaveLength(44);
    expect([keys.size, keys.has(gone[0] ?? ""), keys.has(gone[2199] ?? "")]).toEqual([300, false, false]);
    expect([...translationsIn(database, "nl"), ...translationsIn(database, "fr")]).toHaveLength(600);
    const rest = keys.remove(
      all.slice(2200).map(({ hash }) => hash),
      syncMetadata.nextRevision(),
    );
    rest.next();
    expect(keys.size).toBe(250);
  });

  it("that are archived are stored in batches of a thousand", () => {
    const hashes = many(key, 2500).map(({ hash }) => hash);
    expect([...keys.setArchived(hashes, [])]).toHaveLength(3);
    expect([...keys.setArchived([], hashes.slice(0, 1500))]).toHaveLength(2);
    expect(database.number("SELECT count(*) FROM archived_keys")).toBe(1000);
  });

  it("missing from a full read are removed", () => {
    keys.put(many(key, 1000), syncMetadata.nextRevision());
    keys.put(
      many((index) => key(index + 1000), 1000),
      syncMetadata.nextRevision(),
    );
    const revision = syncMetadata.nextRevision();
    keys.put(
      many((index) => key(index * 2), 1000),
      revision,
    );
    Array.from(keys.removeBefore(revision));
    expect(byHash(keys.values())).toEqual(byHash(many((index) => key(index * 2), 1000)));
  });

  it("missing from a full read are not restored by an earlier page, but by a later one", () => {
    keys.put([key(1), key(2)], syncMetadata.nextRevision());
    const page = syncMetadata.nextRevision();
    const revision = syncMetadata.nextRevision();
    keys.put([key(2)], revision);
    Array.from(keys.removeBefore(revision));
    keys.put([key(1)], page);
    expect([keys.has(key(1).hash), keys.size]).toEqual([false, 1]);
    keys.put([key(1)], syncMetadata.nextRevision());
    expect(keys.has(key(1).hash)).toBe(true);
  });

  it("with plural forms are those of the service: files must not decide how files are read", () => {
    keys.put([key(5), key(6)], 0);
    keys.put([key(10), key(11)], syncMetadata.nextRevision());
    expect([...keys.pluralKeys()]).toEqual([
      { hash: key(10).hash, namespace: "*", key: key(10).key, context: "button" },
    ]);
    expect([5, 6, 10, 11].map((index) => keys.isPlural(key(index).hash))).toEqual([
      undefined,
      undefined,
      true,
      false,
    ]);
    // The same key at the service.
    keys.put([key(5)], syncMetadata.nextRevision());
    expect([keys.isPlural(key(5).hash), [...keys.pluralKeys()].length]).toEqual([true, 2]);
  });

  it("of a later revision stay when others are removed, with their translations", () => {
    syncMetadata.setCursor(CURSOR, "nl");
    keys.put([key(1)], 5);
    keys.put([key(2)], 7);
    translations.put("nl", [row(1), row(2)], 5);
    Array.from(keys.remove([key(1).hash, key(2).hash, key(3).hash], 6));
    expect([keys.has(key(1).hash), keys.has(key(2).hash)]).toEqual([false, true]);
    expect(translationsIn(database, "nl")).toEqual([row(2)]);
    // What was not there was not removed, nor archived.
    expect([1, 2, 3].map((index) => keys.isArchived(key(index).hash))).toEqual([true, false, false]);
    keys.put([key(1), key(3)], 6);
    expect([keys.has(key(1).hash), keys.has(key(3).hash)]).toEqual([true, true]);
  });

  it("that changed are counted in their namespaces, all of them, up to the limit", () => {
    expect([keys.latestChange(), keys.namespacesChangedAfter("2026", 9).size]).toEqual([null, 0]);
    keys.put(
      [1, 2, 3, 4, 6].map((index) =>
        key(index, { updatedAt: `2026-01-0${index}T00:00:00Z`, namespace: index < 4 ? "a" : "b" }),
      ),
      1,
    );
    expect(keys.namespacesChangedAfter("2026-01-03T00:00:00Z", 9)).toEqual(new Map([["b", 2]]));
    expect(keys.namespacesChangedAfter("2026-01-02T00:00:00Z", 2)).toEqual(
      new Map([
        ["a", 2],
        ["b", 2],
      ]),
    );
    expect([keys.countChangedAfter("2026-01-03T00:00:00Z", 9), keys.latestChange()]).toEqual([
      2,
      "2026-01-06T00:00:00Z",
    ]);
  });

  it("without a translation are all found, in batches, in one language", () => {
    for (const start of [0, 1_000])
      keys.put(
        many((index) => key(start + index), 1_000),
        1,
      );
    translations.put(
      "nl",
      many((index) => row(index + 3, { isTranslated: true }), 990),
      1,
    );
    const found = [...keys.untranslated("nl")];
    expect(found.map((batch) => batch.length)).toEqual([10, 1_000]);
    expect(found[0]?.slice(0, 3).map(({ hash }) => hash)).toEqual([1, 2, 3].map((index) => key(index).hash));
    expect([...keys.untranslated("fr")].flat()).toHaveLength(2_000);
  });

  it("without a translation have no row or an empty one", () => {
    keys.put(many(key, 20), syncMetadata.nextRevision());
    translations.put("nl", many(row, 18), syncMetadata.nextRevision());
    expect([...keys.untranslated("nl")].flat().map(({ hash }) => hash)).toEqual(
      [9, 18, 19, 20].map((index) => key(index).hash),
    );
  });
});

describe("translations", () => {
  it("round-trip by language", () => {
    const all = many(row, 2500);
    for (let start = 0; start < all.length; start += 1000)
      translations.put("nl", all.slice(start, start + 1000), syncMetadata.nextRevision());
    translations.put("fr", [row(1, { text: { value: "texte" } })], syncMetadata.nextRevision());
    expect(translationsIn(database, "nl")).toEqual(all);
    expect(translations.get("fr", row(1).hash)?.text).toEqual({ value: "texte" });
    expect(translations.get("nl", row(1).hash)).toEqual(row(1));
    expect(translations.get("de", row(1).hash)).toBeUndefined();
    expect([...translations.rows("nl", "outdated")]).toEqual(all.filter(({ isOutdated }) => isOutdated));
    expect([...translations.rows("nl", "issues")]).toEqual(all.filter(({ issues }) => issues.length > 0));
    expect([translations.hasIssues("nl"), translations.hasIssues("fr")]).toEqual([true, false]);
    expect({ ...translations.counts("nl") }).toEqual({
      rows: 2500,
      translated: 2223,
      outdated: 625,
      issues: all.reduce((sum, { issues }) => sum + issues.length, 0),
      errors: 312,
    });
    expect({ ...translations.counts("de") }).toEqual({
      rows: 0,
      translated: 0,
      outdated: 0,
      issues: 0,
      errors: 0,
    });
    expect(translations.latestChange("nl")).toBe("2026-01-02T03:04:59.000Z");
    expect(translations.countChangedAfter("nl", "2026-01-02T03:04:58.000Z", 1000)).toBe(41);
  });

  it("of a page replace a later write if the service has them as newer", () => {
    const page = syncMetadata.nextRevision();
    translations.put("nl", [row(5, { version: 2 }), row(6, { version: 2 })], syncMetadata.nextRevision());
    translations.put("nl", [row(5, { version: 1, text: null }), row(6, { version: 3, text: null })], page);
    expect(translations.get("nl", row(5).hash)?.text).toEqual({ value: "tekst 5" });
    expect(translations.get("nl", row(6).hash)?.text).toBeNull();
  });

  it("of a key are those of the languages that are asked for", () => {
    for (const [index, locale] of ["nl", "fr", "de"].entries())
      translations.put(locale, [row(1, { text: { value: locale }, version: index })], 1);
    translations.put("nl", [row(2)], 1);
    const found = translations.forKey(row(1).hash, ["fr", "nl", "es"]);
    expect(new Map([...found].map(([locale, { text, version }]) => [locale, [text, version]]))).toEqual(
      new Map([
        ["fr", [{ value: "fr" }, 1]],
        ["nl", [{ value: "nl" }, 0]],
      ]),
    );
    expect(translations.forKey(row(1).hash, []).size).toBe(0);
  });

  it("with one of the strings are found in all languages, in slices, as people read them", () => {
    const all = many((index) => row(index, { text: { value: `tekst ${index}` } }), 1_000);
    translations.put("nl", all, 1);
    translations.put(
      "fr",
      [
        row(1, { text: { forms: { one: "x", other: 'a "@:b"' } } }),
        row(2, { text: null }),
        row(3, { text: { value: "$t(c)" } }),
        row(4, { text: { value: "none" } }),
      ],
      1,
    );
    const found = (...strings: string[]) =>
      [...translations.containing(strings)].map((slice) =>
        slice.map(({ locale, hash }) => `${locale} ${hash}`),
      );
    const of = (locale: string, index: number): string => `${locale} ${row(index).hash}`;
    expect(found('"@:', "$t(")).toEqual([[], [of("fr", 1), of("fr", 3)]]);
    expect(found('a "@')).toEqual([[], [of("fr", 1)]]);
    expect(found("tekst 1000", "none")).toEqual([[of("nl", 1_000)], [of("fr", 4)]]);
    expect([found(), found("forms")]).toEqual([[], [[], [of("fr", 1)]]]);
    expect([...translations.containing(["$t("])].flat()).toEqual([
      { locale: "fr", hash: row(3).hash, text: { value: "$t(c)" } },
    ]);
  });

  it("have their last change by language, which rows without a time do not have", () => {
    expect(translations.latestChange("nl")).toBeNull();
    translations.put("nl", [row(1, { updatedAt: null }), row(2, { updatedAt: "2026-01-02" })], 1);
    translations.put("fr", [row(1, { updatedAt: "2026-01-05" }), row(2, { updatedAt: "2026-01-04" })], 1);
    expect(["nl", "fr"].map((locale) => translations.latestChange(locale))).toEqual([
      "2026-01-02",
      "2026-01-05",
    ]);
    const after = (locale: string, time: string, limit = 9) =>
      translations.countChangedAfter(locale, time, limit);
    expect([after("nl", "2026-01-01"), after("nl", "2026-01-02"), after("fr", "2026-01-01")]).toEqual([
      1, 0, 2,
    ]);
    expect(after("fr", "2026-01-01", 1)).toBe(1);
  });

  it("of a restored backup replace newer ones in a full read", () => {
    translations.put("nl", [row(5, { version: 9 })], syncMetadata.nextRevision());
    translations.put("nl", [row(5, { version: 3, text: { value: "oud" } })], syncMetadata.nextRevision());
    expect(translations.get("nl", row(5).hash)).toMatchObject({ version: 3, text: { value: "oud" } });
  });

  it("missing from a full read are removed in that language", () => {
    for (const locale of ["nl", "fr"]) translations.put(locale, many(row, 900), syncMetadata.nextRevision());
    const revision = syncMetadata.nextRevision();
    translations.put("nl", [row(3)], revision);
    Array.from(translations.removeBefore("nl", revision));
    expect(translationsIn(database, "nl")).toEqual([row(3)]);
    expect(translations.counts("fr").rows).toBe(900);
  });
});

it("iterates over any number of rows and keys", () => {
  for (const count of [1_000, 1_001]) {
    keys.put(many(key, count), 1);
    translations.put("nl", many(row, count), 1);
    expect([
      [...keys.names()].length,
      [...keys.values()].length,
      translationsIn(database, "nl").length,
    ]).toEqual([count, count, count]);
  }
});

it("replaces and removes the text of a key", () => {
  const forms = { forms: { one: "1", other: "2" } };
  keys.put([key(1, { text: { value: "a" } }), key(2, { text: null }), key(3, { text: forms })], 1);
  const texts = [1, 2, 3, 4].map((index) => keys.text(sha1(`${index}`)));
  expect(texts).toEqual([{ value: "a" }, null, forms, undefined]);
});

it("keeps counts of what is stored", () => {
  const expectCounts = (): void => {
    expect(keys.size).toBe(database.number("SELECT count(*) FROM keys"));
    expect(database.get("SELECT with_text FROM key_counts")).toEqual({
      with_text: database.number("SELECT count(text) FROM keys"),
    });
    for (const locale of ["nl", "fr"])
      expect({ ...translations.counts(locale) }).toEqual({
        ...database.get(
          `SELECT count(*) AS rows, total(is_translated) AS translated, total(is_outdated) AS outdated,
             total(json_array_length(issues)) AS issues, total(errors) AS errors FROM translations WHERE locale = ?`,
          locale,
        ),
      });
  };
  const issue = { rule: "length", level: "error" } as unknown as QaIssue;
  expectCounts();
  keys.put([key(1), key(2), { ...key(3), text: null }], 1);
  translations.put("nl", [row(1), { ...row(2), isOutdated: true, issues: [issue] }], 1);
  translations.put("fr", [{ ...row(1), text: null, isTranslated: false }], 1);
  expectCounts();
  keys.put(
    [
      { ...key(3), text: { value: "now" } },
      { ...key(1), text: null },
    ],
    2,
  );
  translations.put("nl", [{ ...row(2), isOutdated: false, issues: [issue, issue] }, row(3)], 2);
  expectCounts();
  translations.put("nl", [{ ...row(2), issues: [issue, { ...issue, level: "warning" }] }], 2);
  expectCounts();
  expect(translations.counts("nl")).toMatchObject({ issues: 2, errors: 1 });
  Array.from(keys.remove([key(2).hash], 3));
  Array.from(translations.removeBefore("nl", 2));
  expectCounts();
  const metadata = new SyncMetadataRepository(database);
  metadata.clear(metadata.content);
  expectCounts();
  expect([keys.size, translations.counts("nl").rows]).toEqual([0, 0]);
});

it("notes keys that the service archived, also after a complete read", () => {
  keys.put([key(1), key(2)], 1);
  for (const _ of keys.remove([sha1("1")], 2)) continue;
  for (const _ of keys.removeBefore(3)) continue;
  expect(database.column("SELECT hash FROM archived_keys ORDER BY hash")).toEqual(
    [sha1("1"), sha1("2")].toSorted(),
  );
  for (const _ of keys.setArchived([], [sha1("2")])) continue;
  expect(database.column("SELECT hash FROM archived_keys")).toEqual([sha1("1")]);
});

it.each([999, 1_000, 1_001, 2_500])("yields each of %i rows of a language once", (count) => {
  const all = Array.from({ length: count }, (_, index) => row(index, { isOutdated: true }));
  for (let start = 0; start < count; start += 1_000)
    translations.put("nl", all.slice(start, start + 1_000), 1);
  translations.put("fr", [row(1, { isOutdated: true })], 1);
  const found: string[] = [];
  for (const { hash } of translations.rows("nl", "outdated")) {
    found.push(hash);
    if (found.length > count) break;
  }
  expect(found.toSorted()).toEqual(all.map(({ hash }) => hash).toSorted());
});

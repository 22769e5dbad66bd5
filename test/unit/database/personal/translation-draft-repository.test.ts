/** Drafts and refused translations in a real database. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { KeyRepository } from "../../../../src/database/key-repository.ts";
import type { ProjectKey, ProjectRow } from "../../../../src/database/records.ts";
import { PersonalData } from "../../../../src/database/personal/personal-data.ts";
import { PERSONAL_SCHEMA } from "../../../../src/database/personal/personal-schema.ts";
import {
  RejectedTranslationRepository,
  type RejectedTranslation,
} from "../../../../src/database/personal/rejected-machine-translation-repository.ts";
import {
  TranslationDraftRepository,
  type TranslationDraft,
} from "../../../../src/database/personal/translation-draft-repository.ts";
import { TranslationRepository } from "../../../../src/database/translation-repository.ts";
import type { KeyName } from "../../../../src/model/key-hash.ts";
import { isEmptyText, type Text } from "../../../../src/model/translation-text.ts";
import { textsAtService } from "../../../../src/sync/drafts/current-texts.ts";
import { draftState, isInConflict } from "../../../../src/sync/drafts/decide-draft.ts";

let database: Database;
let personal: PersonalData;
let drafts: TranslationDraftRepository;

const draft = (changes: Partial<TranslationDraft> = {}): TranslationDraft => ({
  locale: "nl",
  hash: "a".repeat(40),
  text: { value: "Winkelwagen" },
  base: null,
  baseVersion: null,
  source: null,
  origin: "person",
  model: null,
  ...changes,
});

beforeEach(() => {
  database = new Database(":memory:");
  personal = new PersonalData();
  drafts = new TranslationDraftRepository(personal, database);
});
afterEach(() => database.close());

describe("drafts", () => {
  it("round-trip", () => {
    const all = [
      draft(),
      draft({ locale: "de", base: { value: "" }, baseVersion: 7 }),
      draft({
        hash: "b".repeat(40),
        text: { forms: { one: "één", other: "\ud800" } },
        origin: "machine",
        model: "m",
        source: { forms: { one: "one", other: "some" } },
      }),
    ];
    drafts.put(all);
    for (const each of all) expect(drafts.get(each.locale, each.hash)).toEqual(each);
    const ofKey = drafts.forKey("a".repeat(40), ["nl", "de", "fr"]);
    expect([...ofKey.values()]).toEqual([all[1], all[0]]);
    expect(drafts.get("fr", "a".repeat(40))).toBeUndefined();
    expect(drafts.count()).toBe(3);
  });

  it("are kept in memory if the disk cannot be written any more", () => {
    const folder = mkdtempSync(join(tmpdir(), "drafts-"));
    const onDisk = new Database(join(folder, "personal.db"), () => undefined, undefined, PERSONAL_SCHEMA);
    const repository = new TranslationDraftRepository(new PersonalData(onDisk), database);
    try {
      repository.put([draft({ locale: "de" }), draft({ locale: "fr" })]);
      onDisk.sql("PRAGMA query_only = ON").run();
      repository.put([draft({ locale: "nl" })]);
      expect([...repository.all()].map(({ locale }) => locale)).toEqual(["de", "fr", "nl"]);
      repository.remove([draft({ locale: "fr" })]);
      expect(repository.count()).toBe(2);
    } finally {
      onDisk.close();
      rmSync(folder, { recursive: true });
    }
  });

  it("replace an older one of the same key and locale", () => {
    drafts.put([draft()]);
    drafts.put([draft({ text: { value: "Mand" } })]);
    expect([...drafts.all()]).toEqual([draft({ text: { value: "Mand" } })]);
  });

  it.each([999, 1_000, 1_001, 2_000])("are all read if there are %i", (count) => {
    const many = Array.from({ length: count }, (_, index) =>
      draft({ hash: index.toString(16).padStart(40, "0") }),
    );
    drafts.put(many);
    expect([...drafts.all()]).toEqual(many);
    expect(drafts.count()).toBe(count);
    drafts.remove(many);
    expect(drafts.count()).toBe(0);
  });

  it("may conflict if the service's text is not their base", () => {
    const text = { value: "Mand" };
    const at = (letter: string, changes: Partial<ProjectKey & ProjectRow> = {}) =>
      ({
        hash: letter.repeat(40),
        namespace: "*",
        key: letter,
        context: null,
        isPlural: false,
        text,
        sourceHash: null,
        description: null,
        maxLength: null,
        tags: [],
        updatedAt: null,
        isTranslated: true,
        isOutdated: false,
        issues: [],
        version: 1,
        ...changes,
      }) as const;
    new KeyRepository(database).put([at("a"), at("e", { text: { value: "Total" } })], 1);
    const stored = [at("a"), at("b", { version: 2 }), at("c", { text: { value: "Kar" } }), at("e")];
    new TranslationRepository(database).put("nl", stored, 1);
    const begun = (letter: string, changes: Partial<TranslationDraft> = {}) =>
      draft({ hash: letter.repeat(40), base: text, baseVersion: 1, ...changes });
    drafts.put([
      begun("a", { source: text }),
      begun("b"),
      begun("c"),
      begun("d"),
      begun("e", { source: text }),
    ]);
    drafts.put([begun("f", { base: null, baseVersion: null }), begun("a", { locale: "en" })]);
    expect(drafts.mayConflict("en").map(({ locale, hash }) => `${locale} ${hash[0]}`)).toEqual([
      "en a",
      "nl b",
      "nl c",
      "nl d",
      "nl e",
    ]);
  });

  it("may conflict whenever they do, whatever texts and versions there are", () => {
    const texts: readonly (Text | null)[] = [null, { value: "" }, { value: "a" }, { value: "b" }];
    const sources = texts.filter((text) => text === null || !isEmptyText(text));
    const versions = [null, 1, 2];
    const own: TranslationDraft[] = [];
    const keys: ProjectKey[] = [];
    const rows: (KeyName & ProjectRow)[] = [];
    for (const text of texts.slice(1))
      for (const base of texts)
        for (const source of sources)
          for (const baseVersion of versions)
            for (const [ofKey, stored] of sources.flatMap((each) =>
              texts.map((other) => [each, other] as const),
            ))
              for (const version of versions) {
                const hash = String(own.length).padStart(40, "0");
                const name = { hash, namespace: "*", key: hash, context: null, isPlural: false };
                const details = { sourceHash: null, description: null, maxLength: null, tags: [] };
                own.push(draft({ hash, text: text ?? { value: "" }, base, baseVersion, source }));
                // Some keys and translations are not there at all.
                if (ofKey !== null) keys.push({ ...name, ...details, text: ofKey, updatedAt: null });
                const state = { isTranslated: true, isOutdated: false, issues: [], updatedAt: null };
                if (stored !== null || version !== null)
                  rows.push({ ...name, ...state, text: stored, version });
              }
    const project = { keys: new KeyRepository(database), translations: new TranslationRepository(database) };
    project.keys.put(keys, 1);
    project.translations.put("nl", rows, 1);
    drafts.put(own);
    const found = new Set(drafts.mayConflict("en").map(({ hash }) => hash));
    const inConflict = own.filter((each) => isInConflict(draftState(each, textsAtService(project, each))));
    expect([inConflict.length > 1_000, inConflict.filter(({ hash }) => !found.has(hash))]).toEqual([
      true,
      [],
    ]);
    // The others are not all read.
    expect(own.length - found.size).toBeGreaterThan(100);
  });

  it("are set or removed together, and found by language, in their project alone", () => {
    const [a, b, c] = ["a", "b", "c"].map((letter) => draft({ hash: letter.repeat(40) })) as [
      TranslationDraft,
      TranslationDraft,
      TranslationDraft,
    ];
    const others = new TranslationDraftRepository(new PersonalData(personal.database, "other"), database);
    others.put([a, draft({ locale: "es" })]);
    drafts.put([a, b]);
    drafts.set([
      [a, undefined],
      [b, { ...b, text: { value: "Mand" } }],
      [c, c],
      [draft({ locale: "de" }), undefined],
    ]);
    expect([...drafts.all()].map(({ hash, text }) => [hash[0], text])).toEqual([
      ["b", { value: "Mand" }],
      ["c", c.text],
    ]);
    drafts.put([draft({ locale: "de", hash: c.hash })]);
    expect([drafts.locales(), others.locales()]).toEqual([
      ["de", "nl"],
      ["es", "nl"],
    ]);
    expect(drafts.hashes().toSorted()).toEqual([b.hash, c.hash, c.hash]);
    expect(drafts.hashes("locale = ?", "nl").toSorted()).toEqual([b.hash, c.hash]);
    expect([...drafts.forKey(c.hash, ["nl"]).keys()]).toEqual(["nl"]);
    expect(drafts.forKey(a.hash, ["nl"]).size).toBe(0);
    expect([others.count(), others.get("nl", a.hash)]).toEqual([2, a]);
  });

  it("are read in a fixed order and removed by name", () => {
    const hashes = ["a", "b", "c"].map((letter) => letter.repeat(40));
    drafts.put(["nl", "de"].flatMap((locale) => hashes.map((hash) => draft({ locale, hash }))));
    const all = [...drafts.all()];
    const names = all.map(({ locale, hash }) => `${locale} ${hash[0]}`);
    expect(names).toEqual(["de a", "de b", "de c", "nl a", "nl b", "nl c"]);
    drafts.remove(all.slice(0, 4));
    expect([...drafts.all()]).toEqual(all.slice(4));
  });
});

describe("refused translations", () => {
  const hash = "a".repeat(40);
  const source = { value: "Hi :name" };
  const refused = (changes: Partial<RejectedTranslation> = {}): RejectedTranslation => ({
    locale: "pl",
    hash,
    reason: "The placeholders differ.",
    source,
    version: null,
    ...changes,
  });
  const putKey = (text: ProjectKey["text"], into = database): void => {
    const name = { hash, namespace: "cart", key: "hi", context: null };
    const none = { sourceHash: null, description: null, maxLength: null, tags: [], updatedAt: null };
    new KeyRepository(into).put([{ ...name, ...none, isPlural: false, text }], 1);
  };

  it("round-trip", () => {
    putKey(source);
    const all = new RejectedTranslationRepository(personal, database);
    all.put(refused());
    expect([all.reason("pl", hash), all.reason("nl", hash)]).toEqual(["The placeholders differ.", undefined]);
  });

  it("replace older ones, are removed by name and belong to one project", () => {
    putKey(source);
    const all = new RejectedTranslationRepository(personal, database);
    all.put(refused());
    all.put(refused({ reason: "Too long." }));
    all.put(refused({ locale: "de" }));
    expect([all.reason("pl", hash), all.count()]).toEqual(["Too long.", 2]);
    all.remove(refused());
    expect([all.reason("pl", hash), all.count()]).toEqual([undefined, 1]);
    const ofAnother = new PersonalData(personal.database, "another");
    const others = new RejectedTranslationRepository(ofAnother, database);
    expect(others.count()).toBe(0);
    // What another project has of the same key changes nothing.
    others.put(refused({ locale: "de" }));
    others.remove(refused({ locale: "de" }));
    new TranslationDraftRepository(ofAnother, database).put([draft({ locale: "de" })]);
    expect([all.reason("de", hash), all.count()]).toEqual(["The placeholders differ.", 1]);
  });

  it("count until there is a draft, another translation or another source text", () => {
    const all = new RejectedTranslationRepository(personal, database);
    all.put(refused());
    expect(all.count()).toBe(0);
    putKey({ value: "Hello :name" });
    expect(all.count()).toBe(0);
    putKey(source);
    expect(all.count()).toBe(1);
    drafts.put([draft({ locale: "pl", hash: "b".repeat(40) }), draft()]);
    expect(all.count()).toBe(1);
    drafts.put([draft({ locale: "pl" })]);
    expect([all.reason("pl", hash), all.count()]).toEqual([undefined, 0]);
    drafts.remove([draft({ locale: "pl" })]);
    const row = { hash, text: { value: "Cześć" }, isTranslated: true, isOutdated: false, issues: [] };
    new TranslationRepository(database).put("pl", [{ ...row, version: 2, updatedAt: null }], 1);
    expect(all.count()).toBe(0);
    all.put(refused({ version: 2 }));
    expect(all.count()).toBe(1);
    const forms = { forms: { other: ":n days", one: "a day" } };
    putKey(forms);
    all.put(refused({ source: forms, version: 2 }));
    expect(all.count()).toBe(1);
  });
});

/**
 * Random histories of texts that a person types and a model proposes over local files, which others change without the window
 * noticing. What may be written is decided by what a person has seen, and a model has translated; the code is not asked.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyRepository } from "../../../../src/database/key-repository.ts";
import { PersonalData } from "../../../../src/database/personal/personal-data.ts";
import { TranslationDraftRepository } from "../../../../src/database/personal/translation-draft-repository.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { textsInFiles } from "../../../../src/sync/drafts/current-texts.ts";
import { isInConflict } from "../../../../src/sync/drafts/decide-draft.ts";
import { DraftHistory } from "../../../../src/sync/drafts/draft-history.ts";
import { saveInFiles, saveOrder } from "../../../../src/sync/drafts/save-drafts.ts";
import { runCount } from "../../support/full-run.ts";
import { createLocalProject, hashOf, nameOf } from "../../workspace/local-files/local-project.ts";

const KEYS = ["a", "b"] as const;
const LOCALES = ["de", "en", "nl"] as const;
const TRANSLATED = ["de", "nl"] as const;

const key = fc.constantFrom(...KEYS);
const locale = fc.constantFrom(...LOCALES);
const value = fc.constantFrom("", "x", "y", "z");

const action = fc.oneof(
  fc.record({ kind: fc.constantFrom("types" as const, "theirs" as const), locale, key, value }),
  fc.record({
    kind: fc.constant("proposes" as const),
    locale: fc.constantFrom(...TRANSLATED),
    key,
    value: fc.constantFrom("x", "y", "z"),
  }),
  fc.record({ kind: fc.constantFrom("keepsMine" as const, "discards" as const), locale, key }),
  fc.record({ kind: fc.constantFrom("saves" as const, "saves" as const, "reads" as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never;

/** An unsaved text, what its author saw there, and, of a model, what it translated. */
interface Expected {
  readonly typed: string;
  readonly seen: string;
  readonly translated: string | null;
}

const valueOf = (text: Text | null | undefined): string =>
  text !== null && text !== undefined && "value" in text ? text.value : "";

async function play(actions: readonly Action[]): Promise<void> {
  const disk = new Map<string, Map<string, string>>(
    LOCALES.map((each) => [each, new Map(KEYS.map((of) => [of, `${each} ${of}`]))]),
  );
  const at = (of: string, name: string): string => disk.get(of)?.get(name) ?? "";
  const json = (of: string): string => JSON.stringify(Object.fromEntries(disk.get(of) ?? []));
  const fixture = createLocalProject(
    Object.fromEntries(LOCALES.map((each) => [`${each}.json`, json(each)])),
    {
      files: [{ path: "{locale}.json", format: "json_js" }],
      serviceLocales: [...LOCALES],
    },
  );
  const { local, files, database } = fixture;
  const target = { local, files, project: { keys: new KeyRepository(database), sourceLocale: null } };
  const drafts = new TranslationDraftRepository(new PersonalData(), database);
  const history = new DraftHistory(drafts, (id) => textsInFiles(target, id));
  await local.load();

  const unsaved = new Map<string, Expected>();
  const idOf = (of: string, name: string) => ({ locale: of, hash: hashOf(nameOf(name)) });
  /** What the window last read. */
  const read = (of: string, name: string): string => valueOf(local.find(hashOf(nameOf(name)), of)?.text);
  const isWritable = (of: string, name: string, { typed, seen, translated }: Expected): boolean => {
    if (translated !== null && translated !== at("en", name)) return false;
    return [seen, typed].includes(at(of, name));
  };

  for (const each of actions) {
    switch (each.kind) {
      case "types": {
        const { typed: _, ...before } = unsaved.get(`${each.locale} ${each.key}`) ?? { seen: null };
        history.stage([{ ...idOf(each.locale, each.key), text: { value: each.value } }]);
        const shown = read(each.locale, each.key);
        const id = `${each.locale} ${each.key}`;
        if (each.value === shown) unsaved.delete(id);
        else unsaved.set(id, { typed: each.value, seen: before.seen ?? shown, translated: null });
        break;
      }
      case "proposes": {
        const id = `${each.locale} ${each.key}`;
        // A model does not replace what a person typed.
        if (unsaved.get(id)?.translated === null) break;
        const [seen, translated] = [read(each.locale, each.key), read("en", each.key)];
        const base: Text | null = seen === "" ? null : { value: seen };
        drafts.put([
          {
            ...idOf(each.locale, each.key),
            text: { value: each.value },
            base,
            baseVersion: null,
            origin: "machine",
            model: "m",
            source: { value: translated },
          },
        ]);
        unsaved.set(id, { typed: each.value, seen, translated });
        break;
      }
      case "keepsMine": {
        const id = `${each.locale} ${each.key}`;
        const draft = unsaved.get(id);
        history.keepMine([idOf(each.locale, each.key)]);
        if (draft === undefined) break;
        const [seen, source] = [read(each.locale, each.key), read("en", each.key)];
        if (draft.typed === seen) unsaved.delete(id);
        else
          unsaved.set(id, {
            ...draft,
            seen,
            translated: draft.translated === source ? draft.translated : null,
          });
        break;
      }
      case "discards":
        history.discard([idOf(each.locale, each.key)]);
        unsaved.delete(`${each.locale} ${each.key}`);
        break;
      case "theirs":
        disk.get(each.locale)?.set(each.key, each.value);
        files.put(`${each.locale}.json`, json(each.locale));
        break;
      case "reads":
        await local.reload();
        break;
      case "saves": {
        const order = saveOrder([...drafts.all()], {
          isAtService: () => false,
          isSavable: () => true,
          sourceLocale: "en",
        });
        for (const [, ofLocale] of order) {
          const { saved, refused, changed } = await saveInFiles(target, ofLocale, ({ hash }) =>
            nameOf(KEYS.find((name) => hashOf(nameOf(name)) === hash) ?? ""),
          );
          expect([refused, changed]).toEqual([[], []]);
          await local.load();
          history.markSaved(saved);
        }
        // Source texts first: what a person typed there is what translations are compared with.
        for (const of of ["en", ...TRANSLATED])
          for (const name of KEYS) {
            const draft = unsaved.get(`${of} ${name}`);
            if (draft === undefined || !isWritable(of, name, draft)) continue;
            disk.get(of)?.set(name, draft.typed);
            unsaved.delete(`${of} ${name}`);
          }
        for (const of of LOCALES)
          for (const name of KEYS) {
            const there = JSON.parse(files.text(`${of}.json`) ?? "{}") as Record<string, string>;
            expect(there[name] ?? "", `${of} ${name}`).toBe(at(of, name));
          }
        const inConflict = [...drafts.all()].filter((draft) => isInConflict(history.stateOf(draft)));
        expect(inConflict).toEqual([...drafts.all()]);
        break;
      }
    }
    const kept = Array.from(drafts.all(), ({ locale: of, hash, text }) => {
      return [`${of} ${KEYS.find((name) => hashOf(nameOf(name)) === hash)}`, valueOf(text)] as const;
    });
    const expected = Array.from(unsaved, ([id, { typed }]) => [id, typed] as const);
    expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(expected));
  }
}

test("writes no text over one that nobody has seen, and no translation of another source text", async () => {
  await fc.assert(fc.asyncProperty(fc.array(action, { maxLength: 25 }), play), { numRuns: runCount(1_000) });
});

test("does not write a translation of the source text that a person replaces in the same save", async () => {
  await play([
    { kind: "proposes", locale: "de", key: "a", value: "x" },
    { kind: "types", locale: "en", key: "a", value: "y" },
    { kind: "saves" },
    { kind: "keepsMine", locale: "de", key: "a" },
    { kind: "saves" },
  ]);
});

test("does not write a translation of a source text that somebody replaced unseen", async () => {
  await play([
    { kind: "proposes", locale: "nl", key: "a", value: "x" },
    { kind: "theirs", locale: "en", key: "a", value: "y" },
    { kind: "saves" },
  ]);
});

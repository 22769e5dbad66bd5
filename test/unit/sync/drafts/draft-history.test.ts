/** Drafts, undo and redo, in a real database. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { PersonalData } from "../../../../src/database/personal/personal-data.ts";
import {
  TranslationDraftRepository,
  type DraftId,
  type TranslationDraft,
} from "../../../../src/database/personal/translation-draft-repository.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import {
  isInConflict,
  type CurrentTexts,
  type StoredText,
} from "../../../../src/sync/drafts/decide-draft.ts";
import { DraftHistory, type StagedEdit } from "../../../../src/sync/drafts/draft-history.ts";
import { propertyRuns } from "../../support/full-run.ts";
import { PersonModel } from "./person-model.ts";

const HASH = "a".repeat(40);
const NL = { locale: "nl", hash: HASH };

/** What stands at the service. */
class Service {
  readonly rows = new Map<string, { readonly text: Text | null; readonly version: number | null }>();
  /** Of every key. */
  source: Text = { value: "Cart" };

  write(id: string, value: string): void {
    const version = (this.rows.get(id)?.version ?? 0) + 1;
    this.rows.set(id, { text: value === "" ? null : { value }, version });
  }

  stored(locale: string, hash: string): StoredText {
    return this.rows.get(`${locale} ${hash}`) ?? { text: null, version: null };
  }

  readonly textsOf = ({ locale, hash }: DraftId): CurrentTexts => ({
    stored: this.stored(locale, hash),
    source: this.source,
  });
}

function open(): { service: Service; drafts: TranslationDraftRepository; staged: DraftHistory } {
  const service = new Service();
  const drafts = new TranslationDraftRepository(new PersonalData(), new Database());
  return { service, drafts, staged: new DraftHistory(drafts, service.textsOf) };
}

describe("staged text", () => {
  it("stores its base and is no draft once equal to it", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    expect(staged.stage([{ ...NL, text: { value: "Mand" } }])).toBeNull();
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    expect(drafts.get("nl", HASH)).toMatchObject({
      base: { value: "Mand" },
      baseVersion: 1,
      origin: "person",
    });
    staged.stage([{ ...NL, text: { value: "Mand" } }]);
    expect(drafts.count()).toBe(0);
  });

  it("is no draft if empty without a translation", () => {
    const { service, drafts, staged } = open();
    for (const text of [{ value: "" }, { forms: {} }, { forms: { one: "" } }]) {
      expect(staged.stage([{ ...NL, text }])).toBeNull();
    }
    service.write(`nl ${HASH}`, "Mand");
    staged.stage([{ ...NL, text: { value: "" } }]);
    const draft = drafts.get("nl", HASH);
    expect(draft).toMatchObject({ text: { value: "" }, base: { value: "Mand" } });
    // Somebody else cleared it, too.
    service.write(`nl ${HASH}`, "");
    expect(draft && isInConflict(staged.stateOf(draft))).toBe(false);
    expect(staged.keepMine([NL])).not.toBeNull();
    expect(drafts.count()).toBe(0);
  });

  it("has no empty forms, like a text of the service", () => {
    const { service, drafts, staged } = open();
    service.rows.set(`nl ${HASH}`, { text: { forms: { other: "# stuks" } }, version: 1 });
    expect(staged.stage([{ ...NL, text: { forms: { one: "", other: "# stuks" } } }])).toBeNull();
    staged.stage([{ ...NL, text: { forms: { one: "", other: "# dingen" } } }]);
    expect(drafts.get("nl", HASH)?.text).toEqual({ forms: { other: "# dingen" } });
  });

  it("ignores empty forms of the stored text", () => {
    const { service, drafts, staged } = open();
    const inFile = (forms: Record<string, string>): void =>
      void service.rows.set(`nl ${HASH}`, { text: { forms }, version: null });
    inFile({ one: "", other: "# stuks" });
    expect(staged.stage([{ ...NL, text: { forms: { one: "", other: "# stuks" } } }])).toBeNull();
    const edit = staged.stage([{ ...NL, text: { forms: { one: "", other: "# dingen" } } }]);
    const saved = [...drafts.all()];
    expect(saved.map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([false]);
    inFile({ one: "", other: "# dingen" });
    staged.markSaved(saved);
    edit?.undo();
    expect(drafts.get("nl", HASH)).toMatchObject({ text: { forms: { other: "# stuks" } } });
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([false]);
    inFile({ one: "", other: "# stuks" });
    edit?.redo();
    staged.stage([{ ...NL, text: { forms: { other: "# stuks" } } }]);
    expect(drafts.count()).toBe(0);
  });

  it("conflicts with another person's write until resolved", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    service.write(`nl ${HASH}`, "Korf");
    const draft = drafts.get("nl", HASH);
    expect(draft && isInConflict(staged.stateOf(draft))).toBe(true);
    const kept = staged.keepMine([NL]);
    expect(drafts.get("nl", HASH)).toMatchObject({ base: { value: "Korf" }, baseVersion: 2 });
    kept?.undo();
    expect(drafts.get("nl", HASH)).toEqual(draft);
    staged.discard([NL]);
    expect(drafts.count()).toBe(0);
  });

  it("conflicts with a text that replaced the one it was typed over", () => {
    const { service, drafts, staged } = open();
    const type = (before: Text): readonly boolean[] => {
      staged.stage([{ ...NL, before, text: { value: "Kar" } }]);
      return [...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)));
    };
    service.write(`nl ${HASH}`, "Korf");
    expect(type({ value: "Mand" })).toEqual([true]);
    expect(drafts.get("nl", HASH)).toMatchObject({ base: { value: "Mand" } });
    staged.keepMine([NL]);
    expect(drafts.get("nl", HASH)).toMatchObject({ base: { value: "Korf" }, baseVersion: 1 });
    staged.discardAll();
    expect(type({ value: "Korf" })).toEqual([false]);
    staged.discardAll();
    // The page leaves out empty forms.
    const incomplete = { forms: { one: "", other: "karren" } };
    service.rows.set(`nl ${HASH}`, { text: incomplete, version: 2 });
    expect(type({ forms: { other: "karren" } })).toEqual([false]);
    expect(drafts.get("nl", HASH)).toMatchObject({ base: incomplete, baseVersion: 2 });
  });

  it("conflicts if it was typed over a text that was cleared meanwhile", () => {
    const { service, drafts, staged } = open();
    service.rows.set(`nl ${HASH}`, { text: null, version: null });
    staged.stage([{ ...NL, before: { value: "Mand" }, text: { value: "Kar" } }]);
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([true]);
  });

  it('replaces the other text of a file after "keep mine"', () => {
    const { service, drafts, staged } = open();
    const inFile = (value: string): void =>
      void service.rows.set(`nl ${HASH}`, { text: { value }, version: null });
    inFile("Mand");
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    inFile("Korf");
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([true]);
    staged.keepMine([NL]);
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([false]);
  });

  it("is based on the saved text if typed during the save", () => {
    const { service, drafts, staged } = open();
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    const sent = drafts.get("nl", HASH);
    staged.stage([{ ...NL, text: { value: "Karretje" } }]);
    service.write(`nl ${HASH}`, "Kar");
    staged.markSaved(sent === undefined ? [] : [sent]);
    expect(drafts.get("nl", HASH)).toMatchObject({
      text: { value: "Karretje" },
      base: { value: "Kar" },
      baseVersion: 1,
    });
  });

  it("is in conflict if typed during a save that somebody else's text followed", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    const sent = [...drafts.all()];
    staged.beginSave(sent);
    staged.stage([{ ...NL, text: { value: "Karretje" } }]);
    service.write(`nl ${HASH}`, "Kar");
    service.write(`nl ${HASH}`, "Korf");
    staged.markSaved(sent);
    expect(drafts.get("nl", HASH)).toMatchObject({ text: { value: "Karretje" }, base: { value: "Kar" } });
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([true]);
  });

  it("keeps the base that another window gave it during the save", () => {
    const { service, drafts, staged } = open();
    const other = new DraftHistory(drafts, service.textsOf);
    service.write(`nl ${HASH}`, "Mand");
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    const sent = [...drafts.all()];
    staged.beginSave(sent);
    service.write(`nl ${HASH}`, "Kar");
    service.write(`nl ${HASH}`, "Korf");
    // The other window has read what somebody else wrote, and its person decides for the same text.
    other.keepMine([NL]);
    staged.markSaved(sent);
    expect(drafts.get("nl", HASH)).toMatchObject({
      text: { value: "Kar" },
      base: { value: "Korf" },
      baseVersion: 3,
    });
    service.write(`nl ${HASH}`, "Tas");
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([true]);
  });

  it("is in conflict with another text of the same version", () => {
    const { service, drafts, staged } = open();
    service.rows.set(`nl ${HASH}`, { text: { value: "Mand" }, version: 3 });
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    service.rows.set(`nl ${HASH}`, { text: { value: "Korf" }, version: 3 });
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([true]);
  });

  it("is kept against another version of the same text, and then can be saved", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    service.write(`nl ${HASH}`, "Mand");
    const states = () => [...drafts.all()].map((draft) => staged.stateOf(draft));
    expect(states()).toEqual(["conflict"]);
    staged.keepMine([NL]);
    expect(states()).toEqual(["current"]);
  });

  it("is in no conflict with the text that it was typed over, whose version was not known", () => {
    const { service, drafts, staged } = open();
    staged.stage([{ ...NL, before: { value: "Mand" }, text: { value: "Kar" } }]);
    service.rows.set(`nl ${HASH}`, { text: { value: "Mand" }, version: 3 });
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([false]);
  });

  it("is no draft if equal to the stored text once its save has ended", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    const begin = (): readonly TranslationDraft[] => {
      staged.stage([{ ...NL, text: { value: "Kar" } }]);
      const sent = [...drafts.all()];
      staged.beginSave(sent);
      return sent;
    };
    begin();
    staged.stage([{ ...NL, text: { value: "Mand" } }]);
    expect(drafts.count()).toBe(1);
    staged.endSave();
    staged.stage([{ ...NL, text: { value: "Karretje" } }]);
    staged.stage([{ ...NL, text: { value: "Mand" } }]);
    expect(drafts.count()).toBe(0);
    const sent = begin();
    service.write(`nl ${HASH}`, "Kar");
    staged.markSaved(sent);
    staged.stage([{ ...NL, text: { value: "Karretje" } }]);
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    expect(drafts.count()).toBe(0);
  });

  it("is kept although it equals the stored text while it is saved, also once another language was", () => {
    const { service, drafts, staged } = open();
    const DE = { ...NL, locale: "de" };
    service.write(`nl ${HASH}`, "Mand");
    staged.stage([NL, DE].map((id) => ({ ...id, text: { value: "Kar" } })));
    const sent = [...drafts.all()];
    staged.beginSave(sent);
    service.write(`de ${HASH}`, "Kar");
    staged.markSaved(sent.filter(({ locale }) => locale === "de"));
    staged.stage([{ ...NL, text: { value: "Mand" } }]);
    expect([...drafts.all()].map(({ locale, text }) => [locale, text])).toEqual([["nl", { value: "Mand" }]]);
    service.write(`nl ${HASH}`, "Kar");
    staged.markSaved(sent.filter(({ locale }) => locale === "nl"));
    expect(drafts.get("nl", HASH)).toMatchObject({ text: { value: "Mand" }, base: { value: "Kar" } });
  });

  it("gives way to the text of somebody else during a save that they win", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    service.write(`nl ${HASH}`, "Korf");
    staged.beginSave([...drafts.all()]);
    staged.discard([NL]);
    expect(drafts.count()).toBe(0);
  });

  it("is undone as a new change after the save", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    const edit = staged.stage([{ ...NL, text: { value: "Kar" } }]);
    const sent = drafts.get("nl", HASH);
    service.write(`nl ${HASH}`, "Kar");
    staged.markSaved(sent === undefined ? [] : [sent]);
    expect(drafts.count()).toBe(0);
    edit?.undo();
    expect(drafts.get("nl", HASH)).toMatchObject({
      text: { value: "Mand" },
      base: { value: "Kar" },
      baseVersion: 2,
    });
    edit?.redo();
    expect(drafts.count()).toBe(0);
  });

  it.each<[string, Text, Text]>([
    ["of one form", { value: "Kar" }, { value: "" }],
    ["of several", { forms: { one: "kar", other: "karren" } }, { forms: {} }],
  ])("%s is undone by clearing if there was no text before the save", (_, text, empty) => {
    const { service, drafts, staged } = open();
    const edit = staged.stage([{ ...NL, text }]);
    const sent = [...drafts.all()];
    service.rows.set(`nl ${HASH}`, { text, version: 1 });
    staged.markSaved(sent);
    edit?.undo();
    expect(drafts.get("nl", HASH)).toMatchObject({ text: empty, base: text, baseVersion: 1 });
    edit?.redo();
    expect(drafts.count()).toBe(0);
  });

  it("is undone as a new change while it is saved", () => {
    const { service, drafts, staged } = open();
    const edit = staged.stage([{ ...NL, text: { value: "Kar" } }]);
    const sent = [...drafts.all()];
    staged.beginSave(sent);
    edit?.undo();
    service.write(`nl ${HASH}`, "Kar");
    staged.markSaved(sent);
    expect([...drafts.all()]).toMatchObject([
      { text: { value: "" }, base: { value: "Kar" }, baseVersion: 1 },
    ]);
  });

  it("is undone as a new change after a revert", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    const edit = staged.stage([{ ...NL, text: { value: "Kar" } }]);
    staged.discardAll();
    expect(drafts.count()).toBe(0);
    edit?.redo();
    expect(drafts.get("nl", HASH)).toMatchObject({
      text: { value: "Kar" },
      base: { value: "Mand" },
      baseVersion: 1,
    });
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([false]);
  });

  it("is restored after a revert, unless the text was changed again", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    const discarded = staged.discardAll();
    expect(discarded.map(({ text }) => text)).toEqual([{ value: "Kar" }]);
    staged.restore(discarded);
    expect(drafts.get("nl", HASH)).toMatchObject({ text: { value: "Kar" }, base: { value: "Mand" } });
    staged.discardAll();
    staged.stage([{ ...NL, text: { value: "Korf" } }]);
    staged.restore(discarded);
    expect(drafts.get("nl", HASH)).toMatchObject({ text: { value: "Korf" } });
  });

  it.each(["save", "revert"] as const)(
    "conflicts with a write by somebody else after a %s if undone or redone since",
    (end) => {
      const { service, drafts, staged } = open();
      service.write(`nl ${HASH}`, "Mand");
      const edit = staged.stage([{ ...NL, text: { value: "Kar" } }]);
      if (end === "save") {
        const sent = [...drafts.all()];
        service.write(`nl ${HASH}`, "Kar");
        staged.markSaved(sent);
      } else staged.discardAll();
      service.write(`nl ${HASH}`, "Korf");
      for (const change of [edit?.undo, edit?.redo]) {
        change?.();
        const own = [...drafts.all()];
        expect(own.map(({ text }) => text)).toEqual([{ value: change === edit?.undo ? "Mand" : "Kar" }]);
        expect(own.map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([true]);
      }
    },
  );

  it("conflicts with what somebody else wrote while it was saved if undone afterwards", () => {
    const { service, drafts, staged } = open();
    service.write(`nl ${HASH}`, "Mand");
    const edit = staged.stage([{ ...NL, text: { value: "Kar" } }]);
    const sent = [...drafts.all()];
    service.write(`nl ${HASH}`, "Kar");
    service.write(`nl ${HASH}`, "Korf");
    staged.markSaved(sent);
    edit?.undo();
    expect([...drafts.all()].map((draft) => isInConflict(staged.stateOf(draft)))).toEqual([true]);
  });
});

describe("machine translation", () => {
  const proposed = {
    ...NL,
    text: { value: "Mand" },
    base: null,
    baseVersion: null,
    origin: "machine",
    model: "demo",
    source: { value: "Cart" },
  } as const;

  it("conflicts when its source text changes, until kept or edited", () => {
    const { service, drafts, staged } = open();
    drafts.put([proposed]);
    expect(isInConflict(staged.stateOf(proposed))).toBe(false);
    service.source = { value: "Basket" };
    expect([staged.stateOf(proposed) === "stale", isInConflict(staged.stateOf(proposed))]).toEqual([
      true,
      true,
    ]);
    const kept = staged.keepMine([NL]);
    const mine = { ...proposed, origin: "person", model: null, source: null };
    expect(drafts.get("nl", HASH)).toEqual(mine);
    expect(isInConflict(staged.stateOf(mine as TranslationDraft))).toBe(false);
    kept?.undo();
    expect(drafts.get("nl", HASH)).toEqual(proposed);
    staged.stage([{ ...NL, text: { value: "Kar" } }]);
    expect(drafts.get("nl", HASH)).toEqual({ ...mine, text: { value: "Kar" } });
  });

  it('stays a machine translation after "keep mine"', () => {
    const { service, drafts, staged } = open();
    drafts.put([proposed]);
    service.write(`nl ${HASH}`, "Korf");
    staged.keepMine([NL]);
    expect(drafts.get("nl", HASH)).toEqual({ ...proposed, base: { value: "Korf" }, baseVersion: 1 });
  });
});

/** One thing that a person, the service or a crash does. */
type Action =
  | { readonly kind: "edit"; readonly cells: readonly number[]; readonly value: string }
  | { readonly kind: "theirs"; readonly cell: number; readonly value: string }
  | { readonly kind: "discard" | "keepMine"; readonly cell: number }
  | { readonly kind: "undo" | "redo" | "save" | "reload" };

const cell = fc.nat(3);
const value = fc.constantFrom("", "a", "b", "c");
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant("edit" as const),
    cells: fc.uniqueArray(cell, { minLength: 1, maxLength: 3 }),
    value,
  }),
  fc.record({ kind: fc.constant("theirs" as const), cell, value }),
  fc.record({ kind: fc.constantFrom("discard" as const, "keepMine" as const), cell }),
  fc.record({
    kind: fc.constantFrom("undo" as const, "redo" as const, "save" as const, "reload" as const),
  }),
);
const valueOf = (text: Text | null): string => (text !== null && "value" in text ? text.value : "");

it("does what a person expects in any order of edits, undo, redo, saves, conflicts and reloads", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const { service, drafts, staged: first } = open();
      let staged = first;
      const ids = [0, 1, 2, 3].map((index) => ({ locale: "nl", hash: String(index).repeat(40) }));
      const idOf = (index: number) => ids[index] ?? NL;
      const keyOf = (index: number) => `nl ${idOf(index).hash}`;
      const model = new PersonModel((key) => {
        const { text, version } = service.stored("nl", key);
        return { value: valueOf(text), version };
      });
      type Changes = ReturnType<PersonModel["edit"]>;
      const done: (readonly [StagedEdit, Changes])[] = [];
      const undone: (readonly [StagedEdit, Changes])[] = [];
      /** The drafts are what the person expects, with what they saw as their base. */
      const expectModel = (): void => {
        const kept = [...drafts.all()].map(({ hash, text, base, baseVersion }) => {
          return [hash, { typed: valueOf(text), seen: { value: valueOf(base), version: baseVersion } }];
        });
        expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(model.unsaved));
      };
      const shown = (): readonly string[] =>
        ids.map(({ locale, hash }) =>
          valueOf(drafts.get(locale, hash)?.text ?? service.stored(locale, hash).text),
        );
      /** An edit that is taken back at once leaves no trace. */
      const did = (edit: StagedEdit | null, changes: Changes, before: readonly TranslationDraft[]): void => {
        expectModel();
        if (edit === null) return;
        const after = [...drafts.all()];
        edit.undo();
        expect([...drafts.all()]).toEqual(before);
        edit.redo();
        expect([...drafts.all()]).toEqual(after);
        done.push([edit, changes]);
        undone.length = 0;
      };
      for (const each of actions) {
        const was = shown();
        const before = [...drafts.all()];
        switch (each.kind) {
          case "edit": {
            const texts = each.cells.map((index) => ({ ...idOf(index), text: { value: each.value } }));
            const keys = texts.map(({ hash }) => hash);
            did(staged.stage(texts), model.edit(keys, each.value), before);
            expect(shown()).toEqual(
              was.map((text, index) => (each.cells.includes(index) ? each.value : text)),
            );
            break;
          }
          case "theirs":
            service.write(keyOf(each.cell), each.value);
            expect([...drafts.all()]).toEqual(before);
            break;
          case "discard":
            did(staged.discard([idOf(each.cell)]), model.discard(idOf(each.cell).hash), before);
            break;
          case "keepMine":
            did(staged.keepMine([idOf(each.cell)]), model.keepMine(idOf(each.cell).hash), before);
            expect(shown()).toEqual(was);
            break;
          case "undo":
            for (const [edit, changes] of done.splice(-1)) {
              edit.undo();
              model.undo(changes);
              undone.push([edit, changes]);
            }
            expectModel();
            break;
          case "redo":
            for (const [edit, changes] of undone.splice(-1)) {
              edit.redo();
              model.redo(changes);
              done.push([edit, changes]);
            }
            expectModel();
            break;
          case "save": {
            const inConflict = before.filter(({ hash }) => model.isConflict(hash));
            expect(before.filter((draft) => isInConflict(staged.stateOf(draft)))).toEqual(inConflict);
            const saved = before.filter((draft) => !inConflict.includes(draft));
            for (const draft of saved) service.write(`nl ${draft.hash}`, valueOf(draft.text));
            staged.markSaved(saved);
            model.saved(saved.map(({ hash }) => hash));
            expect([...drafts.all()]).toEqual(inConflict);
            expectModel();
            expect(shown()).toEqual(was);
            break;
          }
          case "reload":
            staged = new DraftHistory(drafts, service.textsOf);
            model.reload();
            done.length = 0;
            undone.length = 0;
            expect(shown()).toEqual(was);
            break;
        }
      }
    }),
    propertyRuns(1_000),
  );
});

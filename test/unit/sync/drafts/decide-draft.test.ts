/** What becomes of a draft, step by step: each step starts from what the one before decided. */
import { describe, expect, it } from "vitest";
import type { TranslationDraft } from "../../../../src/database/personal/translation-draft-repository.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import {
  draftAfterSave,
  draftOfDiscard,
  draftOfEdit,
  draftOfKeepMine,
  draftOfUndo,
  draftState,
  replacedVersion,
  stateAfterSkip,
  type StoredText,
} from "../../../../src/sync/drafts/decide-draft.ts";

const CELL = { locale: "nl", hash: "a".repeat(40) };
const NOTHING: StoredText = { text: null, version: null };
const SOURCE: Text = { value: "Cart" };

const at = (value: string, version: number | null): StoredText => ({ text: { value }, version });
const edit = (
  value: string,
  stored: StoredText,
  draft?: TranslationDraft,
  { before, isInFlight = false }: { readonly before?: string; readonly isInFlight?: boolean } = {},
): TranslationDraft | undefined =>
  draftOfEdit(
    { ...CELL, text: { value }, ...(before === undefined ? {} : { before: { value: before } }) },
    { stored, source: SOURCE, draft, isInFlight },
  );
const machine = (draft: TranslationDraft): TranslationDraft => ({
  ...draft,
  origin: "machine",
  model: "m",
  source: SOURCE,
});

/** The version that a save sends, or why it does not. */
function saving(draft: TranslationDraft, stored: StoredText, source: Text | null): number | string | null {
  const state = draftState(draft, { stored, source });
  return state === "current" || state === "stored" ? replacedVersion(draft, stored) : state;
}

/** A draft that must be there. */
function there(draft: TranslationDraft | undefined): TranslationDraft {
  if (draft === undefined) throw new Error("There is no draft");
  return draft;
}

describe("an edit, and then another", () => {
  it("keeps the text that was seen first as the base, whatever a colleague wrote between", () => {
    const first = there(edit("a", at("Mand", 1)));
    const second = there(edit("ab", at("Korf", 2), first));
    const third = there(edit("abc", NOTHING, second, { before: "ab" }));
    for (const draft of [first, second, third])
      expect(draft).toMatchObject({ base: { value: "Mand" }, baseVersion: 1 });
    expect(saving(second, at("Korf", 2), SOURCE)).toBe("conflict");
    expect(saving(third, NOTHING, SOURCE)).toBe("conflict");
  });

  it("is based on the text that was shown when it was typed, not on the current one", () => {
    const draft = there(edit("a", at("Korf", 2), undefined, { before: "Mand" }));
    expect(draft).toMatchObject({ base: { value: "Mand" }, baseVersion: null });
    expect(saving(draft, at("Korf", 2), SOURCE)).toBe("conflict");
  });

  it("is no draft when it comes back to the stored text, and then starts anew", () => {
    const first = there(edit("a", at("Mand", 1)));
    expect(edit("Korf", at("Korf", 2), first)).toBeUndefined();
    expect(edit("b", at("Korf", 2))).toMatchObject({ base: { value: "Korf" }, baseVersion: 2 });
  });

  it("makes a machine translation the person's, with the base that it had", () => {
    const proposed = machine(there(edit("a", at("Mand", 1))));
    expect(edit("b", at("Korf", 2), proposed)).toEqual({
      ...proposed,
      text: { value: "b" },
      origin: "person",
      model: null,
      source: null,
    });
  });

  it("of a machine is stale once its source text has changed, although the translation is the same", () => {
    const proposed = machine(there(edit("Korf", at("Mand", 1))));
    const stateFor = (value: string): string =>
      draftState(proposed, { stored: at("Korf", 2), source: { value } });
    expect([stateFor("Cart"), stateFor("Basket")]).toEqual(["stored", "stale"]);
  });

  it("clears a text, and then writes half a character as the replacement character", () => {
    expect(edit("", at("Mand", 1))).toMatchObject({ text: { value: "" }, base: { value: "Mand" } });
    expect(edit("\ud83d", at("Mand", 1))).toMatchObject({ text: { value: "\ufffd" } });
    expect(edit("", NOTHING)).toBeUndefined();
  });
});

describe("an edit during a save", () => {
  it("is kept although it equals the stored text, which the save is about to replace", () => {
    const sent = there(edit("Kar", at("Mand", 1)));
    const back = edit("Mand", at("Mand", 1), sent, { isInFlight: true });
    expect(back).toMatchObject({ text: { value: "Mand" } });
    const { draft } = draftAfterSave(sent, { stored: at("Kar", 2), draft: back });
    expect(draft).toMatchObject({ text: { value: "Mand" }, base: { value: "Kar" }, baseVersion: 2 });
  });

  it("is based on what was written, and then in conflict with what a colleague wrote after", () => {
    const sent = there(edit("Kar", at("Mand", 1)));
    const typed = there(edit("Karretje", at("Mand", 1), sent, { isInFlight: true }));
    const { draft, saved } = draftAfterSave(sent, { stored: at("Korf", 3), draft: typed });
    expect(draft).toMatchObject({ text: { value: "Karretje" }, base: { value: "Kar" }, baseVersion: null });
    expect(saved).toEqual({ text: { value: "Kar" }, version: null });
    expect(saving(there(draft), at("Korf", 3), SOURCE)).toBe("conflict");
  });

  it("is based on the written text as it was stored, if another window began it on that text", () => {
    const sent = there(edit("Kar", at("Mand", 1)));
    const begun = there(edit("Karretje", at("Kar", null)));
    const { draft } = draftAfterSave(sent, { stored: at("Kar", 2), draft: begun });
    expect(draft).toMatchObject({ text: { value: "Karretje" }, base: { value: "Kar" }, baseVersion: 2 });
  });

  it("is removed when it was not changed, and then the next one is based on what was saved", () => {
    const sent = there(edit("Kar", at("Mand", 1)));
    expect(draftAfterSave(sent, { stored: at("Kar", 2), draft: sent }).draft).toBeUndefined();
    expect(edit("b", at("Kar", 2))).toMatchObject({ base: { value: "Kar" }, baseVersion: 2 });
  });

  it("keeps the decision of another window for what a colleague wrote", () => {
    const sent = there(edit("Kar", at("Mand", 1)));
    const decided = there(
      draftOfKeepMine({ stored: at("Korf", 3), source: SOURCE, draft: sent, isInFlight: false }),
    );
    expect(draftAfterSave(sent, { stored: at("Korf", 3), draft: decided }).draft).toEqual(decided);
    // Nothing is left to save where it was written after all.
    expect(draftAfterSave(sent, { stored: at("Kar", 4), draft: decided }).draft).toBeUndefined();
    // The same decision for a text that has another version, or none, as in a file.
    for (const stored of [at("Mand", 3), at("Korf", null)]) {
      const before = { ...sent, baseVersion: stored.version === null ? null : 1 };
      const kept = { ...before, base: stored.text, baseVersion: stored.version };
      expect(draftAfterSave(before, { stored, draft: kept }).draft).toEqual(kept);
    }
  });

  it("leaves nothing unsaved of what was written, although a colleague replaced it at once", () => {
    const sent = there(edit("Kar", at("Mand", 1)));
    expect(draftAfterSave(sent, { stored: at("Korf", 3), draft: sent })).toEqual({
      draft: undefined,
      saved: { text: { value: "Kar" }, version: null },
    });
  });

  it("is based on what the service made of the text that was written", () => {
    const sent = there(edit(" Kar ", at("Mand", 1)));
    const typed = there(edit("Karretje", at("Mand", 1), sent, { isInFlight: true }));
    const { draft, saved } = draftAfterSave(sent, { stored: at("Kar", 2), draft: typed });
    expect([saved, draft?.base, draft?.baseVersion]).toEqual([at("Kar", 2), { value: "Kar" }, 2]);
  });

  it("is discarded to the text before it, unless it is in conflict and so not written", () => {
    const sent = there(edit("Kar", at("Mand", 1)));
    const state = { stored: at("Mand", 1), source: SOURCE, draft: sent, isInFlight: true };
    expect(draftOfDiscard(state)).toMatchObject({ text: { value: "Mand" } });
    expect(draftOfDiscard({ ...state, stored: at("Korf", 2) })).toBeUndefined();
    expect(draftOfDiscard({ ...state, isInFlight: false })).toBeUndefined();
    expect(draftOfDiscard({ ...state, stored: at("Kar", 2), isInFlight: false })).toBeUndefined();
  });

  it("is discarded to an empty text of the same kind where there was none", () => {
    const forms = there(
      draftOfEdit(
        { ...CELL, text: { forms: { one: "a", other: "b" } } },
        { stored: NOTHING, source: SOURCE, draft: undefined, isInFlight: false },
      ),
    );
    const discarded = draftOfDiscard({
      stored: { text: forms.text, version: 1 },
      source: SOURCE,
      draft: forms,
      isInFlight: true,
    });
    expect(discarded?.text).toEqual({ forms: {} });
  });
});

describe("undo", () => {
  const undo = (
    to: TranslationDraft | undefined,
    from: TranslationDraft | undefined,
    stored: StoredText,
    lastSaved: { readonly text: StoredText | undefined } | null,
  ) =>
    draftOfUndo(
      { id: CELL, to, from },
      { stored, source: SOURCE, draft: undefined, isInFlight: false },
      lastSaved,
    );

  it("restores the draft as it was while nothing was saved", () => {
    const first = there(edit("a", at("Mand", 1)));
    expect(undo(first, undefined, at("Korf", 2), null)).toBe(first);
    expect(undo(undefined, first, at("Mand", 1), null)).toBeUndefined();
  });

  it("clears forms that were saved where there was no text", () => {
    const forms = { forms: { one: "a", other: "b" } };
    const sent = { ...there(edit("a", NOTHING)), text: forms };
    const saved: StoredText = { text: forms, version: 1 };
    expect(undo(undefined, sent, saved, { text: saved })?.text).toEqual({ forms: {} });
  });

  it("is a new change of what was saved, and in conflict with what a colleague wrote since", () => {
    const sent = there(edit("Kar", at("Mand", 1)));
    const undone = there(undo(undefined, sent, at("Kar", 2), { text: at("Kar", 2) }));
    expect(undone).toMatchObject({ text: { value: "Mand" }, base: { value: "Kar" }, baseVersion: 2 });
    const late = there(undo(undefined, sent, at("Korf", 3), { text: at("Kar", 2) }));
    expect(saving(late, at("Korf", 3), SOURCE)).toBe("conflict");
  });
});

describe("keep mine", () => {
  it("is based on the other text, and then in conflict with the next one", () => {
    const draft = there(edit("a", at("Mand", 1)));
    const kept = there(draftOfKeepMine({ stored: at("Korf", 2), source: SOURCE, draft, isInFlight: false }));
    expect(saving(kept, at("Korf", 2), SOURCE)).toBe(2);
    expect(saving(kept, at("Tas", 3), SOURCE)).toBe("conflict");
    expect(saving(kept, at("Korf", 3), SOURCE)).toBe("conflict");
  });

  it("has nothing left to save when the other text is the same", () => {
    const draft = there(edit("a", at("Mand", 1)));
    expect(draftOfKeepMine({ stored: at("a", 2), source: SOURCE, draft, isInFlight: false })).toBeUndefined();
  });

  it("stays a machine translation unless its source text changed", () => {
    const draft = machine(there(edit("a", at("Mand", 1))));
    const state = { stored: at("Korf", 2), source: SOURCE, draft, isInFlight: false };
    expect(draftOfKeepMine(state)).toMatchObject({ origin: "machine", source: SOURCE });
    expect(draftOfKeepMine({ ...state, source: { value: "Basket" } })).toMatchObject({
      origin: "person",
      source: null,
    });
  });
});

describe("a save", () => {
  it("sends the version that the person saw, not the current one", () => {
    const draft = there(edit("a", at("Mand", 1)));
    expect(saving(draft, at("Mand", 1), SOURCE)).toBe(1);
    expect(saving(draft, at("Mand", 2), SOURCE)).toBe("conflict");
    // Somebody else wrote the same.
    expect(saving(draft, at("a", 2), SOURCE)).toBe(1);
  });

  it("sends no version of a text that was not there", () => {
    const draft = there(edit("a", NOTHING));
    expect(saving(draft, NOTHING, SOURCE)).toBe(null);
    expect(saving(draft, at("Korf", 1), SOURCE)).toBe("conflict");
  });

  it("sends the current version where only the text was known, if it is still the same", () => {
    const draft = there(edit("a", at("Korf", 2), undefined, { before: "Mand" }));
    expect(saving(draft, at("Mand", 7), SOURCE)).toBe(7);
  });

  it("does not send a machine translation of another source text, and then the person's of it", () => {
    const draft = machine(there(edit("a", at("Mand", 1))));
    expect(saving(draft, at("Mand", 1), { value: "Basket" })).toBe("stale");
    expect(saving(draft, at("Mand", 1), null)).toBe("stale");
    const own = there(edit("b", at("Mand", 1), draft));
    expect(saving(own, at("Mand", 1), { value: "Basket" })).toBe(1);
  });

  it.each([
    ["stored", "what stands there now", "conflict", at("a", 5), true, "a"],
    ["stored", "what the service normalised", "", at("a", 2), true, " a "],
    ["refused", "what it normalised but gave a reason for", "no", at("Mand", 1), true, " Mand "],
    ["conflict", "what a colleague replaced", "version", at("x", 2), true, "a"],
    ["conflict", "what a restored backup replaced", "version", at("x", 1), true, "a"],
    ["conflict", "what a colleague cleared", "", NOTHING, true, "a"],
    ["unknown", "without a reason and not read back", "", at("Mand", 1), false, "a"],
    ["refused", "without a reason but read back", "", at("Mand", 1), true, "a"],
    ["refused", "with a reason, not read back", "no", at("Mand", 1), false, "a"],
  ] as const)("counts as %s: %s", (expected, _, reason, stored, isReadBack, text) => {
    const draft = there(edit(text, at("Mand", 1)));
    expect(stateAfterSkip(draft, reason, { stored, source: SOURCE }, isReadBack)).toBe(expected);
  });

  it("counts as stale when the source text changed while it was sent, unless it was written", () => {
    const draft = machine(there(edit("a", at("Mand", 1))));
    const after = (value: string) =>
      stateAfterSkip(draft, "no", { stored: at(value, 1), source: { value: "Basket" } }, true);
    expect([after("Mand"), after("a")]).toEqual(["stale", "stored"]);
  });
});

it("compares versions only of texts that have one", () => {
  const changed = (base: string, baseVersion: number | null, stored: StoredText): boolean =>
    draftState(
      { text: { value: "mine" }, base: { value: base }, baseVersion, source: null },
      { stored, source: SOURCE },
    ) === "conflict";
  expect(changed("a", 1, at("a", 1))).toBe(false);
  expect(changed("a", 1, at("a", 2))).toBe(true);
  expect(changed("a", null, at("a", 2))).toBe(false);
  expect(changed("", 1, at("", 2))).toBe(false);
  expect(changed("", 1, NOTHING)).toBe(false);
  expect(changed("a", 1, NOTHING)).toBe(true);
  expect(changed("a", 1, at("mine", 9))).toBe(false);
});

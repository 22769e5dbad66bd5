/** Which translations of a language model become drafts, and then are saved. */
import { expect, test } from "vitest";
import { TranslationDraftRepository } from "../../../src/database/personal/translation-draft-repository.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { Database } from "../../../src/database/database.ts";
import { decideSaving, decideStaging } from "../../../src/features/translate/staging-decisions.ts";
import type { TranslationResult } from "../../../src/machine-translation/translate-texts.ts";
import type { TextToTranslate } from "../../../src/machine-translation/translation-prompt.ts";
import { typedDraft } from "../support/typed-draft.ts";

const text = (hash: string) => ({ hash, source: { value: `${hash} in English` } }) as TextToTranslate;
const translated = (hash: string): TranslationResult => ({
  kind: "translated",
  text: text(hash),
  translation: { value: `${hash} by the model` },
});

const repository = (): TranslationDraftRepository =>
  new TranslationDraftRepository(new PersonalData(), new Database());

const stage = (drafts: TranslationDraftRepository, results: readonly TranslationResult[]) => {
  const decision = decideStaging(results, {
    locale: "nl",
    model: "some model",
    bases: new Map([["a", { text: { value: "a before" }, version: 3 }]]),
    draftOf: (locale, hash) => drafts.get(locale, hash),
  });
  drafts.put(decision.drafts);
  return decision;
};

test("stages translations on what they replace, with the source text that the model had", () => {
  const drafts = repository();
  expect(stage(drafts, [translated("a"), translated("b")]).typed).toEqual([]);
  expect(drafts.get("nl", "a")).toEqual({
    locale: "nl",
    hash: "a",
    text: { value: "a by the model" },
    base: { value: "a before" },
    baseVersion: 3,
    origin: "machine",
    model: "some model",
    source: { value: "a in English" },
  });
  expect(drafts.get("nl", "b")).toMatchObject({ base: null, baseVersion: null });
});

test("keeps what was typed while the model was working", () => {
  const drafts = repository();
  drafts.put([typedDraft("nl", "a", "typed")]);
  const { typed } = stage(drafts, [translated("a"), translated("b")]);
  expect(typed.map((result) => result.text.hash)).toEqual(["a"]);
  expect(drafts.get("nl", "a")?.text).toEqual({ value: "typed" });
  expect(drafts.get("nl", "b")?.text).toEqual({ value: "b by the model" });
});

test("replaces an earlier proposal, and typed text of another language does not matter", () => {
  const drafts = repository();
  stage(drafts, [translated("a")]);
  drafts.put([typedDraft("fr", "a", "tapé")]);
  const again: TranslationResult = {
    ...translated("a"),
    kind: "translated",
    translation: { value: "better" },
  };
  expect(stage(drafts, [again]).typed).toEqual([]);
  expect([drafts.get("nl", "a")?.text, drafts.get("fr", "a")?.text]).toEqual([
    { value: "better" },
    { value: "tapé" },
  ]);
});

test("stages nothing that was rejected", () => {
  const drafts = repository();
  const rejected: TranslationResult = {
    kind: "rejected",
    text: text("a"),
    translation: { value: "wrong" },
    reasons: [{ kind: "unreadable" }],
  };
  const decision = stage(drafts, [rejected, translated("b")]);
  expect([decision.rejected, decision.drafts.map(({ hash }) => hash)]).toEqual([[rejected], ["b"]]);
  expect(drafts.get("nl", "a")).toBeUndefined();
});

test("saves what is still as staged: not what was typed, discarded, or proposed anew since", () => {
  const drafts = repository();
  const staged = stage(drafts, ["a", "b", "c", "d"].map(translated)).drafts;
  drafts.put([typedDraft("nl", "b", "typed")]);
  drafts.remove([{ locale: "nl", hash: "c" }]);
  const other: TranslationResult = {
    ...translated("d"),
    kind: "translated",
    translation: { value: "another" },
  };
  stage(drafts, [other]);
  const decision = decideSaving(staged, (locale, hash) => drafts.get(locale, hash));
  expect([decision.saved, decision.typed].map((list) => list.map(({ hash }) => hash))).toEqual([
    ["a"],
    ["b"],
  ]);
});

test("does not save a typed text that equals the proposal: the user decides about it", () => {
  const drafts = repository();
  const staged = stage(drafts, [translated("a")]).drafts;
  drafts.put([typedDraft("nl", "a", "a by the model")]);
  const decision = decideSaving(staged, (locale, hash) => drafts.get(locale, hash));
  expect([decision.saved, decision.typed]).toEqual([[], staged]);
});

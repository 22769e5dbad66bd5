/** The states of cells, why they are read-only, and what a language model translates. */
import { describe, expect, it } from "vitest";
import {
  cellStates,
  readonlyReason,
  readonlyText,
  translationScope,
  type CellFacts,
} from "../../../src/features/translation-editor/cell-decisions.ts";

const SHOWN: CellFacts = {
  text: { value: "Mand" },
  source: { value: "Cart" },
  isLoaded: true,
  translation: { isOutdated: false, issues: [] },
  draft: undefined,
  isRefused: false,
  isReadonly: false,
};
const ofPerson = { origin: "person", isConflict: false } as const;

describe("the states of a cell", () => {
  it.each([
    ["nothing to say", {}, []],
    ["no text", { text: null }, ["missing"]],
    ["empty forms", { text: { forms: { one: "", other: "" } } }, ["missing"]],
    ["no text while its language is being loaded", { text: null, isLoaded: false }, []],
    ["outdated, with an issue", { translation: { isOutdated: true, issues: [1] } }, ["outdated", "issue"]],
    ["a line break that the source does not have", { text: { value: "Mand\n" } }, ["lineBreak"]],
    ["rejected and read-only", { isRefused: true, isReadonly: true }, ["refused", "readonly"]],
  ])("%s", (_, facts, states) => {
    expect(cellStates({ ...SHOWN, ...facts })).toEqual(states);
  });

  it("are those of the draft, step by step: typed, in conflict, emptied, proposed by a model", () => {
    const stored = { ...SHOWN, translation: { isOutdated: true, issues: [1] } };
    expect(cellStates({ ...stored, draft: ofPerson })).toEqual(["unsaved"]);
    expect(cellStates({ ...stored, draft: { ...ofPerson, isConflict: true } })).toEqual([
      "unsaved",
      "conflict",
    ]);
    expect(cellStates({ ...stored, draft: ofPerson, text: { value: "" } })).toEqual(["missing", "unsaved"]);
    expect(cellStates({ ...stored, draft: ofPerson, text: { value: "a\n" } })).toEqual([
      "lineBreak",
      "unsaved",
    ]);
    expect(cellStates({ ...stored, draft: { origin: "machine", isConflict: false } })).toEqual([
      "unsaved",
      "machine",
    ]);
  });
});

describe("a cell is read-only", () => {
  const atService = {
    kind: "service",
    isRemoved: false,
    hasKey: true,
    isLoaded: true,
    refusal: null,
  } as const;
  const inFile = { kind: "file", hasFiles: true, isGenerated: false, isFixed: false } as const;
  it.each([
    [atService, null],
    [{ ...atService, isRemoved: true, hasKey: false }, "removed"],
    [{ ...atService, hasKey: false, isLoaded: false }, "not-pushed"],
    [{ ...atService, isLoaded: false }, "not-loaded"],
    [{ ...atService, refusal: "read-only" }, "no-write-access"],
    [{ ...atService, refusal: "unauthorized" }, null],
    [inFile, null],
    [{ ...inFile, hasFiles: false }, "no-file"],
    [{ ...inFile, isGenerated: true }, "generated"],
    [{ ...inFile, isFixed: true }, "fixed"],
  ] as const)("%j: %s", (place, reason) => {
    expect(readonlyReason(place)).toBe(reason);
  });
});

it("translates a single cell again, and only missing texts of several", () => {
  const scope = (keys: number, ...locales: string[]) => translationScope(keys, locales, "en");
  expect(scope(1, "nl")).toEqual({ locales: ["nl"], missingOnly: false });
  expect(scope(1, "en", "nl")).toEqual({ locales: ["nl"], missingOnly: false });
  expect(scope(2, "nl")).toEqual({ locales: ["nl"], missingOnly: true });
  expect(scope(1, "nl", "fr")).toEqual({ locales: ["nl", "fr"], missingOnly: true });
  expect(scope(1)).toEqual({ locales: [], missingOnly: true });
  expect(scope(1, "en")).toEqual({ locales: [], missingOnly: true });
});

it.each([
  ["removed", "The project no longer has nl, so this text cannot be saved. It is kept until you discard it."],
  ["not-pushed", "Push this key first: the service does not know it yet."],
  ["not-loaded", "The translations of nl are not loaded yet."],
  ["no-write-access", "Editing needs a token with write access."],
  ["no-file", "There is no local translation file for this text."],
  ["generated", "This text is in a file that is only replaced as a whole."],
  ["fixed", "This text can only be changed in its file."],
] as const)("a cell that is %s says so", (reason, text) => {
  expect(readonlyText(reason, "nl")).toBe(text);
});

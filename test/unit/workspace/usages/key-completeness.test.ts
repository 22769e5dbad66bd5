/** A key is only unknown when everything that may define it has been read. */
import { expect, test } from "vitest";
import { isEveryKeyKnown, type KeyCompleteness } from "../../../../src/workspace/usages/key-completeness.ts";

const project = {
  keysComplete: true,
  source: { hasService: true, isKnown: true },
  freshness: { kind: "fresh" },
} as const;
const everything: KeyCompleteness = {
  project,
  local: { locales: [] },
  areKeysTexts: false,
  areUsagesComplete: true,
};

test("are complete only after everything was read", () => {
  expect(isEveryKeyKnown(everything)).toBe(true);
  const missing: readonly KeyCompleteness[] = [
    { ...everything, local: null },
    { ...everything, areUsagesComplete: false },
    { ...everything, project: { ...project, keysComplete: false } },
    { ...everything, project: { ...project, freshness: { kind: "never" } } },
    { ...everything, project: { ...project, freshness: { kind: "offline" } } },
    { ...everything, project: { ...project, source: { hasService: true, isKnown: false } } },
    { ...everything, project: { ...project, source: { hasService: false, isKnown: false } } },
  ];
  for (const each of missing) expect(isEveryKeyKnown(each)).toBe(false);
  const files: KeyCompleteness["project"] = {
    ...project,
    source: { hasService: false, isKnown: true },
  };
  expect(isEveryKeyKnown({ ...everything, project: files })).toBe(true);
  expect(isEveryKeyKnown({ ...everything, project: files, areKeysTexts: true })).toBe(false);
  expect(isEveryKeyKnown({ ...everything, areKeysTexts: true })).toBe(true);
});

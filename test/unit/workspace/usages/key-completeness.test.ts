/** A key is only unknown when everything that may define it has been read. */
import { expect, test } from "vitest";
import { isEveryKeyKnown, type KeyCompleteness } from "../../../../src/workspace/usages/key-completeness.ts";

const project = {
  session: { kind: "signed-in" },
  keysComplete: true,
  isLocal: false,
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
    { ...everything, project: { ...project, session: { kind: "signed-out" } } },
    { ...everything, project: { ...project, session: { kind: "rejected" } } },
  ];
  for (const each of missing) expect(isEveryKeyKnown(each)).toBe(false);
  const files: KeyCompleteness["project"] = { ...project, session: { kind: "signed-out" }, isLocal: true };
  expect(isEveryKeyKnown({ ...everything, project: files })).toBe(true);
  expect(isEveryKeyKnown({ ...everything, project: files, areKeysTexts: true })).toBe(false);
  expect(isEveryKeyKnown({ ...everything, areKeysTexts: true })).toBe(true);
});

/** Which keys of a usage report are archived and removed, and what is left of the report then. */
import { expect, test } from "vitest";
import type { ProjectKey } from "../../../src/database/records.ts";
import {
  decideRemoval,
  keysToArchive,
  withoutRemovedKeys,
} from "../../../src/features/usage-report/report-decisions.ts";
import type { UsageReport } from "../../../src/workspace/usages/find-unused-keys.ts";

const key = (hash: string) => ({ hash }) as ProjectKey;

const report: UsageReport = {
  used: [key("used")],
  built: new Map(),
  probablyUnused: [{ key: key("likely"), pattern: "status.*" }],
  heldKeys: new Map(),
  unused: [key("a"), key("b")],
  undeterminable: [{ key: key("perhaps"), pattern: "status.*", path: null }],
  skippedFiles: [],
};

test("archives and removes what is certainly unused, and nothing that may be used", () => {
  const alone = { keys: [key("a"), key("b")], offered: [] };
  expect(keysToArchive(report, true)).toEqual(alone);
  expect(decideRemoval(report, true)).toEqual({ kind: "keys", ...alone });
});

test("offers what is probably unused to a person only, beside the unused keys", () => {
  const both = { keys: [key("a"), key("b")], offered: [key("likely")] };
  expect(keysToArchive(report, false)).toEqual(both);
  expect(decideRemoval(report, false)).toEqual({ kind: "keys", ...both });
  expect(decideRemoval({ ...report, unused: [] }, true)).toEqual({ kind: "nothing" });
  expect(decideRemoval({ ...report, unused: [] }, false)).toMatchObject({ kind: "keys", keys: [] });
});

test("removes nothing if no key is used, since then the code is not understood", () => {
  expect(decideRemoval({ ...report, used: [] }, true)).toEqual({ kind: "unsupported" });
  expect(decideRemoval({ used: [], unused: [], probablyUnused: [] }, true)).toEqual({ kind: "nothing" });
});

test("leaves out what was archived, and then has nothing to remove", () => {
  const existing = new Set(["used", "b", "perhaps", "likely"]);
  const after = withoutRemovedKeys(report, existing);
  expect(after).toEqual({ ...report, unused: [key("b")] });
  existing.delete("b");
  expect(decideRemoval(withoutRemovedKeys(after, existing), true)).toEqual({ kind: "nothing" });
  existing.delete("likely");
  expect(decideRemoval(withoutRemovedKeys(after, existing), false)).toEqual({ kind: "nothing" });
});

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
  unused: [key("a"), key("b")],
  undeterminable: [{ key: key("perhaps"), pattern: "status.*", path: null }],
  pathsWithUnknownKeys: [],
  skippedFiles: [],
};

test("archives and removes what is certainly unused, and nothing that may be used", () => {
  expect(keysToArchive(report)).toEqual([key("a"), key("b")]);
  expect(decideRemoval(report)).toEqual({ kind: "keys", keys: [key("a"), key("b")] });
});

test("removes nothing if no key is used, since then the code is not understood", () => {
  expect(decideRemoval({ ...report, used: [] })).toEqual({ kind: "unsupported" });
  expect(decideRemoval({ used: [], unused: [] })).toEqual({ kind: "nothing" });
});

test("leaves out what was archived, and then has nothing to remove", () => {
  const existing = new Set(["used", "b", "perhaps"]);
  const after = withoutRemovedKeys(report, existing);
  expect(after).toEqual({ ...report, unused: [key("b")] });
  existing.delete("b");
  expect(decideRemoval(withoutRemovedKeys(after, existing))).toEqual({ kind: "nothing" });
});

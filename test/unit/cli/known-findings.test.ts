/** Which findings are new since another version. */
import { expect, test } from "vitest";
import type { CheckFinding } from "../../../src/cli/check.ts";
import { withoutKnown } from "../../../src/cli/check-command.ts";

const finding = (line: number, message: string, path = "a.ts"): CheckFinding => ({
  path,
  line,
  column: 1,
  endLine: line,
  endColumn: 2,
  severity: "error",
  code: "unknown-key",
  message,
});

test("each known finding stands for one, on any line: what was copied is new", () => {
  const known = [finding(1, "Unknown key “a”"), finding(2, "Unknown key “b”")];
  const now = [finding(5, "Unknown key “a”"), finding(6, "Unknown key “a”"), finding(7, "Unknown key “b”")];
  expect(withoutKnown(now, known)).toEqual([finding(6, "Unknown key “a”")]);
  expect(withoutKnown(now, [...known, ...known])).toEqual([]);
});

test("the same in another file is new, and a place in a message is not part of it", () => {
  const known = [finding(1, "en.json:3:4: a key twice")];
  expect(withoutKnown([finding(1, "en.json:9:4: a key twice")], known)).toEqual([]);
  const elsewhere = finding(1, "en.json:3:4: a key twice", "b.ts");
  expect(withoutKnown([elsewhere], known)).toEqual([elsewhere]);
});

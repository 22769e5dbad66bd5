/** Whether the skill for agents is written over what is there. */
import { expect, test } from "vitest";
import { CommandError } from "../../../src/commands/command-types.ts";
import type { ReadOutcome } from "../../../src/model/platform.ts";
import { decideSkill, SKILL_PATH } from "../../../src/features/agent-skill/agent-skill-decisions.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const after = bytes("Skill.\n");
const read = (text: string): ReadOutcome => ({
  kind: "read",
  bytes: bytes(text),
  stamp: { modified: 0, size: text.length },
  dirty: false,
});

test.each([true, false])(
  "is written where nothing is there, and left where it is the same (quiet: %s)",
  (quiet) => {
    expect(decideSkill({ kind: "missing" }, after, quiet)).toEqual({ kind: "write", before: undefined });
    expect(decideSkill(read("Skill.\n"), after, quiet)).toEqual({ kind: "unchanged", before: after });
  },
);

test("replaces other content only after a person was asked, and then nothing but what was read", () => {
  expect(decideSkill(read("Ours.\n"), after, false)).toEqual({ kind: "ask", before: bytes("Ours.\n") });
  expect(() => decideSkill(read("Ours.\n"), after, true)).toThrow(
    `${SKILL_PATH} exists and has other content`,
  );
});

test.each([true, false])("is not written over a file that cannot be read (quiet: %s)", (quiet) => {
  const decide = (): unknown => decideSkill({ kind: "unreadable", reason: "outside" }, after, quiet);
  expect(decide).toThrow(CommandError);
  expect(decide).toThrow("cannot be read, so it was not changed");
});

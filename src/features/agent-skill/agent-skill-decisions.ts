/** Whether the skill for agents is written over what is there. */
import { CommandError } from "../../commands/command-types.ts";
import { sameBytes } from "../../formats/text/encoding.ts";
import { l10n } from "../../util/l10n.ts";
import type { ReadOutcome } from "../../model/platform.ts";

/** Where agents of several makers look for skills. */
export const SKILL_PATH = ".claude/skills/project-translations/SKILL.md";

export interface SkillDecision {
  /** `ask`: only if the user agrees. */
  readonly kind: "unchanged" | "write" | "ask";
  /** What is there. */
  readonly before: Uint8Array | undefined;
}

/**
 * @param quiet whether nobody can be asked
 * @throws {CommandError} `file_changed` if a file with other content would have to be replaced and nobody can be asked;
 * `unsafe_file` if it cannot be read
 */
export function decideSkill(found: ReadOutcome, after: Uint8Array, quiet: boolean): SkillDecision {
  if (found.kind === "unreadable")
    throw new CommandError("unsafe_file", l10n.t("{0} cannot be read, so it was not changed.", SKILL_PATH));
  if (found.kind !== "read") return { kind: "write", before: undefined };
  const before = found.bytes;
  if (sameBytes(before, after)) return { kind: "unchanged", before };
  if (quiet)
    throw new CommandError(
      "file_changed",
      l10n.t("{0} exists and has other content, so it was not changed.", SKILL_PATH),
      { reason: "exists" },
    );
  return { kind: "ask", before };
}

/** `check`: what is wrong in the projects of folders, and what a branch made wrong. */
import { dirname } from "node:path";
import { join } from "node:path/posix";
import { openFolder } from "../projects/open-folder.ts";
import { relativePathIn } from "../workspace/file-system/paths.ts";
import { EXIT, existingFolders, print, version } from "./arguments.ts";
import { withBaseFolder } from "./base-folder.ts";
import { type CheckFinding, checkFolder, isAtLeast } from "./check.ts";
import { programCommand } from "./command.ts";
import { FINDING_FORMATS, formatFindings } from "./format-findings.ts";

export const check = programCommand({
  operands: "[FOLDER…]",
  options: {
    format: { type: "string", choices: FINDING_FORMATS, default: "text" },
    only: { type: "string", value: "CODE", isList: true },
    since: { type: "string", value: "REF" },
    "fail-on": { type: "string", choices: ["error", "warning", "never"], default: "error" },
    cache: { type: "string", value: "FOLDER" },
  },
  run: async ({ operands, values }, signal) => {
    const { format, since, cache, "fail-on": failOn } = values;
    const only = new Set(values.only);
    const folders = existingFolders(operands);
    const root = commonFolder(folders);
    const findings: CheckFinding[] = [];
    for (const folder of folders) {
      let all = await findingsIn(folder, { cache, signal });
      if (since !== undefined) {
        const before = await withBaseFolder(
          folder,
          since,
          (base) => findingsIn(base, { signal, mayBeEmpty: true }),
          signal,
        );
        all = withoutKnown(all, before ?? []);
      }
      const prefix = relativePathIn(root, folder) ?? "";
      for (const finding of all)
        if (only.size === 0 || only.has(finding.code))
          findings.push({ ...finding, path: join(prefix, finding.path) });
    }
    print(formatFindings(format, { findings, folder: root, version: version() }));
    const isFailure = failOn !== "never" && findings.some(({ severity }) => isAtLeast(severity, failOn));
    return isFailure ? EXIT.findings : EXIT.nothing;
  },
});

/**
 * Returns what the paths of findings are relative to: the working directory, as annotations of a workflow are, if the folders
 * are in it; else the innermost folder that has all of them.
 */
function commonFolder(folders: readonly string[]): string {
  const hasAll = (parent: string): boolean =>
    folders.every((folder) => relativePathIn(parent, folder) !== null);
  let common = process.cwd();
  if (hasAll(common)) return common;
  for (common = folders[0] ?? common; !hasAll(common) && common !== dirname(common);)
    common = dirname(common);
  return common;
}

async function findingsIn(
  folder: string,
  options: {
    readonly cache?: string | undefined;
    readonly mayBeEmpty?: boolean;
    readonly signal: AbortSignal;
  },
): Promise<readonly CheckFinding[]> {
  const opened = await openFolder(folder, options);
  try {
    return await checkFolder(opened, options.signal);
  } finally {
    await opened.close();
  }
}

/** Returns the findings without those that were there before, on any line: each known one stands for one. */
export function withoutKnown(
  findings: readonly CheckFinding[],
  known: readonly CheckFinding[],
): readonly CheckFinding[] {
  const left = new Map<string, number>();
  for (const finding of known) left.set(idOf(finding), (left.get(idOf(finding)) ?? 0) + 1);
  return findings.filter((finding) => {
    const count = left.get(idOf(finding)) ?? 0;
    left.set(idOf(finding), count - 1);
    return count <= 0;
  });
}

/** The messages of problems of files begin with their places. */
function idOf({ path, code, message }: CheckFinding): string {
  return JSON.stringify([path, code, message.replaceAll(/:\d+:\d+/gu, "")]);
}

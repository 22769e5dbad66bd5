/** Locations of a key's usages, with the source line. */
import type { PlainUsage } from "../../../commands/declarations/key-commands.ts";
import { join, relative } from "node:path/posix";
import * as vscode from "vscode";
import type { KeyName } from "../../../model/key-hash.ts";
import type { UsageLocation, UsageRepository } from "../../../database/key-usage-repository.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { FileTextCache } from "../../files/file-text-cache.ts";

export interface UsageWithCode extends PlainUsage {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** The source line, trimmed. */
  readonly code: string;
}

/**
 * Returns the usages of a key of `open` in the code of another project of the window. Paths are relative to `open`.
 * @param usages of the other project
 */
export async function locateUsagesElsewhere(
  open: OpenProject,
  other: OpenProject,
  usages: UsageRepository,
  name: KeyName,
): Promise<UsageWithCode[]> {
  const folder = relative(open.root.path, other.root.path);
  const exact = usages.usagesOfName(name).map((usage) => ({ ...usage, pattern: null }));
  const found = await withCode(other, exact);
  return found.map((usage) => ({ ...usage, path: join(folder, usage.path) }));
}

/** Returns the exact usages of a key, then the dynamic ones. `name` is needed for a key that was never pushed. */
export async function locateUsages(
  open: OpenProject,
  usages: UsageRepository,
  hash: string,
  name?: KeyName,
): Promise<UsageWithCode[]> {
  const exact = name === undefined || open.keys.has(hash) ? usages.usagesOf(hash) : usages.usagesOfName(name);
  const dynamic = usages
    .patternsOf(hash)
    .flatMap((pattern) =>
      usages.usagesOfPattern(pattern).map((location) => ({ ...location, pattern: pattern.pattern })),
    );
  return withCode(open, [...exact.map((usage) => ({ ...usage, pattern: null })), ...dynamic]);
}

async function withCode(
  open: OpenProject,
  usages: readonly (UsageLocation & Pick<UsageWithCode, "pattern">)[],
): Promise<UsageWithCode[]> {
  const texts = new FileTextCache(open);
  const found: UsageWithCode[] = [];
  for (const { path, span, pattern } of usages) {
    const read = await texts.read(path);
    if (read === undefined) continue;
    const range = read.lines.range(span);
    const { line, character } = range.start;
    const { start, end } = read.lines.line(line);
    const code = read.text.slice(start, end).trim();
    found.push({ path, line, character, pattern, uri: vscode.Uri.joinPath(open.root, path), range, code });
  }
  return found;
}

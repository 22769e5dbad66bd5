/** Locations of a key's usages, with the source line. */
import type { PlainUsage } from "../../../commands/declarations/key-commands.ts";
import { join, relative } from "node:path/posix";
import * as vscode from "vscode";
import type { KeyName } from "../../../model/key-hash.ts";
import type { UsageRepository } from "../../../database/key-usage-repository.ts";
import {
  type FoundUsage,
  usagesOfKey,
  usagesWithCode,
} from "../../../workspace/usage-locations/usages-with-code.ts";
import type { OpenProject } from "../../projects/open-project.ts";

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
export function locateUsages(
  open: OpenProject,
  usages: UsageRepository,
  hash: string,
  name?: KeyName,
): Promise<UsageWithCode[]> {
  return withCode(open, usagesOfKey(usages, hash, open.keys.has(hash) ? undefined : name));
}

async function withCode(open: OpenProject, usages: readonly FoundUsage[]): Promise<UsageWithCode[]> {
  const found = await usagesWithCode(open, usages);
  return found.map(({ path, start, end, pattern, code }) => ({
    path,
    line: start.line,
    character: start.character,
    pattern,
    code,
    uri: vscode.Uri.joinPath(open.root, path),
    range: new vscode.Range(start.line, start.character, end.line, end.character),
  }));
}

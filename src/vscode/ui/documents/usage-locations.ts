/** Locations of a key's usages, with the source line. */
import * as vscode from "vscode";
import type { KeyName } from "../../../model/key-hash.ts";
import type { UsageLocation, UsageRepository } from "../../../database/key-usage-repository.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { FileTextCache } from "../../files/file-text-cache.ts";

/** A usage of a key. `line` and `character` are zero-based. */
export interface PlainUsage {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  /** The pattern of a dynamic usage that may refer to the key (`admin.*`); `null` for an exact usage. */
  readonly pattern: string | null;
}

export interface UsageWithCode extends PlainUsage {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** The source line, trimmed. */
  readonly code: string;
}

/** Returns the exact usages of a key, then the dynamic ones. `name` is needed for a key that was never pushed. */
export async function locateUsages(
  open: OpenProject,
  usages: UsageRepository,
  hash: string,
  name?: KeyName,
): Promise<UsageWithCode[]> {
  const exact =
    name === undefined || open.project.keys.has(hash) ? usages.usagesOf(hash) : usages.usagesOfName(name);
  const locations: { readonly location: UsageLocation; readonly pattern: string | null }[] = exact.map(
    (location) => ({ location, pattern: null }),
  );
  for (const pattern of usages.patternsOf(hash)) {
    for (const location of usages.usagesOfPattern(pattern))
      locations.push({ location, pattern: pattern.pattern });
  }
  const texts = new FileTextCache(open);
  const found: UsageWithCode[] = [];
  for (const { location, pattern } of locations) {
    const { path, span } = location;
    const read = await texts.read(path);
    if (read === undefined) continue;
    const range = read.lines.range(span);
    const { line, character } = range.start;
    const code = (read.text.split(/\r\n|\n|\r/)[line] ?? "").trim();
    found.push({ path, line, character, pattern, uri: vscode.Uri.joinPath(open.root, path), range, code });
  }
  return found;
}

/** Where the code uses a key, with the code that stands there. */
import * as vscode from "vscode";
import type { KeyName } from "../../model/key-identity.ts";
import type { UsageLocation, UsageRepository } from "../../database/usage-repository.ts";
import type { OpenProject } from "../projects/project-handle.ts";
import { FileTexts } from "../projects/file-texts.ts";

/** One use; line and character begin at 0. */
export interface PlainUse {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  /** What the code says where it only may mean the key (`admin.*`); `null`: it means it for certain. */
  readonly pattern: string | null;
}

export interface PlacedUse extends PlainUse {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** The line's code. */
  readonly code: string;
}

/** The certain uses, then those that a pattern may mean. `name`: also of a key that was never pushed. */
export async function usesOf(
  open: OpenProject,
  usages: UsageRepository,
  hash: string,
  name?: KeyName,
): Promise<PlacedUse[]> {
  const certain =
    name === undefined || open.project.keys.has(hash) ? usages.usagesOf(hash) : usages.usagesOfName(name);
  const places: { readonly place: UsageLocation; readonly pattern: string | null }[] = certain.map(
    (place) => ({
      place,
      pattern: null,
    }),
  );
  for (const pattern of usages.patternsOf(hash)) {
    for (const place of usages.usagesOfPattern(pattern)) places.push({ place, pattern: pattern.pattern });
  }
  const texts = new FileTexts(open);
  const found: PlacedUse[] = [];
  for (const { place, pattern } of places) {
    const { path, span } = place;
    const read = await texts.read(path);
    if (read === undefined) continue;
    const range = read.lines.range(span);
    const { line, character } = range.start;
    const code = (read.text.split(/\r\n|\n|\r/)[line] ?? "").trim();
    found.push({ path, line, character, pattern, uri: vscode.Uri.joinPath(open.root, path), range, code });
  }
  return found;
}

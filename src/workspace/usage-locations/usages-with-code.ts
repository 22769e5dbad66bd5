/** Where usages of keys are, with the line of code that each is in. */
import type { UsageLocation, UsageRepository } from "../../database/key-usage-repository.ts";
import { formatOfPath } from "../../formats/detect-format.ts";
import { formatInfoOf } from "../../model/file-formats.ts";
import { decodeText, isUndecodable } from "../../formats/text/encoding.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import { LineStarts, type TextPosition } from "../../util/line-starts.ts";
import type { LocalEntries } from "../local-files/local-entries.ts";

/** A usage; `pattern` of one that may be of the key. */
export interface FoundUsage extends UsageLocation {
  readonly pattern: string | null;
}

export interface UsageWithCode extends FoundUsage {
  readonly start: TextPosition;
  readonly end: TextPosition;
  /** The source line, trimmed. */
  readonly code: string;
}

/** Returns the exact usages of a key, then the dynamic ones. `name`: of a key that was never pushed. */
export function usagesOfKey(usages: UsageRepository, hash: string, name?: KeyName): readonly FoundUsage[] {
  const exact = name === undefined ? usages.usagesOf(hash) : usages.usagesOfName(name);
  const dynamic = usages
    .patternsOf(hash)
    .flatMap((pattern) =>
      usages.usagesOfPattern(pattern).map((location) => ({ ...location, pattern: pattern.pattern })),
    );
  return [...exact.map((usage) => ({ ...usage, pattern: null })), ...dynamic];
}

/** Returns the usages in files that can be read. */
export async function usagesWithCode(
  { files, local }: { readonly files: Pick<ProjectFiles, "read">; readonly local: LocalEntries },
  usages: readonly FoundUsage[],
): Promise<readonly UsageWithCode[]> {
  const found: UsageWithCode[] = [];
  for (const [path, inFile] of Map.groupBy(usages, (usage) => usage.path)) {
    const format = local.locate(path)?.entry.format ?? formatOfPath(path) ?? undefined;
    if (formatInfoOf(format ?? "")?.kind === "binary") continue;
    const content = await files.read(path);
    if (content.kind !== "read") continue;
    // Only files of some formats can declare their encoding.
    const decoded = decodeText(content.bytes, format);
    if (isUndecodable(decoded)) continue;
    const lines = new LineStarts(decoded.text);
    for (const usage of inFile) {
      const start = lines.position(usage.span.start);
      const line = lines.line(start.line);
      const code = decoded.text.slice(line.start, line.end).trim();
      found.push({ ...usage, start, end: lines.position(usage.span.end), code });
    }
  }
  return found;
}

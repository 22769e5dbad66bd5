/** Ranges of source files that could not be parsed: a key there is not missing, so it must not be archived. */
import { formatInfoOf } from "../../formats/format-properties.ts";
import type { KeyName } from "../../model/key-identity.ts";
import type { LocalProblem } from "../../database/local-file-repository.ts";
import { mayContainSourceTexts, type SourceFiles } from "./local-file.ts";

/** A range of a source file that could not be parsed. */
export interface UnparsedRange {
  readonly path: string;
  /** From 1; `null` for the file as a whole, or a file without lines. */
  readonly line: number | null;
  readonly column: number | null;
  /** `null`: any namespace, in a file that names its keys' namespaces itself. */
  readonly namespace: string | null;
  /** The key, or leading segments of keys, with an unparsed value; `null`: any key. */
  readonly key: string | null;
}

/** Problems that keep no key from being parsed. */
const HARMLESS_PROBLEMS: ReadonlySet<LocalProblem["code"]> = new Set(["duplicate", "elsewhere", "locale"]);

/** Returns the ranges of source files that could not be parsed; empty if all were. */
export function unparsedRanges(local: SourceFiles): UnparsedRange[] {
  return local.files.flatMap((file) => {
    const { path, keyNaming, entry } = file.location;
    const namesOwn = entry.namespace === undefined && formatInfoOf(entry.format)?.ownNamespaces === true;
    const problems = file.problems.filter(({ code }) => !HARMLESS_PROBLEMS.has(code));
    if (problems.length === 0 || !mayContainSourceTexts(file, local)) return [];
    return problems.map(({ code, key, line, column }) => ({
      path,
      line,
      column,
      namespace: namesOwn ? null : keyNaming.namespace,
      key: key === null || code === "syntax" ? null : keyNaming.keyPrefix + key,
    }));
  });
}

/** Whether the key may be in one of the ranges. */
export function mayContain(ranges: readonly UnparsedRange[], name: KeyName): boolean {
  return ranges.some(
    ({ namespace, key }) =>
      key === null ||
      ((namespace ?? name.namespace) === name.namespace &&
        (name.key === key || name.key.startsWith(`${key}.`))),
  );
}

/**
 * What the source files may hold beyond what could be read of them: a key behind a mistake or a piece of code is not
 * missing, so it must not be archived.
 */
import { factsOf } from "../../formats/format-facts.ts";
import type { KeyName } from "../../model/key-identity.ts";
import type { LocalProblem } from "../../database/local-file-repository.ts";
import { mayHoldSources, type SourceFiles } from "./local-file.ts";

/** A place in a source file that was not understood. */
export interface UnparsedRange {
  readonly path: string;
  /** From 1; `null`: it is the file as a whole, or has no lines. */
  readonly line: number | null;
  readonly column: number | null;
  /** `null`: of a file that names the namespaces of its keys itself, any. */
  readonly namespace: string | null;
  /** The key, or the beginning of keys, whose value was not understood; `null`: any key may stand there. */
  readonly key: string | null;
}

/** That a key stands twice, or a language is not the service's, keeps no key from being read. */
const READ_ALL_THE_SAME: ReadonlySet<LocalProblem["code"]> = new Set(["duplicate", "elsewhere", "locale"]);

/** The places in the source files that were not understood; empty when all was read. */
export function unparsedRanges(local: SourceFiles): UnparsedRange[] {
  return local.files.flatMap((file) => {
    const { path, naming, entry } = file.place;
    const namesOwn = entry.namespace === undefined && factsOf(entry.format)?.ownNamespaces === true;
    const problems = file.problems.filter(({ code }) => !READ_ALL_THE_SAME.has(code));
    if (problems.length === 0 || !mayHoldSources(file, local)) return [];
    return problems.map(({ code, key, line, column }) => ({
      path,
      line,
      column,
      namespace: namesOwn ? null : naming.namespace,
      key: key === null || code === "syntax" ? null : naming.keyPrefix + key,
    }));
  });
}

/** Whether the key may stand in one of the places. */
export function mayContain(unread: readonly UnparsedRange[], name: KeyName): boolean {
  return unread.some(
    ({ namespace, key }) =>
      key === null ||
      ((namespace ?? name.namespace) === name.namespace &&
        (name.key === key || name.key.startsWith(`${key}.`))),
  );
}

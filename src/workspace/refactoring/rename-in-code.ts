/** Renames usages of keys in source code; those that cannot be rewritten are reported. */
import { applySplices } from "../../formats/editing/apply-verified-edit.ts";
import type { Splice } from "../../formats/format.ts";
import { positionsOf } from "../../formats/text/lines-and-indentation.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import type { KeyUsage, UsageLanguage } from "../../scanners/key-usage.ts";
import { usageLanguageFor } from "../../scanners/supported-source-languages.ts";
import {
  type KeyReference,
  type KeyResolutionOptions,
  type KnownKey,
  pluralSuffixOf,
  resolveKey,
} from "../usages/resolve-usage-to-key.ts";
import { importsOf } from "../usages/imported-modules.ts";
import { spellingOf } from "../usages/key-suggestions.ts";
import {
  decodeFile,
  type DecodedFile,
  type NameChange,
  type RemainingOccurrence,
  renamedFile,
  type RenameDependencies,
  type RenameEdits,
  type RenamedFile,
  type RenameUsages,
} from "./rename-edits.ts";
import { areUsagesPreserved, NameWriter } from "./write-key-in-code.ts";

/** The usages in one source file. */
export interface FileUsages {
  readonly path: string;
  /** `null` if the file cannot be read as code. */
  readonly file: { readonly decoded: DecodedFile; readonly language: UsageLanguage } | null;
  readonly usages: readonly (readonly [KeyUsage, KnownKey | null])[];
}

/** Finds and resolves the usages in the files at these paths. */
export async function resolveUsages(
  { files, find, lookup }: Pick<RenameDependencies, "files" | "find" | "lookup">,
  paths: Iterable<string>,
  stored: Pick<RenameUsages, "importsOf">,
  names: KeyNameQueries,
  signal: AbortSignal | undefined,
): Promise<readonly FileUsages[]> {
  const found: FileUsages[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    const read = await files.read(path);
    const decoded = read.kind === "read" ? decodeFile(read.bytes) : null;
    const known = usageLanguageFor(path);
    if (decoded === null || known === undefined) {
      found.push({ path, file: null, usages: [] });
      continue;
    }
    const imports = importsOf(stored.importsOf(path));
    const language: UsageLanguage = {
      ...known,
      find: (text, options) => known.find(text, options, imports),
    };
    const usages = language.find(decoded.text, find).map((usage) => {
      const resolved = resolveKey(usage, names, lookup);
      return [usage, resolved.kind === "known" ? resolved : null] as const;
    });
    found.push({ path, file: { decoded, language }, usages });
  }
  return found;
}

/** Renames the usages of these names. */
export function renameUsages(
  { find, lookup }: Pick<RenameDependencies, "find" | "lookup">,
  filesWithUsages: readonly FileUsages[],
  changes: readonly NameChange[],
  namesAfter: KeyNameQueries,
): RenameEdits {
  const renamed: RenamedFile[] = [];
  const remaining: RemainingOccurrence[] = [];
  for (const { path, file, usages } of filesWithUsages) {
    if (file === null) {
      remaining.push({ path, line: null });
      continue;
    }
    const { decoded, language } = file;
    const { text } = decoded;
    const allUsages = usages.map(([usage]) => usage);
    const replacements: Replacements = new Map();
    for (const [usage, found] of usages) {
      const change = found === null ? undefined : changeOf(found, changes);
      if (found === null || change === undefined) continue;
      const spelling = newSpelling(usage, found, change.to, namesAfter, lookup);
      const splice =
        spelling === null ? null : new NameWriter(text, usage, language, find).spliceFor(spelling);
      replacements.set(usage, splice && { splice, spelling });
    }
    dropConflicts(allUsages, replacements);
    const edits = [...replacements.values()].flatMap((replacement) => replacement?.splice ?? []);
    // Several usages may refer to one constant.
    const splices = [...new Map(edits.map((splice) => [splice.start, splice])).values()].toSorted(
      (a, b) => a.start - b.start,
    );
    const isVerified =
      splices.length === 0 ||
      areUsagesPreserved(
        allUsages,
        language.find(applySplices(text, splices), find),
        splices,
        (usage) => replacements.get(usage)?.spelling ?? null,
      );
    const failed = [...replacements].filter(([, replacement]) => !isVerified || replacement === null);
    const offsets = failed.map(([usage]) => usage.keySpan.start);
    const positions = positionsOf(text, offsets);
    remaining.push(...offsets.map((offset) => ({ path, line: positions.get(offset)?.line ?? null })));
    if (isVerified && splices.length > 0) renamed.push(renamedFile(path, "code", decoded, splices));
  }
  return { files: renamed, remaining };
}

/** Returns the change of the name that was found; of the key if the name is only another spelling of it. */
export function changeOf({ name, key }: KnownKey, changes: readonly NameChange[]): NameChange | undefined {
  return (
    changes.find(
      ({ from }) =>
        from.key === name.key && from.namespace === name.namespace && from.context === name.context,
    ) ?? changes.find(({ from }) => from.hash === key.hash && name.context !== from.context)
  );
}

/** The usages of the key with the edit of each and its new spelling; `null` if they cannot be changed. */
type Replacements = Map<KeyUsage, { readonly splice: Splice; readonly spelling: string | null } | null>;

/** Leaves a constant unchanged that is also used for another key, or that usages need in different spellings. */
function dropConflicts(usages: readonly KeyUsage[], replacements: Replacements): void {
  // Usages of other keys matter only if a constant may be shared.
  const sharing = usages.filter((usage) => replacements.has(usage) || usage.literalSpan !== undefined);
  for (const group of Map.groupBy(sharing, (usage) => (usage.literalSpan ?? usage.keySpan).start).values()) {
    if (new Set(group.map((usage) => replacements.get(usage)?.splice.text)).size === 1) continue;
    for (const usage of group) if (replacements.has(usage)) replacements.set(usage, null);
  }
}

/** Returns the new spelling of a usage, including a plural suffix (`items_one`); `null` if it does not refer to the key. */
export function newSpelling(
  usage: KeyReference,
  { name }: KnownKey,
  to: NamedKey,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): string | null {
  const spelling = spellingOf(usage, to, names, options);
  if (spelling === null || usage.expression.kind === "pattern") return null;
  const suffix = pluralSuffixOf(usage.expression.key, name.key, options);
  if (suffix === "") return spelling;
  const key = `${spelling}${suffix}`;
  const found = resolveKey({ ...usage, expression: { kind: "static", key } }, names, options);
  return found.kind === "known" && found.name.key === to.key && found.name.namespace === to.namespace
    ? key
    : null;
}

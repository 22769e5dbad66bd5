/** Counts the keys and usages of a project that `openFolder` opened, and lists the usages without a key. */
import { isProvidedByFramework } from "../../src/workspace/project-detection/detect-frameworks.ts";
import {
  parseKeyReference,
  resolveStoredReference,
} from "../../src/workspace/usages/stored-key-references.ts";
import { resolveAmongProjects } from "../../src/workspace/usages/resolve-among-projects.ts";
import type { KeyResolutionOptions } from "../../src/workspace/usages/resolve-usage-to-key.ts";
import type { OpenedProject } from "../../src/projects/open-folder.ts";

/** A usage without a key. */
export interface UnknownUsage {
  /** Relative to the project's root. */
  readonly path: string;
  /** Offset in the file's text. */
  readonly start: number;
  readonly reference: string;
}

export interface UsageCounts {
  readonly frameworks: readonly string[];
  readonly keys: number;
  readonly languages: number;
  /** Usages in the code. One may be both found and built. */
  readonly usages: number;
  /** Those whose key exists. */
  readonly found: number;
  /** Those whose key the code builds. */
  readonly built: number;
  /** Those that Problems reports as unknown keys; of keys that are texts, those that are not extracted. */
  readonly unknown: readonly UnknownUsage[];
}

/** A usage in the code, and what it refers to. */
interface StoredUsage {
  readonly path: string;
  readonly start: number;
  readonly reference: string;
  readonly isDynamic: number;
  readonly isPattern: number;
  readonly isFound: number;
}

const USAGES = `SELECT f.path AS path, u.start AS start, r.reference AS reference, r.is_dynamic AS isDynamic,
  r.pattern IS NOT NULL AS isPattern,
  EXISTS (SELECT 1 FROM reference_keys k WHERE k.reference = r.id) AS isFound
  FROM usages u JOIN key_references r ON r.id = u.reference JOIN source_files f ON f.id = u.file
  ORDER BY f.path, u.start`;

/** Counts the usages of a project; `all` are those of the folder. */
export function countUsages(open: OpenedProject, all: readonly OpenedProject[]): UsageCounts {
  const { database, lookup, local, keyNames: names } = open;
  const rows = database.sql(USAGES).all() as unknown as readonly StoredUsage[];
  const elsewhere = new Map<string, boolean>();
  const isElsewhere = ({ reference }: StoredUsage): boolean => {
    const known = elsewhere.get(reference) ?? isKnownElsewhere(open, all, reference);
    elsewhere.set(reference, known);
    return known;
  };
  const isProvided = ({ reference }: StoredUsage): boolean => {
    const resolution = resolveStoredReference(reference, names, lookup);
    return (
      resolution.kind === "unknown" &&
      isProvidedByFramework(resolution.names, lookup.frameworks, names, local.namespaces)
    );
  };
  const found = rows.filter((row) => row.isFound === 1 || isElsewhere(row));
  const unknown = rows.filter(
    (row) =>
      row.isFound === 0 &&
      row.isDynamic === 0 &&
      !isOfOtherPackage(row.reference, open) &&
      row.isPattern === 0 &&
      parseKeyReference(row.reference).isUncertain !== true &&
      !isElsewhere(row) &&
      !isProvided(row),
  );
  return {
    frameworks: [...lookup.frameworks],
    keys: [...open.project.keys.values()].length,
    languages: local.locales.length,
    usages: rows.length,
    found: found.length,
    built: rows.filter(({ isPattern }) => isPattern === 1).length,
    unknown: unknown.map(({ path, start, reference }) => ({ path, start, reference })),
  };
}

/** Whether the key is one of a package that is not in the folder (`backup::group.item`). */
function isOfOtherPackage(stored: string, { lookup }: OpenedProject): boolean {
  const { expression } = parseKeyReference(stored);
  const colons = expression.kind === "static" ? expression.key.indexOf("::") : -1;
  if (expression.kind !== "static" || colons <= 0) return false;
  return lookup.packageNames?.includes(expression.key.slice(0, colons)) !== true;
}

/** Whether another project of the folder has the key. */
function isKnownElsewhere(open: OpenedProject, all: readonly OpenedProject[], stored: string): boolean {
  const lookupOf = (each: OpenedProject): KeyResolutionOptions => each.lookup;
  const found = resolveAmongProjects(parseKeyReference(stored), open, { all, lookupOf });
  return found.open !== open && found.resolution.kind === "known";
}

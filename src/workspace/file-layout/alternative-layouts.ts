/**
 * Alternative ways to derive key names from the same files, to compare with the service's keys. Only proposes:
 * key-mapping-check.ts counts which one fits best, and the user decides.
 */
import { detectFromPath } from "../../formats/detect-format.ts";
import { formatInfoOf } from "../../model/file-formats.ts";
import { hasPlaceholder } from "./path-patterns.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

const hasNamespaceInPath = ({ path, format }: FilesEntry): boolean =>
  hasPlaceholder(path, "namespace") && formatInfoOf(format)?.hasNamespaces !== false;
const hasOwnNamespaces = ({ format }: FilesEntry): boolean => formatInfoOf(format)?.ownNamespaces === true;

/** Other mappings to try when few keys match the service's; each changes an entry without its own naming. */
const MAPPINGS = {
  /** The format's own rule. */
  "as-proposed": (entry: FilesEntry): FilesEntry => entry,
  /** Every key in `*`, with the namespace of the path before it: `auth.failed`. */
  "namespace-in-key": (entry) => {
    const prefix = hasPlaceholder(entry.path, "package") ? "{package}::" : "";
    if (!hasNamespaceInPath(entry)) return entry;
    return { ...entry, namespace: "*", keyPrefix: `${prefix}{namespace}.` };
  },
  /** Every key in `*`: `failed`. */
  "no-namespace": (entry) =>
    hasNamespaceInPath(entry) || hasOwnNamespaces(entry) ? { ...entry, namespace: "*" } : entry,
  /** i18next's default. */
  "default-namespace": (entry) => {
    const namespace = hasNamespaceInPath(entry) ? null : formatInfoOf(entry.format)?.defaultNamespace;
    return namespace == null ? entry : { ...entry, namespace };
  },
  /** The file name: gettext's domain. */
  "file-namespace": (entry) => {
    const name = hasNamespaceInPath(entry) && hasOwnNamespaces(entry) ? "{namespace}" : domainOf(entry);
    return name === null ? entry : { ...entry, namespace: name };
  },
} satisfies Record<string, (entry: FilesEntry) => FilesEntry>;

/** The same files under another mapping of keys. */
export interface AlternativeMapping {
  readonly code: keyof typeof MAPPINGS;
  readonly files: readonly FilesEntry[];
}

/** Returns the other mappings; the given one is not included. */
export function alternativeMappings(files: readonly FilesEntry[]): readonly AlternativeMapping[] {
  const seen = new Set([identityOf(files)]);
  return Object.entries(MAPPINGS).flatMap(([code, change]) => {
    const changed = files.map(({ path, format }) => change({ path, format }));
    const identity = identityOf(changed);
    if (seen.has(identity)) return [];
    seen.add(identity);
    return [{ code: code as keyof typeof MAPPINGS, files: changed }];
  });
}

/** Returns the file name of a gettext file without its locale, where the path has no `{namespace}`. */
function domainOf({ path, format }: FilesEntry): string | null {
  if (hasPlaceholder(path, "namespace") || !isNamedByDomain(format)) return null;
  return detectFromPath(path.replace("{locale}", "en_US").replaceAll(/[{}]/gu, ""))?.namespace ?? null;
}

function isNamedByDomain(format: string): boolean {
  const naming = formatInfoOf(format)?.naming;
  return naming === "domain" || naming === "template";
}

function identityOf(files: readonly FilesEntry[]): string {
  return JSON.stringify(
    files.map((entry) => [entry.path, entry.format, entry.namespace ?? "", entry.keyPrefix ?? ""]),
  );
}

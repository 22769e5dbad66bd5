/**
 * Alternative ways to derive key names from the same files, to compare with the service's keys. Only proposes:
 * mapping-check.ts counts which one fits best, and the user decides.
 */
import { detectFromPath } from "../../formats/detect-format.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { hasPlaceholder } from "./path-patterns.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** The same files under another mapping of keys. */
export interface AlternativeMapping {
  readonly code: "as-proposed" | "no-namespace" | "namespace-in-key" | "default-namespace" | "file-namespace";
  readonly files: readonly FilesEntry[];
}

/**
 * Returns other mappings to try when few keys match the service's: every key in `*` (`auth.failed` or `failed`), the
 * namespace of the path, i18next's default `translation`, or the file name (gettext's domain). The given mapping is
 * not included.
 */
export function alternativeMappings(files: readonly FilesEntry[]): readonly AlternativeMapping[] {
  const bare = files.map(({ path, format }): FilesEntry => ({ path, format }));
  const hasNamespaceInPath = (entry: FilesEntry): boolean =>
    hasPlaceholder(entry.path, "namespace") && entry.format !== "laravel_json";
  const namesOwn = (entry: FilesEntry): boolean => formatInfoOf(entry.format)?.ownNamespaces === true;
  const candidates: AlternativeMapping[] = [
    { code: "as-proposed", files: bare },
    {
      code: "namespace-in-key",
      files: bare.map((entry) =>
        hasNamespaceInPath(entry)
          ? { ...entry, namespace: "*", keyPrefix: `${packagePrefix(entry)}{namespace}.` }
          : entry,
      ),
    },
    {
      code: "no-namespace",
      files: bare.map((entry) =>
        hasNamespaceInPath(entry) || namesOwn(entry) ? { ...entry, namespace: "*" } : entry,
      ),
    },
    {
      code: "default-namespace",
      files: bare.map((entry) =>
        !hasNamespaceInPath(entry) && entry.format === "json_js"
          ? { ...entry, namespace: "translation" }
          : entry,
      ),
    },
    {
      code: "file-namespace",
      files: bare.map((entry) => {
        const name = hasNamespaceInPath(entry) && namesOwn(entry) ? "{namespace}" : domainOf(entry);
        return name === null ? entry : { ...entry, namespace: name };
      }),
    },
  ];
  const seen = new Set([identityOf(files)]);
  return candidates.filter((candidate) => {
    const identity = identityOf(candidate.files);
    return !seen.has(identity) && seen.add(identity);
  });
}

/** Returns the file name of a gettext file without its locale, where the path has no `{namespace}`. */
function domainOf({ path, format }: FilesEntry): string | null {
  if (hasPlaceholder(path, "namespace") || !DOMAIN_FORMATS.has(format)) return null;
  return detectFromPath(path.replace("{locale}", "en_US").replaceAll(/[{}]/gu, ""))?.namespace ?? null;
}

const DOMAIN_FORMATS: ReadonlySet<string> = new Set(["po", "pot", "mo", "wordpress_php"]);

function packagePrefix(entry: FilesEntry): string {
  return hasPlaceholder(entry.path, "package") ? "{package}::" : "";
}

function identityOf(files: readonly FilesEntry[]): string {
  return JSON.stringify(
    files.map((entry) => [entry.path, entry.format, entry.namespace ?? "", entry.keyPrefix ?? ""]),
  );
}

/**
 * Other ways in which the same files could name their keys, to try against what the service knows. Proposes only:
 * which fits best is counted in mapping-check.ts, and a person decides.
 */
import { recognisePath } from "../../formats/recognise.ts";
import { factsOf } from "../../formats/format-facts.ts";
import { hasPlaceholder } from "./layout.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** The same files under another mapping of keys. */
export interface AlternativeMapping {
  readonly code: "as-proposed" | "no-namespace" | "namespace-in-key" | "default-namespace" | "file-namespace";
  readonly files: readonly FilesEntry[];
}

/**
 * Other mappings to try against the service's keys when few match: every key in `*` (`auth.failed` or `failed`),
 * the path's own namespace, i18next's default `translation`, or the name of the file (gettext's domain). The given mapping itself is not among them.
 */
export function alternativeMappings(files: readonly FilesEntry[]): readonly AlternativeMapping[] {
  const bare = files.map(({ path, format }): FilesEntry => ({ path, format }));
  const spaced = (entry: FilesEntry): boolean =>
    hasPlaceholder(entry.path, "namespace") && entry.format !== "laravel_json";
  const namesOwn = (entry: FilesEntry): boolean => factsOf(entry.format)?.ownNamespaces === true;
  const candidates: AlternativeMapping[] = [
    { code: "as-proposed", files: bare },
    {
      code: "namespace-in-key",
      files: bare.map((entry) =>
        spaced(entry)
          ? { ...entry, namespace: "*", keyPrefix: `${packagePrefix(entry)}{namespace}.` }
          : entry,
      ),
    },
    {
      code: "no-namespace",
      files: bare.map((entry) => (spaced(entry) || namesOwn(entry) ? { ...entry, namespace: "*" } : entry)),
    },
    {
      code: "default-namespace",
      files: bare.map((entry) =>
        !spaced(entry) && entry.format === "json_js" ? { ...entry, namespace: "translation" } : entry,
      ),
    },
  ];
  candidates.push({
    code: "file-namespace",
    files: bare.map((entry) => {
      const name = spaced(entry) && namesOwn(entry) ? "{namespace}" : domainOf(entry);
      return name === null ? entry : { ...entry, namespace: name };
    }),
  });
  const seen = new Set([identityOf(files)]);
  return candidates.filter((candidate) => {
    const identity = identityOf(candidate.files);
    return !seen.has(identity) && seen.add(identity);
  });
}

/** What a gettext or XLIFF file without `{namespace}` is called beside its language. */
function domainOf({ path, format }: FilesEntry): string | null {
  if (hasPlaceholder(path, "namespace") || !DOMAINS.has(format)) return null;
  return recognisePath(path.replace("{locale}", "en_US").replaceAll(/[{}]/gu, ""))?.namespace ?? null;
}

const DOMAINS: ReadonlySet<string> = new Set(["po", "pot", "mo", "wordpress_php"]);

function packagePrefix(entry: FilesEntry): string {
  return hasPlaceholder(entry.path, "package") ? "{package}::" : "";
}

function identityOf(files: readonly FilesEntry[]): string {
  return JSON.stringify(
    files.map((entry) => [entry.path, entry.format, entry.namespace ?? "", entry.keyPrefix ?? ""]),
  );
}

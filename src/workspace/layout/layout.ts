/**
 * Where translation files lie: the path patterns of the project file (`lang/{locale}/{namespace}.php`) against
 * real paths, both ways. Which patterns fit a folder is proposed in layout-proposals.ts; files are not read here.
 */
import { factsOf } from "../../formats/format-facts.ts";
import { NO_NAMESPACE } from "../../model/key-identity.ts";
import { hasLocaleShape } from "../../model/locales.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** What the placeholders of a pattern stand for in a path. `null`: the pattern has no such placeholder. */
export interface Placed {
  /** As in the file's name; the service's name of it comes from `localeMap`. */
  readonly locale: string | null;
  /** May hold folders (`admin/users`). */
  readonly namespace: string | null;
  /** A Laravel package (`lang/vendor/{package}/…`). */
  readonly package: string | null;
}

/** What `pathFor` fills in. */
export interface Placing {
  readonly locale?: string | null;
  readonly namespace?: string | null;
  readonly package?: string | null;
}

type Piece = { readonly kind: "text"; readonly text: string } | { readonly kind: PlaceholderName };
type PlaceholderName = (typeof PLACEHOLDERS)[number];

const PLACEHOLDERS = ["locale", "namespace", "package"] as const;

/**
 * What the path says when it fits the pattern, else `null`. `{locale}` and `{package}` are one folder or a part
 * of a name, `{namespace}` may span folders. A locale must be one of `locales` or have a locale's shape, so that
 * `lang/vendor/pkg/en/x.php` is not the locale `vendor`.
 */
export function matchPath(pattern: string, path: string, locales?: ReadonlySet<string>): Placed | null {
  const match = matched(pattern, path);
  if (match === null) return null;
  const { locale = null, namespace = null, package: packageName = null } = match.groups ?? {};
  const placed = { locale, namespace, package: packageName };
  if (locale !== null && !locales?.has(locale) && !hasLocaleShape(locale)) return null;
  return placed;
}

/** The path that the pattern means; `null` when the pattern needs something that is not given. */
export function pathFor(pattern: string, placing: Placing): string | null {
  return fillIn(pattern, placing);
}

/** A glob that finds at least every path of the pattern. */
export function globOf(pattern: string): string {
  const pieces = piecesOf(pattern);
  // Each star more multiplies what is tried for a path, so from the fifth on one stands for the rest.
  const free = pieces.flatMap((piece, index) => (piece.kind === "text" ? [] : [index]));
  const cut = free[MAX_STARS];
  if (cut === undefined) return globOfPieces(pieces);
  const text = globOfPieces(pieces.slice(0, cut));
  const folder = text.slice(0, text.lastIndexOf("/") + 1);
  return `${folder}**/*`;
}

/** Placeholders of a pattern that a glob follows; nobody's layout has more. */
const MAX_STARS = 4;

function globOfPieces(given: readonly Piece[]): string {
  return given
    .map((piece, index, pieces) => {
      if (piece.kind === "text") return piece.text.replaceAll(/[*?[\]{}]/g, "?");
      if (piece.kind !== "namespace") return "*";
      const before = pieces[index - 1];
      const alone = index === 0 || (before?.kind === "text" && before.text.endsWith("/"));
      return alone ? "**/*" : "*";
    })
    .join("");
}

/** Whether the pattern has the placeholder. */
export function hasPlaceholder(pattern: string, name: PlaceholderName): boolean {
  return pattern.includes(`{${name}}`);
}

/** How keys of a file are named: the namespace of all of them, and what stands before each key. */
export interface Naming {
  readonly namespace: string;
  readonly keyPrefix: string;
}

/**
 * The table of docs/project-file.md: `namespace` and `keyPrefix` of the entry with its placeholders filled in; else the
 * path's `{namespace}` (Laravel packages: `package::group`), else `*`. Always `*` for `laravel_json`.
 */
export function namingOf(entry: FilesEntry, placed: Placed): Naming {
  const keyPrefix = fillIn(entry.keyPrefix ?? "", placed) ?? "";
  if (entry.namespace !== undefined) {
    return { namespace: fillIn(entry.namespace, placed) ?? NO_NAMESPACE, keyPrefix };
  }
  if (entry.format === "laravel_json" || placed.namespace === null)
    return { namespace: NO_NAMESPACE, keyPrefix };
  const group = placed.package === null ? placed.namespace : `${placed.package}::${placed.namespace}`;
  return { namespace: group, keyPrefix };
}

/**
 * The placing of a key by its name: the way back of `namingOf`. `null` when the entry's files cannot hold a key
 * of that name. `key` is the key as it stands in the file, without the prefix.
 */
export function placingOf(
  entry: FilesEntry,
  name: { readonly namespace: string; readonly key: string },
): { readonly placing: Placing; readonly key: string } | null {
  const template = namespaceTemplate(entry);
  const byNamespace = template === null ? {} : matchTemplate(template, name.namespace);
  if (byNamespace === null) return null;
  const prefix = entry.keyPrefix ?? "";
  if (prefix === "") return complete(entry, byNamespace, name.key);
  // The prefix is the first text that fits its template with what the namespace says already.
  const filled = fillIn(prefix, byNamespace);
  if (filled !== null) {
    return name.key.startsWith(filled) ? complete(entry, byNamespace, name.key.slice(filled.length)) : null;
  }
  const { key } = name;
  for (let at = key.indexOf("."); at > 0 && at < MAX_PREFIX; at = key.indexOf(".", at + 1)) {
    const found = matchTemplate(prefix, name.key.slice(0, at + 1));
    if (found !== null) return complete(entry, { ...byNamespace, ...found }, name.key.slice(at + 1));
  }
  return null;
}

function complete(
  entry: FilesEntry,
  placing: Placing,
  key: string,
): { readonly placing: Placing; readonly key: string } | null {
  const filled = fillIn(entry.path, { ...placing, locale: "xx" });
  return filled === null || key === "" ? null : { placing, key };
}

/** `null`: the files name the namespaces of their keys themselves, so any fits. */
function namespaceTemplate(entry: FilesEntry): string | null {
  if (entry.namespace !== undefined) return entry.namespace;
  if (entry.format === "laravel_json") return NO_NAMESPACE;
  if (!hasPlaceholder(entry.path, "namespace"))
    return factsOf(entry.format)?.ownNamespaces === true ? null : NO_NAMESPACE;
  return hasPlaceholder(entry.path, "package") ? "{package}::{namespace}" : "{namespace}";
}

/** The placeholders' texts, only those that the template has; `null` when the text does not fit. */
function matchTemplate(template: string, text: string): Placing | null {
  const match = matched(template, text);
  if (match === null) return null;
  const placing: Partial<Record<PlaceholderName, string>> = { ...match.groups };
  // `*` is no file's name: a key without a namespace never lies in a `{namespace}` file.
  return placing.namespace === NO_NAMESPACE || placing.namespace?.includes("::") === true ? null : placing;
}

function fillIn(template: string, placing: Placing): string | null {
  let text = "";
  for (const piece of piecesOf(template)) {
    const part = piece.kind === "text" ? piece.text : placing[piece.kind];
    if (part === undefined || part === null) return null;
    text += part;
  }
  return text;
}

const PLACEHOLDER = /\{(locale|namespace|package)\}/;

function piecesOf(pattern: string): readonly Piece[] {
  return pattern
    .split(PLACEHOLDER)
    .map((part, index): Piece =>
      index % 2 === 0 ? { kind: "text", text: part } : { kind: part as PlaceholderName },
    )
    .filter((piece) => piece.kind !== "text" || piece.text !== "");
}

/** Longer than any path or name that people give; what is longer is not looked at. */
const MAX_TEXT = 1024;
const MAX_PREFIX = 256;
const MAX_PLACEHOLDERS = 8;

/** What each may stand for. Short ones are bounded, so that few ways are tried to share a text among all of them. */
const STANDS_FOR: Readonly<Record<PlaceholderName, string>> = {
  locale: "[^/]{1,40}?",
  package: "[^/]{1,100}?",
  namespace: ".+",
};

function matched(pattern: string, text: string): RegExpExecArray | null {
  return text.length > MAX_TEXT ? null : compiled(pattern).exec(text);
}

const cache = new Map<string, RegExp>();

/** A group for each placeholder. One that stands there again says the same again. */
function compiled(pattern: string): RegExp {
  let found = cache.get(pattern);
  if (found === undefined) {
    const pieces = piecesOf(pattern);
    const seen = new Set<PlaceholderName>();
    const source = pieces
      .map((piece) => {
        if (piece.kind === "text") return piece.text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
        if (seen.has(piece.kind)) return `\\k<${piece.kind}>`;
        seen.add(piece.kind);
        return `(?<${piece.kind}>${STANDS_FOR[piece.kind]})`;
      })
      .join("");
    const many = pieces.filter(({ kind }) => kind !== "text").length > MAX_PLACEHOLDERS;
    found = new RegExp(many ? "(?!)" : `^${source}$`, "u");
    if (cache.size > 500) cache.clear();
    cache.set(pattern, found);
  }
  return found;
}

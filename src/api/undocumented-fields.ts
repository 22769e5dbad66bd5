/**
 * What the client sends and accepts where the API document says "not shown". Each decision cites the document; no
 * other file of the client makes one.
 */
import type { DiffKey, SyncBody, TranslationItem, WriteMode } from "./endpoints.ts";
import { isApiError } from "./errors.ts";
import { isEmptyText } from "../model/translation-text.ts";

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nonEmptyString(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns the first of these fields that is a non-empty string. */
function firstText(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const found = nonEmptyString(fields[name]);
    if (found !== null) return found;
  }
  return null;
}

/** Result of a diff: the hashes that were sent, by state. */
export interface DiffResult {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  readonly restored: readonly string[];
  readonly unchanged: number;
}

const DIFF_FIELD_NAMES = {
  new: ["new", "created", "added", "create"],
  changed: ["changed", "updated", "modified", "update"],
  restored: ["restored", "archived", "restore"],
  unchanged: ["unchanged", "same", "identical"],
} as const;

/**
 * § POST /keys/diff: "The answer states which hashes are new, which are changed …, which are restored … and how many
 * are unchanged. Names of the response fields: not shown." Lists of hashes, or of objects with a `hash`, under the
 * document's words and synonyms. Returns `null` when the response is ambiguous (a list is missing, or the numbers do not
 * add up); the caller then sends everything, which a sync allows.
 */
export function parseDiff(body: unknown, sent: readonly DiffKey[]): DiffResult | null {
  const fields = isFields(body) && isFields(body["data"]) ? body["data"] : body;
  if (!isFields(fields)) return null;
  const known = new Set(sent.map((key) => key.hash));
  const list = (kind: keyof typeof DIFF_FIELD_NAMES): string[] | null => {
    const found = fieldByName(fields, DIFF_FIELD_NAMES[kind]);
    if (!Array.isArray(found)) return null;
    const hashes = found.map((item: unknown) => (isFields(item) ? item["hash"] : item));
    return hashes.every((hash) => typeof hash === "string" && known.has(hash))
      ? [...new Set(hashes as string[])]
      : null;
  };
  const [fresh, changed, restored] = [list("new"), list("changed"), list("restored")];
  if (fresh === null || changed === null || restored === null) return null;
  const hashes = new Set([...fresh, ...changed, ...restored]);
  if (hashes.size !== fresh.length + changed.length + restored.length) return null;
  const unchanged = fieldByName(fields, DIFF_FIELD_NAMES.unchanged);
  const count = Array.isArray(unchanged) ? unchanged.length : unchanged;
  const rest = known.size - hashes.size;
  // A hash that was sent twice may be counted twice.
  if (typeof count === "number" && count !== rest && count !== sent.length - hashes.size) return null;
  return { new: fresh, changed, restored, unchanged: rest };
}

/** Finds a field by one of its names, in any spelling (`newHashes`, `new_keys`). */
function fieldByName(fields: Fields, names: readonly string[]): unknown {
  const plain = (name: string): string => name.toLowerCase().replace(/_?(?:hashes|keys|count)$/u, "");
  for (const name of names) {
    const found = Object.keys(fields).find((field) => plain(field) === name);
    if (found !== undefined) return fields[found];
  }
  return undefined;
}

/** An export profile; `locales` is `null` when the record does not have it. */
interface ExportProfile {
  /** The `{profileKey}` of `GET /exports/{profileKey}`. */
  readonly key: string;
  readonly name: string;
  readonly format: string | null;
  readonly locales: readonly string[] | null;
}

/** The project record, as far as it is used and could be parsed. Languages are taken from `GET /stats`. */
export interface ProjectRecord {
  /** Empty where it is unknown. */
  readonly slug: string;
  /** The name, else the slug, else empty. */
  readonly name: string;
  readonly exportProfiles: readonly ExportProfile[];
}

/**
 * § GET /project: "Exact field names of the project record: not shown"; § Project: "Fields of an export profile and of
 * a language entry …: not shown." The names are the document's words in camelCase; entries may be plain strings. Entries
 * that cannot be parsed are skipped, since the user can also type a profile's key.
 */
export function parseProject(data: Fields): ProjectRecord {
  const slug = nonEmptyString(data["slug"]);
  const name = nonEmptyString(data["name"]);
  return {
    slug: slug ?? "",
    name: name ?? slug ?? "",
    exportProfiles: entries(data["exportProfiles"]).flatMap(([member, entry]) => {
      const fields = isFields(entry) ? entry : {};
      // In an object the member's name is the profile's key, and a plain string its name.
      const key =
        firstText(fields, ["key", "profileKey", "slug", "id"]) ??
        member ??
        nonEmptyString(entry) ??
        numericId(fields);
      if (key === null) return [];
      const locales = parseLocales(fields["locales"]) ?? parseLocales(fields["languages"]);
      return [
        {
          key,
          name: firstText(fields, ["name", "label", "title"]) ?? nonEmptyString(entry) ?? key,
          format: nonEmptyString(fields["format"]),
          locales,
        },
      ];
    }),
  };
}

/** Returns the items of a list, or the members of an object with their names. */
function entries(value: unknown): [member: string | null, entry: unknown][] {
  if (Array.isArray(value)) return value.map((entry: unknown) => [null, entry]);
  return isFields(value) ? Object.entries(value) : [];
}

function numericId(fields: Fields): string | null {
  return typeof fields["id"] === "number" ? String(fields["id"]) : null;
}

function parseLocale(value: unknown): string | null {
  return nonEmptyString(value) ?? (isFields(value) ? firstText(value, ["locale", "code", "key"]) : null);
}

function parseLocales(value: unknown): string[] | null {
  if (!Array.isArray(value) && !isFields(value)) return null;
  return entries(value)
    .map(([member, entry]) => (member === null || isFields(entry) ? parseLocale(entry) : null) ?? member)
    .filter((locale) => locale !== null);
}

/**
 * § GET /keys: "Value formats of `archived` …: not shown." The flags that the document does show (§ POST /imports) are
 * `1` and `0`; the second format is tried when the first is refused with an error on `archived`.
 */
export const ARCHIVED_FLAG_FORMATS: readonly [first: ArchivedFlags, second: ArchivedFlags] = [
  { yes: "1", no: "0" },
  { yes: "true", no: "false" },
];
type ArchivedFlags = Readonly<Record<"yes" | "no", string>>;

/**
 * § GET /keys: "Value formats of … `updatedSince` …: not shown", nor of the one of `GET /translations/{locale}`. First
 * in the format of the service's own timestamps; if that is refused with an error on `updatedSince`, in whole seconds.
 */
export function updatedSinceFormats(since: string): readonly [first: string, second?: string] {
  const seconds = since.replace(/\.\d+(?=Z$)/u, "");
  return seconds === since ? [since] : [since, seconds];
}

/**
 * § POST /keys/sync: "Which of these fields are required: not shown." `keys` is always sent; a service that treats an
 * empty list as missing refuses it with an error on `keys`, and then only `archive` is sent.
 */
export function syncBodyWithoutEmptyKeys({ keys, archive }: SyncBody): Partial<SyncBody> | null {
  return keys.length === 0 && archive !== undefined && archive.length > 0 ? { archive } : null;
}

/**
 * Body of a § POST /keys/diff that only checks whether the token has write scope: one item, since an empty list may
 * be refused before the scope is checked. It is the SHA-1 of the empty string, which no key has.
 */
export const WRITE_PROBE_KEYS: readonly DiffKey[] = [
  { hash: "da39a3ee5e6b4b0d3255bfef95601890afd80709", sourceHash: null },
];

/**
 * § PUT /translations/{locale}: "Names of item fields other than `value` and `version` …: not shown", nor the list's
 * own. When a `422` names another field for the list, or for an item's hash, nothing was written, and the request is sent
 * again with that name.
 */
export const DEFAULT_WRITE_FIELD_NAMES: WriteFieldNames = { list: "translations", hash: "hash" };

/** Field names of the list, and of the hash in an item. */
export interface WriteFieldNames {
  readonly list: string;
  readonly hash: string;
}

/** Fields that are not the list: an error on them does not suggest another name of it. */
const NON_LIST_FIELDS = new Set([
  "mode",
  "locale",
  "version",
  "value",
  "forms",
  "key",
  "namespace",
  "context",
  "body",
]);
const HASH_FIELD_NAMES = ["hash", "keyHash", "key_hash"];

/** Returns the field names that a refused write expects; `null` when it was refused for another reason. */
export function expectedFieldNames(error: unknown, sent: WriteFieldNames): WriteFieldNames | null {
  if (!isApiError(error, "invalid") || error.reason !== undefined) return null;
  const fields = Object.keys(error.errors ?? {});
  const list = fields.find((name) => /^\w+$/u.test(name) && !NON_LIST_FIELDS.has(name));
  if (list !== undefined) return list === sent.list ? null : { ...sent, list };
  const hash = HASH_FIELD_NAMES.find((name) =>
    fields.some((field) => field.startsWith(`${sent.list}.`) && field.endsWith(`.${name}`)),
  );
  return hash === undefined || hash === sent.hash ? null : { ...sent, hash };
}

/**
 * The body of a write. `mode` is a "parameter" of the query or the body, so both have it. An item identifies its
 * key in both ways (§ Key identity): by `hash`, and by namespace, key and context. `version: null` is not sent: the
 * document says "`version` … null when there is no translation", but not that an item may have it. "An empty `value`
 * clears a translation", a plural one too: of empty forms the document says nothing.
 */
export function writeBody(
  items: readonly TranslationItem[],
  mode: WriteMode,
  names: WriteFieldNames,
): unknown {
  const list = items.map(({ hash, context, version, forms, ...item }) => ({
    [names.hash]: hash,
    ...item,
    ...(forms === undefined ? {} : isEmptyText({ forms }) ? { value: "" } : { forms }),
    ...(context === null || context === "" ? {} : { context }),
    ...(typeof version === "number" ? { version } : {}),
  }));
  return { mode, [names.list]: list };
}

/** An item that was not written. `item` is `null` when the response does not identify it. */
export interface SkippedItem {
  readonly item: TranslationItem | null;
  /** Reason code of the service; more may be added. */
  readonly reason: string;
}

/** Result of a write. `written` is the number of sent items minus the skipped ones. */
export interface WriteResult {
  readonly written: number;
  readonly skipped: readonly SkippedItem[];
  /** Items of responses without `skipped`, counted as written: only reading them back shows whether they were. */
  readonly unconfirmed: readonly TranslationItem[];
}

/**
 * § PUT /translations/{locale}: "Items not written are returned in `skipped` with a reason …; the response shape
 * beyond `skipped`: not shown." Accepts a list of entries, an object by hash, index or reason, or a number. An entry is
 * matched to its item by hash, by name, or by its index in the request. A service that skipped nothing may leave
 * `skipped` out. That is no error, since the write was done, but its items are unconfirmed.
 */
export function parseWriteResult(body: unknown, items: readonly TranslationItem[]): WriteResult {
  const response = isFields(body) ? body : {};
  const data = isFields(response["data"]) ? response["data"] : response;
  const list = data["skipped"] ?? response["skipped"];
  if (!Array.isArray(list) && !isFields(list) && typeof list !== "number")
    return { written: items.length, skipped: [], unconfirmed: items };
  const byHash = new Map(items.map((item) => [item.hash, item]));
  const skipped = parseSkippedEntries(list).map(([member, entry, reason]): SkippedItem => {
    const fields = isFields(entry) ? entry : {};
    return {
      item: matchItem(items, byHash, fields, member ?? nonEmptyString(entry)),
      reason: reason ?? parseReason(fields) ?? (member === null ? "" : (nonEmptyString(entry) ?? "")),
    };
  });
  return { written: Math.max(0, items.length - skipped.length), skipped, unconfirmed: [] };
}

type SkippedEntry = readonly [member: string | null, entry: unknown, reason: string | null];

function parseSkippedEntries(list: unknown): SkippedEntry[] {
  if (typeof list === "number") return Array.from({ length: list }, (): SkippedEntry => [null, null, null]);
  return entries(list).flatMap(([member, entry]): SkippedEntry[] =>
    Array.isArray(entry)
      ? entry.map((each: unknown): SkippedEntry => [null, each, member])
      : [[member, entry, null]],
  );
}

function parseReason(fields: Fields): string | null {
  const error = isFields(fields["error"]) ? fields["error"] : fields;
  return firstText(fields, ["reason", "code", "error"]) ?? firstText(error, ["reason", "code"]);
}

function matchItem(
  items: readonly TranslationItem[],
  byHash: ReadonlyMap<string, TranslationItem>,
  entry: Fields,
  member: string | null,
): TranslationItem | null {
  const nested = ["item", "key", "translation"].map((name) => entry[name]).find(isFields);
  const fields = nested ?? entry;
  const hash = firstText(fields, HASH_FIELD_NAMES) ?? firstText(entry, HASH_FIELD_NAMES);
  if (hash !== null) return byHash.get(hash) ?? null;
  if (member !== null && byHash.has(member)) return byHash.get(member) ?? null;
  const index =
    typeof fields["index"] === "number" ? fields["index"] : /^\d+$/u.test(member ?? "") ? member : null;
  if (index !== null) return items[Number(index)] ?? null;
  const named = items.find(
    (item) =>
      fields["key"] === item.key &&
      (nonEmptyString(fields["namespace"]) ?? item.namespace) === item.namespace &&
      (nonEmptyString(fields["context"]) ?? "") === (item.context ?? ""),
  );
  return named ?? null;
}

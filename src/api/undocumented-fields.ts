/**
 * Where the API document says "not shown": what the client sends there, and how much it reads of what may come. Each
 * choice stands beside the document's words; no other file of the client makes one.
 */
import type { DiffKey, SyncBody, TranslationItem, WriteMode } from "./endpoints.ts";
import { ApiError, isApiError } from "./errors.ts";

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The first of these fields that holds text. */
function firstText(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const found = text(fields[name]);
    if (found !== null) return found;
  }
  return null;
}

/** What a diff says of the hashes that were sent. */
export interface DiffAnswer {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  readonly restored: readonly string[];
  readonly unchanged: number;
}

const DIFF_NAMES = {
  new: ["new", "created", "added", "create"],
  changed: ["changed", "updated", "modified", "update"],
  restored: ["restored", "archived", "restore"],
  unchanged: ["unchanged", "same", "identical"],
} as const;

/**
 * § POST /keys/diff: "The answer states which hashes are new, which are changed …, which are restored … and how many
 * are unchanged. Names of the response fields: not shown." Lists of hashes, or of objects with a `hash`, under the
 * document's words and near ones. `null`: it cannot be read for certain (a list is missing, or the numbers do not add
 * up), so whoever asked sends everything, which a sync allows.
 */
export function readDiff(body: unknown, sent: readonly DiffKey[]): DiffAnswer | null {
  const fields = isFields(body) && isFields(body["data"]) ? body["data"] : body;
  if (!isFields(fields)) return null;
  const known = new Set(sent.map((key) => key.hash));
  const list = (kind: keyof typeof DIFF_NAMES): string[] | null => {
    const found = named(fields, DIFF_NAMES[kind]);
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
  const unchanged = named(fields, DIFF_NAMES.unchanged);
  const count = Array.isArray(unchanged) ? unchanged.length : unchanged;
  const rest = known.size - hashes.size;
  // The number counts what was sent, so the same hash sent twice may be counted twice.
  if (typeof count === "number" && count !== rest && count !== sent.length - hashes.size) return null;
  return { new: fresh, changed, restored, unchanged: rest };
}

/** By one of the names, however it is spelt (`newHashes`, `new_keys`). */
function named(fields: Fields, names: readonly string[]): unknown {
  const plain = (name: string): string => name.toLowerCase().replace(/_?(?:hashes|keys|count)$/u, "");
  for (const name of names) {
    const found = Object.keys(fields).find((field) => plain(field) === name);
    if (found !== undefined) return fields[found];
  }
  return undefined;
}

/** An export profile; `locales` is `null` when the record does not say. */
interface ExportProfile {
  /** The `{profileKey}` of `GET /exports/{profileKey}`. */
  readonly key: string;
  readonly name: string;
  readonly format: string | null;
  readonly locales: readonly string[] | null;
}

/** The project record, as far as it could be read. Languages are better taken from `GET /stats`. */
export interface ProjectRecord {
  /** Empty where it cannot be read. */
  readonly slug: string;
  /** The name, else the slug, else empty. */
  readonly name: string;
  readonly type: string | null;
  readonly sourceLocale: string | null;
  readonly contentVersion: number | null;
  readonly locales: readonly string[];
  readonly exportProfiles: readonly ExportProfile[];
}

/**
 * § GET /project: "Exact field names of the project record: not shown"; § Project: "Fields of an export profile and of
 * a language entry …: not shown." The names are the document's words in camelCase; entries may be plain strings. What
 * cannot be read is left out, since a profile's key can also be typed.
 */
export function readProject(data: Fields): ProjectRecord {
  const slug = text(data["slug"]);
  const name = text(data["name"]);
  const version = data["contentVersion"];
  return {
    slug: slug ?? "",
    name: name ?? slug ?? "",
    type: text(data["type"]),
    sourceLocale:
      localeOf(data["sourceLocale"]) ?? localeOf(data["sourceLanguage"]) ?? localeOf(data["source"]),
    contentVersion: typeof version === "number" ? version : null,
    locales: localesOf(data["languages"]) ?? [],
    exportProfiles: entries(data["exportProfiles"]).flatMap(([member, entry]) => {
      const fields = isFields(entry) ? entry : {};
      // A member's name is the key; what stands there as plain text is then the profile's name.
      const key =
        firstText(fields, ["key", "profileKey", "slug", "id"]) ?? member ?? text(entry) ?? idOf(fields);
      if (key === null) return [];
      const locales = localesOf(fields["locales"]) ?? localesOf(fields["languages"]);
      return [
        {
          key,
          name: firstText(fields, ["name", "label", "title"]) ?? text(entry) ?? key,
          format: text(fields["format"]),
          locales,
        },
      ];
    }),
  };
}

/** Items of a list, or members of an object with their names. */
function entries(value: unknown): [member: string | null, entry: unknown][] {
  if (Array.isArray(value)) return value.map((entry: unknown) => [null, entry]);
  return isFields(value) ? Object.entries(value) : [];
}

function idOf(fields: Fields): string | null {
  return typeof fields["id"] === "number" ? String(fields["id"]) : null;
}

function localeOf(value: unknown): string | null {
  return text(value) ?? (isFields(value) ? firstText(value, ["locale", "code", "key"]) : null);
}

function localesOf(value: unknown): string[] | null {
  if (!Array.isArray(value) && !isFields(value)) return null;
  return entries(value)
    .map(([member, entry]) => (member === null || isFields(entry) ? localeOf(entry) : null) ?? member)
    .filter((locale) => locale !== null);
}

/**
 * § GET /keys: "Value formats of `archived` …: not shown." The flags that the document does show (§ POST /imports) are
 * `1` and `0`; the second spelling is tried when the first is refused with an error on `archived`.
 */
export const ARCHIVED_SPELLINGS = [
  { yes: "1", no: "0" },
  { yes: "true", no: "false" },
] as const;

/**
 * § GET /keys: "Value formats of … `updatedSince` …: not shown", nor of the one of `GET /translations/{locale}`. First
 * as the service writes its own times; when that is refused with an error on `updatedSince`, in whole seconds.
 */
export function sinceSpellings(since: string): readonly [string, ...string[]] {
  const seconds = since.replace(/\.\d+(?=Z$)/u, "");
  return seconds === since ? [since] : [since, seconds];
}

/** Whether a `422` is about this one field. */
export function refusesField(error: unknown, field: string): error is ApiError {
  return isApiError(error, "invalid") && Object.hasOwn(error.errors ?? {}, field);
}

/**
 * § POST /keys/sync: "Which of these fields are required: not shown." `keys` is always sent; a service that takes an
 * empty list for a missing one refuses it with an error on `keys`, and then only `archive` is sent.
 */
export function withoutEmptyKeys({ keys, archive }: SyncBody): Partial<SyncBody> | null {
  return keys.length === 0 && archive !== undefined && archive.length > 0 ? { archive } : null;
}

/**
 * § POST /keys/diff, asked only to learn whether the token may write: one item, since an empty list may be refused
 * before the token's scope is looked at. It is the SHA-1 of nothing, which no key has.
 */
export const PROBE_KEYS: readonly DiffKey[] = [
  { hash: "da39a3ee5e6b4b0d3255bfef95601890afd80709", sourceHash: null },
];

/**
 * § PUT /translations/{locale}: "Names of item fields other than `value` and `version` …: not shown", nor the list's
 * own. When a `422` asks for another name of the list, or of an item's hash, nothing was written, and it is sent again
 * under that one.
 */
export const WRITE_NAMES: WriteNames = { list: "translations", hash: "hash" };

/** What the list, and the hash in an item, are called. */
export interface WriteNames {
  readonly list: string;
  readonly hash: string;
}

/** Fields that are no list, so an error on them asks for no other name. */
const NO_LIST = new Set([
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
const HASH_NAMES = ["hash", "keyHash", "key_hash"];

/** The names that a refused write asks for; `null` when it was refused for something else. */
export function askedNames(error: unknown, sent: WriteNames): WriteNames | null {
  if (!isApiError(error, "invalid") || error.reason !== undefined) return null;
  const fields = Object.keys(error.errors ?? {});
  const list = fields.find((name) => /^\w+$/u.test(name) && !NO_LIST.has(name));
  if (list !== undefined) return list === sent.list ? null : { ...sent, list };
  const hash = HASH_NAMES.find((name) =>
    fields.some((field) => field.startsWith(`${sent.list}.`) && field.endsWith(`.${name}`)),
  );
  return hash === undefined || hash === sent.hash ? null : { ...sent, hash };
}

/**
 * The body of a write. `mode` is a "parameter" that may be read from the query or the body, so both have it. An item
 * names its key in both ways (§ Key identity): by `hash`, and by namespace, key and context. `version: null` is not
 * sent: "`version` … null when there is no translation", and that an item may carry that is not said.
 */
export function writeBody(items: readonly TranslationItem[], mode: WriteMode, names: WriteNames): unknown {
  const list = items.map(({ hash, context, version, ...item }) => ({
    [names.hash]: hash,
    ...item,
    ...(context === null || context === "" ? {} : { context }),
    ...(typeof version === "number" ? { version } : {}),
  }));
  return { mode, [names.list]: list };
}

/** One item that was not written. `item` is `null` when the answer does not tell which it was. */
export interface SkippedItem {
  readonly item: TranslationItem | null;
  /** The service's word; the list of words is open. */
  readonly reason: string;
}

/** `written` is what was sent less what was skipped. */
export interface WriteResult {
  readonly written: number;
  readonly skipped: readonly SkippedItem[];
}

/**
 * § PUT /translations/{locale}: "Items not written are returned in `skipped` with a reason …; the response shape
 * beyond `skipped`: not shown." A list of entries, an object by hash, by index or by reason, or only how many. An entry
 * is matched to its item by hash, by name, or by its index in the request.
 */
export function readWrite(body: unknown, items: readonly TranslationItem[], label: string): WriteResult {
  const outer = isFields(body) ? body : {};
  const inner = isFields(outer["data"]) ? outer["data"] : outer;
  const list = inner["skipped"] ?? outer["skipped"];
  if (!Array.isArray(list) && !isFields(list) && typeof list !== "number")
    throw new ApiError("bad_response", `${label}: data.skipped is missing`, {
      field: "data.skipped",
      endpoint: label,
    });
  const byHash = new Map(items.map((item) => [item.hash, item]));
  const skipped = skippedEntriesOf(list).map(([member, entry, reason]): SkippedItem => {
    const fields = isFields(entry) ? entry : {};
    return {
      item: itemOf(items, byHash, fields, member ?? text(entry)),
      reason: reason ?? reasonOf(fields) ?? (member === null ? "" : (text(entry) ?? "")),
    };
  });
  return { written: Math.max(0, items.length - skipped.length), skipped };
}

type SkippedEntry = readonly [member: string | null, entry: unknown, reason: string | null];

function skippedEntriesOf(list: unknown): SkippedEntry[] {
  if (typeof list === "number") return Array.from({ length: list }, (): SkippedEntry => [null, null, null]);
  return entries(list).flatMap(([member, entry]): SkippedEntry[] =>
    Array.isArray(entry)
      ? entry.map((each: unknown): SkippedEntry => [null, each, member])
      : [[member, entry, null]],
  );
}

function reasonOf(fields: Fields): string | null {
  const error = isFields(fields["error"]) ? fields["error"] : fields;
  return firstText(fields, ["reason", "code", "error"]) ?? firstText(error, ["reason", "code"]);
}

function itemOf(
  items: readonly TranslationItem[],
  byHash: ReadonlyMap<string, TranslationItem>,
  entry: Fields,
  member: string | null,
): TranslationItem | null {
  const nested = ["item", "key", "translation"].map((name) => entry[name]).find(isFields);
  const fields = nested ?? entry;
  const hash = firstText(fields, HASH_NAMES) ?? firstText(entry, HASH_NAMES);
  if (hash !== null) return byHash.get(hash) ?? null;
  if (member !== null && byHash.has(member)) return byHash.get(member) ?? null;
  const index =
    typeof fields["index"] === "number" ? fields["index"] : /^\d+$/u.test(member ?? "") ? member : null;
  if (index !== null) return items[Number(index)] ?? null;
  const named = items.find(
    (item) =>
      fields["key"] === item.key &&
      (text(fields["namespace"]) ?? item.namespace) === item.namespace &&
      (text(fields["context"]) ?? "") === (item.context ?? ""),
  );
  return named ?? null;
}

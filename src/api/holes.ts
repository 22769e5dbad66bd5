/**
 * Where the API document says "not shown": what the client sends there, and how much it reads of what may come. Each
 * choice stands beside the document's words; no other file of the client makes one.
 */
import type { DiffKey, TranslationItem, WriteMode } from "./contract.ts";
import { ApiError } from "./errors.ts";

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
  const told = new Set([...fresh, ...changed, ...restored]);
  if (told.size !== fresh.length + changed.length + restored.length) return null;
  const unchanged = named(fields, DIFF_NAMES.unchanged);
  const count = Array.isArray(unchanged) ? unchanged.length : unchanged;
  const rest = known.size - told.size;
  // The number counts what was sent, so the same hash sent twice may be counted twice.
  if (typeof count === "number" && count !== rest && count !== sent.length - told.size) return null;
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
  /** The slug, else the name, else empty. */
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
    slug: slug ?? name ?? "",
    name: name ?? slug ?? "",
    type: text(data["type"]),
    sourceLocale: localeOf(data["sourceLocale"]) ?? localeOf(data["sourceLanguage"]),
    contentVersion: typeof version === "number" ? version : null,
    locales: localesOf(data["languages"]) ?? [],
    exportProfiles: entries(data["exportProfiles"]).flatMap(([member, entry]) => {
      const fields = isFields(entry) ? entry : {};
      const key =
        text(entry) ?? firstText(fields, ["key", "profileKey", "slug", "id"]) ?? idOf(fields) ?? member;
      if (key === null) return [];
      const locales = localesOf(fields["locales"]) ?? localesOf(fields["languages"]);
      return [
        {
          key,
          name: firstText(fields, ["name", "label", "title"]) ?? key,
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
  if (!Array.isArray(value)) return null;
  return value.map(localeOf).filter((locale) => locale !== null);
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
 * § PUT /translations/{locale}: "Names of item fields other than `value` and `version` …: not shown", nor the list's
 * own. When a `422` asks for one of the others, nothing was written, and it is sent again under that name.
 */
const WRITE_LIST_NAMES = ["translations", "items", "rows", "entries", "data", "keys", "values"] as const;
export const WRITE_LIST_NAME: string = WRITE_LIST_NAMES[0];

/** The list's name that a refused write asks for; `null` when it was refused for something else. */
export function askedListName(error: ApiError, sent: string): string | null {
  if (error.kind !== "invalid" || error.reason !== undefined) return null;
  const fields = Object.keys(error.errors ?? {});
  return WRITE_LIST_NAMES.find((name) => name !== sent && fields.includes(name)) ?? null;
}

/**
 * The body of a write. `mode` is a "parameter" that may be read from the query or the body, so both have it. An item
 * names its key in both ways (§ Key identity): by `hash`, and by namespace, key and context. `version: null` is not
 * sent: "`version` … null when there is no translation", and that an item may carry that is not said.
 */
export function writeBody(items: readonly TranslationItem[], mode: WriteMode, listName: string): unknown {
  const list = items.map(({ context, version, ...item }) => ({
    ...item,
    ...(context === null || context === "" ? {} : { context }),
    ...(typeof version === "number" ? { version } : {}),
  }));
  return { mode, [listName]: list };
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
 * beyond `skipped`: not shown." An entry is matched to its item by hash, by name, or by its index in the request.
 */
export function readWrite(body: unknown, items: readonly TranslationItem[], label: string): WriteResult {
  const fields = isFields(body) && isFields(body["data"]) ? body["data"] : body;
  const list = isFields(fields) ? fields["skipped"] : undefined;
  if (!Array.isArray(list) && !isFields(list))
    throw new ApiError("bad_response", `${label}: data.skipped is missing`, { field: "data.skipped" });
  const skipped = entries(list).map(([member, entry]): SkippedItem => {
    const told = isFields(entry) ? entry : {};
    return {
      item: items.find((item, index) => isSame(item, index, told, member ?? text(entry))) ?? null,
      reason: firstText(told, ["reason", "code"]) ?? (member === null ? "" : (text(entry) ?? "")),
    };
  });
  return { written: Math.max(0, items.length - skipped.length), skipped };
}

function isSame(item: TranslationItem, index: number, told: Fields, member: string | null): boolean {
  if (typeof told["hash"] === "string") return told["hash"] === item.hash;
  if (member === item.hash) return true;
  if (typeof told["index"] === "number") return told["index"] === index;
  return (
    told["key"] === item.key &&
    (text(told["namespace"]) ?? item.namespace) === item.namespace &&
    (text(told["context"]) ?? "") === (item.context ?? "")
  );
}

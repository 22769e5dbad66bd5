/** `GET` and `PUT /translations/{locale}`. */
import * as v from "valibot";
import { keyHash } from "../../model/key-hash.ts";
import { isEmptyText, isForms } from "../../model/text.ts";
import {
  LENGTHS,
  LIMITS,
  WRITE_LIST,
  WRITE_MODE_DEFAULT,
  WRITE_MODES,
  type SkipReason,
} from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import { invalidField, notFound } from "../http/error-responses.ts";
import {
  keyByHash,
  listedLanguages,
  translationOf,
  type LanguageRow,
  type SqlRow,
} from "../store/store-rows.ts";
import { TimeSlice, type Connection } from "../store/store.ts";
import { HashSchema, jsonBody, list, name } from "../http/validate-request.ts";
import { dataResponse, queryOf, type Endpoint } from "./endpoint.ts";
import { hasOneText, ITEM_FIELDS, itemName, itemText } from "./item-fields.ts";
import { keyFields, KeyList } from "./key-list.ts";

const TARGET_ROWS = `SELECT k.id, k.hash, k.namespace, k.name, k.context, k.is_plural, t.value, t.forms,
  t.translated, t.outdated, t.issues,
  CASE WHEN t.value IS NULL AND t.forms IS NULL THEN NULL ELSE t.version END AS version,
  max(coalesce(t.updated_at, ''), k.activated_at) AS updated_at
  FROM keys k LEFT JOIN translations t ON t.key_id = k.id AND t.language_id = ?`;

/** Rows of the source language, with the keys' own texts. */
const SOURCE_ROWS = `SELECT k.id, k.hash, k.namespace, k.name, k.context, k.is_plural, k.value, k.forms,
  k.source_hash IS NOT NULL AS translated, 0 AS outdated, '[]' AS issues,
  CASE WHEN k.source_hash IS NULL THEN NULL ELSE k.version END AS version,
  max(k.source_at, k.activated_at) AS updated_at
  FROM keys k`;

export const listTranslations: Endpoint = {
  method: "GET",
  path: "/translations/:locale",
  scope: "read",
  handle: ({ store, cursors }, c) => {
    const locale = c.req.param("locale") ?? "";
    return store.read((connection) => {
      const { language, isSource } = languageOf(connection, locale);
      const query = queryOf(c);
      const status = query.oneOf("status", ["all", "translated", "untranslated"]) ?? "all";
      const list = new KeyList(query, cursors, ["translations", locale, status]);
      list.filter("k.archived = 0");
      list.filter("k.id > ?", list.after);
      const translated = isSource ? "k.source_hash IS NOT NULL" : "coalesce(t.translated, 0) = 1";
      if (status === "translated") list.filter(translated);
      if (status === "untranslated") list.filter(`NOT (${translated})`);
      if (list.updatedSince !== undefined) {
        const changedAt = isSource ? "k.source_at" : "coalesce(t.updated_at, '')";
        list.filter(`max(${changedAt}, k.activated_at) >= ?`, list.updatedSince);
      }
      return isSource
        ? list.response(connection, SOURCE_ROWS, [], "k.id", rowResponse)
        : list.response(connection, TARGET_ROWS, [language.id], "k.id", rowResponse);
    });
  },
};

/** § Translation row. */
function rowResponse(row: SqlRow): object {
  return {
    ...keyFields(row),
    value: row["value"],
    forms: typeof row["forms"] === "string" ? JSON.parse(row["forms"]) : null,
    isTranslated: row["translated"] === 1,
    isOutdated: row["outdated"] === 1,
    issues: row["issues"] === null ? [] : JSON.parse(String(row["issues"])),
    version: row["version"],
  };
}

/**
 * Returns the language of the path.
 * @throws {Problem} `404` if the project does not have it
 */
function languageOf(connection: Connection, locale: string): { language: LanguageRow; isSource: boolean } {
  const languages = listedLanguages(connection);
  const language = languages.find((one) => one.locale === locale);
  if (language === undefined) throw notFound();
  return { language, isSource: language === languages[0] };
}

const ItemSchema = v.pipe(
  v.object({
    ...ITEM_FIELDS,
    hash: v.nullish(HashSchema),
    key: v.nullish(name(LENGTHS.key)),
    version: v.optional(v.nullable(v.pipe(v.number("must_be_integer"), v.integer("must_be_integer")))),
  }),
  v.forward(
    v.check(({ hash, key }) => hash != null || key != null, "name_or_hash"),
    ["hash"],
  ),
  v.forward(
    v.check(({ value, forms }) => value !== undefined || forms !== undefined, "value_or_forms"),
    ["value"],
  ),
  v.forward(
    v.check((item) => hasOneText(item), "value_and_forms"),
    ["value"],
  ),
);
type Item = v.InferOutput<typeof ItemSchema>;

const WriteSchema = v.object({
  mode: v.nullish(v.picklist(WRITE_MODES, "must_be_one_of")),
  [WRITE_LIST]: list(ItemSchema, LIMITS.writeItems),
});

export const writeTranslations: Endpoint = {
  method: "PUT",
  path: "/translations/:locale",
  scope: "write",
  handle: async (service, c) => {
    const locale = c.req.param("locale") ?? "";
    const query = queryOf(c);
    const queried = query.oneOf("mode", WRITE_MODES);
    query.throwIfInvalid();
    const body = await jsonBody(c.req.raw, WriteSchema);
    const mode = body.mode ?? queried ?? WRITE_MODE_DEFAULT;
    const result = await service.store.write(service.timing.lockWait, async (connection) => {
      const { language, isSource } = languageOf(connection, locale);
      if (isSource) throw invalidField("locale", { code: "locale_is_source", values: { locale } });
      const edit = new ContentEdit(service, connection);
      const timeSlice = new TimeSlice();
      const seen = new Set<string>();
      const skipped: { hash: string; reason: SkipReason }[] = [];
      let written = 0;
      for (const item of body[WRITE_LIST]) {
        if (timeSlice.over) await timeSlice.yield();
        const hash = item.hash ?? keyHash(itemName(item.key ?? "", item));
        const reason = seen.has(hash) ? "duplicate" : writeItem(edit, language, hash, item, mode);
        seen.add(hash);
        if (reason === undefined) written++;
        else skipped.push({ hash, reason });
      }
      edit.finish();
      return { written, skipped };
    });
    return dataResponse(result);
  },
};

/** Writes one item; returns the reason if it is skipped. */
function writeItem(
  edit: ContentEdit,
  language: LanguageRow,
  hash: string,
  item: Item,
  mode: (typeof WRITE_MODES)[number],
): SkipReason | undefined {
  const key = keyByHash(edit.connection, hash);
  if (key === undefined) return "unknown_key";
  if (key.archived) return "archived";
  const text = itemText(item);
  // An empty text clears a translation of either kind.
  if (text !== null && !isEmptyText(text) && isForms(text) !== key.isPlural) return "plural_changed";
  const before = translationOf(edit.connection, key.id, language.id);
  const version = before?.text == null ? null : before.version;
  if (item.version !== undefined && item.version !== version) return "version_conflict";
  if (mode === "fill_empty" && version !== null) return "not_empty";
  edit.setTranslation(key, language, text);
  return undefined;
}

/** `GET` and `PUT /translations/{locale}`. */
import * as v from "valibot";
import { keyHash, NO_NAMESPACE } from "../../model/key-identity.ts";
import { isEmptyText, type Text } from "../../model/text.ts";
import {
  LENGTHS,
  LIMITS,
  UNTAGGED,
  WRITE_LIST,
  WRITE_MODE_DEFAULT,
  WRITE_MODES,
  type SkipReason,
} from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import type { Message } from "../http/messages.ts";
import { invalid, invalidField, notFound } from "../http/problem.ts";
import {
  keyByHash,
  listedLanguages,
  storedText,
  textOrNull,
  translationOf,
  type LanguageRow,
  type SqlRow,
} from "../store/rows.ts";
import { TimeSlice, type Connection } from "../store/store.ts";
import { FormsBodySchema, HashSchema, jsonBody, list, name, Query, text } from "../http/validate.ts";
import { dataResponse, pageResponse, type Endpoint } from "./endpoint.ts";

const TARGET_ROWS = `SELECT k.id, k.hash, k.namespace, k.name, k.context, k.is_plural, t.value, t.forms,
  t.translated, t.outdated, t.issues,
  CASE WHEN t.value IS NULL AND t.forms IS NULL THEN NULL ELSE t.version END AS version,
  max(coalesce(t.updated_at, ''), k.activated_at) AS updated_at
  FROM keys k LEFT JOIN translations t ON t.key_id = k.id AND t.language_id = ?`;

/**
 * Rows of the source language, with the keys' own texts. Its language is only bound to give both queries the same
 * parameters.
 */
const SOURCE_ROWS = `SELECT k.id, k.hash, k.namespace, k.name, k.context, k.is_plural, k.value, k.forms,
  k.source_hash IS NOT NULL AS translated, 0 AS outdated, '[]' AS issues,
  CASE WHEN k.source_hash IS NULL THEN NULL ELSE k.version END AS version,
  max(k.source_at, k.activated_at) AS updated_at
  FROM keys k WHERE ? IS NOT NULL`;

export const listTranslations: Endpoint = {
  method: "GET",
  path: "/translations/:locale",
  scope: "read",
  waitsForSource: false,
  handle: ({ store, cursors }, c) => {
    const locale = c.req.param("locale") ?? "";
    const query = new Query(c.req.url);
    const status = query.oneOf("status", ["all", "translated", "untranslated"]) ?? "all";
    const namespace = query.text("namespace");
    const tag = query.text("tag");
    const since = query.timestamp("updatedSince");
    const limit = query.limit();
    const cursor = query.text("cursor", 1000);
    query.throwIfInvalid();
    return store.read((connection) => {
      const { language, isSource } = languageOf(connection, locale);
      const listName = JSON.stringify(["translations", locale, status, namespace, tag, since]);
      const after = cursor === undefined ? 0 : cursors.open(listName, cursor);
      if (after === undefined) throw invalidField("cursor", { code: "cursor_unreadable" });

      const where = ["k.id > ?", "k.archived = 0"];
      const values: (string | number)[] = [language.id, after];
      const filter = (condition: string, ...bound: string[]): void => {
        where.push(condition);
        values.push(...bound);
      };
      const translated = isSource ? "k.source_hash IS NOT NULL" : "coalesce(t.translated, 0) = 1";
      if (status === "translated") filter(translated);
      if (status === "untranslated") filter(`NOT (${translated})`);
      if (namespace !== undefined) filter("k.namespace = ?", namespace);
      if (tag === UNTAGGED) filter("NOT EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id)");
      else if (tag !== undefined)
        filter("EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id AND tag = ?)", tag);
      if (since !== undefined) {
        const changedAt = isSource ? "k.source_at" : "coalesce(t.updated_at, '')";
        filter(`max(${changedAt}, k.activated_at) >= ?`, since);
      }
      const select = isSource ? `${SOURCE_ROWS} AND ` : `${TARGET_ROWS} WHERE `;
      const rows = connection
        .sql(`${select}${where.join(" AND ")} ORDER BY k.id LIMIT ?`)
        .all(...values, limit + 1);
      return pageResponse(rows, limit, (last) => cursors.seal(listName, Number(last["id"])), rowResponse);
    });
  },
};

/** § Translation row. */
function rowResponse(row: SqlRow): object {
  const stored = storedText(row["value"], row["forms"]);
  return {
    hash: row["hash"],
    namespace: row["namespace"],
    key: row["name"],
    context: textOrNull(row["context"]),
    isPlural: row["is_plural"] === 1,
    value: stored !== null && "value" in stored ? stored.value : null,
    forms: stored !== null && "forms" in stored ? stored.forms : null,
    isTranslated: row["translated"] === 1,
    isOutdated: row["outdated"] === 1,
    issues: typeof row["issues"] === "string" && row["issues"] !== "[]" ? JSON.parse(row["issues"]) : [],
    version: row["version"],
    updatedAt: row["updated_at"],
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

const ItemSchema = v.object({
  hash: v.nullish(HashSchema),
  key: v.nullish(name(LENGTHS.key)),
  namespace: v.nullish(text(LENGTHS.namespace)),
  context: v.nullish(text(LENGTHS.context)),
  value: v.optional(v.nullable(text(LENGTHS.text))),
  forms: v.optional(v.nullable(FormsBodySchema)),
  version: v.optional(v.nullable(v.pipe(v.number("must_be_integer"), v.integer("must_be_integer")))),
});

const WriteSchema = v.object({
  mode: v.nullish(v.picklist(WRITE_MODES, "must_be_one_of")),
  [WRITE_LIST]: list(ItemSchema, LIMITS.writeItems),
});

interface Item {
  readonly hash: string;
  readonly text: Text | null;
  /** Whether the item contains plural forms; `undefined` if it only clears. */
  readonly isPlural: boolean | undefined;
  /** `undefined`: not checked; `null`: there was no translation when the client read it. */
  readonly version: number | null | undefined;
}

export const writeTranslations: Endpoint = {
  method: "PUT",
  path: "/translations/:locale",
  scope: "write",
  waitsForSource: true,
  handle: async (service, c) => {
    const locale = c.req.param("locale") ?? "";
    const query = new Query(c.req.url);
    const queried = query.oneOf("mode", WRITE_MODES);
    query.throwIfInvalid();
    const body = await jsonBody(c.req.raw, WriteSchema);
    const mode = body.mode ?? queried ?? WRITE_MODE_DEFAULT;
    const items = itemsOf(body[WRITE_LIST]);
    const result = await service.store.write(service.timing.lockWait, async (connection) => {
      const { language, isSource } = languageOf(connection, locale);
      if (isSource) throw invalidField("locale", { code: "locale_is_source", values: { locale } });
      const edit = new ContentEdit(service, connection);
      const timeSlice = new TimeSlice();
      const seen = new Set<string>();
      const skipped: { hash: string; reason: SkipReason }[] = [];
      let written = 0;
      for (const item of items) {
        if (timeSlice.over) await timeSlice.yield();
        const reason = seen.has(item.hash) ? "duplicate" : writeItem(edit, language, item, mode);
        seen.add(item.hash);
        if (reason === undefined) written++;
        else skipped.push({ hash: item.hash, reason });
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
  item: Item,
  mode: (typeof WRITE_MODES)[number],
): SkipReason | undefined {
  const key = keyByHash(edit.connection, item.hash);
  if (key === undefined) return "unknown_key";
  if (key.archived) return "archived";
  if (item.isPlural !== undefined && item.isPlural !== key.isPlural) return "plural_changed";
  const before = translationOf(edit.connection, key.id, language.id);
  const version = before?.text == null ? null : before.version;
  if (item.version !== undefined && item.version !== version) return "version_conflict";
  if (mode === "fill_empty" && version !== null) return "not_empty";
  edit.setTranslation(key, language, item.text);
  return undefined;
}

function itemsOf(given: readonly v.InferOutput<typeof ItemSchema>[]): Item[] {
  const errors = new Map<string, Message[]>();
  const items = given.map((item, index): Item => {
    const field = `${WRITE_LIST}.${index}`;
    if (item.hash == null && item.key == null) errors.set(`${field}.hash`, [{ code: "name_or_hash" }]);
    if (item.value === undefined && item.forms === undefined)
      errors.set(`${field}.value`, [{ code: "value_or_forms" }]);
    if (typeof item.value === "string" && item.forms != null)
      errors.set(`${field}.value`, [{ code: "value_and_forms" }]);
    const text: Text | null =
      item.forms != null
        ? { forms: item.forms }
        : typeof item.value === "string"
          ? { value: item.value }
          : null;
    return {
      hash:
        item.hash ??
        keyHash({
          namespace: item.namespace == null || item.namespace === "" ? NO_NAMESPACE : item.namespace,
          key: item.key ?? "",
          context: item.context ?? null,
        }),
      text,
      isPlural: text === null || isEmptyText(text) ? undefined : "forms" in text,
      version: item.version,
    };
  });
  if (errors.size > 0) throw invalid(errors);
  return items;
}

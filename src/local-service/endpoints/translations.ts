/** `GET` and `PUT /translations/{locale}`. */
import * as v from "valibot";
import { keyHash } from "../../model/key-hash.ts";
import { isEmptyText, isForms } from "../../model/translation-text.ts";
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
  hasOneText,
  HashSchema,
  ITEM_FIELDS,
  itemName,
  itemText,
  jsonBody,
  list,
  name,
  oneOf,
  parseParameters,
} from "../http/validate-request.ts";
import {
  keyByHash,
  listedLanguages,
  translationOf,
  type LanguageRow,
  type TextColumns,
} from "../store/store-rows.ts";
import { inTimeSlices, type Connection } from "../store/store.ts";
import { dataResponse, type Handler } from "./endpoint.ts";
import { KeyList } from "./key-list.ts";

interface RowColumns extends TextColumns {
  readonly id: number;
  readonly isPlural: number;
  readonly isTranslated: number | null;
  readonly isOutdated: number | null;
  readonly issues: string | null;
}

/** Columns of a row from a translation `t`, which may be missing. */
const TARGET_ROWS = `SELECT k.id, k.hash, k.namespace, k.name AS key, k.context, k.is_plural AS isPlural, t.value,
  t.forms, t.translated AS isTranslated, t.outdated AS isOutdated, t.issues,
  iif(t.value IS NULL AND t.forms IS NULL, NULL, t.version) AS version,
  max(coalesce(t.updated_at, ''), k.activated_at) AS updatedAt
  FROM keys k LEFT JOIN translations t ON t.key_id = k.id AND t.language_id = ?`;

/** The same columns for the source language. */
const SOURCE_ROWS = `SELECT k.id, k.hash, k.namespace, k.name AS key, k.context, k.is_plural AS isPlural, k.value,
  k.forms, k.source_hash IS NOT NULL AS isTranslated, 0 AS isOutdated, NULL AS issues,
  iif(k.source_hash IS NULL, NULL, k.version) AS version,
  max(k.source_at, k.activated_at) AS updatedAt FROM keys k`;

export const listTranslations: Handler = ({ store, cursorSecret }, c) => {
  const connection = store.reader;
  const { language, isSource } = requireLanguage(connection, c.req.param("locale") ?? "");
  const page = new KeyList(cursorSecret, c);
  const status = v.optional(oneOf(["all", "translated", "untranslated"]), "all");
  const query = parseParameters(c.req.query(), v.object({ ...page.parameters, status }));
  page.filter("k.archived = 0");
  page.filter("k.id > ?", query.cursor ?? 0);
  const translated = isSource ? "k.source_hash IS NOT NULL" : "coalesce(t.translated, 0) = 1";
  if (query.status === "translated") page.filter(translated);
  if (query.status === "untranslated") page.filter(`NOT (${translated})`);
  if (query.updatedSince !== undefined) page.filter("updatedAt >= ?", query.updatedSince);
  const [select, parameters] = isSource ? [SOURCE_ROWS, []] : [TARGET_ROWS, [language.id]];
  return page.response(
    query,
    "k.id",
    (sqlEnd, values) => connection.all<RowColumns>(`${select} ${sqlEnd}`, ...parameters, ...values),
    rowResponse,
  );
};

/** § Translation row. */
function rowResponse(row: RowColumns): object {
  return Object.assign(row, {
    id: undefined,
    isPlural: row.isPlural === 1,
    forms: row.forms === null ? null : (JSON.parse(row.forms) as unknown),
    isTranslated: row.isTranslated === 1,
    isOutdated: row.isOutdated === 1,
    issues: row.issues === null ? [] : (JSON.parse(row.issues) as unknown),
  });
}

/**
 * Returns the language of the path.
 * @throws {Problem} `404` if the project does not have it
 */
function requireLanguage(
  connection: Connection,
  locale: string,
): { language: LanguageRow; isSource: boolean } {
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
    version: v.nullish(v.pipe(v.number("must_be_integer"), v.integer("must_be_integer"))),
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
  v.transform(({ hash, key, version, ...item }) => ({
    hash: hash ?? keyHash(itemName(key ?? "", item)),
    text: itemText(item),
    version,
  })),
);
type Item = v.InferOutput<typeof ItemSchema>;

const ModeSchema = v.nullish(oneOf(WRITE_MODES));
const WriteSchema = v.object({ mode: ModeSchema, [WRITE_LIST]: list(ItemSchema, LIMITS.writeItems) });

export const writeTranslations: Handler = async (service, c) => {
  const locale = c.req.param("locale") ?? "";
  const query = parseParameters(c.req.query(), v.object({ mode: ModeSchema }));
  const body = await jsonBody(c.req.raw, WriteSchema);
  const mode = body.mode ?? query.mode ?? WRITE_MODE_DEFAULT;
  return service.store.write(async (connection) => {
    const { language, isSource } = requireLanguage(connection, locale);
    if (isSource) throw invalidField("locale", { code: "locale_is_source", values: { locale } });
    const edit = new ContentEdit(service, connection);
    const seen = new Set<string>();
    const skipped: { hash: string; reason: SkipReason }[] = [];
    let written = 0;
    for await (const item of inTimeSlices(body[WRITE_LIST])) {
      const { hash } = item;
      const reason = seen.has(hash) ? "duplicate" : writeTranslation(edit, language, item, mode);
      seen.add(hash);
      if (reason === undefined) written++;
      else skipped.push({ hash, reason });
    }
    edit.finish();
    return dataResponse({ written, skipped });
  }, service.timing.lockWaitMs);
};

/** Writes one item; returns the reason if it is skipped. */
function writeTranslation(
  edit: ContentEdit,
  language: LanguageRow,
  item: Item,
  mode: (typeof WRITE_MODES)[number],
): SkipReason | undefined {
  const key = keyByHash(edit.connection, item.hash);
  if (key === undefined) return "unknown_key";
  if (key.archived) return "archived";
  // An empty text clears a translation of either kind.
  if (item.text !== null && !isEmptyText(item.text) && isForms(item.text) !== key.isPlural)
    return "plural_changed";
  const before = translationOf(edit.connection, key.id, language.id);
  const version = before?.text == null ? null : before.version;
  if (item.version !== undefined && item.version !== version) return "version_conflict";
  if (mode === "fill_empty" && version !== null) return "not_empty";
  edit.setTranslation(key, language, item.text);
  return undefined;
}

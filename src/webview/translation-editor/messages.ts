/** What the translation editor's page and the extension tell each other. Each side checks what it gets. */
import * as v from "valibot";
import { GRID_FILTERS, GRID_SORTS } from "../../model/grid-query.ts";

const LocaleSchema = v.string();
const HashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/u));

const TextSchema = v.union([
  v.strictObject({ value: v.string() }),
  v.strictObject({ forms: v.record(v.string(), v.string()) }),
]);
const CellIdSchema = v.object({ locale: LocaleSchema, hash: HashSchema });

export const FilterSchema = v.picklist(GRID_FILTERS);
export type Filter = v.InferOutput<typeof FilterSchema>;

const QuerySchema = v.object({
  filters: v.array(FilterSchema),
  search: v.string(),
  /** `null`: all. */
  namespace: v.nullable(v.string()),
  tag: v.nullable(v.string()),
  sort: v.picklist(GRID_SORTS),
});
export type Query = v.InferOutput<typeof QuerySchema>;

const ReplacementSchema = v.object({
  find: v.string(),
  replacement: v.string(),
  matchCase: v.boolean(),
});
export type Replacement = v.InferOutput<typeof ReplacementSchema>;

const FoundSchema = v.object({
  cell: CellIdSchema,
  key: v.string(),
  /** Around the first place; long texts are cut. */
  before: v.string(),
  after: v.string(),
});
export type Found = v.InferOutput<typeof FoundSchema>;

/** At most so many rows are asked for and sent at once. */
export const ROW_BATCH_SIZE = 60;

/** The first of the rows that are asked for together with this one. */
export function blockOf(row: number): number {
  return row - (row % ROW_BATCH_SIZE);
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** To the extension. */
export const FromPageSchema = v.variant("type", [
  /** The page listens. */
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("query"), query: QuerySchema }),
  /** Rows of a list from `start` on. */
  v.object({ type: v.literal("rows"), list: count, start: count }),
  /** The first rows of a list are painted. */
  v.object({ type: v.literal("painted"), list: count }),
  /** All that there is to know of a cell. */
  v.object({ type: v.literal("detail"), cell: CellIdSchema }),
  v.object({
    type: v.literal("edit"),
    texts: v.array(v.object({ ...CellIdSchema.entries, text: TextSchema })),
  }),
  /** Texts as they are in a spreadsheet, put in from a cell on: rows of the list, columns of the languages from 0. */
  v.object({
    type: v.literal("paste"),
    list: count,
    row: count,
    column: count,
    texts: v.array(v.array(v.string())),
  }),
  /** Gives each of the cells the text of the first one in its column, or none. Both ends belong to it. */
  v.object({
    type: v.picklist(["fill", "clear"]),
    list: count,
    rows: v.tuple([count, count]),
    columns: v.tuple([count, count]),
  }),
  /** Puts the cells on the clipboard, as a spreadsheet reads them. Both ends belong to it. */
  v.object({
    type: v.literal("copy"),
    list: count,
    rows: v.tuple([count, count]),
    columns: v.tuple([count, count]),
  }),
  /** Asks what would be changed in the rows of the list. */
  v.object({ type: v.literal("find"), asked: ReplacementSchema }),
  /** Changes these cells. */
  v.object({ type: v.literal("replace"), asked: ReplacementSchema, cells: v.array(CellIdSchema) }),
  /** Gives the drafts up. */
  v.object({ type: v.literal("discard"), cells: v.array(CellIdSchema) }),
  /** Theirs is to be written over. */
  v.object({ type: v.literal("keepMine"), cells: v.array(CellIdSchema) }),
  v.object({ type: v.literal("save") }),
  /** Has a language model translate what is missing in these cells, or the only one. `columns: null`: of a key alone. */
  v.object({
    type: v.literal("translate"),
    list: count,
    rows: v.tuple([count, count]),
    columns: v.nullable(v.tuple([count, count])),
  }),
  /** Shows the first use of the key in code. */
  v.object({ type: v.literal("showUse"), hash: HashSchema }),
  v.object({ type: v.literal("chooseLanguages") }),
  /** The languages in their new order. */
  v.object({ type: v.literal("languages"), locales: v.array(LocaleSchema) }),
]);
export type FromPage = v.InferOutput<typeof FromPageSchema>;
export type CellId = v.InferOutput<typeof CellIdSchema>;

const StateSchema = v.picklist([
  "missing",
  "outdated",
  "issue",
  "unsaved",
  "conflict",
  "machine",
  "refused",
  "readonly",
]);
export type State = v.InferOutput<typeof StateSchema>;

const LanguageSchema = v.object({
  locale: LocaleSchema,
  name: v.string(),
  isSource: v.boolean(),
  /** Plural categories that a text of the language needs. */
  categories: v.array(v.string()),
});
export type Language = v.InferOutput<typeof LanguageSchema>;

const CellSchema = v.object({
  /** The value, or the plural forms with their categories; long ones are cut. */
  parts: v.array(v.object({ category: v.nullable(v.string()), text: v.string() })),
  isCut: v.boolean(),
  states: v.array(StateSchema),
});
export type Cell = v.InferOutput<typeof CellSchema>;

const RowSchema = v.object({
  hash: HashSchema,
  /** Empty: none. */
  namespace: v.string(),
  key: v.string(),
  context: v.nullable(v.string()),
  description: v.nullable(v.string()),
  tags: v.array(v.string()),
  maxLength: v.nullable(v.number()),
  isNotPushed: v.boolean(),
  /** `null`: the code was not searched yet. */
  uses: v.nullable(v.number()),
  /** Of the source text, as written. */
  placeholders: v.array(v.string()),
  /** In the order of the languages. */
  cells: v.array(CellSchema),
});
export type Row = v.InferOutput<typeof RowSchema>;

const DetailSchema = v.object({
  cell: CellIdSchema,
  source: v.nullable(TextSchema),
  text: v.nullable(TextSchema),
  /** What somebody else wrote since the draft was begun, and what it was begun on. */
  conflict: v.nullable(v.object({ base: v.nullable(TextSchema), theirs: v.nullable(TextSchema) })),
  /** Since a machine translated it. */
  isSourceChanged: v.boolean(),
  /** `form`: the plural category that the issue is of; `null`: the text has no forms. */
  issues: v.array(
    v.object({ words: v.string(), suggestion: v.nullable(v.string()), form: v.nullable(v.string()) }),
  ),
  /** Why the translation of a language model is not there. */
  refused: v.nullable(v.string()),
  /** Translations of source texts that are like this one. */
  similar: v.array(v.object({ source: v.string(), text: v.string() })),
  /** The first place in code. */
  usedIn: v.nullable(v.string()),
});
export type Detail = v.InferOutput<typeof DetailSchema>;

const CountsSchema = { unsaved: count, conflicts: count, refused: count };

/** To the page. */
export const ToPageSchema = v.variant("type", [
  v.object({
    type: v.literal("setup"),
    words: v.record(v.string(), v.string()),
    languages: v.array(LanguageSchema),
    /** Between namespace and key, as code writes it. */
    separator: v.string(),
    query: QuerySchema,
    namespaces: v.array(v.string()),
    tags: v.array(v.string()),
  }),
  /**
   * Another list of rows. `focus`: the row to go to. `isAsked`: another filter, so it is shown from its beginning, with some
   * of the rows around `focus`, or of the first ones; more of those follow.
   */
  v.object({
    type: v.literal("list"),
    list: count,
    count,
    focus: v.nullable(count),
    isAsked: v.boolean(),
    start: count,
    rows: v.array(RowSchema),
    ...CountsSchema,
  }),
  v.object({ type: v.literal("rows"), list: count, start: count, rows: v.array(RowSchema) }),
  /** Rows may look otherwise now. */
  v.object({ type: v.literal("changed"), ...CountsSchema }),
  v.object({ type: v.literal("detail"), detail: DetailSchema }),
  /** `isAll`: there are no more. */
  v.object({ type: v.literal("found"), found: v.array(FoundSchema), isAll: v.boolean() }),
]);
export type ToPage = v.InferOutput<typeof ToPageSchema>;

/** Messages from the page to the extension, which validates them, and types shared by both sides. */
import * as v from "valibot";
import { GRID_FILTERS, GRID_SORTS } from "../../model/translation-grid-filters.ts";

export const LocaleSchema = v.string();
export const HashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/u));

export const TextSchema = v.union([
  v.strictObject({ value: v.string() }),
  v.strictObject({ forms: v.record(v.string(), v.string()) }),
]);
export const CellIdSchema = v.object({ locale: LocaleSchema, hash: HashSchema });

export const FilterSchema = v.picklist(GRID_FILTERS);
export type Filter = v.InferOutput<typeof FilterSchema>;

export const QuerySchema = v.object({
  filters: v.array(FilterSchema),
  search: v.string(),
  /** `null` for all. */
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

/** Rows per request. */
export const ROW_BATCH_SIZE = 30;

/** Returns the first row of the batch that contains the row. */
export function blockOf(row: number): number {
  return row - (row % ROW_BATCH_SIZE);
}

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A range of cells in a list: the first and last row, and the languages of the columns. */
const cellRange = { list: count, rows: v.tuple([count, count]), locales: v.array(LocaleSchema) };

/** Messages to the extension. Columns are named by their language, since their order may have changed meanwhile. */
export const FromPageSchema = v.variant("type", [
  /** The page is ready to receive messages. */
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("query"), query: QuerySchema }),
  /** Requests rows of a list from `start` on. */
  v.object({ type: v.literal("rows"), list: count, start: count }),
  /** The first rows of a list are painted. */
  v.object({ type: v.literal("painted"), list: count }),
  /** Names the active key and requests its row in the list that was last sent. */
  v.object({ type: v.literal("active"), hash: HashSchema }),
  /** Requests the details of a cell. */
  v.object({ type: v.literal("detail"), cell: CellIdSchema }),
  /** Sets texts. `before`: the texts that the user changed, empty forms left out. */
  v.object({
    type: v.literal("edit"),
    texts: v.array(v.object({ ...CellIdSchema.entries, before: TextSchema, text: TextSchema })),
  }),
  /** Pastes spreadsheet cells from a row of the list on. `locales`: the languages of their columns. */
  v.object({
    type: v.literal("paste"),
    list: count,
    row: count,
    locales: v.array(LocaleSchema),
    texts: v.array(v.array(v.string())),
  }),
  /** Fills cells with the text of the first one in each column, or clears them. */
  v.object({ type: v.picklist(["fill", "clear"]), ...cellRange }),
  /** Copies cells to the clipboard in the format of spreadsheets. */
  v.object({ type: v.literal("copy"), ...cellRange }),
  /** Requests the preview of a replacement. */
  v.object({ type: v.literal("find"), replacement: ReplacementSchema }),
  /** Applies a replacement to these cells. */
  v.object({ type: v.literal("replace"), replacement: ReplacementSchema, cells: v.array(CellIdSchema) }),
  /** Discards drafts, or resolves conflicts in favour of the drafts. */
  v.object({ type: v.picklist(["discard", "keepMine"]), cells: v.array(CellIdSchema) }),
  v.object({ type: v.literal("save") }),
  /** Translates the missing texts of these cells, or a single cell. Without `locales` only keys are selected. */
  v.object({ type: v.literal("translate"), ...cellRange }),
  /** Opens the first usage of the key. */
  v.object({ type: v.literal("showUse"), hash: HashSchema }),
  v.object({ type: v.literal("chooseLanguages") }),
  /** Sets the visible languages and their order. */
  v.object({ type: v.literal("languages"), locales: v.array(LocaleSchema) }),
]);
export type FromPage = v.InferOutput<typeof FromPageSchema>;
export type CellId = v.InferOutput<typeof CellIdSchema>;

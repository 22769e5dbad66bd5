/** Messages between the page and the extension, which each side validates, and their splitting into parts. */
import * as v from "valibot";
import { ROW_FILTERS, ROW_SORT_ORDERS, type RowQuery } from "../../model/translation-editor-filters.ts";
import type { Replacement, Text } from "../../model/translation-text.ts";

const LocaleSchema = v.string();
const HashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/u));
/** A number of rows, the index of a row, or the revision of a table. */
const CountSchema = v.pipe(v.number(), v.integer(), v.minValue(0));
const TextSchema: v.GenericSchema<Text> = v.union([
  v.strictObject({ value: v.string() }),
  v.strictObject({ forms: v.record(v.string(), v.string()) }),
]);
const CellIdSchema = v.object({ locale: LocaleSchema, hash: HashSchema });
const QuerySchema: v.GenericSchema<RowQuery> = v.object({
  filters: v.array(v.picklist(ROW_FILTERS)),
  search: v.string(),
  namespace: v.nullable(v.string()),
  tag: v.nullable(v.string()),
  sort: v.picklist(ROW_SORT_ORDERS),
});
const ReplacementSchema: v.GenericSchema<Replacement> = v.object({
  find: v.string(),
  replacement: v.string(),
  matchCase: v.boolean(),
});

/**
 * Messages to the extension. `revision` is that of the table whose rows are meant. Columns are identified by their language,
 * since their order may have changed in the meantime.
 */
export const MessageFromPageSchema = v.variant("type", [
  /** The page is ready to receive messages. */
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("query"), query: QuerySchema }),
  /** Requests the batch of rows from `start` on. */
  v.object({ type: v.literal("rows"), revision: CountSchema, start: CountSchema }),
  /** The first rows of a table are painted. */
  v.object({ type: v.literal("painted"), revision: CountSchema }),
  /** Names the active key and requests its row in the table that was last sent. */
  v.object({ type: v.literal("active"), hash: HashSchema }),
  /** Requests the details of a cell. */
  v.object({ type: v.literal("details"), cell: CellIdSchema }),
  /** Sets a text. `before`: the text that the user changed, empty forms left out. */
  v.object({ type: v.literal("edit"), cell: CellIdSchema, before: TextSchema, text: TextSchema }),
  /** Pastes spreadsheet cells from a row on. `locales`: the languages of their columns. */
  v.object({
    type: v.literal("paste"),
    revision: CountSchema,
    row: CountSchema,
    locales: v.array(LocaleSchema),
    texts: v.array(v.array(v.string())),
  }),
  /**
   * Fills a range of cells with the text of the first one in each column, clears them, copies them to the clipboard in the
   * format of spreadsheets, or translates what is missing in them; a single cell is translated in any case. Without
   * `locales` only keys are selected.
   */
  v.object({
    type: v.picklist(["fill", "clear", "copy", "translate"]),
    revision: CountSchema,
    rows: v.tuple([CountSchema, CountSchema]),
    locales: v.array(LocaleSchema),
  }),
  /** Requests the preview of a replacement. */
  v.object({ type: v.literal("find"), replacement: ReplacementSchema }),
  /** Applies a replacement to these cells. */
  v.object({ type: v.literal("replace"), replacement: ReplacementSchema, cells: v.array(CellIdSchema) }),
  /** Discards a draft, or resolves its conflict in favour of the draft. */
  v.object({ type: v.picklist(["discard", "keepMine"]), cell: CellIdSchema }),
  v.object({ type: v.literal("save") }),
  /** Opens the first usage of the key. */
  v.object({ type: v.literal("showUsage"), hash: HashSchema }),
  v.object({ type: v.literal("chooseLanguages") }),
  /** Sets the visible languages and their order. */
  v.object({ type: v.literal("languages"), locales: v.array(LocaleSchema) }),
]);
export type MessageFromPage = v.InferOutput<typeof MessageFromPageSchema>;
export type CellId = v.InferOutput<typeof CellIdSchema>;

/** The words of `data-state`. */
export const STATES = [
  "missing",
  "outdated",
  "issue",
  "unsaved",
  "conflict",
  "machine",
  "refused",
  "readonly",
] as const;
export type State = (typeof STATES)[number];

/** A column. */
const LanguageSchema = v.object({
  locale: LocaleSchema,
  name: v.string(),
  isSource: v.boolean(),
  /** Plural categories that the app never shows: it shows the text of `other` instead. */
  hiddenCategories: v.array(v.string()),
});
export type Language = v.InferOutput<typeof LanguageSchema>;

const CellSchema = v.object({
  /** The value, or the plural forms with their categories. */
  parts: v.array(v.object({ category: v.nullable(v.string()), text: v.string() })),
  /** Whether the parts are truncated. */
  isTruncated: v.boolean(),
  states: v.array(v.picklist(STATES)),
});
export type Cell = v.InferOutput<typeof CellSchema>;

/** A key with its cells. */
const RowSchema = v.object({
  hash: HashSchema,
  /** Empty if there is none. */
  namespace: v.string(),
  key: v.string(),
  context: v.nullable(v.string()),
  description: v.nullable(v.string()),
  tags: v.array(v.string()),
  maxLength: v.nullable(v.number()),
  isNotPushed: v.boolean(),
  /** `null` if the code is not indexed yet. */
  usageCount: v.nullable(v.number()),
  /** The placeholders of the source text. */
  placeholders: v.array(v.string()),
  /** In the order of the columns. */
  cells: v.array(CellSchema),
});
export type Row = v.InferOutput<typeof RowSchema>;

/** The details of a cell and its key. */
const CellDetailsSchema = v.object({
  cell: CellIdSchema,
  source: v.nullable(TextSchema),
  /** The source text at the service, if it differs from the local one. */
  sourceAtService: v.nullable(TextSchema),
  /** The previous source text of an outdated translation; `null` if this machine has not seen the change. */
  previousSource: v.nullable(TextSchema),
  text: v.nullable(TextSchema),
  /** The text on which the draft is based, and the current one of somebody else. */
  conflict: v.nullable(v.object({ base: v.nullable(TextSchema), theirs: v.nullable(TextSchema) })),
  /** Whether the source text changed after the machine translation. */
  isSourceChanged: v.boolean(),
  /** `form`: the affected plural category; `null` for a text without forms. */
  issues: v.array(
    v.object({ message: v.string(), suggestion: v.nullable(v.string()), form: v.nullable(v.string()) }),
  ),
  /** Why the cell cannot be edited. */
  readonlyReason: v.nullable(v.string()),
  /** Why the machine translation was rejected. */
  rejectionReason: v.nullable(v.string()),
  /** Translations of similar source texts. */
  similar: v.array(v.object({ source: TextSchema, text: TextSchema })),
  /** The path of the first usage in code. */
  usedIn: v.nullable(v.string()),
});
export type CellDetails = v.InferOutput<typeof CellDetailsSchema>;

/** A text that a replacement would change, with excerpts from shortly before the first difference on. */
const MatchSchema = v.object({ cell: CellIdSchema, key: v.string(), before: v.string(), after: v.string() });
export type Match = v.InferOutput<typeof MatchSchema>;

const CountsSchema = v.object({ unsaved: CountSchema, conflicts: CountSchema, refused: CountSchema });
export type Counts = v.InferOutput<typeof CountsSchema>;

export const MessageToPageSchema = v.variant("type", [
  v.object({
    type: v.literal("setup"),
    /** Localised messages by their English ones. */
    messages: v.record(v.string(), v.string()),
    languages: v.array(LanguageSchema),
    /** The separator between namespace and key. */
    separator: v.string(),
    /** `null`: that of the page, which the extension may not know yet. */
    query: v.nullable(QuerySchema),
    namespaces: v.array(v.string()),
    tags: v.array(v.string()),
  }),
  /**
   * The result of a query. `focus`: the row to reveal. `isUserQuery`: the user changed the query, so the table is shown from
   * its start; contains the batch of rows around `focus`, and more follow.
   */
  v.object({
    type: v.literal("table"),
    revision: CountSchema,
    rowCount: CountSchema,
    focus: v.nullable(CountSchema),
    isUserQuery: v.boolean(),
    /** The active key that the extension knows, and its row; `row: null` if it is not in this table. */
    active: v.nullable(v.object({ hash: HashSchema, row: v.nullable(CountSchema) })),
    start: CountSchema,
    rows: v.array(RowSchema),
    counts: CountsSchema,
  }),
  v.object({ type: v.literal("rows"), revision: CountSchema, start: CountSchema, rows: v.array(RowSchema) }),
  /** The content of rows may have changed. */
  v.object({ type: v.literal("changed"), counts: CountsSchema }),
  v.object({ type: v.literal("details"), details: CellDetailsSchema }),
  /** `isComplete`: there are no more matches. */
  v.object({ type: v.literal("matches"), matches: v.array(MatchSchema), isComplete: v.boolean() }),
]);
export type MessageToPage = v.InferOutput<typeof MessageToPageSchema>;

/** Rows per request. */
export const ROW_BATCH_SIZE = 30;

/** Returns the first row of the batch that contains the row. */
export function batchStart(row: number): number {
  return row - (row % ROW_BATCH_SIZE);
}

/** Characters per message, of up to three bytes each, so that no message exceeds 200 KB. */
const MAX_MESSAGE_LENGTH = 60_000;

const PartSchema = v.object({
  type: v.literal("part"),
  json: v.string(),
  isFirst: v.boolean(),
  isLast: v.boolean(),
});
/** A part of the JSON of a message. */
export type MessagePart = v.InferOutput<typeof PartSchema>;

/** Returns the message or, if it is long, its parts. */
export function splitMessage<Message>(message: Message): readonly (Message | MessagePart)[] {
  const json = JSON.stringify(message);
  if (json.length <= MAX_MESSAGE_LENGTH) return [message];
  const count = Math.ceil(json.length / MAX_MESSAGE_LENGTH);
  return Array.from({ length: count }, (_, index) => ({
    type: "part",
    json: json.slice(index * MAX_MESSAGE_LENGTH, (index + 1) * MAX_MESSAGE_LENGTH),
    isFirst: index === 0,
    isLast: index === count - 1,
  }));
}

const JsonSchema = v.pipe(v.string(), v.parseJson());

/** Returns a function that calls `receive` with every complete message. Parts that are not JSON are passed on as a text. */
export function joinMessages(receive: (message: unknown) => void): (received: unknown) => void {
  let json = "";
  return (received) => {
    if (!v.is(PartSchema, received)) return receive(received);
    // A page that was closed may have left a message incomplete.
    json = (received.isFirst ? "" : json) + received.json;
    if (received.isLast) receive(v.safeParse(JsonSchema, json).output);
  };
}

/** Messages between the page and the extension, which each side validates, and their splitting into parts. */
import * as v from "valibot";
import { GRID_FILTERS, GRID_SORTS } from "../../model/translation-editor-filters.ts";

const LocaleSchema = v.string();
const HashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/u));

const TextSchema = v.union([
  v.strictObject({ value: v.string() }),
  v.strictObject({ forms: v.record(v.string(), v.string()) }),
]);
const CellIdSchema = v.object({ locale: LocaleSchema, hash: HashSchema });

export const QuerySchema = v.object({
  filters: v.array(v.picklist(GRID_FILTERS)),
  search: v.string(),
  /** `null` for all. */
  namespace: v.nullable(v.string()),
  tag: v.nullable(v.string()),
  sort: v.picklist(GRID_SORTS),
});
export type Query = v.InferOutput<typeof QuerySchema>;

/** All keys. */
export const NO_QUERY: Query = { filters: [], search: "", namespace: null, tag: null, sort: "name" };

const ReplacementSchema = v.object({
  find: v.string(),
  replacement: v.string(),
  matchCase: v.boolean(),
});

/** Rows per request. */
export const ROW_BATCH_SIZE = 30;

/** Returns the first row of the batch that contains the row. */
export function blockOf(row: number): number {
  return row - (row % ROW_BATCH_SIZE);
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

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
  /**
   * Fills a range of cells with the text of the first one in each column, clears them, copies them to the clipboard in the
   * format of spreadsheets, or translates what is missing in them; a single cell is translated in any case. Without
   * `locales` only keys are selected.
   */
  v.object({
    type: v.picklist(["fill", "clear", "copy", "translate"]),
    list: count,
    rows: v.tuple([count, count]),
    locales: v.array(LocaleSchema),
  }),
  /** Requests the preview of a replacement. */
  v.object({ type: v.literal("find"), replacement: ReplacementSchema }),
  /** Applies a replacement to these cells. */
  v.object({ type: v.literal("replace"), replacement: ReplacementSchema, cells: v.array(CellIdSchema) }),
  /** Discards drafts, or resolves conflicts in favour of the drafts. */
  v.object({ type: v.picklist(["discard", "keepMine"]), cells: v.array(CellIdSchema) }),
  v.object({ type: v.literal("save") }),
  /** Opens the first usage of the key. */
  v.object({ type: v.literal("showUse"), hash: HashSchema }),
  v.object({ type: v.literal("chooseLanguages") }),
  /** Sets the visible languages and their order. */
  v.object({ type: v.literal("languages"), locales: v.array(LocaleSchema) }),
]);
export type FromPage = v.InferOutput<typeof FromPageSchema>;
export type CellId = v.InferOutput<typeof CellIdSchema>;

const MatchSchema = v.object({
  cell: CellIdSchema,
  key: v.string(),
  /** The text around the first match, truncated. */
  before: v.string(),
  after: v.string(),
});
export type Match = v.InferOutput<typeof MatchSchema>;

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

const LanguageSchema = v.object({
  locale: LocaleSchema,
  name: v.string(),
  isSource: v.boolean(),
});
export type Language = v.InferOutput<typeof LanguageSchema>;

const CellSchema = v.object({
  /** The value, or the plural forms with their categories; truncated. */
  parts: v.array(v.object({ category: v.nullable(v.string()), text: v.string() })),
  isCut: v.boolean(),
  states: v.array(v.picklist(STATES)),
});
export type Cell = v.InferOutput<typeof CellSchema>;

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
  /** `null` if the code was not indexed yet. */
  uses: v.nullable(v.number()),
  /** The placeholders of the source text. */
  placeholders: v.array(v.string()),
  /** In the order of the languages. */
  cells: v.array(CellSchema),
});
export type Row = v.InferOutput<typeof RowSchema>;

const DetailSchema = v.object({
  cell: CellIdSchema,
  source: v.nullable(TextSchema),
  /** The source text at the service, if it differs from the local one. */
  sourceAtService: v.nullable(TextSchema),
  /** The previous source text of an outdated translation; `null` if this machine has not seen the change. */
  sourceBefore: v.nullable(TextSchema),
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
  readonly: v.nullable(v.string()),
  /** Why the machine translation was refused. */
  refused: v.nullable(v.string()),
  /** Translations of similar source texts. */
  similar: v.array(v.object({ source: TextSchema, text: TextSchema })),
  /** The first usage in code. */
  usedIn: v.nullable(v.string()),
});
export type Detail = v.InferOutput<typeof DetailSchema>;

const CountsSchema = v.object({ unsaved: count, conflicts: count, refused: count });
export type Counts = v.InferOutput<typeof CountsSchema>;

export const ToPageSchema = v.variant("type", [
  v.object({
    type: v.literal("setup"),
    /** Localised messages by their English ones. */
    messages: v.record(v.string(), v.string()),
    languages: v.array(LanguageSchema),
    /** The separator between namespace and key. */
    separator: v.string(),
    /** `null`: the page's own, which the extension may not know yet. */
    query: v.nullable(QuerySchema),
    namespaces: v.array(v.string()),
    tags: v.array(v.string()),
  }),
  /**
   * A new list of rows. `focus`: the row to reveal. `isUserQuery`: the user changed the query, so the list is shown from its
   * start; contains the first rows around `focus`, and more follow.
   */
  v.object({
    type: v.literal("list"),
    list: count,
    count,
    focus: v.nullable(count),
    isUserQuery: v.boolean(),
    /** The active key that the extension knows, and its row; `row: null` if it is not in this list. */
    active: v.nullable(v.object({ hash: HashSchema, row: v.nullable(count) })),
    start: count,
    rows: v.array(RowSchema),
    counts: CountsSchema,
  }),
  v.object({ type: v.literal("rows"), list: count, start: count, rows: v.array(RowSchema) }),
  /** The content of rows may have changed. */
  v.object({ type: v.literal("changed"), counts: CountsSchema }),
  v.object({ type: v.literal("detail"), detail: DetailSchema }),
  /** `isAll`: there are no more matches. */
  v.object({ type: v.literal("matches"), matches: v.array(MatchSchema), isAll: v.boolean() }),
]);
export type ToPage = v.InferOutput<typeof ToPageSchema>;

/** Characters per message, of up to three bytes each, so that no message exceeds 200 KB. */
const MESSAGE_LENGTH = 60_000;

/** A part of the JSON of a message. */
const PartSchema = v.object({
  type: v.literal("part"),
  json: v.string(),
  isFirst: v.boolean(),
  isLast: v.boolean(),
});
export type Part = v.InferOutput<typeof PartSchema>;

/** Returns the message or, if it is long, its parts. */
export function splitMessage<Message>(message: Message): readonly (Message | Part)[] {
  const json = JSON.stringify(message);
  if (json.length <= MESSAGE_LENGTH) return [message];
  const count = Math.ceil(json.length / MESSAGE_LENGTH);
  return Array.from({ length: count }, (_, index) => ({
    type: "part",
    json: json.slice(index * MESSAGE_LENGTH, (index + 1) * MESSAGE_LENGTH),
    isFirst: index === 0,
    isLast: index === count - 1,
  }));
}

/** Returns a function that calls `receive` with every complete message, before it is validated. */
export function joinMessages(receive: (message: unknown) => void): (received: unknown) => void {
  let json = "";
  return (received) => {
    const part = v.safeParse(PartSchema, received);
    if (!part.success) return receive(received);
    // A page that was closed may have left a message incomplete.
    json = (part.output.isFirst ? "" : json) + part.output.json;
    if (!part.output.isLast) return undefined;
    const whole = v.safeParse(JsonSchema, json);
    json = "";
    return receive(whole.output);
  };
}

const JsonSchema = v.pipe(v.string(), v.parseJson());

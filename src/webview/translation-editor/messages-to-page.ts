/** Messages from the extension to the page. The page validates them; the extension imports only the types. */
import * as v from "valibot";
import {
  CellIdSchema,
  count,
  HashSchema,
  LocaleSchema,
  QuerySchema,
  TextSchema,
} from "./messages-from-page.ts";

const MatchSchema = v.object({
  cell: CellIdSchema,
  key: v.string(),
  /** The text around the first match, truncated. */
  before: v.string(),
  after: v.string(),
});
export type Match = v.InferOutput<typeof MatchSchema>;

export const StateSchema = v.picklist([
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
  /** The plural categories of the language. */
  categories: v.array(v.string()),
});
export type Language = v.InferOutput<typeof LanguageSchema>;

const CellSchema = v.object({
  /** The value, or the plural forms with their categories; truncated. */
  parts: v.array(v.object({ category: v.nullable(v.string()), text: v.string() })),
  isCut: v.boolean(),
  states: v.array(StateSchema),
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

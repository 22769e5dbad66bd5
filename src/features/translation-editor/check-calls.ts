/** Checks the arguments of calls from the page: the extension takes nothing of a web view on trust. */
import * as v from "valibot";
import type { CellId } from "../../model/text-edit.ts";
import { ROW_FILTERS, ROW_SORT_ORDERS } from "../../model/translation-editor-filters.ts";
import type { EditorFunctions } from "../../webview/translation-editor/editor-protocol.ts";

const Locales = v.array(v.string());
const Hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/u));
const Hashes = v.array(Hash);
const Text = v.union([
  v.strictObject({ value: v.string() }),
  v.strictObject({ forms: v.record(v.string(), v.string()) }),
]);
const Cell: v.GenericSchema<CellId> = v.object({ locale: v.string(), hash: Hash });
const Cells = v.array(Cell);
const Query = v.object({
  filters: v.array(v.picklist(ROW_FILTERS)),
  search: v.string(),
  namespace: v.nullable(v.string()),
  tag: v.nullable(v.string()),
  sort: v.picklist(ROW_SORT_ORDERS),
});
const ReplacementSchema = v.object({
  find: v.string(),
  replacement: v.string(),
  matchCase: v.boolean(),
  wholeWord: v.boolean(),
  isRegExp: v.boolean(),
});

type Arguments = {
  readonly [Name in keyof EditorFunctions]: v.GenericSchema<unknown, Parameters<EditorFunctions[Name]>>;
};

const ARGUMENTS: Arguments = {
  ready: v.tuple([]),
  setup: v.tuple([v.nullable(Locales)]),
  find: v.tuple([Query, Locales, v.nullable(Hash)]),
  rows: v.tuple([Hashes, Locales]),
  existing: v.tuple([Hashes]),
  details: v.tuple([Cell]),
  stage: v.tuple([
    v.array(v.object({ locale: v.string(), hash: Hash, text: Text, before: v.exactOptional(Text) })),
  ]),
  paste: v.tuple([
    v.array(v.object({ locale: v.string(), hash: Hash, copied: v.string() })),
    v.pipe(v.number(), v.integer(), v.minValue(0)),
  ]),
  fill: v.tuple([Hash, Hashes, Locales]),
  clear: v.tuple([Hashes, Locales]),
  copy: v.tuple([Hashes, Locales]),
  translate: v.tuple([Hashes, Locales]),
  findMatches: v.tuple([Hashes, Locales, ReplacementSchema]),
  replace: v.tuple([Cells, ReplacementSchema]),
  discard: v.tuple([Cells]),
  keepMine: v.tuple([Cells]),
  save: v.tuple([]),
  showUsage: v.tuple([Hash]),
  chooseLanguages: v.tuple([Locales]),
  setLanguages: v.tuple([Locales]),
};

/**
 * Returns the function that a call names; `undefined` if there is none. It throws if an argument is not what the function
 * takes; what it is instead is not in the message, since it may be a text.
 */
export function checkedFunction(
  functions: EditorFunctions,
  name: string,
): ((...args: unknown[]) => unknown) | undefined {
  if (!Object.hasOwn(ARGUMENTS, name)) return undefined;
  const known = name as keyof EditorFunctions;
  const work = functions[known] as (...args: readonly unknown[]) => unknown;
  return (...args) => {
    const parsed = v.safeParse(ARGUMENTS[known], args);
    if (!parsed.success) throw new Error(`The page called “${known}” with wrong arguments`);
    return work.apply(functions, parsed.output);
  };
}

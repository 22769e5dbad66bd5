/** Builds a text format of nested, named values from a scanner, a syntax and rules. */
import type { FormatName } from "../../model/file-formats.ts";
import { joinPipes } from "../../model/pipe-plurals.ts";
import { PLURAL_CATEGORIES, type Forms, isForms } from "../../model/translation-text.ts";
import { refuseAll } from "../editing/apply-verified-edit.ts";
import type { CommentStyle } from "../text/code-comments.ts";
import type { EditResult, NewEntry, ReadOptions, TextFormat } from "../format.ts";
import { fileNewline } from "../text/lines-and-indentation.ts";
import { readTree } from "./tree-entries.ts";
import { namesIn, type Tree, type TreeRules } from "./value-tree.ts";
import { examplesOf, printContextLike, type TreeExample, writesFlat } from "./infer-file-style.ts";
import { describeTree } from "./commas-and-comments.ts";
import { asTextRecords, type TextRecord, withTextRecords } from "./text-records.ts";
import { type Insertion, newForms, pluralKeyStyle, planTree, type TreePlan } from "./plan-member-edits.ts";
import {
  type NewNode,
  newText,
  type NewText,
  defaultPrintContext,
  printRoot,
  putKey,
  type TreeSyntax,
} from "./tree-serializer.ts";
import { formsInValue } from "./tree-plurals.ts";
import { isLeafRenamed } from "./verify-rename.ts";
import { renderPlan } from "./render-member-edits.ts";

/** The parts that make up a format. */
export interface TreeFormatParts {
  readonly name: FormatName;
  readonly rules: TreeRules;
  readonly syntax: TreeSyntax;
  readonly scan: (text: string) => Tree;
  /** Text around the root of a new file. */
  readonly surroundingText: (options: ReadOptions) => SurroundingText;
  /** Whether a new file may have the same text around its root as an example that has this. */
  readonly isReusable: (surroundings: SurroundingText) => boolean;
}

/** The text before and after the root of a file. */
export type SurroundingText = readonly [before: string, after: string];

export function treeFormat(parts: TreeFormatParts): TextFormat {
  const { rules, syntax } = parts;
  const scan = rules.suffixes ? (text: string): Tree => withTextRecords(text, parts.scan(text)) : parts.scan;
  return {
    kind: "text",
    name: parts.name,
    read: (text, options) => {
      const tree = scan(text);
      const descriptions = tree.root === null ? [] : describeTree(text, tree.root, syntax);
      return readTree(tree, rules, options, new Map([...descriptions, ...(tree.descriptions ?? [])]));
    },
    asWritten: (text, { locale }) =>
      isForms(text) ? { forms: formsInValue(text.forms, rules, locale) } : text,
    isOnlyRenamed: ([before, after], rename, options) =>
      isLeafRenamed([scan(before), scan(after)], rename, rules, options),
    edit: (text, changes, options): EditResult => {
      const { root, isEditable, record } = scan(text);
      if (root === null || !isEditable) {
        return { splices: [], refused: refuseAll(changes, "syntax") };
      }
      const examples = examplesOf(options, scan);
      const planned = planTree({ root, rules, text, syntax, examples }, changes, options);
      const own = root.members.length > 0 ? record : examples()[0]?.record;
      const insert = own && insertRecords(planned.insert, own, root.members.length === 0);
      const plan = insert === undefined ? planned : { ...planned, insert };
      return { splices: renderPlan(text, root, plan, syntax, examples), refused: plan.refused };
    },
    print: (entries, options) => {
      const examples = examplesOf(options, scan);
      const [example] = examples();
      const bracket = syntax.hasNamelessLists ? "{" : "[";
      const comments: CommentStyle | null = syntax.comments === "always" ? "//" : null;
      const context =
        example === undefined
          ? defaultPrintContext(syntax.styleOf(""), bracket, comments)
          : { ...printContextLike(example, syntax), comments };
      const members = membersOf(entries, rules, options, examples);
      const record = example?.record;
      const root = printRoot(record === undefined ? members : asTextRecords(members, record, true), context);
      const [before, after] = surroundingTextOf(parts, options, example);
      return before + root + after;
    },
  };
}

function insertRecords(insert: TreePlan["insert"], record: TextRecord, areAll: boolean): TreePlan["insert"] {
  const withRecords = (insertions: readonly Insertion[]): readonly Insertion[] => {
    const nodes = new Map(insertions.map(({ name, node }) => [name, node]));
    const records = asTextRecords(nodes, record, areAll);
    return insertions.map((each) => ({ ...each, node: records.get(each.name) ?? each.node }));
  };
  return new Map([...insert].map(([branch, insertions]) => [branch, withRecords(insertions)]));
}

/** Returns the text around the example's root, if it is common to all such files, otherwise the default one. */
function surroundingTextOf(
  { surroundingText, isReusable }: TreeFormatParts,
  options: ReadOptions,
  example: TreeExample | undefined,
): SurroundingText {
  if (example === undefined) return surroundingText(options);
  const { text, root } = example;
  const surroundings: SurroundingText = [text.slice(0, root.start), text.slice(root.end)];
  if (isReusable(surroundings)) return surroundings;
  const newline = fileNewline(text);
  const [before, after] = surroundingText(options);
  return [before.replaceAll("\n", newline), after.replaceAll("\n", newline)];
}

function membersOf(
  entries: readonly NewEntry[],
  rules: TreeRules,
  options: ReadOptions,
  examples: () => readonly TreeExample[],
): Map<string, NewNode> {
  const members = new Map<string, NewNode>();
  const style = pluralKeyStyle(null, rules, options, examples);
  const texts: (readonly [string, NewText])[] = [];
  for (const { key, text, description } of entries) {
    if (!isForms(text)) {
      texts.push([key, newText(text.value, description)]);
    } else if (rules.suffixes) {
      const forms = knownForms(text.forms);
      const written = [style, { ...style, syntax: "v4" as const }]
        .map((each) => newForms(forms, each, description, rules, options))
        .find((each) => typeof each !== "string");
      for (const [suffix, form] of written ?? []) texts.push([key + suffix, form]);
    } else {
      const parts = rules.parts.parts(options.locale, text.forms) ?? Object.values(text.forms);
      texts.push([key, newText(joinPipes(parts, [], "|"), description)]);
    }
  }
  const names = new Set(texts.map(([key]) => key));
  const exampleNames = examples().map(({ root }) => namesIn(root));
  const isNested = (key: string): boolean =>
    rules.nested && !isBelowText(key, names) && writesFlat(exampleNames, key) !== true;
  for (const [key, text] of texts) putKey(members, key, text, isNested(key));
  return members;
}

/** Returns the forms of CLDR categories, in their order. */
function knownForms(forms: Forms): Forms {
  const known = PLURAL_CATEGORIES.filter((category) => Object.hasOwn(forms, category));
  return Object.fromEntries(known.map((category) => [category, forms[category] ?? ""]));
}

/** Whether the key would be nested in a text (`a` and `a.b`); it then stays a flat name. */
function isBelowText(key: string, names: ReadonlySet<string>): boolean {
  for (let dot = key.indexOf("."); dot >= 0; dot = key.indexOf(".", dot + 1)) {
    if (names.has(key.slice(0, dot))) return true;
  }
  return false;
}

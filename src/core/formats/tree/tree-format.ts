/** A text format from its scanner, syntax and rules: what every format of nested named values does alike. */
import type { FormatName } from "../../../api/schemas.ts";
import { joinPipes, partsOfForms } from "../../plurals.ts";
import { CATEGORIES, isForms } from "../../text.ts";
import type { EditResult, NewEntry, ReadOptions, TextFormat } from "../format.ts";
import { type BranchNode, readTree, type Tree, type TreeRules } from "./tree.ts";
import { BranchText } from "./tree-branch-text.ts";
import { describeTree } from "./tree-comments.ts";
import { planTree } from "./tree-plan.ts";
import { type NewNode, newText, type NewText, printRoot, putKey, type TreeSyntax } from "./tree-print.ts";
import { renderPlan } from "./tree-render.ts";

/** What makes one format. */
export interface TreeFormatParts {
  readonly name: FormatName;
  readonly extensions: readonly string[];
  readonly rules: TreeRules;
  readonly syntax: TreeSyntax;
  readonly scan: (text: string) => Tree;
  /** Around the root in a new file. */
  readonly before: string;
  readonly after: string;
}

export function treeFormat(parts: TreeFormatParts): TextFormat {
  const { rules, syntax, scan } = parts;
  return {
    kind: "text",
    name: parts.name,
    extensions: parts.extensions,
    read: (text, options) => {
      const tree = scan(text);
      return readTree(tree, rules, options, tree.root ? describeTree(text, tree.root, syntax) : undefined);
    },
    edit: (text, changes, options): EditResult => {
      const { root, sound } = scan(text);
      if (root === null || !sound) {
        const refused = changes.map(({ key, context }) => ({ key, context, reason: "syntax" as const }));
        return { splices: [], refused };
      }
      const nameless = ({ start, members }: BranchNode): boolean =>
        syntax.listsAreNameless && members.length > 0 && text[start] === "[";
      const holdsMore = (branch: BranchNode): boolean =>
        new BranchText(text, branch, syntax).hasForeignComments();
      const plan = planTree(root, changes, rules, options, nameless, text, holdsMore);
      return { splices: renderPlan(text, root, plan, syntax), refused: plan.refused };
    },
    print: (entries, options) => {
      const style = syntax.styleOf("");
      const bracket = syntax.listsAreNameless ? "{" : "[";
      const comments = syntax.comments === "always" ? "//" : null;
      const root = printRoot(membersOf(entries, rules, options), style, bracket, comments);
      return parts.before + root + parts.after;
    },
  };
}

function membersOf(
  entries: readonly NewEntry[],
  rules: TreeRules,
  options: ReadOptions,
): Map<string, NewNode> {
  const members = new Map<string, NewNode>();
  const texts: (readonly [string, NewText])[] = [];
  for (const { key, text, description } of entries) {
    if (!isForms(text)) {
      texts.push([key, newText(text.value, description)]);
    } else if (rules.suffixes) {
      let said = description;
      for (const category of CATEGORIES) {
        const form = Object.hasOwn(text.forms, category) ? text.forms[category] : undefined;
        if (form === undefined) continue;
        texts.push([`${key}_${category}`, newText(form, said)]);
        said = null;
      }
    } else {
      const parts = partsOfForms(options.locale, text.forms) ?? Object.values(text.forms);
      texts.push([key, newText(joinPipes(parts, [], "|"), description)]);
    }
  }
  const names = new Set(texts.map(([key]) => key));
  for (const [key, text] of texts) putKey(members, key, text, rules.nested && !standsUnderText(key, names));
  return members;
}

/** Whether a text stands where the key would nest (`a` and `a.b`): such a key stays one flat name. */
function standsUnderText(key: string, names: ReadonlySet<string>): boolean {
  for (let dot = key.indexOf("."); dot >= 0; dot = key.indexOf(".", dot + 1)) {
    if (names.has(key.slice(0, dot))) return true;
  }
  return false;
}

/**
 * `wordpress_php` (`.l10n.php`): a PHP file that returns gettext's headers and, under `messages`, the texts by
 * msgid. `ctx\4msgid` has a context; plural forms are one text with NUL between them, and the msgid of a plural may
 * have its msgid_plural behind another NUL (WordPress looks for both).
 */
import { isForms, type Text } from "../../text.ts";
import { refusalOf } from "../edit.ts";
import {
  type Change,
  type EditResult,
  entryId,
  type NewEntry,
  type ReadOptions,
  type ReadResult,
  type Refusal,
  type TextFormat,
} from "../format.ts";
import {
  formsOfStrings,
  gettextPlurals,
  standardPluralForms,
  stringsOfForms,
} from "../gettext/gettext-plurals.ts";
import {
  type Catalog,
  catalogOf,
  FORM_END,
  type FormsReader,
  memberOf,
  nameOfMessage,
} from "./php-messages.ts";
import { scanPhp } from "./php-scan.ts";
import { exportedPhpSyntax } from "./php-tree.ts";
import type { BranchNode, TreeRules } from "../tree/tree.ts";
import { describeTree } from "../tree/tree-comments.ts";
import { planTree, type TreePlan } from "../tree/tree-plan.ts";
import { type NewNode, newText, printRoot } from "../tree/tree-print.ts";
import { renderPlan } from "../tree/tree-render.ts";

/** A message's name is a sentence and never taken apart. */
const RULES: TreeRules = { nested: false, suffixes: false, pipes: false };

export const wordpressPhp: TextFormat = {
  kind: "text",
  name: "wordpress_php",
  extensions: [".l10n.php"],
  read,
  edit,
  print,
};

/** `describe`: with what its comments say. */
function catalog(text: string, options: ReadOptions, describe: boolean): Catalog {
  const forms = (header: string | null): FormsReader => {
    const plurals = gettextPlurals(header, options.locale);
    return (parts) => {
      const said = formsOfStrings(plurals, parts);
      return said === null ? null : { forms: said };
    };
  };
  return catalogOf(scanPhp(text), options, forms, (messages) =>
    describe ? describeTree(text, messages, exportedPhpSyntax) : new Map(),
  );
}

function read(text: string, options: ReadOptions): ReadResult {
  const { entries, problems, locale } = catalog(text, options, true);
  return { entries, problems, locale };
}

function edit(text: string, changes: readonly Change[], options: ReadOptions): EditResult {
  const found = catalog(text, options, false);
  const { root, messages } = found;
  if (root === null || !found.sound) {
    return { splices: [], refused: changes.map((change) => refusalOf(change, "syntax")) };
  }
  const refused: Refusal[] = [];
  const wanted = new Map<string, Wanted>();
  const entries = new Map(found.entries.map((entry) => [entryId(entry), entry]));
  for (const change of changes) {
    const entry = entries.get(entryId(change));
    const has = entry !== undefined && isForms(entry.text) ? Object.keys(entry.text.forms).length : 0;
    const valueOf = (text: Text): string | null => valueIn(text, found.pluralForms, options, has);
    const reason = entry?.readOnly ?? want(change, found, valueOf, wanted);
    if (reason !== null) refused.push(refusalOf(change, reason));
  }
  if (messages === null) return inNewArray(text, root, wanted, refused);
  const byName = [...wanted].map(([key, { change, text: said }]): Change => {
    return { key, context: null, text: said, description: change.description ?? null };
  });
  const { locale, sourceLocale } = options;
  const plan = planTree(messages, byName, RULES, { locale, sourceLocale }, () => false);
  for (const { key, reason } of plan.refused) {
    const change = wanted.get(key)?.change;
    if (change !== undefined) refused.push(refusalOf(change, reason));
  }
  return { splices: renderPlan(text, root, plan, exportedPhpSyntax), refused };
}

/** What is to stand under a name of the file. */
interface Wanted {
  readonly change: Change;
  readonly text: { readonly value: string } | null;
}

/** Notes the change under the message's own name; a reason when it cannot be written. */
function want(
  change: Change,
  found: Catalog,
  valueOf: (text: Text) => string | null,
  wanted: Map<string, Wanted>,
): Refusal["reason"] | null {
  const names = found.names.get(entryId(change)) ?? [];
  if (change.text === null) {
    if (names.length === 0) return "not_found";
    for (const name of names) wanted.set(name, { change, text: null });
    return null;
  }
  const value = valueOf(change.text);
  if (value === null) return isForms(change.text) ? "forms" : "unsupported";
  const name = names.at(-1) ?? nameOfMessage(change, pluralOf(change, found.namesPlurals));
  if (name === null) return "unsupported";
  wanted.set(name, { change, text: { value } });
  return null;
}

/** The msgid_plural of a new message, where the file's others have theirs. */
function pluralOf({ text, source }: Change | NewEntry, namesPlurals: boolean): string | null {
  if (!namesPlurals || text === null || !isForms(text) || source === undefined || source === null)
    return null;
  return isForms(source) ? (source.forms["other"] ?? null) : null;
}

/** The text as one value; `null` when it could not be read back. `has`: how many forms stand there now. */
function valueIn(text: Text, pluralForms: string | null, options: ReadOptions, has: number): string | null {
  const parts = isForms(text)
    ? stringsOfForms(gettextPlurals(pluralForms, options.locale), text.forms, has)
    : [text.value];
  if (parts === null || parts.some((part) => part.includes(FORM_END))) return null;
  return parts.join(FORM_END);
}

/** A file that has headers only gets its messages. */
function inNewArray(
  text: string,
  root: BranchNode,
  wanted: ReadonlyMap<string, Wanted>,
  refused: readonly Refusal[],
): EditResult {
  if (memberOf(root, "messages") !== undefined) {
    const all = [...wanted.values()].map(({ change }) => refusalOf(change, "expression"));
    return { splices: [], refused: [...refused, ...all] };
  }
  const members = new Map<string, NewNode>();
  for (const [name, { change, text: said }] of wanted) {
    if (said !== null) members.set(name, newText(said.value, change.description));
  }
  if (members.size === 0) return { splices: [], refused };
  const insertion = { name: "messages", node: { kind: "branch" as const, members }, near: null };
  const plan: TreePlan = {
    replace: new Map(),
    remove: new Set(),
    insert: new Map([[root, [insertion]]]),
    emptied: new Set(),
    refused: [],
  };
  return { splices: renderPlan(text, root, plan, exportedPhpSyntax), refused };
}

function print(entries: readonly NewEntry[], options: ReadOptions): string {
  const categories = entries.flatMap(({ text }) => (isForms(text) ? Object.keys(text.forms) : []));
  const pluralForms = standardPluralForms(options.locale, new Set(categories));
  const messages = new Map<string, NewNode>();
  for (const entry of entries) {
    const name = nameOfMessage(entry, null);
    const value = valueIn(entry.text, pluralForms, options, 0);
    if (name !== null && value !== null) messages.set(name, { kind: "text", value });
  }
  const root = new Map<string, NewNode>([
    ["language", { kind: "text", value: options.locale.replaceAll("-", "_") }],
    ["plural-forms", { kind: "text", value: pluralForms }],
    ["messages", { kind: "branch", members: messages }],
  ]);
  return `<?php\nreturn ${printRoot(root, exportedPhpSyntax.styleOf(""), "[")};\n`;
}

/**
 * `wordpress_php` (`.l10n.php`): a PHP file that returns gettext's headers and, under `messages`, the texts by msgid.
 * `ctx\4msgid` has a context. Plural forms are one text, separated by NUL; the msgid of a plural may be followed by
 * NUL and its msgid_plural (WordPress looks up both).
 */
import { getOrCreate } from "../../util/maps.ts";
import { refusalOf } from "../editing/apply-verified-edit.ts";
import {
  type Change,
  type EditResult,
  type Entry,
  entryId,
  type NewEntry,
  type Problem,
  type ReadOptions,
  type ReadResult,
  type Refusal,
  type TextFormat,
} from "../format.ts";
import {
  CONTEXT_END,
  FORM_END,
  gettextLocale,
  joinMessageName,
  type MessageName,
  messageSource,
  msgidPlural,
  splitMessageName,
} from "../gettext/gettext-message.ts";
import {
  categoriesIn,
  type GettextPlurals,
  gettextPlurals,
  pluralText,
  standardPluralForms,
  stringsOfText,
} from "../gettext/plural-forms-header.ts";
import { scanPhp } from "./php-array-parser.ts";
import { exportedPhpSyntax } from "./php-syntax.ts";
import { planTree, type TreePlan } from "../object-tree/plan-member-edits.ts";
import { type NewNode, newText, defaultPrintContext, printRoot } from "../object-tree/tree-serializer.ts";
import { renderPlan } from "../object-tree/render-member-edits.ts";
import { describeTree } from "../object-tree/commas-and-comments.ts";
import type { BranchNode, Member, TreeRules } from "../object-tree/value-tree.ts";
import type { Span } from "../../util/span.ts";
import { isEmptyText, isForms, type Text } from "../../model/translation-text.ts";

/** A parsed file. */
interface Catalog {
  readonly root: BranchNode | null;
  /** False if part of the file was not understood, so that it must not be changed. */
  readonly sound: boolean;
  readonly messages: BranchNode | null;
  /** Entries by `entryId`. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly problems: readonly Problem[];
  /** The written names (context, msgid, msgid_plural) of each entry by `entryId`; the last one is the one read. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly locale: string | null;
  readonly plurals: GettextPlurals;
  /** Whether the names of plural messages include the msgid_plural. */
  readonly namesPlurals: boolean;
}

/** Parses a file. `describe`: whether to read descriptions from the comments among the messages. Never throws. */
function readCatalog(text: string, options: ReadOptions, describe: boolean): Catalog {
  const { root, sound, problems: found } = scanPhp(text);
  const problems = [...found];
  const member = root === null ? undefined : memberOf(root, "messages");
  const messages = member?.node.kind === "branch" ? member.node : null;
  if (root !== null && messages === null) {
    const { start, end } = member?.node ?? { start: root.start, end: root.open };
    const code = member === undefined ? "type" : "expression";
    problems.push({ code, message: "the file has no array of messages", span: { start, end } });
  }
  const plurals = gettextPlurals(headerOf(root, "plural-forms"), options.locale);
  const descriptions: ReadonlyMap<Member, string> =
    describe && messages !== null ? describeTree(text, messages, exportedPhpSyntax) : new Map();
  const entries = new Map<string, Entry>();
  const names = new Map<string, string[]>();
  let namesPlurals = false;
  // The empty name is that of gettext's header, and of members whose name is not known.
  const members = (messages?.members ?? []).filter(({ name }) => name !== "");
  const last = new Map(members.map((each) => [each.name, each]));
  for (const each of members) {
    const name = splitMessageName(each.name);
    const id = entryId(name);
    const isOverwritten = last.get(each.name) !== each;
    const overwritten = isOverwritten ? each : entries.get(id)?.keySpan;
    if (overwritten !== undefined) {
      const span = { start: overwritten.start, end: overwritten.end };
      const message = "the message stands again further down";
      problems.push({ code: "duplicate", message, span, key: name.key });
    }
    if (isOverwritten) continue;
    entries.delete(id);
    namesPlurals ||= name.plural !== null;
    getOrCreate(names, id, () => []).push(each.name);
    const entry = entryOf(each, name, plurals, options, descriptions.get(each) ?? null);
    if ("code" in entry) problems.push(entry);
    else entries.set(id, entry);
  }
  const locale = headerOf(root, "language");
  return { root, sound, messages, entries, problems, names, locale, plurals, namesPlurals };
}

/** Returns the last member with that name. */
function memberOf(branch: BranchNode, name: string): Member | undefined {
  return branch.members.findLast((member) => member.name === name && member.unknown !== true);
}

/** Returns a header; names are case-insensitive, as in WordPress. */
function headerOf(root: BranchNode | null, name: string): string | null {
  const node = root?.members.findLast((member) => member.name.toLowerCase() === name)?.node;
  return node?.kind === "text" && node.value !== "" ? node.value : null;
}

/** Returns the written name of a message; `null` if a part contains a separator, or if the name is empty. */
function nameOfMessage({ key, context }: Change | NewEntry, plural: string | null): string | null {
  const parts = [key, context ?? "", plural ?? ""];
  if (parts.some((part) => part.includes(FORM_END) || part.includes(CONTEXT_END))) return null;
  return joinMessageName(key, context) === "" ? null : joinMessageName(key, context, plural);
}

function entryOf(
  member: Member,
  { key, context, plural }: MessageName,
  plurals: GettextPlurals,
  options: ReadOptions,
  description: string | null,
): Entry | Problem {
  const { node, nameSpan, name } = member;
  const values = node.kind === "text" ? node.value.split(FORM_END) : listedForms(member);
  if (values === null) {
    const code =
      node.kind === "other" && node.reason !== "type" && node.reason !== "empty" ? "expression" : "type";
    return { code, message: "the message is no plain text", span: { start: node.start, end: node.end }, key };
  }
  const knownPlural = options.isPlural?.(key, context);
  const isPlural = knownPlural ?? (plural !== null || values.length > 1 || node.kind === "branch");
  const text = isPlural
    ? pluralText(plurals, values)
    : values.length === 1
      ? { value: values[0] ?? "" }
      : null;
  const isSourceFile = options.locale === options.sourceLocale;
  const source = isPlural && plural === null ? null : messageSource(key, plural);
  // Read-only if writing it back would lose a form: of a text that is not plural, WordPress shows the first one.
  const readOnly = node.kind === "text" && text !== null ? node.readOnly : "unsupported";
  const shown = text ?? { value: values[0] ?? "" };
  return {
    key,
    context,
    namespace: null,
    locale: null,
    text: isSourceFile && source !== null && isEmptyText(shown) ? source : shown,
    source: isSourceFile ? null : source,
    description,
    keySpan: keySpan(nameSpan, name),
    valueSpan: { start: node.start, end: node.end },
    readOnly,
  };
}

/** Returns the forms of a message written as a list, as by older plugins. */
function listedForms({ node }: Member): readonly string[] | null {
  if (node.kind !== "branch" || node.members.length === 0) return null;
  const forms = node.members.flatMap(({ name, node: item }, index) =>
    name === String(index) && item.kind === "text" ? [item.value] : [],
  );
  return forms.length === node.members.length ? forms : null;
}

/** Returns the range of the msgid without its context, if the name is written without escapes. */
function keySpan({ start, end }: Span, name: string): Span {
  if (end - start !== name.length) return { start, end };
  return { start: start + name.indexOf(CONTEXT_END) + 1, end };
}

/** The name of a message is a sentence and is never split. */
const RULES: TreeRules = { nested: false, suffixes: false, pipes: false };

export const wordpressPhp: TextFormat = {
  kind: "text",
  name: "wordpress_php",
  read,
  edit,
  print,
};

function read(text: string, options: ReadOptions): ReadResult {
  const { entries, problems, locale } = readCatalog(text, options, true);
  return { entries: [...entries.values()], problems, locale };
}

function edit(text: string, changes: readonly Change[], options: ReadOptions): EditResult {
  const found = readCatalog(text, options, false);
  const { root, messages } = found;
  if (root === null || !found.sound) {
    return { splices: [], refused: changes.map((change) => refusalOf(change, "syntax")) };
  }
  const refused: Refusal[] = [];
  const wanted: Requests = new Map();
  for (const change of changes) {
    const reason = addRequest(change, found, wanted);
    if (reason !== null) refused.push(refusalOf(change, reason));
  }
  if (messages === null) return inNewArray(text, root, wanted, refused);
  const byName = [...wanted].map(([key, { change, value }]): Change => {
    const { description = null } = change;
    return { key, context: null, text: value === null ? null : { value }, description };
  });
  const tree = { root: messages, rules: RULES, text, syntax: exportedPhpSyntax, examples: () => [] };
  const plan = planTree(tree, byName, options);
  for (const { key, reason } of plan.refused) {
    const change = wanted.get(key)?.change;
    if (change !== undefined) refused.push(refusalOf(change, reason));
  }
  return { splices: renderPlan(text, root, plan, exportedPhpSyntax), refused };
}

/** The requested values by the written name of their message; `null`: to be removed. */
type Requests = Map<string, { readonly change: Change; readonly value: string | null }>;

/** Records the change under the written name of the message; returns a reason if it cannot be written. */
function addRequest(change: Change, found: Catalog, wanted: Requests): Refusal["reason"] | null {
  const id = entryId(change);
  const entry = found.entries.get(id);
  const names = found.names.get(id) ?? [];
  if (entry !== undefined && entry.readOnly !== null) return entry.readOnly;
  if (change.text === null) {
    for (const name of names) wanted.set(name, { change, value: null });
    return names.length === 0 ? "not_found" : null;
  }
  const formCount = entry !== undefined && isForms(entry.text) ? Object.keys(entry.text.forms).length : 0;
  const value = valueOf(change.text, found.plurals, formCount);
  if (value === null) return isForms(change.text) ? "forms" : "unsupported";
  // A new name includes the msgid_plural if the file's other names do.
  const plural = found.namesPlurals && isForms(change.text) ? msgidPlural(change.source) : null;
  const name = names.at(-1) ?? nameOfMessage(change, plural);
  if (name === null) return "unsupported";
  wanted.set(name, { change, value });
  return null;
}

/** Returns the text as a single value; `null` if it could not be read back. `formCount`: current number of forms. */
function valueOf(text: Text, plurals: GettextPlurals, formCount: number): string | null {
  const parts = stringsOfText(plurals, text, formCount);
  if (parts === null || parts.some((part) => part.includes(FORM_END))) return null;
  return parts.join(FORM_END);
}

/** Adds the messages array to a file that has only headers. */
function inNewArray(
  text: string,
  root: BranchNode,
  wanted: Requests,
  refused: readonly Refusal[],
): EditResult {
  if (memberOf(root, "messages") !== undefined) {
    const all = [...wanted.values()].map(({ change }) => refusalOf(change, "expression"));
    return { splices: [], refused: [...refused, ...all] };
  }
  const members = new Map<string, NewNode>();
  for (const [name, { change, value }] of wanted) {
    if (value !== null) members.set(name, newText(value, change.description));
  }
  if (members.size === 0) return { splices: [], refused };
  const insertion = { name: "messages", node: { kind: "branch" as const, members }, near: null };
  const plan: TreePlan = {
    replace: new Map(),
    remove: new Set(),
    insert: new Map([[root, [insertion]]]),
  };
  return { splices: renderPlan(text, root, plan, exportedPhpSyntax), refused };
}

function print(entries: readonly NewEntry[], options: ReadOptions): string {
  const pluralForms = standardPluralForms(options.locale, categoriesIn(entries));
  const plurals = gettextPlurals(pluralForms, options.locale);
  const messages = new Map<string, NewNode>();
  for (const entry of entries) {
    const name = nameOfMessage(entry, null);
    const value = valueOf(entry.text, plurals, 0);
    if (name !== null && value !== null) messages.set(name, { kind: "text", value });
  }
  const root = new Map<string, NewNode>([
    ["language", { kind: "text", value: gettextLocale(options.locale) }],
    ["plural-forms", { kind: "text", value: pluralForms }],
    ["messages", { kind: "branch", members: messages }],
  ]);
  return `<?php\nreturn ${printRoot(root, defaultPrintContext(exportedPhpSyntax.styleOf(""), "["))};\n`;
}

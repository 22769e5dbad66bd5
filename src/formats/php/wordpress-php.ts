/**
 * `wordpress_php` (`.l10n.php`): a PHP file that returns gettext's headers and, under `messages`, the texts by msgid.
 * `ctx\4msgid` has a context. Plural forms are one text, separated by NUL; the msgid of a plural may be followed by
 * NUL and its msgid_plural (WordPress looks up both).
 */
import { getOrCreate } from "../../model/maps.ts";
import { refusalOf } from "../apply-edit.ts";
import {
  type Change,
  type EditResult,
  type Entry,
  entryId,
  type EntryName,
  type NewEntry,
  type Problem,
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
} from "../gettext/plural-forms.ts";
import { scanPhp } from "./php-parser.ts";
import { exportedPhpSyntax } from "./php-tree.ts";
import { type EditedTree, planTree, type TreePlan } from "../tree/tree-plan.ts";
import { type NewNode, newText, defaultPrintContext, printRoot } from "../tree/tree-print.ts";
import { renderPlan } from "../tree/tree-render.ts";
import { describeTree } from "../tree/tree-trivia.ts";
import type { BranchNode, Member, TextNode, Tree, TreeRules } from "../tree/tree.ts";
import type { Span } from "../../model/span.ts";
import { isEmptyText, isForms, type Text } from "../../model/text.ts";

/** Separates a context from its msgid. */
const CONTEXT_END = "\u0004";
/** Separates plural forms, and a msgid from its msgid_plural. */
const FORM_END = "\0";

/** A parsed file. */
interface Catalog {
  readonly root: BranchNode | null;
  /** False if part of the file was not understood, so that it must not be changed. */
  readonly sound: boolean;
  readonly messages: BranchNode | null;
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
  /** The written names (context, msgid, msgid_plural) of each entry by `entryId`; the last one is the one read. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly locale: string | null;
  readonly pluralForms: string | null;
  /** Whether the names of plural messages include the msgid_plural. */
  readonly namesPlurals: boolean;
}

/** Converts the forms of a value to a text; `null` if there are too many. */
type FormsReader = (parts: readonly string[]) => Text | null;

/** Interprets a scanned file; `describe` reads descriptions from the comments among the messages. Never throws. */
function catalogOf(
  tree: Tree,
  options: ReadOptions,
  formsReader: (pluralForms: string | null) => FormsReader,
  describe: (messages: BranchNode) => ReadonlyMap<Member, string>,
): Catalog {
  const { root, sound } = tree;
  const problems: Problem[] = [...tree.problems];
  const member = root === null ? undefined : memberOf(root, "messages");
  const messages = member?.node.kind === "branch" ? member.node : null;
  if (root !== null && messages === null) {
    const { start, end } = member?.node ?? { start: root.start, end: root.open };
    const code = member === undefined ? "type" : "expression";
    problems.push({ code, message: "the file has no array of messages", span: { start, end } });
  }
  const pluralForms = headerOf(root, "plural-forms");
  const reading: Reading = {
    options,
    forms: formsReader(pluralForms),
    descriptions: messages === null ? new Map() : describe(messages),
  };
  const found = messagesOf(messages, reading, problems);
  return { root, sound, messages, ...found, problems, locale: headerOf(root, "language"), pluralForms };
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

interface Reading {
  readonly options: ReadOptions;
  readonly forms: FormsReader;
  readonly descriptions: ReadonlyMap<Member, string>;
}

function messagesOf(
  messages: BranchNode | null,
  reading: Reading,
  problems: Problem[],
): Pick<Catalog, "entries" | "names" | "namesPlurals"> {
  const entries = new Map<string, Entry>();
  const names = new Map<string, string[]>();
  const last = new Map<string, Member>();
  let namesPlurals = false;
  for (const member of messages?.members ?? []) if (member.unknown !== true) last.set(member.name, member);
  for (const member of messages?.members ?? []) {
    // The entry with the empty name contains gettext's header.
    if (member.unknown === true || member.name === "") continue;
    const name = splitContext(member.name);
    const id = entryId(name);
    if (last.get(member.name) !== member || entries.has(id)) {
      problems.push(duplicate(name, last.get(member.name) === member ? entries.get(id)?.keySpan : member));
      if (last.get(member.name) !== member) continue;
      entries.delete(id);
    }
    namesPlurals ||= name.plural !== null;
    getOrCreate(names, id, () => []).push(member.name);
    const entry = entryOf(member, name, reading);
    if ("code" in entry) problems.push(entry);
    else entries.set(id, entry);
  }
  return { entries: [...entries.values()], names, namesPlurals };
}

function duplicate({ key }: EntryName, span: Span | undefined): Problem {
  const { start, end } = span ?? { start: 0, end: 0 };
  return { code: "duplicate", message: "the message stands again further down", span: { start, end }, key };
}

interface MessageName extends EntryName {
  readonly plural: string | null;
}

function splitContext(name: string): MessageName {
  const contextEnd = name.indexOf(CONTEXT_END);
  const context = contextEnd < 0 ? null : name.slice(0, contextEnd);
  const formEnd = name.indexOf(FORM_END, contextEnd + 1);
  const key = name.slice(contextEnd + 1, formEnd < 0 ? undefined : formEnd);
  return { key, context, plural: formEnd < 0 ? null : name.slice(formEnd + 1) };
}

/** Returns the written name of a message; `null` if a part contains a separator, or if the name is empty. */
function nameOfMessage({ key, context }: EntryName, plural: string | null): string | null {
  const parts = [key, context ?? "", plural ?? ""];
  if (parts.some((part) => part.includes(FORM_END) || part.includes(CONTEXT_END))) return null;
  const name = (context === null || context === "" ? "" : context + CONTEXT_END) + key;
  if (name === "") return null;
  return plural === null ? name : name + FORM_END + plural;
}

function entryOf(member: Member, name: MessageName, reading: Reading): Entry | Problem {
  const { options, forms, descriptions } = reading;
  const { key, context, plural } = name;
  const { node, nameSpan } = member;
  const values = node.kind === "text" ? node.value.split(FORM_END) : listedForms(member);
  if (values === null) {
    const code =
      node.kind === "other" && node.reason !== "type" && node.reason !== "empty" ? "expression" : "type";
    return { code, message: "the message is no plain text", span: { start: node.start, end: node.end }, key };
  }
  const knownPlural = options.isPlural?.(key, context);
  const isPlural = knownPlural ?? (plural !== null || values.length > 1 || node.kind === "branch");
  const text = isPlural ? forms(values) : values.length === 1 ? { value: values[0] ?? "" } : null;
  const isSourceFile = options.locale === options.sourceLocale;
  const source: Text | null =
    plural !== null ? { forms: { one: key, other: plural } } : isPlural ? null : { value: key };
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
    description: descriptions.get(member) ?? null,
    keySpan: keySpan(nameSpan, member.name, context),
    valueSpan: { start: node.start, end: node.end },
    readOnly,
  };
}

/** Returns the forms of a message written as a list, as by older plugins. */
function listedForms({ node }: Member): readonly string[] | null {
  if (node.kind !== "branch" || node.members.length === 0) return null;
  const items = node.members.map((item) => item.node);
  const isList = node.members.every(
    (item, index) => item.name === String(index) && item.node.kind === "text",
  );
  return isList ? items.map((item) => (item as TextNode).value) : null;
}

/** Returns the range of the msgid without its context, if the name is written without escapes. */
function keySpan(span: Span, name: string, context: string | null): Span {
  const { start, end } = span;
  if (context === null || end - start !== name.length) return { start, end };
  return { start: start + context.length + CONTEXT_END.length, end };
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

/** Parses a file. `describe`: whether to read descriptions from comments. */
function catalog(text: string, options: ReadOptions, describe: boolean): Catalog {
  const forms = (header: string | null): FormsReader => {
    const plurals = gettextPlurals(header, options.locale);
    return (parts) => {
      const partForms = formsOfStrings(plurals, parts);
      return partForms === null ? null : { forms: partForms };
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
  const wanted = new Map<string, RequestedText>();
  const entries = new Map(found.entries.map((entry) => [entryId(entry), entry]));
  for (const change of changes) {
    const entry = entries.get(entryId(change));
    const has = entry !== undefined && isForms(entry.text) ? Object.keys(entry.text.forms).length : 0;
    const valueOf = (text: Text): string | null => valueIn(text, found.pluralForms, options, has);
    const reason = entry?.readOnly ?? addRequest(change, found, valueOf, wanted);
    if (reason !== null) refused.push(refusalOf(change, reason));
  }
  if (messages === null) return inNewArray(text, root, wanted, refused);
  const byName = [...wanted].map(([key, { change, text: changedText }]): Change => {
    return { key, context: null, text: changedText, description: change.description ?? null };
  });
  const { locale, sourceLocale } = options;
  const tree: EditedTree = {
    root: messages,
    rules: RULES,
    text,
    namelessLists: () => false,
    holdsMore: () => false,
    examples: () => [],
  };
  const plan = planTree(tree, byName, { locale, sourceLocale });
  for (const { key, reason } of plan.refused) {
    const change = wanted.get(key)?.change;
    if (change !== undefined) refused.push(refusalOf(change, reason));
  }
  return { splices: renderPlan(text, root, plan, exportedPhpSyntax), refused };
}

/** The requested content of a written name. */
interface RequestedText {
  readonly change: Change;
  readonly text: { readonly value: string } | null;
}

/** Records the change under the written name of the message; returns a reason if it cannot be written. */
function addRequest(
  change: Change,
  found: Catalog,
  valueOf: (text: Text) => string | null,
  wanted: Map<string, RequestedText>,
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

/** Returns the msgid_plural for the name of a new message, if the file's other names include theirs. */
function pluralOf({ text, source }: Change | NewEntry, namesPlurals: boolean): string | null {
  if (!namesPlurals || text === null || !isForms(text) || source === undefined || source === null)
    return null;
  return isForms(source) ? (source.forms["other"] ?? null) : null;
}

/** Returns the text as a single value; `null` if it could not be read back. `has`: current number of forms. */
function valueIn(text: Text, pluralForms: string | null, options: ReadOptions, has: number): string | null {
  const parts = isForms(text)
    ? stringsOfForms(gettextPlurals(pluralForms, options.locale), text.forms, has)
    : [text.value];
  if (parts === null || parts.some((part) => part.includes(FORM_END))) return null;
  return parts.join(FORM_END);
}

/** Adds the messages array to a file that has only headers. */
function inNewArray(
  text: string,
  root: BranchNode,
  wanted: ReadonlyMap<string, RequestedText>,
  refused: readonly Refusal[],
): EditResult {
  if (memberOf(root, "messages") !== undefined) {
    const all = [...wanted.values()].map(({ change }) => refusalOf(change, "expression"));
    return { splices: [], refused: [...refused, ...all] };
  }
  const members = new Map<string, NewNode>();
  for (const [name, { change, text: changedText }] of wanted) {
    if (changedText !== null) members.set(name, newText(changedText.value, change.description));
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
  return `<?php\nreturn ${printRoot(root, defaultPrintContext(exportedPhpSyntax.styleOf(""), "["))};\n`;
}

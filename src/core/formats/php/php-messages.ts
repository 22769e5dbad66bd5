/** What a WordPress PHP translation file holds: its headers, and its messages as entries. Changes nothing. */
import { isEmptyText, type Text } from "../../text.ts";
import { type Entry, entryId, type EntryName, type Problem, type ReadOptions, type Span } from "../format.ts";
import type { BranchNode, Member, TextNode, Tree } from "../tree/tree.ts";

/** Between the context and the msgid. */
const CONTEXT_END = "\u0004";
/** Between plural forms, and between a msgid and its msgid_plural. */
export const FORM_END = "\0";

/** The file, read. */
export interface Catalog {
  readonly root: BranchNode | null;
  /** Nothing may be changed when some of the file was not understood. */
  readonly sound: boolean;
  readonly messages: BranchNode | null;
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
  /** The file's own names (context, msgid, msgid_plural) of each entry, by `entryId`; the last is the one that is read. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly locale: string | null;
  readonly pluralForms: string | null;
  /** The names of plural messages have the msgid_plural with them. */
  readonly namesPlurals: boolean;
}

/** How the forms of one value become a text; `null` when there are too many. */
export type FormsReader = (parts: readonly string[]) => Text | null;

/** Reads what was scanned; `describe` says what the comments in the messages say. Never throws. */
export function catalogOf(
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

/** The last of a name counts. */
export function memberOf(branch: BranchNode, name: string): Member | undefined {
  return branch.members.findLast((member) => member.name === name && member.unknown !== true);
}

/** WordPress does not mind the case of a header's name. */
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
    // The entry without a name holds gettext's own header.
    if (member.unknown === true || member.name === "") continue;
    const name = partsOfName(member.name);
    const id = entryId(name);
    if (last.get(member.name) !== member || entries.has(id)) {
      problems.push(duplicate(name, last.get(member.name) === member ? entries.get(id)?.keySpan : member));
      if (last.get(member.name) !== member) continue;
      entries.delete(id);
    }
    namesPlurals ||= name.plural !== null;
    const known = names.get(id);
    if (known === undefined) names.set(id, [member.name]);
    else known.push(member.name);
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

function partsOfName(name: string): MessageName {
  const contextEnd = name.indexOf(CONTEXT_END);
  const context = contextEnd < 0 ? null : name.slice(0, contextEnd);
  const formEnd = name.indexOf(FORM_END, contextEnd + 1);
  const key = name.slice(contextEnd + 1, formEnd < 0 ? undefined : formEnd);
  return { key, context, plural: formEnd < 0 ? null : name.slice(formEnd + 1) };
}

/** The name in the file of a message; `null` when a part of it has a separator in it, or nothing is left. */
export function nameOfMessage({ key, context }: EntryName, plural: string | null): string | null {
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
  const said = options.isPlural?.(key, context);
  const isPlural = said ?? (plural !== null || values.length > 1 || node.kind === "branch");
  const text = isPlural ? forms(values) : values.length === 1 ? { value: values[0] ?? "" } : null;
  const isSourceFile = options.locale === options.sourceLocale;
  const source: Text | null =
    plural !== null ? { forms: { one: key, other: plural } } : isPlural ? null : { value: key };
  // Where a form would be lost by writing back, the first is what WordPress shows for a plain text.
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

/** Older plugins write the forms as a list. */
function listedForms({ node }: Member): readonly string[] | null {
  if (node.kind !== "branch" || node.members.length === 0) return null;
  const items = node.members.map((item) => item.node);
  const isList = node.members.every(
    (item, index) => item.name === String(index) && item.node.kind === "text",
  );
  return isList ? items.map((item) => (item as TextNode).value) : null;
}

/** The msgid alone, where the name is written without escapes. */
function keySpan(span: Span, name: string, context: string | null): Span {
  const { start, end } = span;
  if (context === null || end - start !== name.length) return { start, end };
  return { start: start + context.length + CONTEXT_END.length, end };
}

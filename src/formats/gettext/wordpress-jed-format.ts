/**
 * `wordpress_jed`: gettext messages for scripts, as JSON (`locale_data`, by domain, a list of forms by msgid). The
 * file does not contain the msgid_plural. An edit rewrites only the forms that change.
 */
import { getOrCreate } from "../../util/maps.ts";
import { makeEach, refuseAll } from "../editing/apply-verified-edit.ts";
import {
  type Change,
  type EditResult,
  type Entry,
  entryId,
  type NewEntry,
  type Problem,
  type ReadOptions,
  type ReadResult,
  type RefusalReason,
  type TextFormat,
} from "../format.ts";
import { CONTEXT_END, FORM_END, gettextLocale, joinMessageName, splitContext } from "./gettext-message.ts";
import {
  categoriesIn,
  type GettextPlurals,
  gettextPlurals,
  pluralText,
  standardPluralForms,
  stringsOfText,
} from "./plural-forms-header.ts";
import { jsonSyntax, scanJson } from "../json/json-parser.ts";
import type { Insertion, TreePlan } from "../object-tree/plan-member-edits.ts";
import {
  type NewNode,
  defaultPrintContext,
  printRoot,
  type TreeStyle,
  type TreeSyntax,
} from "../object-tree/tree-serializer.ts";
import { renderPlan } from "../object-tree/render-member-edits.ts";
import type { BranchNode, Member, TextNode, Tree, TreeNode } from "../object-tree/value-tree.ts";
import type { Span } from "../../util/span.ts";
import { isForms, areTextsEqual, type Text, valuesOf } from "../../model/translation-text.ts";

interface JedMessage {
  readonly entry: Entry;
  /** Duplicates, of which the last one is read. */
  readonly members: Member[];
  /** Its forms as written in the file. */
  readonly items: readonly TextNode[];
}

/** A parsed file. */
interface JedCatalog {
  /** The object that contains the messages; `null` if the file has none. */
  readonly messages: BranchNode | null;
  readonly byId: ReadonlyMap<string, JedMessage>;
  readonly problems: readonly Problem[];
  readonly plurals: GettextPlurals;
  readonly locale: string | null;
  /** Whether the file, in the source locale, has empty texts wherever they equal the msgid. */
  readonly emptySources: boolean;
}

/** Interprets a scanned file. Never throws. */
function readJed(text: string, { root, problems: found }: Tree, options: ReadOptions): JedCatalog {
  const problems: Problem[] = [...found];
  const messages = root === null ? null : messagesIn(root, problems);
  const header = branchOf(messages, "");
  const plurals = gettextPlurals(headerField(header, ["plural-forms", "plural_forms"]), options.locale);
  const isSource = options.locale === options.sourceLocale;
  const byId = new Map<string, JedMessage>();
  let empty = 0;
  for (const member of messages?.members ?? []) {
    if (member.name === "") continue;
    const items = itemsOf(member);
    const { key, context } = splitContext(member.name);
    const id = entryId({ key, context });
    if (items === null) {
      const span = { start: member.start, end: member.end };
      problems.push({ code: "type", message: "the message is no list of texts", span, key });
      continue;
    }
    const members = byId.get(id)?.members ?? [];
    const overwritten = members.at(-1);
    if (overwritten !== undefined) {
      const span = { start: overwritten.start, end: overwritten.end };
      problems.push({ code: "duplicate", message: "the message stands again further down", span, key });
      byId.delete(id);
    }
    const { text: own, isWhole } = jedMessageText(items, plurals, options.isPlural?.(key, context));
    const value = isForms(own) ? null : own.value;
    if (value === "") empty++;
    else if (value === key) empty--;
    const entry: Entry = {
      key,
      context,
      namespace: null,
      locale: null,
      text: isSource && value === "" ? { value: key } : own,
      source: isSource || value === null ? null : { value: key },
      description: null,
      keySpan: keySpan(text, member, context),
      valueSpan: { start: member.node.start, end: member.node.end },
      readOnly: isWhole ? null : "unsupported",
    };
    members.push(member);
    byId.set(id, { entry, members, items });
  }
  return {
    messages,
    byId,
    problems: problems.toSorted((a, b) => a.span.start - b.span.start),
    plurals,
    locale: headerField(header, ["lang", "language"]),
    emptySources: isSource && empty >= 0,
  };
}

/** Returns the messages of the file's own domain, or else of the first one; other domains are not read. */
function messagesIn(root: BranchNode, problems: Problem[]): BranchNode | null {
  const data = branchOf(root, "locale_data");
  const domains = (data?.members ?? []).filter((member) => member.node.kind === "branch");
  const wanted = root.members.findLast(({ name }) => name === "domain")?.node;
  const own = domains.findLast(({ name }) => wanted?.kind === "text" && name === wanted.value) ?? domains[0];
  if (own === undefined) {
    const { start, end } = data ?? { start: root.start, end: root.open };
    problems.push({ code: "type", message: "no messages in `locale_data`", span: { start, end } });
  }
  for (const other of domains) {
    if (other === own) continue;
    const { start, end } = other.nameSpan;
    problems.push({ code: "type", message: `the domain ${other.name} is not read`, span: { start, end } });
  }
  return own?.node.kind === "branch" ? own.node : null;
}

function branchOf(branch: BranchNode | null, name: string): BranchNode | null {
  const node = branch?.members.findLast((member) => member.name === name)?.node;
  return node?.kind === "branch" ? node : null;
}

function headerField(header: BranchNode | null, names: readonly string[]): string | null {
  const node = header?.members.findLast(({ name }) => names.includes(name.toLowerCase()))?.node;
  return node?.kind === "text" && node.value !== "" ? node.value : null;
}

/** Returns the forms; a string is a single form. `null` if any item is not a string. */
function itemsOf({ node }: Member): readonly TextNode[] | null {
  if (node.kind === "text") return [node];
  if (node.kind !== "branch") return null;
  const items: TextNode[] = [];
  for (const { named, node: item } of node.members) {
    if (named || item.kind !== "text") return null;
    items.push(item);
  }
  return items;
}

/** Returns the member name of a message; `null` if key or context contains the context separator. */
function jedName(key: string, context: string | null): string | null {
  if (key.includes(CONTEXT_END) || context?.includes(CONTEXT_END) === true) return null;
  return joinMessageName(key, context) || null;
}

/**
 * Returns the text of a message. Several strings are plural forms unless `isPlural` says otherwise. `isWhole`: the
 * text covers all strings.
 */
function jedMessageText(
  items: readonly TextNode[],
  plurals: GettextPlurals,
  isPlural: boolean | undefined,
): { readonly text: Text; readonly isWhole: boolean } {
  const strings = items.map(({ value }) => value);
  const single: Text = { value: strings[0] ?? "" };
  if (!(isPlural ?? strings.length > 1)) return { text: single, isWhole: strings.length < 2 };
  const plural = pluralText(plurals, strings);
  return { text: plural ?? single, isWhole: plural !== null };
}

/** Returns the range of the msgid without the context. */
function keySpan(text: string, { nameSpan, name: memberName }: Member, context: string | null): Span {
  const { start, end } = nameSpan;
  if (context === null && !memberName.startsWith(CONTEXT_END)) return { start, end };
  const name = text.slice(start, end);
  const mark = [CONTEXT_END, "\\u0004"].find((each) => name.includes(each));
  return { start: mark === undefined ? start : start + name.indexOf(mark) + mark.length, end };
}

export const wordpressJed: TextFormat = {
  kind: "text",
  name: "wordpress_jed",
  read,
  edit,
  print,
};

function read(text: string, options: ReadOptions): ReadResult {
  const { byId, problems, locale } = readJed(text, scanJson(text), options);
  return { entries: Array.from(byId.values(), ({ entry }) => entry), problems, locale };
}

function edit(text: string, changes: readonly Change[], options: ReadOptions): EditResult {
  const tree = scanJson(text);
  const catalog = readJed(text, tree, options);
  if (tree.root === null || !tree.sound || catalog.messages === null) {
    return { splices: [], refused: refuseAll(changes, "syntax") };
  }
  const edits = new JedEdits(text, catalog, catalog.messages);
  const refused = makeEach(changes, (change) => edits.apply(change, options));
  return { splices: renderPlan(text, catalog.messages, edits, syntaxOf(text, catalog.messages)), refused };
}

/** Collects the changes to the members of a file. */
class JedEdits implements TreePlan {
  readonly replace = new Map<TreeNode, string>();
  readonly remove = new Set<Member>();
  readonly insert = new Map<BranchNode, Insertion[]>();
  readonly emptied = new Set<BranchNode>();
  readonly refused = [];
  readonly #text: string;
  readonly #catalog: JedCatalog;
  readonly #messages: BranchNode;

  constructor(text: string, catalog: JedCatalog, messages: BranchNode) {
    this.#text = text;
    this.#catalog = catalog;
    this.#messages = messages;
  }

  apply({ key, context, text }: Change, options: ReadOptions): RefusalReason | null {
    const message = this.#catalog.byId.get(entryId({ key, context }));
    if (text === null) {
      for (const member of message?.members ?? []) this.remove.add(member);
      return message === undefined ? "not_found" : null;
    }
    if (message !== undefined) {
      const { entry } = message;
      if (entry.readOnly !== null) return entry.readOnly;
      if (areTextsEqual(entry.text, text)) return null;
    }
    const value = isForms(text) ? null : text.value;
    // In the source locale an empty text stands for the msgid.
    if (value === "" && options.locale === options.sourceLocale) return "unsupported";
    const isAsSource = this.#catalog.emptySources && value === key;
    const has = message?.items.length ?? 0;
    const strings = isAsSource ? [""] : stringsOfText(this.#catalog.plurals, text, has);
    if (strings === null) return "forms";
    if (strings.some((form) => form.includes(FORM_END))) return "unsupported";
    if (message !== undefined) {
      if (isForms(text) !== isForms(message.entry.text)) return "forms";
      this.#rewrite(message, strings);
      return null;
    }
    const name = jedName(key, context);
    if (name === null || this.#messages.members.some((member) => member.name === name)) return "unsupported";
    this.#put(this.#messages, name, this.#newNode(strings));
    return null;
  }

  #rewrite({ members, items }: JedMessage, strings: readonly string[]): void {
    const node = members.at(-1)?.node;
    for (const [index, form] of strings.entries()) {
      const item = items[index];
      if (item !== undefined) {
        if (item.value !== form) this.replace.set(item, form);
      } else if (node?.kind === "branch" && items.length > 0) {
        this.#put(node, String(index), textNode(form));
      }
    }
    // A string or an empty list has no form to insert another one next to.
    if (node !== undefined && (items.length === 0 || (node.kind === "text" && strings.length > 1))) {
      this.replace.set(node, listOf(strings));
    }
  }

  #put(branch: BranchNode, name: string, node: NewNode): void {
    getOrCreate(this.insert, branch, () => []).push({ name, node, near: null });
  }

  /** Returns the node of a new message, with its list on one line or on several, as elsewhere in the file. */
  #newNode(strings: readonly string[]): NewNode {
    const list = this.#messages.members.find(({ name, node }) => name !== "" && isFilled(node));
    if (list !== undefined && /[\r\n]/.test(this.#text.slice(list.node.start, list.node.end))) {
      return { kind: "branch", members: new Map(strings.map((form, at) => [String(at), textNode(form)])) };
    }
    const isBare = this.#messages.members.some(({ name, node }) => name !== "" && node.kind === "text");
    const [first = ""] = strings;
    return textNode(isBare && list === undefined && strings.length === 1 ? first : listOf(strings));
  }
}

/** Returns the JSON syntax with the white space of the file's lists. */
function syntaxOf(text: string, { start, end, members }: BranchNode): TreeSyntax {
  let padding = "";
  let comma = /[\r\n]/.test(text.slice(start, end)) ? ", " : ",";
  for (const { name, node } of members) {
    if (name === "" || node.kind !== "branch") continue;
    const [first, second] = node.members;
    if (first === undefined) continue;
    const before = text.slice(node.open, first.start);
    padding = /^ *$/.test(before) ? before : "";
    if (second === undefined) continue;
    const between = text.slice(first.end, second.start);
    if (/^[ \t]*,[ \t]*$/.test(between)) comma = between;
    break;
  }
  return syntaxWith(padding, comma);
}

function textNode(value: string): NewNode {
  return { kind: "text", value };
}

function isFilled(node: TreeNode): boolean {
  return node.kind === "branch" && node.members.length > 0;
}

/** Returns the value that is printed as a list of forms on one line. */
function listOf(strings: readonly string[]): string {
  return FORM_END + strings.join(FORM_END);
}

/** Returns the JSON syntax, printing what `listOf` returns as a list. */
function syntaxWith(padding: string, comma: string): TreeSyntax {
  const json = jsonSyntax("  ");
  return {
    skipTrivia: (text, offset) => json.skipTrivia(text, offset),
    listsAreNameless: json.listsAreNameless,
    styleOf: (text): TreeStyle => {
      const style = json.styleOf(text);
      return {
        ...style,
        value: (value, like) => {
          if (!value.startsWith(FORM_END)) return style.value(value, like);
          const forms = value.slice(1).split(FORM_END);
          return `[${padding}${forms.map((form) => style.value(form, null)).join(comma)}${padding}]`;
        },
      };
    },
  };
}

/**
 * Prints a file as WordPress's own tool does, with each message on a line. Messages whose names cannot be written are
 * omitted.
 */
function print(entries: readonly NewEntry[], options: ReadOptions): string {
  const pluralForms = standardPluralForms(options.locale, categoriesIn(entries));
  const plurals = gettextPlurals(pluralForms, options.locale);
  const header = new Map([
    ["domain", textNode("messages")],
    ["lang", textNode(gettextLocale(options.locale))],
    ["plural-forms", textNode(pluralForms)],
  ]);
  const messages = new Map<string, NewNode>([["", { kind: "branch", members: header }]]);
  for (const { key, context, text } of entries) {
    const name = jedName(key, context);
    const forms = stringsOfText(plurals, text) ?? valuesOf(text);
    if (name === null || forms.some((form) => form.includes(FORM_END))) continue;
    messages.set(name, textNode(listOf(forms)));
  }
  const domains = new Map<string, NewNode>([["messages", { kind: "branch", members: messages }]]);
  const root = new Map<string, NewNode>([
    ["domain", textNode("messages")],
    ["locale_data", { kind: "branch", members: domains }],
  ]);
  return `${printRoot(root, defaultPrintContext(syntaxWith("", ", ").styleOf(""), "{"))}\n`;
}

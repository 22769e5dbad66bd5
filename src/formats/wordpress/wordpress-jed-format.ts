/**
 * `wordpress_jed`: gettext messages for scripts, as JSON (`locale_data`, by domain, a list of forms by msgid). The
 * file does not contain the msgid_plural. An edit rewrites only the forms that change.
 */
import { refuseAll } from "../editing/apply-verified-edit.ts";
import type {
  Change,
  EditResult,
  NewEntry,
  Problem,
  ReadOptions,
  ReadResult,
  RefusalReason,
  TextFormat,
} from "../format.ts";
import { jsonSyntax, scanJson } from "../json/json-parser.ts";
import { renderPlan } from "../object-tree/render-member-edits.ts";
import {
  defaultPrintContext,
  type InlineSpacing,
  type NewNode,
  printRoot,
} from "../object-tree/tree-serializer.ts";
import type { BranchNode, TreeNode } from "../object-tree/value-tree.ts";
import { isForms, type Text, valuesOf } from "../../model/translation-text.ts";
import { FORM_END, gettextLocale, hasEmptySources, writableName } from "../gettext/gettext-message.ts";
import {
  newMembers,
  listedTexts,
  type MessagePlan,
  type MessageTree,
  type MessageValue,
  type MessageWriter,
  planMessages,
  readMessageTree,
  type TreeMessage,
} from "./message-tree.ts";
import { newPlurals, stringsOfText } from "../gettext/plural-forms-header.ts";

const SYNTAX = jsonSyntax("  ");

export const wordpressJed: TextFormat = {
  kind: "text",
  name: "wordpress_jed",
  read,
  edit,
  print,
};

function read(text: string, options: ReadOptions): ReadResult {
  const { root, problems: syntaxProblems } = scanJson(text);
  const { messages, problems: domainProblems } = messagesIn(root);
  const { messages: byId, problems, locale } = messageTreeOf(text, messages, options);
  return {
    entries: [...byId.values()].flatMap(({ entry }) => entry ?? []),
    problems: [...syntaxProblems, ...domainProblems, ...problems].sort((a, b) => a.span.start - b.span.start),
    locale,
  };
}

function messageTreeOf(text: string, messages: BranchNode | null, options: ReadOptions): MessageTree {
  return readMessageTree({ text, messages, header: branchIn(messages, ""), valueOf }, options);
}

/** Returns the forms; a string is a single form. */
function valueOf(node: TreeNode): MessageValue | Problem["code"] {
  const items = node.kind === "branch" ? listedTexts(node) : node.kind === "text" ? [node] : null;
  if (items === null) return "type";
  return { strings: items.map(({ value }) => value), isPlural: items.length > 1, readOnly: null };
}

/** Returns the messages of the file's own domain, or else of the first one; other domains are not read. */
function messagesIn(root: BranchNode | null): {
  readonly messages: BranchNode | null;
  readonly problems: readonly Problem[];
} {
  if (root === null) return { messages: null, problems: [] };
  const data = branchIn(root, "locale_data");
  const domains = (data?.members ?? []).filter((member) => member.node.kind === "branch");
  const name = root.members.findLast((member) => member.name === "domain")?.node;
  const main =
    domains.findLast((domain) => name?.kind === "text" && domain.name === name.value) ?? domains[0];
  if (main === undefined) {
    const { start, end } = data ?? { start: root.start, end: root.open };
    return {
      messages: null,
      problems: [{ code: "type", message: "no messages in `locale_data`", span: { start, end } }],
    };
  }
  const others = domains.filter((domain) => domain !== main);
  return {
    messages: main.node.kind === "branch" ? main.node : null,
    problems: others.map((domain) => ({
      code: "type",
      message: `the domain ${domain.name} is not read`,
      span: domain.nameSpan,
    })),
  };
}

function branchIn(branch: BranchNode | null, name: string): BranchNode | null {
  const node = branch?.members.findLast((member) => member.name === name)?.node;
  return node?.kind === "branch" ? node : null;
}

function edit(text: string, changes: readonly Change[], options: ReadOptions): EditResult {
  const { root, isEditable } = scanJson(text);
  const { messages } = messagesIn(root);
  if (!isEditable || messages === null) return { splices: [], refused: refuseAll(changes, "syntax") };
  const tree = messageTreeOf(text, messages, options);
  const isSourceFile = options.locale === options.sourceLocale;
  const singular = [...tree.messages.values()].flatMap(({ name, value }) =>
    value?.strings.length === 1 ? [[name.key, value.strings[0]] as const] : [],
  );
  const style = listStyleOf(text, messages);
  const writer: MessageWriter = {
    nameOf: ({ key, context }) => writableName(key, context),
    newNode: (strings) => newNode(strings, style),
    rewrite: (message, strings, after, plan) => rewrite(message, strings, after, plan, style),
    hasEmptySources: isSourceFile && hasEmptySources(singular),
  };
  const { plan, refused } = planMessages(tree, changes, writer, options);
  if (plan.added.size > 0) plan.insert.set(messages, newMembers(plan.added));
  return { splices: renderPlan(text, messages, plan, SYNTAX), refused };
}

/** How a file writes the lists of forms. */
interface ListStyle {
  /** `null`: on several lines. */
  readonly inline: InlineSpacing | null;
  /** Whether a single form is a string without a list. */
  readonly isBare: boolean;
}

function listStyleOf(text: string, { start, end, members }: BranchNode): ListStyle {
  const values = members.filter(({ name }) => name !== "").map(({ node }) => node);
  const lists = values.filter((node) => node.kind === "branch").filter((node) => node.members.length > 0);
  const [list] = lists;
  const [first] = list?.members ?? [];
  const padding = list === undefined ? "" : text.slice(list.open, first?.start);
  const [comma, following] = lists.find((each) => each.members.length > 1)?.members ?? [];
  const gap = /^[ \t]*,([ \t]*)$/u.exec(text.slice(comma?.end, following?.start))?.[1];
  const isOnLines = list !== undefined && /[\r\n]/u.test(text.slice(list.start, list.end));
  return {
    inline: isOnLines
      ? null
      : {
          padding: /^ *$/u.test(padding) ? padding : "",
          gap: gap ?? (/[\r\n]/u.test(text.slice(start, end)) ? " " : ""),
        },
    isBare: list === undefined && values.some((node) => node.kind === "text"),
  };
}

function rewrite(
  { member: { node }, entry, value }: TreeMessage,
  strings: readonly string[],
  text: Text,
  plan: MessagePlan,
  style: ListStyle,
): RefusalReason | null {
  if (entry !== null && isForms(text) !== isForms(entry.text)) return "forms";
  const items = node.kind === "branch" ? (listedTexts(node) ?? []) : node.kind === "text" ? [node] : [];
  const isList = node.kind === "branch" && items.length > 0;
  if (!isList && (value === null || items.length !== strings.length)) {
    plan.replace.set(node, listNode(strings, style.inline ?? {}));
    return null;
  }
  for (const [index, item] of items.entries()) {
    const string = strings[index];
    if (string !== undefined && string !== item.value) plan.replace.set(item, string);
  }
  const added = strings.slice(items.length).map((form) => textNode(form));
  if (isList && added.length > 0) {
    plan.insert.set(
      node,
      newMembers(new Map(added.map((each, index) => [String(items.length + index), each]))),
    );
  }
  return null;
}

function newNode(strings: readonly string[], { inline, isBare }: ListStyle): NewNode {
  const [first = ""] = strings;
  return isBare && strings.length === 1 ? textNode(first) : listNode(strings, inline);
}

function textNode(value: string): NewNode {
  return { kind: "text", value };
}

function listNode(strings: readonly string[], inline: InlineSpacing | null): NewNode {
  const members = new Map(strings.map((form, index) => [String(index), textNode(form)]));
  return inline === null ? { kind: "branch", members } : { kind: "branch", members, inline };
}

/**
 * Prints a file as WordPress's own tool does, with each message on a line. Messages whose names cannot be written are
 * omitted.
 */
function print(entries: readonly NewEntry[], options: ReadOptions): string {
  const { header: pluralForms, plurals } = newPlurals(entries, options.locale);
  const header = new Map([
    ["domain", textNode("messages")],
    ["lang", textNode(gettextLocale(options.locale))],
    ["plural-forms", textNode(pluralForms)],
  ]);
  const messages = new Map<string, NewNode>([["", { kind: "branch", members: header }]]);
  for (const { key, context, text } of entries) {
    const name = writableName(key, context);
    const forms = stringsOfText(plurals, text) ?? valuesOf(text);
    if (name !== null && !forms.some((form) => form.includes(FORM_END)))
      messages.set(name, listNode(forms, {}));
  }
  const root = new Map<string, NewNode>([
    ["domain", textNode("messages")],
    [
      "locale_data",
      { kind: "branch", members: new Map([["messages", { kind: "branch", members: messages }]]) },
    ],
  ]);
  return `${printRoot(root, defaultPrintContext(SYNTAX.styleOf(""), "{"))}\n`;
}

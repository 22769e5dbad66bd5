/**
 * `wordpress_jed`: gettext messages for scripts, as JSON (`locale_data`, by domain, a list of forms by msgid). The
 * file does not contain the msgid_plural. An edit rewrites only the forms that change.
 */
import type { NewEntry, Problem, ReadOptions, ReadResult, GeneratedTextFormat } from "../format.ts";
import { jsonSyntax, scanJson } from "../json/json-parser.ts";
import {
  defaultPrintContext,
  type InlineSpacing,
  type NewNode,
  printRoot,
} from "../object-tree/tree-serializer.ts";
import type { BranchNode, TreeNode } from "../object-tree/value-tree.ts";
import { valuesOf } from "../../model/translation-text.ts";
import { FORM_END, gettextLocale, writableName } from "../gettext/gettext-message.ts";
import { listedTexts, type MessageValue, readMessageTree } from "./message-tree.ts";
import { newPlurals, stringsOfText } from "../gettext/plural-forms-header.ts";

const SYNTAX = jsonSyntax("  ");

export const wordpressJed: GeneratedTextFormat = {
  kind: "generated",
  name: "wordpress_jed",
  read,
  print,
};

function read(text: string, options: ReadOptions): ReadResult {
  const { root, problems: syntaxProblems } = scanJson(text);
  const { messages, problems: domainProblems } = messagesIn(root);
  const header = branchIn(messages, "");
  const { entries, problems, locale } = readMessageTree({ text, messages, header, valueOf }, options);
  return {
    entries,
    problems: [...syntaxProblems, ...domainProblems, ...problems].sort((a, b) => a.span.start - b.span.start),
    locale,
  };
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

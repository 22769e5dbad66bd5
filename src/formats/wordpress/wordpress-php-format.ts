/**
 * `wordpress_php` (`.l10n.php`): a PHP file that returns gettext's headers and, under `messages`, the texts by msgid.
 * `ctx\4msgid` has a context. Plural forms are one text, separated by NUL; the msgid of a plural may be followed by
 * NUL and its msgid_plural (WordPress looks up both).
 */
import type { NewEntry, Problem, ReadOptions, ReadResult, GeneratedTextFormat } from "../format.ts";
import { FORM_END, gettextLocale, writableName } from "../gettext/gettext-message.ts";
import { listedTexts, type MessageValue, readMessageTree } from "./message-tree.ts";
import { newPlurals, stringsOfText } from "../gettext/plural-forms-header.ts";
import { scanPhp } from "../php/php-array-parser.ts";
import { exportedPhpSyntax } from "../php/php-syntax.ts";
import { type NewNode, defaultPrintContext, printRoot } from "../object-tree/tree-serializer.ts";
import { describeTree } from "../object-tree/commas-and-comments.ts";
import type { BranchNode, Member, TreeNode } from "../object-tree/value-tree.ts";

export const wordpressPhp: GeneratedTextFormat = {
  kind: "generated",
  name: "wordpress_php",
  read,
  print,
};

function read(text: string, options: ReadOptions): ReadResult {
  const { root, problems: syntaxProblems } = scanPhp(text);
  const { member, messages } = messagesIn(root);
  const arrayProblems: Problem[] = [];
  if (root !== null && messages === null) {
    const { start, end } = member?.node ?? { start: root.start, end: root.open };
    const code = member === undefined ? "type" : "expression";
    arrayProblems.push({ code, message: "the file has no array of messages", span: { start, end } });
  }
  const descriptions = messages === null ? new Map() : describeTree(text, messages, exportedPhpSyntax);
  const tree = readMessageTree({ text, messages, header: root, valueOf, descriptions }, options);
  return {
    entries: tree.entries,
    problems: [...syntaxProblems, ...arrayProblems, ...tree.problems],
    locale: tree.locale,
  };
}

/** Returns the last member with the name of the messages, and its array. */
function messagesIn(root: BranchNode | null): {
  readonly member: Member | undefined;
  readonly messages: BranchNode | null;
} {
  const member = root?.members.findLast(({ name }) => name === "messages");
  return { member, messages: member?.node.kind === "branch" ? member.node : null };
}

/** Returns the strings of a message; older plugins write forms as a list, which is read-only. */
function valueOf(node: TreeNode): MessageValue | Problem["code"] {
  if (node.kind === "text") {
    const strings = node.value.split(FORM_END);
    return { strings, isPlural: strings.length > 1, readOnly: node.readOnly };
  }
  if (node.kind === "other") return node.reason === "type" || node.reason === "empty" ? "type" : "expression";
  const strings = listedTexts(node)?.map(({ value }) => value) ?? [];
  return strings.length === 0 ? "type" : { strings, isPlural: true, readOnly: "unsupported" };
}

function print(entries: readonly NewEntry[], options: ReadOptions): string {
  const { header, plurals } = newPlurals(entries, options.locale);
  const messages = new Map<string, NewNode>();
  for (const { key, context, text } of entries) {
    const name = writableName(key, context);
    const strings = stringsOfText(plurals, text);
    if (name === null || strings === null || strings.some((string) => string.includes(FORM_END))) continue;
    messages.set(name, { kind: "text", value: strings.join(FORM_END) });
  }
  const root = new Map<string, NewNode>([
    ["language", { kind: "text", value: gettextLocale(options.locale) }],
    ["plural-forms", { kind: "text", value: header }],
    ["messages", { kind: "branch", members: messages }],
  ]);
  return `<?php\nreturn ${printRoot(root, defaultPrintContext(exportedPhpSyntax.styleOf(""), "["))};\n`;
}

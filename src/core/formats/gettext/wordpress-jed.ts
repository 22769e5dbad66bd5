/**
 * `wordpress_jed`: gettext's messages for scripts, as JSON (`locale_data`, by domain, a list of forms by msgid). The
 * file does not say a plural's msgid_plural. A change rewrites the one form that it changes.
 */
import { isEmptyText, isForms, sameText } from "../../text.ts";
import { refusalOf } from "../edit.ts";
import {
  type Change,
  type EditResult,
  type Entry,
  entryId,
  type NewEntry,
  type ReadOptions,
  type ReadResult,
  type Refusal,
  type TextFormat,
} from "../format.ts";
import { gettextLocale } from "./gettext-header.ts";
import { type JedCatalog, type JedMessage, jedName, readJed } from "./gettext-jed.ts";
import { gettextPlurals, standardPluralForms, stringsOfForms } from "./gettext-plurals.ts";
import { scanJson } from "../json/json-scan.ts";
import { jsonSyntax } from "../json/json-tree.ts";
import type { BranchNode, Member, TreeNode } from "../tree/tree.ts";
import type { Insertion } from "../tree/tree-plan.ts";
import { type NewNode, printRoot, type TreeStyle, type TreeSyntax } from "../tree/tree-print.ts";
import { renderPlan } from "../tree/tree-render.ts";

type Reason = Refusal["reason"];

export const wordpressJed: TextFormat = {
  kind: "text",
  name: "wordpress_jed",
  extensions: [".json"],
  read,
  edit,
  print,
};

function read(text: string, options: ReadOptions): ReadResult {
  const { entries, problems, locale } = readJed(text, scanJson(text), options);
  return { entries, problems, locale };
}

function edit(text: string, changes: readonly Change[], options: ReadOptions): EditResult {
  const tree = scanJson(text);
  const catalog = readJed(text, tree, options);
  if (tree.root === null || !tree.sound || catalog.messages === null) {
    return { splices: [], refused: changes.map((change) => refusalOf(change, "syntax")) };
  }
  return new JedEdit(text, catalog, catalog.messages).make(changes, options);
}

/** Parts one form of a new message from the next; no text has it, as no message of gettext can. */
const FORM_END = "\0";

class JedEdit {
  readonly #text: string;
  readonly #catalog: JedCatalog;
  readonly #messages: BranchNode;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #replace = new Map<TreeNode, string>();
  readonly #remove = new Set<Member>();
  readonly #insert = new Map<BranchNode, Insertion[]>();

  constructor(text: string, catalog: JedCatalog, messages: BranchNode) {
    this.#text = text;
    this.#catalog = catalog;
    this.#messages = messages;
    this.#entries = new Map(catalog.entries.map((entry) => [entryId(entry), entry]));
  }

  make(changes: readonly Change[], options: ReadOptions): EditResult {
    const refused: Refusal[] = [];
    for (const change of new Map(changes.map((each) => [entryId(each), each])).values()) {
      const reason = this.#apply(change, options);
      if (reason !== null) refused.push(refusalOf(change, reason));
    }
    const plan = {
      replace: this.#replace,
      remove: this.#remove,
      insert: this.#insert,
      emptied: new Set<BranchNode>(),
      refused: [],
    };
    return { splices: renderPlan(this.#text, this.#messages, plan, this.#syntax()), refused };
  }

  /** With the white space that the file has in its lists. */
  #syntax(): TreeSyntax {
    const { start, end } = this.#messages;
    let padding = "";
    let comma = /[\r\n]/.test(this.#text.slice(start, end)) ? ", " : ",";
    for (const { name, node } of this.#messages.members) {
      if (name === "" || node.kind !== "branch") continue;
      const [first, second] = node.members;
      if (first === undefined) continue;
      const before = this.#text.slice(node.open, first.start);
      padding = /^ *$/.test(before) ? before : "";
      if (second === undefined) continue;
      const between = this.#text.slice(first.end, second.start);
      if (/^[ \t]*,[ \t]*$/.test(between)) comma = between;
      break;
    }
    return syntaxWith(padding, comma);
  }

  #apply(change: Change, options: ReadOptions): Reason | null {
    const { key, context, text } = change;
    const id = entryId({ key, context });
    const entry = this.#entries.get(id);
    const message = this.#catalog.byId.get(id);
    if (text === null) {
      for (const member of message?.members ?? []) this.#remove.add(member);
      return message === undefined ? "not_found" : null;
    }
    if (entry?.readOnly != null) return entry.readOnly;
    if (entry !== undefined && sameText(entry.text, text)) return null;
    // An empty text says in the source locale what the msgid says.
    if (isEmptyText(text) && options.locale === options.sourceLocale && !isForms(text)) return "unsupported";
    const isAsSource = this.#catalog.emptySources && !isForms(text) && text.value === key;
    const has = message?.items.length ?? 0;
    const strings = isForms(text)
      ? stringsOfForms(this.#catalog.plurals, text.forms, has)
      : [isAsSource ? "" : text.value];
    if (strings === null) return "forms";
    if (strings.some((form) => form.includes(FORM_END))) return "unsupported";
    if (entry !== undefined && message !== undefined) {
      return isForms(text) === isForms(entry.text) ? this.#rewrite(message, strings) : "forms";
    }
    const name = jedName(key, context);
    if (name === null || this.#messages.members.some((member) => member.name === name)) return "unsupported";
    this.#put(this.#messages, { name, node: this.#newNode(strings), near: null });
    return null;
  }

  #rewrite({ members, items }: JedMessage, strings: readonly string[]): null {
    const node = members.at(-1)?.node;
    for (const [index, form] of strings.entries()) {
      const item = items[index];
      if (item !== undefined) {
        if (item.value !== form) this.#replace.set(item, form);
      } else if (node?.kind === "branch" && items.length > 0) {
        this.#put(node, { name: String(index), node: { kind: "text", value: form }, near: null });
      }
    }
    // A bare text, or an empty list: nothing is there that a form could stand beside.
    if (node !== undefined && (items.length === 0 || (node.kind === "text" && strings.length > 1))) {
      this.#replace.set(node, strings.join(FORM_END) + (strings.length > 1 ? "" : FORM_END));
    }
    return null;
  }

  #put(branch: BranchNode, insertion: Insertion): void {
    const list = this.#insert.get(branch);
    if (list === undefined) this.#insert.set(branch, [insertion]);
    else list.push(insertion);
  }

  /** In the manner of the file's lists: over several lines, or on one. */
  #newNode(strings: readonly string[]): NewNode {
    const list = this.#messages.members.find(({ name, node }) => name !== "" && isFilled(node));
    if (list !== undefined && /[\r\n]/.test(this.#text.slice(list.node.start, list.node.end))) {
      const members = strings.map((form, index): [string, NewNode] => [
        String(index),
        { kind: "text", value: form },
      ]);
      return { kind: "branch", members: new Map(members) };
    }
    const isBare = this.#messages.members.some(({ name, node }) => name !== "" && node.kind === "text");
    return listNode(strings, isBare && list === undefined);
  }
}

function isFilled(node: TreeNode): boolean {
  return node.kind === "branch" && node.members.length > 0;
}

/** Forms that stand on one line. `isBare`: a single one needs no list around it. */
function listNode(strings: readonly string[], isBare: boolean): NewNode {
  const end = strings.length > 1 || isBare ? "" : FORM_END;
  return { kind: "text", value: strings.join(FORM_END) + end };
}

/** JSON, with a list of forms on one line where the forms are joined. */
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
          if (!value.includes(FORM_END)) return style.value(value, like);
          const forms = value.endsWith(FORM_END) ? [value.slice(0, -1)] : value.split(FORM_END);
          return `[${padding}${forms.map((form) => style.value(form, null)).join(comma)}${padding}]`;
        },
      };
    },
  };
}

/** As WordPress's own tool makes it, each message on a line. What has no way to be named is left out. */
function print(entries: readonly NewEntry[], options: ReadOptions): string {
  const categories = new Set(entries.flatMap(({ text }) => (isForms(text) ? Object.keys(text.forms) : [])));
  const pluralForms = standardPluralForms(options.locale, categories);
  const plurals = gettextPlurals(pluralForms, options.locale);
  const said = (value: string): NewNode => ({ kind: "text", value });
  const header = new Map([
    ["domain", said("messages")],
    ["lang", said(gettextLocale(options.locale))],
    ["plural-forms", said(pluralForms)],
  ]);
  const messages = new Map<string, NewNode>([["", { kind: "branch", members: header }]]);
  for (const { key, context, text } of entries) {
    const name = jedName(key, context);
    const forms = isForms(text)
      ? (stringsOfForms(plurals, text.forms) ?? Object.values(text.forms))
      : [text.value];
    if (name === null || forms.some((form) => form.includes(FORM_END))) continue;
    messages.set(name, listNode(forms, false));
  }
  const domains = new Map<string, NewNode>([["messages", { kind: "branch", members: messages }]]);
  const root = new Map<string, NewNode>([
    ["domain", said("messages")],
    ["locale_data", { kind: "branch", members: domains }],
  ]);
  return `${printRoot(root, syntaxWith("", ", ").styleOf(""), "{")}\n`;
}

/**
 * What a JED file holds (gettext's messages as JSON): its header, and its messages as entries with their places. How it
 * is changed is wordpress-jed.ts's.
 */
import { isForms, type Text } from "../../text.ts";
import { type Entry, entryId, type Problem, type ReadOptions, type Span } from "../format.ts";
import { formsOfStrings, type GettextPlurals, gettextPlurals } from "./gettext-plurals.ts";
import type { BranchNode, Member, TextNode, Tree } from "../tree/tree.ts";

/** Between the context and the msgid. */
const CONTEXT_END = "\u0004";

/** A message's members of the file; of one that stands twice the last is read. */
export interface JedMessage {
  readonly members: readonly Member[];
  /** Its forms as they stand there. */
  readonly items: readonly TextNode[];
}

/** The file, read. */
export interface JedCatalog {
  /** Holds the messages; `null` when the file has no such place. */
  readonly messages: BranchNode | null;
  readonly entries: readonly Entry[];
  readonly byId: ReadonlyMap<string, JedMessage>;
  readonly problems: readonly Problem[];
  readonly plurals: GettextPlurals;
  readonly locale: string | null;
  /** A file of the source locale leaves texts empty that are as the msgid says. */
  readonly emptySources: boolean;
}

/** Reads what was scanned. Never throws. */
export function readJed(text: string, { root, problems: found }: Tree, options: ReadOptions): JedCatalog {
  const problems: Problem[] = [...found];
  const messages = root === null ? null : messagesIn(root, problems);
  const header = branchOf(messages, "");
  const plurals = gettextPlurals(headerField(header, ["plural-forms", "plural_forms"]), options.locale);
  const isSource = options.locale === options.sourceLocale;
  const entries = new Map<string, Entry>();
  const byId = new Map<string, { members: Member[]; items: readonly TextNode[] }>();
  let empty = 0;
  for (const member of messages?.members ?? []) {
    if (member.name === "") continue;
    const items = itemsOf(member);
    const { key, context } = partsOf(member.name);
    const id = entryId({ key, context });
    const { start, end } = member;
    if (items === null) {
      problems.push({ code: "type", message: "the message is no list of texts", span: { start, end }, key });
      continue;
    }
    const before = byId.get(id);
    if (before !== undefined) {
      const [first] = before.members;
      const span = { start: first?.start ?? start, end: first?.end ?? end };
      problems.push({ code: "duplicate", message: "the message stands again further down", span, key });
      entries.delete(id);
      before.members.push(member);
      before.items = items;
    } else {
      byId.set(id, { members: [member], items });
    }
    const said = textOf(items, plurals, options.isPlural?.(key, context));
    if (!isForms(said.text)) empty += said.text.value === "" ? 1 : said.text.value === key ? -1 : 0;
    entries.set(id, {
      key,
      context,
      namespace: null,
      locale: null,
      text: isSource && !isForms(said.text) && said.text.value === "" ? { value: key } : said.text,
      source: isSource || isForms(said.text) ? null : { value: key },
      description: null,
      keySpan: keySpan(text, member, context),
      valueSpan: { start: member.node.start, end: member.node.end },
      readOnly: said.isWhole ? null : "unsupported",
    });
  }
  return {
    messages,
    entries: [...entries.values()],
    byId,
    problems: problems.toSorted((a, b) => a.span.start - b.span.start),
    plurals,
    locale: headerField(header, ["lang", "language"]),
    emptySources: isSource && empty >= 0,
  };
}

/** The forms of the file's own domain, else of the first one; other domains are not read. */
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

/** The forms; a bare text is one. `null` when there is anything else among them. */
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

function partsOf(name: string): { readonly key: string; readonly context: string | null } {
  const end = name.indexOf(CONTEXT_END);
  if (end < 0) return { key: name, context: null };
  return { key: name.slice(end + 1), context: end === 0 ? null : name.slice(0, end) };
}

/** The member's name for a message; `null` when the mark between context and msgid is in one of them. */
export function jedName(key: string, context: string | null): string | null {
  if (key.includes(CONTEXT_END) || context?.includes(CONTEXT_END) === true) return null;
  return context === null || context === "" ? key || null : context + CONTEXT_END + key;
}

/** `isWhole`: the text says all that stands there. Without the kind from elsewhere several texts are forms. */
function textOf(
  items: readonly TextNode[],
  plurals: GettextPlurals,
  isPlural: boolean | undefined,
): { readonly text: Text; readonly isWhole: boolean } {
  const strings = items.map(({ value }) => value);
  const single: Text = { value: strings[0] ?? "" };
  if (!(isPlural ?? strings.length > 1)) return { text: single, isWhole: strings.length < 2 };
  const forms = formsOfStrings(plurals, strings);
  return forms === null ? { text: single, isWhole: false } : { text: { forms }, isWhole: true };
}

/** The msgid alone, without the context before it. */
function keySpan(text: string, { nameSpan, name: said }: Member, context: string | null): Span {
  const { start, end } = nameSpan;
  if (context === null && !said.startsWith(CONTEXT_END)) return { start, end };
  const name = text.slice(start, end);
  const mark = [CONTEXT_END, "\\u0004"].find((each) => name.includes(each));
  return { start: mark === undefined ? start : start + name.indexOf(mark) + mark.length, end };
}

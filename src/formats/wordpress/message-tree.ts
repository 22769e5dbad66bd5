/** Reads gettext messages that are the members of one object or array, as in WordPress's JSON and PHP files. */
import { type Entry, entryId, type Problem, type ReadOnlyReason, type ReadOptions } from "../format.ts";
import type { BranchNode, Member, TextNode, TreeNode } from "../object-tree/value-tree.ts";
import type { Span } from "../../util/span.ts";
import { isEmptyText, isForms, type Text } from "../../model/translation-text.ts";
import {
  CONTEXT_END,
  type MessageName,
  messageSource,
  splitMessageName,
} from "../gettext/gettext-message.ts";
import { type GettextPlurals, gettextPlurals, pluralText } from "../gettext/plural-forms-header.ts";

/** The strings of a message. */
export interface MessageValue {
  readonly strings: readonly string[];
  /** Whether the strings are plural forms if nothing else is known. */
  readonly isPlural: boolean;
  readonly readOnly: ReadOnlyReason | null;
}

/** The messages of a file. */
interface MessageTree {
  /** In the order of the members that are in effect: of several with the same name, the last one. */
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
  /** The locale that the header states. */
  readonly locale: string | null;
}

/** Where a file has its messages, and what is known of them. */
interface MessageSource {
  readonly text: string;
  readonly messages: BranchNode | null;
  readonly header: BranchNode | null;
  /** Returns the strings of a message, or why they are not known. */
  readonly valueOf: (node: TreeNode) => MessageValue | Problem["code"];
  readonly descriptions?: ReadonlyMap<Member, string>;
}

export function readMessageTree(
  { text, messages, header, valueOf, descriptions }: MessageSource,
  options: ReadOptions,
): MessageTree {
  const plurals = gettextPlurals(headerText(header, ["plural-forms", "plural_forms"]), options.locale);
  const byId = new Map<string, { readonly member: Member; readonly entry: Entry | null }>();
  const problems: Problem[] = [];
  for (const member of messages?.members ?? []) {
    // The empty name is that of gettext's header, and of members whose name is not known.
    if (member.name === "") continue;
    const { start, end } = member.node;
    const name = splitMessageName(member.name);
    const id = entryId(name);
    const former = byId.get(id);
    if (former !== undefined) {
      const span = { start: former.member.start, end: former.member.end };
      problems.push({
        code: "duplicate",
        message: "the message is repeated further down",
        span,
        key: name.key,
      });
      byId.delete(id);
    }
    const value = valueOf(member.node);
    if (typeof value === "string") {
      problems.push({
        code: value,
        message: "the message is not a plain text",
        span: { start, end },
        key: name.key,
      });
      byId.set(id, { member, entry: null });
      continue;
    }
    const entry: Entry = {
      key: name.key,
      context: name.context,
      namespace: null,
      locale: null,
      ...textsOf(name, value, plurals, options),
      description: descriptions?.get(member) ?? null,
      keySpan: keySpanOf(text, member),
      valueSpan: { start, end },
    };
    byId.set(id, { member, entry });
  }
  const locale = headerText(header, ["lang", "language"]);
  return { entries: [...byId.values()].flatMap(({ entry }) => entry ?? []), problems, locale };
}

/** Returns a text of the header; names are case-insensitive. */
function headerText(header: BranchNode | null, names: readonly string[]): string | null {
  const node = header?.members.findLast(({ name }) => names.includes(name.toLowerCase()))?.node;
  return node?.kind === "text" && node.value !== "" ? node.value : null;
}

function textsOf(
  { key, context, plural }: MessageName,
  { strings, isPlural, readOnly }: MessageValue,
  plurals: GettextPlurals,
  { isPlural: isKnownPlural, locale, sourceLocale }: ReadOptions,
): Pick<Entry, "text" | "source" | "readOnly"> {
  const single: Text = { value: strings[0] ?? "" };
  const hasForms = isKnownPlural?.(key, context) ?? (isPlural || plural !== null);
  // `null` if writing the text would lose strings.
  const whole = hasForms ? pluralText(plurals, strings) : strings.length < 2 ? single : null;
  const text = whole ?? single;
  const isSourceKnown = !isForms(text) || plural !== null;
  const source = isSourceKnown ? messageSource(key, isForms(text) ? plural : null) : null;
  const isSourceFile = locale === sourceLocale;
  return {
    text: isSourceFile && source !== null && isEmptyText(text) ? source : text,
    source: isSourceFile ? null : source,
    readOnly: whole === null ? "unsupported" : readOnly,
  };
}

/** Returns the range of the msgid without its context. */
function keySpanOf(text: string, { nameSpan: { start, end }, name }: Member): Span {
  if (!name.includes(CONTEXT_END)) return { start, end };
  const written = text.slice(start, end);
  const separator = [CONTEXT_END, "\\u0004"].find((each) => written.includes(each));
  return {
    start: separator === undefined ? start : start + written.indexOf(separator) + separator.length,
    end,
  };
}

/** Returns the items of a list of texts; `null` if it has anything else. */
export function listedTexts({ members }: BranchNode): readonly TextNode[] | null {
  const texts = members.flatMap(({ name, node }, index) =>
    name === String(index) && node.kind === "text" ? [node] : [],
  );
  return texts.length === members.length ? texts : null;
}

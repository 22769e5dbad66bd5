/** Texts that are shown beside others: on one line, cut, escaped, and with the numbers of what they are about. */
import { expect, test } from "vitest";
import type { Language } from "../../../src/api/response-schemas.ts";
import {
  baseUrlErrorMessage,
  noServiceError,
  sessionText,
  waitMessage,
} from "../../../src/messages/connection-messages.ts";
import { formatDuration, formatTexts, relativeTime } from "../../../src/messages/counts-and-times.ts";
import {
  codeMarkdown,
  commandUri,
  documentMarkdown,
  escapeInvisible,
  escapeMarkdown,
  labelText,
  listDocument,
  oneLine,
  shortText,
} from "../../../src/messages/escape-text.ts";
import {
  localeLabel,
  namedTexts,
  projectDisplayName,
  textLabel,
  textLine,
} from "../../../src/messages/labels.ts";
import { languageCounts } from "../../../src/messages/language-counts.ts";
import { translationRejectionMessage } from "../../../src/messages/machine-translation-rejection-messages.ts";
import { pendingCounts } from "../../../src/messages/pending-counts.ts";

test("a text on one line shows its line breaks and what is invisible, and is cut", () => {
  expect(oneLine("a\r\nb\nc\rd\u2028e\tf")).toBe("a↵b↵c↵d↵e f");
  expect(oneLine("a\u200bb\u202ec\u0007")).toBe("a[U+200B]b[U+202E]c[U+0007]");
  expect(oneLine("x".repeat(600))).toBe("x".repeat(600));
  expect(oneLine("x".repeat(601))).toBe(`${"x".repeat(600)}…`);
  expect(oneLine(`${"x".repeat(599)}😀`)).toBe(`${"x".repeat(599)}\ufffd…`);
  expect(escapeInvisible("a\nb\u200e")).toBe("a\nb[U+200E]");
});

test("a short text has at most so many characters, with its ellipsis", () => {
  expect(shortText("12345", 5)).toBe("12345");
  expect(shortText("123456", 5)).toBe("1234…");
  expect(shortText("123 56", 5)).toBe("123…");
  expect(shortText("😀😀😀", 2)).toBe("😀…");
});

test("texts are no Markdown, links, icons or commands", () => {
  expect(escapeMarkdown("[a](b)\n`c`")).toBe("&#91;a&#93;&#40;b&#41;↵&#96;c&#96;");
  expect(documentMarkdown("a*b_<c>&|[d]")).toBe(String.raw`a\*b_\<c\>\&\|\[d\]`);
  expect(listDocument("A *title*", ["one", "two|"])).toBe("# A \\*title\\*\n\n- one\n- two\\|\n");
  expect(codeMarkdown("zh-Hant")).toBe("`zh-Hant`");
  expect(codeMarkdown("a`b")).toBe("a&#96;b");
  expect(labelText("$(x) [a](b)")).toBe("$\u2060(x) [a]\u2060(b)");
  expect(labelText(labelText("$(x)"))).toBe(labelText("$(x)"));
  expect(commandUri("a.b", { c: "')(*" })).toBe("command:a.b?%5B%7B%22c%22%3A%22%27%29%28%2a%22%7D%5D");
});

test("texts with forms say each category", () => {
  const forms = { forms: { one: "een\n", other: "$(x)" } };
  expect(textLine(forms)).toBe("one: een↵ · other: $(x)");
  expect(textLabel(forms)).toBe("one: een↵ · other: $\u2060(x)");
  expect([textLine(null), textLabel(null), textLine({ value: "a" })]).toEqual(["", "", "a"]);
});

test("three keys are named with their languages, more are counted", () => {
  const text = (key: string, locale: string) => ({ name: { namespace: "*", key, context: null }, locale });
  const three = [text("a", "fr"), text("b", "fr"), text("a", "nl"), text("c", "nl")];
  expect(namedTexts(undefined, three)).toBe("a (fr, nl), b (fr), c (nl)");
  expect(namedTexts(undefined, [...three, text("d", "nl")])).toBe(
    "a (fr, nl), b (fr), c (nl) and 1 more key",
  );
  expect(namedTexts(undefined, [...three, text("d", "nl"), text("e", "nl")])).toMatch(/ and 2 more keys$/u);
});

test("a project has its name, else its slug, else that of its folder; a language that of the service", () => {
  const named = (session: object) => projectDisplayName({ session, label: "folder" } as never);
  expect(named({ kind: "signed-in", name: "Shop", slug: "shop" })).toBe("Shop");
  expect(named({ kind: "signed-in", name: "", slug: "shop" })).toBe("shop");
  expect(named({ kind: "signed-in", name: "", slug: "" })).toBe("folder");
  expect(named({ kind: "signed-out", name: "Shop", slug: "shop" })).toBe("folder");
  const stats = {
    languages: [
      { locale: "fr", name: "French" },
      { locale: "nl", name: "Dutch" },
    ],
  } as never;
  expect([localeLabel({ stats }, "nl"), localeLabel({ stats }, "de")]).toEqual([
    "Dutch (nl)",
    "Deutsch (de)",
  ]);
});

test("times change their unit when it is complete, and a time to come is now", () => {
  const now = Date.UTC(2026, 10, 27);
  const ago = (seconds: number): string => relativeTime(now - seconds * 1_000, now);
  expect([0, 59, 60, 3_599, 3_600, 86_399, 86_400].map(ago)).toEqual([
    "just now",
    "just now",
    "1 minute ago",
    "59 minutes ago",
    "1 hour ago",
    "23 hours ago",
    "yesterday",
  ]);
  expect([2_591_999, 2_592_000, 31_536_000, -500].map(ago)).toEqual([
    "29 days ago",
    "last month",
    "last year",
    "just now",
  ]);
  expect(formatDuration(0)).toBe("0 seconds");
});

test("source texts are counted apart from translations, which are said if there is nothing else", () => {
  expect([formatTexts(0, 0), formatTexts(0, 1), formatTexts(1, 0), formatTexts(2, 3)]).toEqual([
    "0 translations",
    "1 source text",
    "1 translation",
    "2 translations, 3 source texts",
  ]);
});

test("what is to be pushed are new and changed keys, what is to be pulled also source texts", () => {
  const pushCounts = { new: 2, changed: 3, restored: 5, unchanged: 7, archive: 11 };
  expect(pendingCounts({ pushCounts, pullCount: 4, sourceAtService: 1 })).toEqual({
    toPush: 5,
    toPull: 5,
    pulled: "4 translations, 1 source text",
  });
  expect(pendingCounts({ pushCounts: null, pullCount: null, sourceAtService: 1 })).toEqual({
    toPush: 0,
    toPull: 1,
    pulled: "1 source text",
  });
});

test("a language says its numbers, without those that are zero", () => {
  const now = Date.UTC(2026, 10, 27);
  const language = {
    percent: 87,
    outdated: 3,
    lastTranslatedAt: "2026-11-25T00:00:00Z",
    isSource: false,
    totalKeys: 9,
  };
  const of = (changes: object, issues = { errors: 2, warnings: 0 }, localOnly = 12) =>
    languageCounts({ ...language, ...changes } as unknown as Language, { issues, localOnly, now });
  expect(of({})).toEqual(["87%", "12 not on the service", "3 outdated", "2 QA errors", "2 days ago"]);
  expect(of({ isSource: true, outdated: 0, lastTranslatedAt: null }, { errors: 0, warnings: 0 }, 0)).toEqual([
    "source, 9 keys",
  ]);
});

test.each([
  [{ kind: "unknown" }, ""],
  [{ kind: "untrusted" }, "not trusted"],
  [{ kind: "signed-out" }, "signed out"],
  [{ kind: "refused", reason: "archived" }, "archived"],
  [{ kind: "refused", reason: "token" }, "token not accepted"],
  [{ kind: "signed-in", canWrite: true }, ""],
  [{ kind: "signed-in", canWrite: false }, "read-only"],
])("the session %j is said as “%s”", (session, text) => {
  expect(sessionText(session as never)).toBe(text);
});

test("what is wrong with an address, and what a request waits for, is said", () => {
  const said = (["not_a_url", "not_https", "credentials", "query"] as const).map(baseUrlErrorMessage);
  expect(said.map((message) => /web address|https:\/\/ \(|user name|“\?”/u.exec(message)?.[0])).toEqual([
    "web address",
    "https:// (",
    "user name",
    "“?”",
  ]);
  expect(noServiceError("https://a.example")).toMatchObject({
    code: "not_found",
    message: "There is no Project Translation Service at https://a.example. Check the address.",
  });
  const wait = (kind: string) => waitMessage({ kind } as never);
  expect([wait("busy"), wait("rate")]).toEqual(["Waiting: the project is busy", "Paused: rate limit"]);
});

test("a refused machine translation says its form, what is missing and what is too many", () => {
  const reason = { kind: "placeholders", form: "one", missing: [":a", ":b"], unexpected: [":c"] } as const;
  expect(translationRejectionMessage(reason)).toBe(
    "one: The placeholders differ from the source text. Missing: :a, :b. Too many: :c.",
  );
  expect(translationRejectionMessage({ ...reason, form: null, missing: [] })).toBe(
    "The placeholders differ from the source text. Too many: :c.",
  );
  expect(translationRejectionMessage({ kind: "categories", missing: ["few"], unexpected: [] })).toBe(
    "The plural forms are not those of the language. Missing: few.",
  );
  expect(translationRejectionMessage({ ...reason, kind: "markup", form: null })).toBe(
    "The markup differs from the source text. Missing: :a, :b. Too many: :c.",
  );
  expect(
    translationRejectionMessage({ kind: "too-long", form: null, length: 12, maxLength: 10 } as never),
  ).toBe("12 of at most 10 characters");
});

test.each([
  ["source-changed", "The source text was changed in the meantime."],
  ["no-source", "There is no source text."],
  ["singular", "The plural forms are missing."],
  ["plural", "There are plural forms, but the text is not plural."],
  ["empty", "The translation is empty."],
  ["markup-order", "The tags are not closed in order."],
  ["syntax", "The braces, or the branches of an ICU message, differ from the source text."],
  ["parts", "The parts between | differ from the source text."],
  ["source-repeated", "The source text was repeated."],
  ["characters", "There are control characters or line breaks that the source text does not have."],
  ["blanks", "The spaces at the ends, or the line breaks, differ from the source text."],
  ["not-only-text", "There is more than the translation."],
  ["unreadable", "The model’s answer could not be read."],
  ["missing", "The model gave no answer for this text."],
  ["ambiguous", "The model gave several answers for this text."],
  ["other-key", "The model may have answered for another key."],
  ["marks", "The model changed placeholders."],
])("a machine translation that is refused as %s: %s", (kind, sentence) => {
  expect(translationRejectionMessage({ kind } as never)).toBe(sentence);
});

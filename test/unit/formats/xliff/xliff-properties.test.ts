/** Properties of any XLIFF content: round trips, minimal edits, and no exception or endless loop. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { applyEdit, applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { type Change, entryId, type NewEntry, type ReadOptions } from "../../../../src/formats/format.ts";
import { decodeContent, writeContent } from "../../../../src/formats/xliff/xliff-inline-tags.ts";
import { xliffNames } from "../../../../src/formats/xliff/xliff-names.ts";
import { xliff12 } from "../../../../src/formats/xliff/xliff-format.ts";
import { PLAIN } from "../../../../src/formats/xml/xml-tokenizer.ts";
import { isEmptyText } from "../../../../src/model/translation-text.ts";
import { ANGULAR, DUTCH, FORMATS, SYMFONY, TWO } from "./xliff-samples.ts";
import { cpuTime } from "../../support/cpu-time.ts";
import { propertyRuns } from "../../support/full-run.ts";

const FIXTURES = resolve(import.meta.dirname, "../../../fixtures/translations/xliff");

const TORTURE = [
  "<",
  ">",
  "&",
  "&lt;",
  "&amp;",
  "]]>",
  "'",
  '"',
  "\n",
  "\r\n",
  "\t",
  " ",
  "<b>",
  '<x id="1"/>',
  "<x id='2' equiv-text=\"&lt;br>\"/>",
  '<g id="1">',
  "</g>",
  '<pc id="1">',
  "</pc>",
  '<ph id="1">',
  "</ph>",
  '&lt;x id="1"/>',
  '&amp;lt;g id="1">',
  "&lt;/g>",
  "&amp;amp;lt;/g>",
  "é",
  "\u00A0",
  "語",
  "🎉",
  "\u2028",
  "\uFFFD",
  "{n, plural, one {#} other {#}}",
];
const isXml = (text: string): boolean => !/[^\t\n\r\x20-\uFFFD]/.test(text) && text.isWellFormed();
const value = fc
  .array(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(...TORTURE)), { maxLength: 6 })
  .map((parts) => parts.join(""))
  .filter(isXml);
const key = fc.oneof(
  fc.constantFrom("a", "b.c", "b.d", "__proto__", "constructor", "x y", "é", '"q"', "<", "&amp;"),
  fc.string({ minLength: 1, maxLength: 6 }).filter(isXml),
);
const namespace = fc.constantFrom(null, "*", "f", "admin/users", "_", "_x002F_", "a b");
const entries = fc.uniqueArray(
  fc.record({
    key,
    namespace,
    context: fc.constant(null),
    text: value.map((said) => ({ value: said })),
    source: value.map((said) => ({ value: said })),
    description: fc.option(value.map((said) => said.trim()).filter((said) => said !== "")),
  }),
  { selector: (entry) => entryId(entry), maxLength: 6 },
);

/** The inline elements of each version with the attributes of which they have one, as the specifications list them. */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  xliff12: {
    ...Object.fromEntries(["x", "g", "bx", "ex", "bpt", "ept", "ph", "it"].map((name) => [name, ["id"]])),
    mrk: ["mtype"],
  },
  xliff20: {
    ...Object.fromEntries(["ph", "pc", "sc", "mrk", "sm"].map((name) => [name, ["id"]])),
    cp: ["hex"],
    ec: ["id", "startRef"],
    em: ["startRef"],
  },
};

/** What an inline tag is, by XML's grammar: `null` for what is none. */
function tagByGrammar(format: string, prefix: string, text: string): "open" | "close" | "empty" | null {
  const [, slash, name = "", attributes = "", end] =
    /^<(\/?)([a-zA-Z:]+)((?:\s+[a-zA-Z][\w:.-]*=(?:"[^<"]*"|'[^<']*'))*)\s*(\/?)>$/.exec(text) ?? [];
  const required = name.startsWith(prefix) ? REQUIRED[format]?.[name.slice(prefix.length)] : undefined;
  if (required === undefined) return null;
  if (slash === "/") return attributes === "" && end === "" ? "close" : null;
  // A value may contain what looks like another attribute.
  const given = [...attributes.matchAll(/([\w:.-]+)=(?:"[^"]*"|'[^']*')/g)].map(
    ([, attribute = ""]) => attribute,
  );
  const isWellFormed =
    new Set(given).size === given.length && !/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/.test(attributes);
  return isWellFormed && given.some((one) => required.includes(one))
    ? end === "/"
      ? "empty"
      : "open"
    : null;
}

const tagLike = fc
  .tuple(
    fc.constantFrom("<", "<", "<", "</", "<l:", "<l:", "</l:"),
    fc.constantFrom("x", "g", "ph", "mrk", "pc", "cp", "ec", "bpt", "xx", "b", "phx", "X", ""),
    fc.array(
      fc
        .tuple(
          fc.constantFrom(" ", " ", " ", "\n\t", ""),
          fc.constantFrom("id", "id", "mtype", "hex", "startRef", "a:b", "Z-1._", "1", "", "é"),
          fc.constantFrom("=", "=", "=", "=", " =", ""),
          fc.constantFrom('"1"', "'2'", '"&amp;\'>"', "'\"'", '""', '"&"', '"&#x41;&#9;"', '"<"', '"', "1"),
        )
        .map((parts) => parts.join("")),
      { maxLength: 3 },
    ),
    fc.constantFrom("", "", " ", "\n"),
    fc.constantFrom(">", "/>", "/>", "/ >", ""),
  )
  .map(([start, name, attributes, blank, end]) => start + name + attributes.join("") + blank + end);

/** Throws when the document is not well-formed, in its namespaces too. */
function parse(file: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(file).close();
}

function contents(format: (typeof FORMATS)[number], file: string, options: ReadOptions): Map<string, string> {
  return new Map(
    format
      .read(file, options)
      .entries.map((entry) => [entryId(entry), "value" in entry.text ? entry.text.value : "forms"]),
  );
}

/** Line ends, quotes and indentation as other tools and systems leave them. */
const dress = fc.constantFrom<(file: string) => string>(
  (file) => file,
  (file) => file.replaceAll("\n", "\r\n"),
  (file) => file.replaceAll(/^ +(?=<)/gm, (blanks) => "\t".repeat(blanks.length / 2)),
  (file) => file.replaceAll(/\n *(?=<)/g, ""),
  (file) => file.replaceAll("/>", " />"),
);

describe.each(FORMATS.map((format) => [format.name, format] as const))("%s", (name, format) => {
  const names = xliffNames(name === "xliff12" ? "1.2" : "2.0", "");

  test.each([" ", "\t", "\n", "\r\n"])("recognises a tag that %j ends", (blank) => {
    const tag = `<ph id="1"${blank}/>`;
    expect([tagByGrammar(name, "", tag), decodeContent(tag, names).editable]).toEqual(["empty", true]);
  });

  test.each(["", "l:"])("recognises tags by XML's grammar, with the prefix %j", (prefix) => {
    const own = xliffNames(name === "xliff12" ? "1.2" : "2.0", prefix);
    fc.assert(
      fc.property(tagLike, (tag) => {
        const kind = tagByGrammar(name, prefix, tag);
        expect([decodeContent(tag, own).editable, tag]).toEqual([kind !== null, tag]);
        const text = `a${tag}${kind === "open" ? `b</${prefix}${/[a-z]+(?![a-z:])/.exec(tag)?.[0]}>` : ""}c`;
        const { plainText } = writeContent(text, own, "\n", PLAIN, []);
        expect([plainText, tag]).toEqual([kind === null || kind === "close" ? text : null, tag]);
      }),
      propertyRuns(10_000),
    );
  });

  test("round-trips texts", () => {
    fc.assert(
      fc.property(value, (said) => {
        const { raw } = writeContent(said, names, "\n", PLAIN, []);
        expect(decodeContent(raw, names)).toMatchObject({ text: said, editable: true });
      }),
      propertyRuns(2_000),
    );
  });

  test("round-trips content", () => {
    const part = fc.constantFrom(
      "a",
      "&amp;",
      "&lt;",
      'x id="1"/>',
      "amp;",
      "lt;",
      '<x id="1"/>',
      '<ph id="2"/>',
      "b ",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const raw = parts.join("");
        const { text, editable } = decodeContent(raw, names);
        if (editable) expect(writeContent(text, names, "\n", PLAIN, []).raw).toBe(raw);
      }),
      propertyRuns(1_000),
    );
  });

  test.each([DUTCH, { locale: "en", sourceLocale: "en" }])("reads what it printed in %j", (options) => {
    fc.assert(
      fc.property(entries, (list: readonly NewEntry[]) => {
        const file = format.print(list, options);
        parse(file);
        const { entries: read, problems } = format.read(file, options);
        expect(problems).toEqual([]);
        const isOwn = options.locale === "en";
        const ordered = [...Map.groupBy(list, (entry) => entry.namespace)].flatMap(([, group]) => group);
        expect(read).toMatchObject(
          ordered.map((entry) => ({
            ...entry,
            source: isOwn ? null : entry.source,
            description: entry.description ?? null,
          })),
        );
      }),
      propertyRuns(300),
    );
  });

  test("applies edits exactly and stays well-formed", () => {
    const wanted = fc.array(fc.record({ key, namespace, text: fc.option(value), source: value }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(entries, wanted, fc.infiniteStream(fc.nat()), dress, (list, more, picks, dressed) => {
        const file = dressed(format.print(list, DUTCH));
        const before = contents(format, file, DUTCH);
        const known = format.read(file, DUTCH).entries;
        const changes = more.map((one): Change => {
          const pick = picks.next().value;
          const old = pick % 2 === 0 ? known[pick % Math.max(1, known.length)] : undefined;
          const said = one.text === null ? null : { value: one.text };
          const { key, namespace } = old ?? one;
          return { key, namespace, context: null, text: said, source: { value: one.source } };
        });
        const applied = applyEdit(format, file, changes, DUTCH);
        expect(applySplices(file, applied.splices)).toBe(applied.text);
        expect(applied.refused.filter(({ reason }) => reason === "conflict")).toEqual([]);
        parse(applied.text);
        const refused = new Set(applied.refused.map((one) => entryId(one)));
        const expected = new Map(before);
        for (const change of changes) {
          if (refused.has(entryId(change))) continue;
          if (change.text === null) expected.delete(entryId(change));
          else expected.set(entryId(change), "value" in change.text ? change.text.value : "");
        }
        expect(contents(format, applied.text, DUTCH)).toEqual(expected);
      }),
      propertyRuns(400),
    );
  });

  test("restores the bytes when a change is reverted", () => {
    // Tags may come back only when the source has them.
    const filled = entries.map((list) =>
      list.filter(({ text }) => text.value !== "").map((entry) => ({ ...entry, source: entry.text })),
    );
    fc.assert(
      fc.property(filled, value, dress, (list, said, dressed) => {
        const file = dressed(format.print(list, DUTCH));
        for (const { key, namespace, text } of format.read(file, DUTCH).entries) {
          if (isEmptyText(text)) continue;
          const change = { key, namespace, context: null };
          const there = applyEdit(format, file, [{ ...change, text: { value: said || "x" } }], DUTCH);
          if (there.refused.length > 0) continue;
          expect(applyEdit(format, there.text, [{ ...change, text }], DUTCH).text).toBe(file);
        }
        const added = { key: "brand new", namespace: list[0]?.namespace ?? null, context: null };
        if (list.length === 0) return;
        const grown = applyEdit(format, file, [{ ...added, text: { value: "x" } }], DUTCH).text;
        expect(grown).not.toBe(file);
        expect(applyEdit(format, grown, [{ ...added, text: null }], DUTCH).text).toBe(file);
      }),
      propertyRuns(150),
    );
  });

  test("never throws", () => {
    const fixtures = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".xlf"))
      .map((path) => readFileSync(resolve(FIXTURES, path), "utf8"));
    const junk = fc.constantFrom(
      "<",
      ">",
      "&",
      '"',
      "'",
      "/",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?",
      "<!DOCTYPE [",
      "\0",
      "=",
      "</target>",
      "<target>",
      "<file>",
      "<unit>",
      "\r",
      "„",
    );
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(60),
      put: fc.oneof(junk, fc.string({ maxLength: 6 })),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(SYMFONY, ANGULAR, TWO, ...fixtures),
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        (file, damages) => {
          let text = file;
          for (const { at, cut, put } of damages) {
            const from = Math.floor(at * text.length);
            text = text.slice(0, from) + put + text.slice(from + cut);
          }
          const { entries: read, problems } = format.read(text, DUTCH);
          for (const { span } of problems)
            expect(span.start >= 0 && span.start <= span.end && span.end <= text.length).toBe(true);
          for (const { key, namespace, keySpan, valueSpan } of read.slice(0, 2)) {
            for (const span of [keySpan, valueSpan])
              expect(span.start <= span.end && span.end <= text.length).toBe(true);
            const change = { key, namespace, context: null };
            const applied = applyEdit(format, text, [{ ...change, text: { value: "x" } }], DUTCH);
            if (applied.refused.length === 0) {
              expect(
                format.read(applied.text, DUTCH).entries.find((one) => entryId(one) === entryId(change))
                  ?.text,
              ).toEqual({ value: "x" });
            }
          }
        },
      ),
      propertyRuns(1_000),
    );
  });
});

describe("size", () => {
  const many = 30_000;
  const head = '<xliff version="1.2"><file original="a" target-language="nl"><body>';
  const unit = (inner: string): string =>
    `${head}<trans-unit id="k"><source>s</source><target>${inner}</target></trans-unit></body></file></xliff>`;

  test.each<[string, string]>([
    ["nested elements", head + "<group>".repeat(many)],
    ["end tags that fit nothing", head + "<a>".repeat(many) + "</b>".repeat(many)],
    ["crossed tags", head + "<a><b></a></b>".repeat(many)],
    ["nested tags", unit('<g id="1">'.repeat(many) + "</g>".repeat(many))],
    ["words like tags", unit('&lt;x id="1"/&gt;'.repeat(many))],
    ["words nearly like tags", unit("&lt;x id='".repeat(many) + '&lt;x id="'.repeat(many))],
    ["escapes of escapes", unit(`&amp;${"amp;".repeat(many)}lt;x id="1"/>`)],
    ["bare <", unit("<".repeat(many))],
    ["open quotes", unit(`<x a="`.repeat(many) + `<x a='`.repeat(many))],
    ["crossed quotes", head + `<x a="' b='"`.repeat(many)],
    ["attributes", `<xliff ${'a="1" '.repeat(many)}>`],
    ["attributes of a tag", unit(`<x ${'a="1" '.repeat(many)}/>`)],
    ["sections", unit("<![CDATA[x]]>".repeat(many))],
    [
      "segments",
      `<xliff version="2.0"><file id="a"><unit id="k">${"<segment><source>x</source></segment>".repeat(many)}</unit></file></xliff>`,
    ],
    [
      "notes",
      head + `<trans-unit id="k">${"<note>x</note>".repeat(many)}</trans-unit></body></file></xliff>`,
    ],
    ["comments that do not end", head + "<!-- ".repeat(many)],
    ["declarations", `<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(many)}]>${unit("&a;")}`],
    ["quotes in declarations", `<!DOCTYPE x [${`"'`.repeat(many)}`],
    ["one long line", unit("x".repeat(3_000_000))],
    [
      "duplicates",
      head +
        '<trans-unit id="k"><source>s</source></trans-unit>'.repeat(many / 10) +
        "</body></file></xliff>",
    ],
    ["ampersands", unit("&".repeat(many))],
  ])("reads %s in linear time", (_, file) => {
    const started = cpuTime();
    const { entries: read } = xliff12.read(file, DUTCH);
    const id = { key: "k", namespace: read[0]?.namespace ?? null, context: null };
    const said = { ...id, text: { value: 'x <g id="1"></g>' } };
    xliff12.edit(file, [said, { ...said, key: "new" }], DUTCH);
    expect(cpuTime() - started).toBeLessThan(5_000);
  });
});

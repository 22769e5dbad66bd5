/** Where XLIFF units are inserted, and how: line ends, indentation, prefixes, ids and empty elements of the file. */
import { expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { xliff12, xliff20 } from "../../../../src/formats/xliff/xliff-format.ts";
import { fileId } from "../../../../src/formats/xliff/xliff-serializer.ts";
import { ENGLISH } from "../editing.ts";
import { changed, documentOf, DUTCH, refusal, SYMFONY, texts, unitOf } from "./xliff-samples.ts";

const NEW_VERSION = `<xliff version="2.0" srcLang="en" trgLang="nl">
<file id="f">
  <unit id="b"><segment><source>b</source></segment></unit>
</file>
</xliff>
`;

test("a unit is added on a line of its own before the first, though another one follows that on its line", () => {
  const unit = (key: string): string => unitOf(key).trim();
  const file = (first: string): string =>
    documentOf({ f: `${first}${unit("b")}${unit("c")}\n${unitOf("d")}` });
  const there = changed(file("  "), "a", "a", { source: { value: "a" } });
  expect(there).toBe(file(`  ${unit("a")}\n  `));
});

test("the first unit of a file is added to the first of its bodies", () => {
  const two = '<xliff version="1.2"><file original="f" target-language="nl"><body/><body/></file></xliff>';
  expect(changed(two, "n", "x", { namespace: "f" })).toMatch(/<body>.*<\/body><body\/><\/file>/su);
});

test("a unit is added behind the last one, though the end of the body is on its line", () => {
  const file = (units: string): string => documentOf({ f: units });
  const before = file(`${unitOf("b")}${unitOf("a").trimEnd()} `);
  const there = changed(before, "n", "n", { source: { value: "n" } });
  expect(there).toBe(file(`${unitOf("b")}${unitOf("a")}${unitOf("n").trimEnd()} `));
});

test("the style of texts and the spelling of empty elements is that of all files and of sources and targets", () => {
  const quoted = unitOf("b", "<source>&quot;b&quot;</source>");
  const file = documentOf({ f: unitOf("a", "<source>a</source>"), g: quoted });
  expect(changed(file, "a", '"x"')).toContain("<target>&quot;x&quot;</target>");
  const targets = documentOf(
    { f: unitOf("a", "<source>x</source>") + unitOf("b", "<source>y</source><target/>") },
    "",
  );
  expect(changed(targets, "a", "", {}, ENGLISH)).toBe(targets.replace("<source>x</source>", "<source/>"));
});

test("a target that repeats its source is left out where others are empty", () => {
  const file = (own: string): string =>
    documentOf(
      { f: unitOf("a", `<source>A</source>${own}`) + unitOf("b", "<source>b</source><target/>") },
      "",
    );
  expect(changed(file("<target>x</target>"), "a", "A", {}, ENGLISH)).toBe(file("<target/>"));
});

test("an equal text of a read-only unit is no change, and a control character at the start is refused", () => {
  const file = documentOf({ f: unitOf("a", "<source>a</source><target>b<!-- c --></target>") });
  expect(changed(file, "a", "b")).toBe(file);
  expect(refusal(file, "a", "c")).toBe("unsupported");
  expect(refusal(SYMFONY, "cart.title", "\u0001x")).toBe("unsupported");
});

test("a section has as many ends of sections as the text", () => {
  const file = documentOf({ f: unitOf("a", "<source>a</source><target><![CDATA[b]]></target>") });
  const there = changed(file, "a", "]]>]]>");
  expect(there).toContain("<![CDATA[]]]]><![CDATA[>]]]]><![CDATA[>]]></target>");
  expect(texts(there)).toEqual([["a", "]]>]]>"]]);
});

test("a new namespace has the languages of the last file, and no break in a document of one line", () => {
  const line = `<xliff version="1.2"><file original="f" source-language="nl" target-language="en"><body/></file><file original="g" source-language="en" target-language="nl"><body/></file></xliff>`;
  expect(changed(line, "n", "x", { namespace: "h" })).toBe(
    line.replace(
      "</xliff>",
      `<file original="h" source-language="en" target-language="nl"><body><trans-unit id="n" resname="n"><source>n</source><target>x</target></trans-unit></body></file></xliff>`,
    ),
  );
});

test("units of an empty body and of a new file are indented as the file is", () => {
  const tabs = `<xliff version="1.2">\n\t<file original="f" target-language="nl">\n\t\t<body>\n\t\t</body>\n\t</file>\n</xliff>\n`;
  const unit = `\t\t\t<trans-unit id="n" resname="n">\n\t\t\t\t<source>n</source>\n\t\t\t\t<target>x</target>\n\t\t\t</trans-unit>\n`;
  expect(changed(tabs, "n", "x", { namespace: "f" })).toBe(tabs.replace("\t\t</body>", `${unit}\t\t</body>`));
  const flat = documentOf({ f: unitOf("a") });
  expect(changed(flat, "n", "x", { namespace: "g" })).toContain(
    '</file>\n<file original="g" source-language="en"',
  );
});

test.each(["\n", "\r", "\r\n"])(
  "a unit is on lines of its own where the file's lines end with %j",
  (newline) => {
    const file = (units: string): string => documentOf({ f: units }).replaceAll("\n", newline);
    const unit = `  <trans-unit id="n" resname="n">\n    <source>n</source>\n    <target>x</target>\n  </trans-unit>\n`;
    expect(changed(file(""), "n", "x", { namespace: "f" })).toBe(file(unit));
  },
);

test.each([
  ["1.2", `<x:xliff version="1.2"><x:file original="f" target-language="nl"/></x:xliff>`],
  ["2.0", `<x:xliff version="2.0" srcLang="en" trgLang="nl"><x:file id="f"/></x:xliff>`],
])("all elements of a new unit of %s have the prefix of the document", (version, text) => {
  const entry = { key: "n", context: null, namespace: "f", text: { value: "" }, description: "d" };
  const { text: there, refused } = applyEdit(xliff12, text, [entry], DUTCH);
  expect(refused).toEqual([]);
  expect(there.match(/<(?!\/?x:)[^>]*>/gu)).toBeNull();
  expect(there).toContain(
    version === "1.2" ? "<x:body><x:trans-unit" : "<x:notes><x:note>d</x:note></x:notes><x:segment>",
  );
  expect(there).toContain("<x:source>n</x:source><x:target/>");
});

test("a new unit has only the attributes that the first and the last one have", () => {
  const unit = (key: string, type = ' datatype="html"'): string =>
    unitOf(key).replace(`"${key}"`, `"${key}"${type}`);
  for (const [first, last, has] of [
    [unit("a"), unit("z"), true],
    [unit("a", ""), unit("z"), false],
    [unit("a"), unit("z", ""), false],
  ] as const) {
    const there = changed(documentOf({ f: first + unit("m") + last }), "n", "n", { namespace: "f" });
    expect(/<trans-unit id="n"[^>]*>/u.exec(there)?.[0].includes("datatype")).toBe(has);
  }
});

test("a comment above a file stays when the file is removed", () => {
  const text = documentOf({ f: unitOf("a"), g: unitOf("b") }).replace('<file original="g"', "<!-- c -->\n$&");
  const gone = { key: "b", context: null, namespace: "g", text: null };
  expect(applyEdit(xliff12, text, [gone], DUTCH).text).toBe(
    documentOf({ f: unitOf("a") }).replace("</xliff>", "<!-- c -->\n</xliff>"),
  );
});

test("a new unit has a number of its own behind its id, and one from its key if that is none", () => {
  expect(changed(documentOf({ f: unitOf("a") }), "n-1.x:y_z", "x")).toContain('id="n-1.x:y_z"');
  const named = ["n", "n-2"].map((id, index) => unitOf(id).replace(">", ` resname="k${index}">`)).join("");
  expect(changed(documentOf({ f: named }), "n", "x")).toContain('id="n-3" resname="n"');
  const ids = (keys: readonly string[]): readonly string[] | null =>
    xliff20
      .print(
        keys.map((key) => ({ key, context: null, text: { value: "x" } })),
        DUTCH,
      )
      .match(/(?<=<unit id=")[^"]*/gu);
  // FNV-1a, with all of its eight digits.
  expect(ids(["a b314", "", "a b"])).toEqual([
    "u0f378ff6",
    "u811c9dc5",
    expect.stringMatching(/^u[\da-f]{8}$/u),
  ]);
  expect(xliff12.print([{ key: "", context: null, text: { value: "x" } }], DUTCH)).toContain(
    'id="u811c9dc5" resname=""',
  );
});

test.each([
  [null, "_"],
  ["", "_"],
  ["_", "_x005F_"],
  ["a/b c:d.e-f", "a_x002F_b_x0020_c:d.e-f"],
  ["_x002F_", "_x005F_x002F_"],
])("the namespace %j is the id %j of a file of 2.0", (namespace, id) => {
  expect(fileId(namespace)).toBe(id);
  const text = NEW_VERSION.replace('id="f"', `id="${id}"`);
  expect(xliff20.read(text, DUTCH).namespaces).toEqual([namespace === "" ? null : namespace]);
  const lower = NEW_VERSION.replace('id="f"', 'id="a_x002f_b"');
  expect(xliff20.read(lower, DUTCH).namespaces).toEqual(["a/b"]);
});

test("a new file is laid out like the first of the others, and has no character that XML does not allow", () => {
  const example = (text: string) => ({ text, bom: false, locale: "fr" });
  const examples = [example("<a>\r\n\t<b/>\r\n</a>"), example("<a>\n  <b/>\n</a>")];
  const entry = { key: "k", context: null, text: { value: "x\u0001" } };
  expect(xliff12.print([entry], { ...DUTCH, examples })).toContain(
    '\r\n\t\t\t<trans-unit id="k" resname="k">\r\n\t\t\t\t<source>k</source>\r\n\t\t\t\t<target>x\ufffd</target>\r\n',
  );
});

test("texts beside tags have the line ends of the file, and only the source's own tags", () => {
  const tag = '<x id="1"/>';
  const file = documentOf({ f: unitOf("a", `<source>${tag}</source>`) }).replaceAll("\n", "\r\n");
  expect(changed(file, "a", `b\n${tag}c`)).toContain(`<target>b\r\n${tag}c</target>`);
  expect(refusal(file, "a", '<g id="1">b</g>')).toBe("unsupported");
});

test.each([
  [`a <x id="1" equiv-text="&lt;x id='2'/>"/>`, 1],
  ['<x id="1"/> <x id="2" a="3" b="3" c="3" d="3" e="3" f="3" g="3" h="3" i="3" j="3" k="3" l="3"/>', 2],
])("%s is read as it is written, with its tags", (content, tags) => {
  const file = documentOf({ f: unitOf("a", `<source>${content}</source><target>b</target>`) });
  expect(changed(file, "a", content)).toContain(`<target>${content}</target>`);
  expect(content.match(/<x /gu)).toHaveLength(tags);
});

test("a tag with implausibly many attributes, or with an end that is none, is text", () => {
  const many = `<x id="1" ${Array.from({ length: 42 }, (_, index) => `a${index}="1"`).join(" ")}/>`;
  for (const said of [many, '<g id="1">b</g c', '<g id="1">b</g c>']) {
    const there = changed(documentOf({ f: unitOf("a") }), "a", said);
    expect(there).toContain(`<target>${said.replaceAll("<", "&lt;")}</target>`);
    expect(texts(there)).toEqual([["a", said]]);
  }
});

test("the end of a 2.0 code names its start", () => {
  const content = '<sc id="1"/>b<ec startRef="1"/>';
  const text = NEW_VERSION.replace("<source>b<", `<source>${content}<`);
  const there = changed(text, "b", content);
  expect(there).toContain(`<target>${content}</target>`);
  expect(xliff20.read(there, DUTCH).entries[0]?.source).toEqual({ value: content });
});

test("of a tag with two identities, the first one counts", () => {
  const source = '<source><sc id="1"/>b<ec startRef="1" id="9"/></source>';
  const file = `<xliff version="2.0" srcLang="en" trgLang="nl"><file id="f"><unit id="u"><segment>${source}</segment></unit></file></xliff>`;
  const said = (start: string): string => `<sc id="1"/>c<ec startRef="${start}" id="9"/>`;
  expect(changed(file, "u", said("1"))).toContain(`<target>${said("1")}</target>`);
  expect(refusal(file, "u", said("2"))).toBe("unsupported");
});

test("only the root of XLIFF is one, and nothing is written where its structure is damaged anywhere", () => {
  expect(xliff12.read(`<myxliff version="1.2"/>`, DUTCH).problems).toMatchObject([{ code: "type" }]);
  const flawed = unitOf("a") + unitOf("b", "<source b=c>b</source>");
  expect(refusal(`<!DOCTYPE xliff []>\n${documentOf({ f: flawed })}`, "a", "x")).toBe("syntax");
  expect(refusal(documentOf({ f: flawed }), "a", "x")).toBeUndefined();
});

test("the first of several unknown references is reported, and a length of more than three digits is read", () => {
  const text = documentOf({
    f: unitOf("a", "<source>&one; &two;</source><target>&three;</target>").replace(
      'id="a"',
      'id="a" maxwidth="1200" size-unit="char"',
    ),
  });
  const { problems, entries } = xliff12.read(text, DUTCH);
  expect(problems.map(({ span }) => text.slice(span.start, span.start + 4))).toEqual(["&one"]);
  expect(entries[0]?.maxLength).toBe(1200);
});

test("a unit may have more damaged segments than a call has arguments", () => {
  const segments = "<segment><source>&one;</source></segment>".repeat(150_000);
  const text = `<xliff version="2.0" srcLang="en" trgLang="nl"><file id="f"><unit id="u">${segments}</unit></file></xliff>`;
  const { problems } = xliff20.read(text, DUTCH);
  expect(problems.map(({ span }) => span.start)).toEqual([text.indexOf("&one")]);
});

test.each([
  ["new", "translated"],
  ["needs-translation", "translated"],
  ["needs-review-translation", "needs-review-translation"],
  ["final", "final"],
])("a target with the state %s has the state %s when it is changed", (before, after) => {
  const file = (state: string, text: string): string =>
    documentOf({ f: unitOf("a", `<source>a</source><target state="${state}">${text}</target>`) });
  expect(changed(file(before, "b"), "a", "c")).toBe(file(after, "c"));
});

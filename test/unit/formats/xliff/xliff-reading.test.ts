/** Reads XLIFF: texts of a locale, sources, notes, inline tags, and problems. */
import { describe, expect, test } from "vitest";
import type { Problem, ReadOptions } from "../../../../src/formats/format.ts";
import { sideOf, singleText } from "../../../../src/formats/xliff/xliff-entries.ts";
import { xliff12, xliff20 } from "../../../../src/formats/xliff/xliff-format.ts";
import { ANGULAR, DUTCH, refusal, SYMFONY, texts, TWO } from "./xliff-samples.ts";

const ENGLISH: ReadOptions = { locale: "en", sourceLocale: "en" };

function one(inner: string, languages = 'source-language="en" target-language="nl"'): string {
  return `<xliff version="1.2"><file original="a" ${languages}><body>${inner}</body></file></xliff>`;
}

/** What a target of this content is read as. */
function target(inner: string): string | undefined {
  return texts(one(`<trans-unit id="k"><source>s</source><target>${inner}</target></trans-unit>`))[0]?.[1];
}

/** Line and word of each problem. */
function problemsIn(file: string): [string, number, string][] {
  return xliff12
    .read(file, DUTCH)
    .problems.map(({ code, span }: Problem) => [
      code,
      file.slice(0, span.start).split("\n").length,
      file.slice(span.start, Math.min(span.end, span.start + 16)),
    ]);
}

describe("units", () => {
  test("use resname or id as key, and original as namespace", () => {
    const { entries, locale, problems } = xliff12.read(SYMFONY, DUTCH);
    expect(problems).toEqual([]);
    expect(locale).toBe("nl");
    expect(entries.map(({ key, namespace, context }) => [key, namespace, context])).toEqual([
      ["cart.title", "messages.en.xlf", null],
      ["cart.pay", "messages.en.xlf", null],
      ["user.name", "messages.en.xlf", null],
      ["user.mail", "messages.en.xlf", null],
    ]);
    expect(texts(ANGULAR).map(([key]) => key)).toEqual(["8186013988289067040", "2"]);
  });

  test("2.0: use name or id as key, and the file's id as namespace", () => {
    const { entries, locale } = xliff20.read(TWO, DUTCH);
    expect(locale).toBe("nl");
    expect(entries.map(({ key, namespace }) => [key, namespace])).toEqual([
      ["cart.title", "ngi18n"],
      ["u2", "ngi18n"],
      ["u3", "ngi18n"],
    ]);
  });

  test("are read by the declared version", () => {
    expect(xliff12.read(TWO, DUTCH)).toEqual(xliff20.read(TWO, DUTCH));
    // A later version is more like the newest one.
    const later = TWO.replace('version="2.0"', 'version="3.0"');
    expect(xliff12.read(later, DUTCH)).toEqual(xliff20.read(TWO, DUTCH));
  });

  test("have ranges of key and content", () => {
    const { entries } = xliff12.read(SYMFONY, DUTCH);
    const cut = ({ start, end }: { start: number; end: number }): string => SYMFONY.slice(start, end);
    expect(entries.map((entry) => [cut(entry.keySpan), cut(entry.valueSpan)])).toEqual([
      ["cart.title", "Mandje"],
      ["cart.pay", "Pay &amp; go"],
      ["user.name", ""],
      ["user.mail", "<target/>"],
    ]);
    expect(SYMFONY.slice(0, entries[2]?.valueSpan.start).endsWith("<source>Name</source>")).toBe(true);
    const { start, end } = xliff20.read(TWO, DUTCH).entries[1]?.valueSpan ?? {};
    expect(TWO.slice(start, end).replaceAll(/\s*\n\s*/gu, "")).toMatch(/^Een\. <.*>Twee\.$/u);
  });

  test("use notes as description, except of location, meaning and target", () => {
    expect(xliff12.read(SYMFONY, DUTCH).entries[1]?.description).toBe("The green button");
    expect(xliff12.read(ANGULAR, DUTCH).entries[0]?.description).toBe("A greeting");
    expect(xliff20.read(TWO, DUTCH).entries[0]?.description).toBe("The page's title");
    const notes =
      '<note annotates="target">t</note><note from="translator">x</note><note>a</note><note> \n</note><note> b\n</note>';
    const file = one(`<trans-unit id="k"><source>s</source>${notes}</trans-unit>`);
    expect(xliff12.read(file, DUTCH).entries[0]?.description).toBe("a\nb");
    const remark = file.replace('from="translator"', 'annotates="general" from="translator"');
    expect(xliff12.read(remark, DUTCH).entries[0]?.description).toBe("a\nb");
    const about = TWO.replace('category="description"', 'appliesTo="target"');
    expect(xliff20.read(about, DUTCH).entries[0]?.description).toBeNull();
    const location = TWO.replace('category="description"', 'appliesTo="source" category="location"');
    expect(xliff20.read(location, DUTCH).entries[0]?.description).toBeNull();
  });

  test("use the id where the name is empty", () => {
    const unit = '<trans-unit id="k" resname=""><source>s</source><target>t</target></trans-unit>';
    expect(texts(one(unit))).toEqual([["k", "t"]]);
    expect(texts(TWO.replace('name="cart.title"', 'name=""')).map(([key]) => key)).toEqual([
      "u1",
      "u2",
      "u3",
    ]);
  });

  test("are read from each body of a file", () => {
    const unit = (id: string): string => `<trans-unit id="${id}"><source>s</source></trans-unit>`;
    expect(texts(one(`${unit("a")}</body><body>${unit("b")}`)).map(([key]) => key)).toEqual(["a", "b"]);
  });

  test("2.0: cannot be written where all that they have is to be ignored", () => {
    const ignored = TWO.replace(
      /<segment>(\s*<source>Three<\/source>\s*)<\/segment>/u,
      "<ignorable>$1</ignorable>",
    );
    expect(ignored).not.toBe(TWO);
    expect(xliff20.read(ignored, DUTCH).entries[2]).toMatchObject({ key: "u3", readOnly: "unsupported" });
    expect(refusal(ignored, "u3", "Drie")).toBe("unsupported");
  });

  test("are read from several files, nested groups, alternatives and foreign elements", () => {
    const file = `<x:xliff xmlns:x="u" version="1.2"><x:file original="one"><x:header><x:note>no</x:note></x:header><x:body>
      <x:group><x:group><x:trans-unit id='k'><x:source>a</x:source><x:target>b</x:target>
        <x:alt-trans><x:source>no</x:source><x:target>no</x:target></x:alt-trans><source>no</source>
      </x:trans-unit></x:group></x:group><trans-unit id="no"><source>no</source></trans-unit></x:body></x:file>
      <x:file><x:body><x:trans-unit id="k"><x:source>c</x:source><x:target>d <x:x id="1"/></x:target></x:trans-unit></x:body></x:file></x:xliff>`;
    const { entries, problems } = xliff12.read(file, DUTCH);
    expect(problems).toEqual([]);
    expect(entries.map(({ namespace, key, text }) => [namespace, key, text])).toEqual([
      ["one", "k", { value: "b" }],
      [null, "k", { value: 'd <x:x id="1"/>' }],
    ]);
  });

  test("use the last of duplicates, also across file elements of one name", () => {
    const unit = (text: string): string =>
      `<trans-unit id="k"><source>s</source><target>${text}</target></trans-unit>`;
    const twice = one(unit("a") + unit("b"));
    expect(texts(twice)).toEqual([["k", "b"]]);
    expect(problemsIn(twice)).toEqual([["duplicate", 1, "k"]]);
    const files = twice.replace("</trans-unit><", '</trans-unit></body></file><file original="a"><body><');
    expect(texts(files)).toEqual([["k", "b"]]);
  });

  test("2.0: combine several segments into a read-only text", () => {
    const [, entry] = xliff20.read(TWO, DUTCH).entries;
    expect(entry).toMatchObject({
      text: { value: "Een.  Twee." },
      source: { value: "One.  Two." },
      readOnly: "unsupported",
    });
    const prefixed = TWO.replaceAll(/<(\/?)(?=[a-z])/gu, "<$1x:").replace("xmlns=", "xmlns:x=");
    expect(xliff20.read(prefixed, DUTCH).entries[1]).toMatchObject({
      text: { value: "Een.  Twee." },
      source: { value: "One.  Two." },
    });
    expect(
      xliff20.read(TWO.replaceAll(/<target>(Een|Twee)\. ?<\/target>/g, ""), DUTCH).entries[1]?.text,
    ).toEqual({ value: "" });
  });
});

describe("languages", () => {
  test("read targets with sources from a translation", () => {
    const { entries } = xliff12.read(SYMFONY, DUTCH);
    expect(entries.map(({ text, source }) => [text, source])).toEqual([
      [{ value: "Mandje" }, { value: "Cart" }],
      [{ value: "Pay & go" }, { value: "Pay & go" }],
      [{ value: "" }, { value: "Name" }],
      [{ value: "" }, { value: "Mail" }],
    ]);
  });

  test("read targets, else sources, from the source locale's file", () => {
    const own = SYMFONY.replace('target-language="nl"', 'target-language="en"');
    expect(texts(own, ENGLISH)).toEqual([
      ["cart.title", "Mandje"],
      ["cart.pay", "Pay & go"],
      ["user.name", "Name"],
      ["user.mail", "Mail"],
    ]);
    expect(xliff12.read(own, ENGLISH).entries.every(({ source }) => source === null)).toBe(true);
    const extracted = ANGULAR.replace(' target-language="nl"', "").replaceAll(
      / *<target>.*<\/target>\n/g,
      "",
    );
    expect(xliff12.read(extracted, ENGLISH).locale).toBe("en");
    expect(texts(extracted, ENGLISH)[0]?.[1]).toBe('Hello <x id="INTERPOLATION" equiv-text="{{ name }}"/>!');
  });

  test("read sources from a file with only the requested language", () => {
    const file = one('<trans-unit id="k"><source>Hallo</source></trans-unit>', 'source-language="nl"');
    expect(texts(file)).toEqual([["k", "Hallo"]]);
  });

  test("read sources of a translation as read-only", () => {
    const [entry] = xliff12.read(SYMFONY, ENGLISH).entries;
    expect(entry).toMatchObject({ text: { value: "Cart" }, source: null, readOnly: "source" });
    const brazilian = SYMFONY.replace('source-language="en"', 'source-language="pt-BR"');
    for (const locale of ["pt-BR", "pt_BR", "pt_br"]) {
      expect(xliff12.read(brazilian, { locale, sourceLocale: "en" }).entries[0]).toMatchObject({
        text: { value: "Cart" },
        readOnly: "source",
      });
    }
  });
});

describe("content", () => {
  test("decodes entities, references, sections and line endings", () => {
    expect(target("&lt;b&gt; &amp;amp; &quot;&apos; &#233;&#xE9;&#xe9;&#x1F389;")).toBe(
      "<b> &amp; \"' ééé🎉",
    );
    expect(target("<![CDATA[<b> & ]] >]]>")).toBe("<b> & ]] >");
    expect(target(" a <![CDATA[&lt;]]>&lt;\r\nb\rc&#13; ")).toBe(" a &lt;<\nb\nc\r ");
    expect(target("a<!-- no -->b<?no?>c")).toBe("abc");
  });

  test("keeps tags as written and decodes the text around them", () => {
    expect(target('a &amp; <g id="1">b &lt;i&gt;<x\n  id="2"/></g>')).toBe(
      'a & <g id="1">b <i><x\n  id="2"/></g>',
    );
    expect(target('<ph id="1">&lt;br/&gt;</ph>')).toBe('<ph id="1"><br/></ph>');
  });

  test("distinguishes text that looks like tags", () => {
    expect(target('&lt;x id="1"/&gt;')).toBe('&lt;x id="1"/>');
    expect(target('&amp;lt;x id="1"/&gt;')).toBe('&amp;lt;x id="1"/>');
    expect(target('&lt;x id="1"/&gt;<x id="2"/>')).toBe('&lt;x id="1"/><x id="2"/>');
    expect(target("&lt;x&gt; &lt;g id=1&gt; &lt;b&gt; &amp;lt;b")).toBe("<x> <g id=1> <b> &lt;b");
    expect(target('&lt;g id="1"&gt;')).toBe('<g id="1">');
  });

  test("reads an ICU message as forms only for known plural keys", () => {
    const message = "{n, plural, =0 {none} one {# file} other {# files}}";
    const file = one(`<trans-unit id="k"><source>s</source><target>${message}</target></trans-unit>`);
    expect(texts(file)).toEqual([["k", message]]);
    const plural = { forms: { one: "# file", other: "# files" } };
    expect(xliff12.read(file, { ...DUTCH, isPlural: () => true }).entries[0]?.text).toEqual(plural);
    const sources = file.replace("<source>s<", `<source>${message}<`);
    expect(xliff12.read(sources, { ...DUTCH, isPlural: () => true }).entries[0]?.source).toEqual(plural);
    const empty = file.replace(message, "");
    expect(xliff12.read(empty, { ...DUTCH, isPlural: () => true }).entries[0]?.text).toEqual({ value: "" });
    // Of two plurals none is the text's: its forms could not be put together again.
    const both = file.replace(message, `${message} ${message}`);
    expect(xliff12.read(both, { ...DUTCH, isPlural: () => true }).entries[0]).toMatchObject({
      text: { forms: { other: `${message} ${message}` } },
      readOnly: "unsupported",
    });
  });

  test("is read-only if it cannot be written back", () => {
    const readOnly = (inner: string): unknown =>
      xliff12.read(one(`<trans-unit id="k"><source>s</source><target>${inner}</target></trans-unit>`), DUTCH)
        .entries[0]?.readOnly;
    expect(readOnly('a <x id="1"/>')).toBeNull();
    expect(readOnly(`a <x Ab.c_d-e:f='2' id="1"/>`)).toBeNull();
    expect(readOnly("a <!-- c --> b")).toBe("unsupported");
    expect(readOnly("a <b>b</b>")).toBe("unsupported");
    expect(readOnly("a &nbsp; b")).toBe("unsupported");
  });
});

describe("invalid files", () => {
  test("read the rest after invalid quotes and report the line", () => {
    const broken = ANGULAR.replace(
      '<target>Hallo <x id="INTERPOLATION" equiv-text="{{ name }}"/>',
      '<target>Hallo <x id="INTERPOLATION" equiv-text=„name”/>',
    );
    expect(problemsIn(broken)).toEqual([["syntax", 7, "„name”/>"]]);
    const { entries } = xliff12.read(broken, DUTCH);
    expect(entries.map(({ readOnly }) => readOnly)).toEqual(["unsupported", null]);
    expect(entries[0]?.text).toEqual({ value: 'Hallo <x id="INTERPOLATION" equiv-text=„name”/>!' });
  });

  test("neither expand nor load declarations", () => {
    const bomb = `<?xml version="1.0"?>
<!DOCTYPE lolz [ <!ENTITY a "aaaa"> <!ENTITY b "&a;&a;&a;"> <!ENTITY x SYSTEM "file:///etc/passwd"> ]>
${one('<trans-unit id="k"><source>s</source><target>&b;&x;</target></trans-unit>')}`;
    expect(texts(bomb)).toEqual([["k", "&b;&x;"]]);
    expect(problemsIn(bomb).slice(0, 2)).toEqual([
      ["syntax", 2, "<!DOCTYPE lolz ["],
      ["syntax", 3, "&"],
    ]);
    const external = `<!DOCTYPE xliff SYSTEM "http://example.com/xliff.dtd">${one("")}`;
    expect(problemsIn(external)).toEqual([]);
  });

  test("report a truncation and read what precedes it", () => {
    const cut = SYMFONY.slice(0, SYMFONY.indexOf("<source>Pay"));
    expect(texts(cut)).toEqual([
      ["cart.title", "Mandje"],
      ["cart.pay", ""],
    ]);
    expect(problemsIn(cut)).toEqual([["syntax", 10, "trans-unit"]]);
    expect(problemsIn(SYMFONY.slice(0, SYMFONY.indexOf('resname="cart.pay')))).toContainEqual([
      "syntax",
      10,
      '<trans-unit id="',
    ]);
  });

  test.each([
    ["", "type"],
    ["just words", "syntax"],
    ["{}", "syntax"],
    ["<html><body/></html>", "type"],
    [one("<trans-unit><source>s</source></trans-unit>"), "type"],
    [one("</trans-unit>"), "syntax"],
    [`${one("")}${one("")}`, "syntax"],
    [one('<trans-unit id="k"><source>a\0b</source></trans-unit>'), "syntax"],
    [one('<trans-unit id="k"><source>a < b</source></trans-unit>'), "syntax"],
    [one('<trans-unit id="k"><source>a & b</source></trans-unit>'), "syntax"],
    [one('<trans-unit id="k><source>a</source></trans-unit>'), "syntax"],
    [`<p/>${one("")}`, "type"],
    [one("<![CDATA["), "syntax"],
    [one("<!-- "), "syntax"],
  ])("%j", (file, code) => {
    expect(xliff12.read(file, DUTCH).problems[0]?.code).toBe(code);
  });

  test.each([
    ["", 0],
    [" \n", 1],
    ["<a/>", 4],
  ])("report locations within the file for %j", (file, end) => {
    expect(xliff12.read(file, DUTCH).problems).toMatchObject([{ code: "type", span: { start: 0, end } }]);
  });
});

test("not more than a hundred problems of a file are reported", () => {
  const many = (unit: string): number => xliff12.read(one(unit.repeat(150)), DUTCH).problems.length;
  expect([many("<trans-unit/>"), many("<a>]]></a>"), many('<trans-unit resname="k"/>')]).toEqual([
    100, 100, 149,
  ]);
});

test("elements of another namespace are none of the unit's", () => {
  const file = `<x:xliff version="1.2"><x:file original="f" target-language="nl"><x:body><x:trans-unit id="a"><x:source>s</x:source><y:target>t</y:target></x:trans-unit></x:body></x:file></x:xliff>`;
  expect(texts(file)).toEqual([["a", ""]]);
  const nameless = TWO.replace('<file id="ngi18n"', '<file id=""');
  expect(xliff20.read(nameless, DUTCH).entries.map(({ namespace }) => namespace)).toEqual([null, null, null]);
});

test.each<[content: string, text: string, readOnly: string | null, flaw: string | null]>([
  ["<![CDATA[a\r\nb\rc]]>", "a\nb\nc", null, null],
  [`<x id="1" equiv-text="&lt;x id='2'/>"/> a`, `<x id="1" equiv-text="&lt;x id='2'/>"/> a`, null, null],
  [`<x id="1"/><![CDATA[<x id="2"/>]]>`, `<x id="1"/>&lt;x id="2"/>`, "unsupported", null],
  ["<![CDATA[<b>]]>", "<b>", null, null],
  ['<x id="1"/> a', '<x id="1"/> a', null, null],
  ['a <![CDATA[<b>]]> <x id="1"/>', 'a <b> <x id="1"/>', "unsupported", null],
  ["a <!-- c --> b", "a  b", "unsupported", null],
  ["a &foo; b &bar; c", "a &foo; b &bar; c", "unsupported", "&foo;"],
  ['&foo;<x id="1"/>&bar;', '&foo;<x id="1"/>&bar;', "unsupported", "&foo;"],
  ['a <x id="1"/>&bar;', 'a <x id="1"/>&bar;', "unsupported", "&bar;"],
])("a target of %s can be written again, or is left as it is", (content, text, readOnly, flaw) => {
  const file = one(`<trans-unit id="k"><source>s</source><target>${content}</target></trans-unit>`);
  const { entries, problems } = xliff12.read(file, DUTCH);
  expect(entries).toMatchObject([{ key: "k", text: { value: text }, readOnly }]);
  expect(problems.map(({ span: { start } }) => file.slice(start, start + 5))).toEqual(
    flaw === null ? [] : [flaw],
  );
});

test("a file of two equal languages, in any notation, has the texts in its targets", () => {
  const languages = { sourceLanguage: "nl-BE", targetLanguage: "NL_be" };
  expect(sideOf(languages, { locale: "nl-BE", sourceLocale: "en" })).toBe("target");
  expect(sideOf(languages, { locale: "nl-BE", sourceLocale: "nl-BE" })).toBe("either");
  expect(sideOf({ ...languages, targetLanguage: "nl" }, { locale: "nl-BE", sourceLocale: "en" })).toBe(
    "source",
  );
});

test("a plural without its most general form is written as its first one", () => {
  expect(singleText({ forms: { one: "x", few: "y" } })).toBe("x");
  expect(singleText({ forms: {} })).toBe("");
});

test("a source is where its range says, and is only read, also where its plural cannot be restored", () => {
  const two = "{n, plural, other {a}} {n, plural, other {b}}";
  const file = one(`<trans-unit id="k"><source>${two}</source><target>t</target></trans-unit>`);
  const [entry] = xliff12.read(file, { ...ENGLISH, isPlural: () => true }).entries;
  expect(entry?.readOnly).toBe("source");
  expect(file.slice(entry?.valueSpan.start, entry?.valueSpan.end)).toBe(two);
  const sourceless = one('<trans-unit id="k"><target>t</target></trans-unit>');
  expect(xliff12.read(sourceless, DUTCH).entries).toMatchObject([{ readOnly: "unsupported" }]);
});

test("problems are in the order of the file, its language is the first one, and empty files have their name", () => {
  const unit = '<trans-unit id="k"><source>a</source><target>&foo;</target></trans-unit>';
  expect(problemsIn(one(`${unit}\n<trans-unit/>`)).map(([code, line]) => [code, line])).toEqual([
    ["syntax", 1],
    ["type", 2],
  ]);
  const files = '<file original="a"><body/></file><file original="b" source-language="nl"><body/></file>';
  const { locale, namespaces } = xliff12.read(`<xliff version="1.2">${files}</xliff>`, DUTCH);
  expect([locale, namespaces]).toEqual(["nl", ["a", "b"]]);
});

const ID_TAGS = { old: "x g bx ex bpt ept ph it", new: "ph pc sc mrk sm ec" };

test.each([
  ...ID_TAGS.old.split(" ").map((name) => ["1.2", name, "id"]),
  ["1.2", "mrk", "mtype"],
  ...ID_TAGS.new.split(" ").map((name) => ["2.0", name, "id"]),
  ["2.0", "cp", "hex"],
  ["2.0", "ec", "startRef"],
  ["2.0", "em", "startRef"],
])("%s: the tag %s can be written with its attribute %s only", (version, name = "", attribute = "") => {
  const read = (content: string) => {
    const segment = `<source>s</source><target>${content}</target>`;
    const unit = `<unit id="k"><segment>${segment}</segment></unit>`;
    const old = one(`<trans-unit id="k">${segment}</trans-unit>`);
    const file = `<xliff version="2.0" srcLang="en" trgLang="nl"><file id="a">${unit}</file></xliff>`;
    const [entry] = xliff12.read(version === "1.2" ? old : file, DUTCH).entries;
    return entry === undefined ? [] : [entry.text, entry.readOnly];
  };
  const tag = `a <${name} ${attribute}="1"/>`;
  expect(read(tag)).toEqual([{ value: tag }, null]);
  for (const other of [tag.replace(` ${attribute}=`, " other="), tag.replace(`<${name}`, `<${name}s`)])
    expect(read(other)).toEqual([{ value: other }, "unsupported"]);
});

test.each("meaning location target translator po-translator po-reference Meaning LOCATION".split(" "))(
  "a note from %s is no description",
  (from) => {
    const note = (origin: string): string => `<note from="${origin}">n</note>`;
    const unit = (origin: string): string =>
      one(`<trans-unit id="k"><source>s</source>${note(origin)}</trans-unit>`);
    expect(xliff12.read(unit(from), DUTCH).entries[0]?.description).toBeNull();
    for (const other of [`x-${from}`, `${from}s`])
      expect(xliff12.read(unit(other), DUTCH).entries[0]?.description).toBe("n");
  },
);

/** Edits of XLIFF entries, byte for byte. */
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { NewEntry, ReadOptions } from "../../../../src/formats/format.ts";
import { xliff12, xliff20 } from "../../../../src/formats/xliff/xliff-format.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import {
  ANGULAR,
  change,
  changed,
  documentOf,
  DUTCH,
  refusal,
  SYMFONY,
  texts,
  TWO,
  unitOf,
} from "./xliff-samples.ts";
import { expectLinearTime } from "../../support/linear-time.ts";

const ENGLISH: ReadOptions = { locale: "en", sourceLocale: "en" };

function swap(file: string, from: string, to: string): string {
  expect(file.split(from)).toHaveLength(2);
  return file.replace(from, () => to);
}

describe("texts", () => {
  test("treats an unknown source like a missing one", () => {
    const textWith = (source: { readonly source?: null }): string =>
      applyEdit(xliff12, SYMFONY, [{ key: "new", context: null, text: { value: "x" }, ...source }], DUTCH)
        .text;
    expect(textWith({ source: null })).toBe(textWith({}));
  });

  test("changes only the content, and back", () => {
    const there = changed(SYMFONY, "cart.title", "Tas & <b>zo</b>");
    expect(there).toBe(swap(SYMFONY, ">Mandje<", ">Tas &amp; &lt;b>zo&lt;/b><"));
    expect(changed(there, "cart.title", "Mandje")).toBe(SYMFONY);
  });

  test("adds a unit to a single-line file, indented or not", () => {
    for (const indent of ["", "  "]) {
      const line = `${indent}<xliff version="1.2"><file original="a" target-language="nl"><body><trans-unit id="k"><source>s</source></trans-unit></body></file></xliff>`;
      const there = changed(line, "n", "x");
      const unit = /<trans-unit id="n".*?<\/trans-unit>/u.exec(there)?.[0] ?? "";
      expect(unit).toContain("<target>x</target>");
      expect(there).toBe(line.replace("</body>", `${unit}</body>`));
    }
  });

  test("fills and clears an empty target", () => {
    const there = changed(SYMFONY, "user.mail", "Post");
    expect(there).toBe(swap(SYMFONY, "<target/>", "<target>Post</target>"));
    const blank = swap(SYMFONY, "<source>Name</source>\n", "<source>Name</source>\n        <target/>\n");
    expect(changed(changed(blank, "user.mail", "Post"), "user.mail", "")).toBe(blank);
    const open = blank.replaceAll("<target/>", "<target></target>");
    expect(changed(changed(open, "user.mail", "Post"), "user.mail", "")).toBe(open);
    const spaced = blank.replaceAll("<target/>", '<target state="x" />');
    expect(changed(changed(spaced, "user.mail", "Post"), "user.mail", "")).toBe(spaced);
  });

  test("adds a target after the source and removes it", () => {
    const there = changed(SYMFONY, "user.name", "Naam");
    expect(there).toBe(
      swap(SYMFONY, "<source>Name</source>\n", "<source>Name</source>\n        <target>Naam</target>\n"),
    );
    const others = SYMFONY.replace("        <target/>\n", "");
    expect(changed(changed(others, "user.name", "Naam"), "user.name", "")).toBe(others);
    const noted = others.replaceAll("</source>\n", "</source> <!-- so -->\n");
    expect(changed(changed(noted, "user.name", "Naam"), "user.name", "")).toBe(noted);
    const segmented = swap(
      SYMFONY,
      "<source>Name</source>",
      "<source>Name</source><seg-source>Name</seg-source>",
    );
    expect(changed(segmented, "user.name", "Naam")).toContain(
      "</seg-source>\n        <target>Naam</target>\n",
    );
    const line =
      '<xliff version="1.2"><file original="a"><body><trans-unit id="k"><source>s</source></trans-unit></body></file></xliff>';
    expect(changed(line, "k", "x")).toContain("<source>s</source><target>x</target></trans-unit>");
    expect(changed(changed(line, "k", "x"), "k", "")).toBe(line);
  });

  test("removes untranslated states and keeps others", () => {
    expect(changed(SYMFONY, "cart.pay", "Betalen")).toBe(
      swap(SYMFONY, 'state="needs-translation">Pay &amp; go', 'state="translated">Betalen'),
    );
    expect(change(SYMFONY, "cart.pay", "Pay & go").splices).toEqual([]);
    // Nothing of a refused change is written.
    expect(change(SYMFONY, "cart.pay", '<x id="1"/>').text).toBe(SYMFONY);
    expect(change(TWO, "cart.title", '<ph id="1"/>').text).toBe(TWO);
    expect(changed(TWO, "cart.title", 'Mand (<ph id="0" equiv="COUNT" dataRef="d1"/>)')).toContain(
      '<segment state="translated">',
    );
    expect(changed(TWO, "cart.title", "Mand")).toBe(
      swap(
        swap(TWO, 'state="initial"', 'state="translated"'),
        '<target>Cart (<ph id="0" equiv="COUNT" dataRef="d1"/>)</target>',
        "<target>Mand</target>",
      ),
    );
  });

  test("keeps line endings, CDATA sections and escaping", () => {
    const windows = SYMFONY.replaceAll("\n", "\r\n");
    const there = changed(windows, "user.name", "a\nb");
    expect(there).toContain("<source>Name</source>\r\n        <target>a\r\nb</target>\r\n");
    expect(texts(there)[2]).toEqual(["user.name", "a\nb"]);
    expect(changed(windows, "user.name", "a\r\nb")).toContain("<target>a&#13;\r\nb</target>");
    const section = swap(SYMFONY, ">Mandje<", "><![CDATA[<b>Mandje</b>]]><");
    expect(changed(section, "cart.title", "a ]]> & b")).toBe(
      swap(SYMFONY, ">Mandje<", "><![CDATA[a ]]]]><![CDATA[> & b]]><"),
    );
    expect(changed(changed(section, "cart.title", "x"), "cart.title", "<b>Mandje</b>")).toBe(section);
    // A section has no place for a carriage return, which parsers make a line feed.
    expect(changed(section, "cart.title", "a\rb")).toBe(swap(SYMFONY, ">Mandje<", ">a&#13;b<"));
    const careful = swap(SYMFONY, ">Mandje<", ">&quot;Mandje&quot; &gt; &#160;&#xE9;<");
    expect(changed(careful, "cart.title", '"x" > \u00A0é\'')).toContain(">&quot;x&quot; &gt; &#160;&#xE9;'<");
    expect(changed(careful, "user.mail", '"x" >')).toContain("<target>&quot;x&quot; &gt;</target>");
    const ascii = swap(SYMFONY, ">Mandje<", ">&#xE9;<");
    expect(changed(ascii, "user.mail", "ü🎉")).toContain("<target>&#xFC;&#x1F389;</target>");
    expect(changed(SYMFONY, "user.mail", "]]>")).toContain("<target>]]&gt;</target>");
    // A text has its own line ends, otherwise those of its source.
    for (const [from, to, after] of [
      [">Mandje<", ">a\r\nb<", ">c\r\nd<"],
      [">Cart<", ">a\r\nb<", ">c\r\nd<"],
      [">Mail<", ">a\r\nb<", ">c\nd<"],
    ] as const) {
      expect(changed(swap(SYMFONY, from, to), "cart.title", "c\nd")).toContain(after);
    }
    // References in a tag tell nothing of those in texts.
    const tagged = swap(SYMFONY, ">Mail<", '><x id="1" equiv-text="&quot;a&quot;"/><');
    expect(changed(tagged, "user.name", '"b"')).toContain('<target>"b"</target>');
    const bold = '<x id="1" equiv-text="&quot;b&quot;"/>';
    const tags = swap(swap(SYMFONY, ">Cart<", `>${bold}<`), ">Mandje<", `>${bold} a<`);
    expect(changed(tags, "cart.title", `${bold} "b"`)).toContain(
      `<target state="final">${bold} "b"</target>`,
    );
    // Nor do tags and sections elsewhere, but a text tells more than its source.
    const once = swap(SYMFONY, ">Name<", ">&quot;Name&quot;<");
    for (const other of [bold + bold, '<![CDATA["a" "b" "c"]]>']) {
      expect(changed(swap(once, ">Cart<", `>${other}<`), "user.mail", '"x"')).toContain("&quot;x&quot;");
    }
    const both = swap(swap(SYMFONY, ">Cart<", ">&quot;Cart&quot;<"), ">Mandje<", '>"Mandje"<');
    expect(changed(both, "cart.title", '"x"')).toContain('>"x"</target>');
    // A section has the line ends of the file, and text around sections is none.
    expect(changed(section.replaceAll("\n", "\r\n"), "cart.title", "a\nb")).toContain("<![CDATA[a\r\nb]]>");
    const around = swap(SYMFONY, ">Mandje<", "><![CDATA[a]]> b <![CDATA[c]]><");
    expect(changed(around, "cart.title", "<c>")).toBe(swap(SYMFONY, ">Mandje<", ">&lt;c><"));
    // What has to be a reference there tells nothing of how the file writes others.
    const forced = swap(SYMFONY, ">Mail<", ">]]&gt;<");
    expect(changed(forced, "user.mail", "a > b")).toContain("<target>a > b</target>");
  });

  test("edits sources in the source locale's file, unless it has targets", () => {
    const extracted = ANGULAR.replace(' target-language="nl"', "").replaceAll(
      / *<target>.*<\/target>\n/g,
      "",
    );
    expect(changed(extracted, "2", "Plain", {}, ENGLISH)).toContain(
      "<source>Plain</source>\n      </trans-unit>",
    );
    const own = SYMFONY.replace('target-language="nl"', 'target-language="en"');
    expect(changed(own, "cart.title", "Basket", {}, ENGLISH)).toBe(swap(own, ">Mandje<", ">Basket<"));
    expect(changed(own, "user.mail", "E-mail", {}, ENGLISH)).toBe(
      swap(own, "<target/>", "<target>E-mail</target>"),
    );
    // A target with a state stays one, though this file leaves out most that repeat the source.
    expect(changed(own, "cart.title", "Cart", {}, ENGLISH)).toBe(swap(own, ">Mandje<", ">Cart<"));
    expect(refusal(own, "cart.title", "", {}, ENGLISH)).toBe("unsupported");
    expect(refusal(SYMFONY, "cart.title", "x", {}, ENGLISH)).toBe("source");
    const unnamed = SYMFONY.replace(' target-language="nl"', "");
    expect(changed(unnamed, "cart.title", "Basket", {}, ENGLISH)).toBe(swap(unnamed, ">Mandje<", ">Basket<"));
    expect(changed(unnamed, "user.mail", "E-mail", {}, ENGLISH)).toBe(swap(unnamed, ">Mail<", ">E-mail<"));
    // What is new has the languages that the file has.
    for (const [file, contents] of [
      [extracted, ["<source>New</source>"]],
      [own, ["<source>New</source>", "<target>New</target>"]],
    ] as const) {
      const unit = /<trans-unit id="n"[^]*?<\/trans-unit>/u.exec(changed(file, "n", "New", {}, ENGLISH))?.[0];
      expect(unit?.match(/<(?:source|target)>.*/gu)).toEqual(contents);
    }
  });
});

test.each([
  [["<target/>"], "<target>x</target>", "<target/>"],
  [["<target />"], "<target>x</target>", "<target />"],
  [["<target></target>"], "<target>x</target>", "<target></target>"],
  [["<target></target>", "<target/>"], "<target>x</target>", "<target></target>"],
  [["<target></target>", "<target/>", "<target/>"], "<target>x</target>", "<target/>"],
  [[""], "<target>x</target>", ""],
  [["", "<target/>"], "<target>x</target>", ""],
  [["", "<target/>", "<target/>"], "<target>x</target>", "<target/>"],
  [[""], '<target state="final">x</target>', '<target state="final"></target>'],
])("beside %j, an emptied %s is written as %j", (others, target, emptied) => {
  const file = (own: string): string =>
    documentOf({
      f: [own, ...others].map((each, index) => unitOf(`k${index}`, `<source>s</source>${each}`)).join(""),
    });
  expect(changed(file(target), "k0", "", { namespace: "f" })).toBe(file(emptied));
});

test.each([
  [[], "<source></source>"],
  [["<source/>"], "<source/>"],
  [["<source></source>"], "<source></source>"],
  [["<source></source>", "<source/>"], "<source></source>"],
])("beside %j, an emptied source is written as %j", (others, emptied) => {
  const file = (own: string): string =>
    documentOf({ f: [own, ...others].map((each, index) => unitOf(`k${index}`, each)).join("") }, "");
  expect(changed(file("<source>x</source>"), "k0", "", { namespace: "f" }, ENGLISH)).toBe(file(emptied));
});

test("a target that repeats the source is left out only where the file leaves out most of them", () => {
  const kept = "<source>s</source><target>s</target>";
  const file = (own: string, other: string): string =>
    documentOf({ f: unitOf("a", own) + unitOf("b", other) }, ' target-language="en"');
  const changedIn = (other: string): string =>
    changed(file("<source>s</source><target>x</target>", other), "a", "s", { namespace: "f" }, ENGLISH);
  expect(changedIn("<source>t</source>")).toBe(file("<source>s</source>", "<source>t</source>"));
  for (const other of [kept, "<source>t</source><target>u</target>"]) {
    expect(changedIn(other)).toBe(file(kept, other));
  }
});

test.each([
  [["b"], ["c"], ["a", "c", "d", "f"]],
  [["a"], ["aa"], ["aa", "b", "d", "f"]],
  [["f"], ["e", "g"], ["a", "b", "d", "e", "g"]],
])("without %j and with %j, the units are %j", (removed, added, after) => {
  const file = (keys: readonly string[]): string =>
    documentOf({ f: keys.map((key) => unitOf(key)).join("") });
  const changes = [...removed, ...added].map((key) => ({
    key,
    context: null,
    namespace: "f",
    text: removed.includes(key) ? null : { value: key },
    source: { value: key },
  }));
  expect(applyEdit(xliff12, file(["a", "b", "d", "f"]), changes, DUTCH)).toMatchObject({
    text: file(after),
    refused: [],
  });
});

test("a unit that replaces all others is where they were", () => {
  const changes = ["a", "b", "c"].map((key) => ({
    key,
    context: null,
    namespace: "f",
    text: key === "c" ? { value: "x" } : null,
  }));
  expect(applyEdit(xliff12, documentOf({ f: unitOf("a") + unitOf("b") }), changes, DUTCH).text).toBe(
    documentOf({
      f: `  <trans-unit id="c" resname="c">\n    <source>c</source>\n    <target>x</target>\n  </trans-unit>\n`,
    }),
  );
});

describe("tags", () => {
  const tag = '<x id="INTERPOLATION" equiv-text="{{ name }}"/>';
  const key = "8186013988289067040";

  test("may be moved, omitted and repeated", () => {
    expect(changed(ANGULAR, key, `${tag}, hallo & ${tag}`)).toBe(
      swap(ANGULAR, `Hallo ${tag}!`, `${tag}, hallo &amp; ${tag}`),
    );
    expect(changed(changed(ANGULAR, key, "Hallo"), key, `Hallo ${tag}!`)).toBe(ANGULAR);
    expect(changed(ANGULAR, "2", '<x id="CLOSE_BOLD_TEXT"/>')).toContain(
      '<target><x id="CLOSE_BOLD_TEXT"/></target>',
    );
  });

  test("must be those of the source with equal attributes", () => {
    expect(refusal(ANGULAR, key, '<x id="OTHER"/>')).toBe("unsupported");
    expect(refusal(ANGULAR, key, '<x id="INTERPOLATION" class="y"/>')).toBe("unsupported");
    expect(refusal(SYMFONY, "cart.title", '<g id="1">x</g>')).toBe("unsupported");
  });

  test("may have the attributes of the source's and of the old target's", () => {
    const [source, target] = ['<x id="1" ctype="lb"/>', '<x id="1" equiv-text="b"/>'];
    const file = swap(swap(SYMFONY, ">Cart<", `>${source}<`), ">Mandje<", `>${target}<`);
    expect(changed(file, "cart.title", `a ${source}`)).toBe(swap(file, `>${target}<`, `>a ${source}<`));
    expect(changed(file, "cart.title", `a ${target}`)).toBe(swap(file, `>${target}<`, `>a ${target}<`));
  });

  test("have the line ends of the file", () => {
    const tag = '<x\n  id="1"/>';
    const file = swap(SYMFONY, ">Name<", `>${tag}<`).replaceAll("\n", "\r\n");
    expect(changed(file, "user.name", `a ${tag}`)).toContain('<target>a <x\r\n  id="1"/></target>\r\n');
  });

  test("may be those of the segmented source", () => {
    const marked = '<mrk mtype="seg" mid="0">';
    const segmented = swap(
      SYMFONY,
      "<source>Name</source>",
      `<source>Name</source><seg-source>${marked}Name</mrk></seg-source>`,
    );
    expect(changed(segmented, "user.name", `${marked}Naam</mrk>`)).toContain(
      `<target>${marked}Naam</mrk></target>`,
    );
    expect(refusal(SYMFONY, "user.name", `${marked}Naam</mrk>`)).toBe("unsupported");
  });

  test("are distinguished from text that looks like tags", () => {
    for (const said of [
      '&lt;x id="1"/>',
      "<x>",
      '<g id="1">',
      "<x id=1/>",
      '<ph id="1" id="2"/>',
      "&lt;",
      '&amp;lt;x id="1"/>',
    ]) {
      expect(texts(changed(SYMFONY, "cart.title", said))[0]).toEqual(["cart.title", said]);
    }
    expect(changed(SYMFONY, "cart.title", '&lt;x id="1"/>')).toContain('>&lt;x id="1"/><');
  });
});

test("prints a very large file", () => {
  const entries = Array.from({ length: 150_000 }, (_, index) => ({
    key: `k${index}`,
    context: null,
    text: { value: "x" },
  }));
  expect(xliff12.print(entries, DUTCH)).toContain('<trans-unit id="k149999"');
});

describe("plural forms", () => {
  const plural: ReadOptions = { ...DUTCH, isPlural: (key) => key.endsWith("count") };
  const file = swap(SYMFONY, "Mandje", "{n, plural, one {# ding} other {# dingen}}").replaceAll(
    "cart.title",
    "count",
  );
  const edit = (forms: Record<string, string>, key = "count") =>
    applyEdit(xliff12, file, [{ key, context: null, namespace: "messages.en.xlf", text: { forms } }], plural);

  test("are an ICU message", () => {
    expect(edit({ one: "# stuk", other: "# stuks" }).text).toBe(
      swap(file, "one {# ding} other {# dingen}", "one {# stuk} other {# stuks}"),
    );
    expect(edit({ one: "a", other: "b" }, "user.count").text).toContain(
      "<target>{count, plural, one {a} other {b}}</target>",
    );
    for (const key of ["count", "user.count", "new.count"]) {
      expect(edit({ one: "a" }, key).refused[0]?.reason).toBe("forms");
    }
    // Two plurals in one text are no forms of it.
    const two = swap(file, "{# dingen}}", "{# dingen}} {n, plural, other {x}}");
    const changes = [
      { key: "count", context: null, namespace: "messages.en.xlf", text: { forms: { other: "y" } } },
    ];
    expect(applyEdit(xliff12, two, changes, plural)).toMatchObject({
      text: two,
      refused: [{ reason: "unsupported" }],
    });
    const nested = { other: "{n, plural, one {a} other {b}}" };
    const { text } = edit(nested, "user.count");
    expect(xliff12.read(text, plural).entries.find(({ key }) => key === "user.count")).toMatchObject({
      text: { forms: nested },
      readOnly: null,
    });
  });
});

test("adds thousands of units between as many in linear time", () => {
  const entryOf = (number: number) => ({
    key: `key.${String(number).padStart(6, "0")}`,
    context: null,
    text: { value: `text ${number}` },
  });
  expectLinearTime((count) => {
    const numbers = Array.from({ length: count }, (_, index) => 2 * index);
    const file = xliff12.print(numbers.map(entryOf), DUTCH);
    const changes = numbers.filter((number) => number % 4 === 0).map((number) => entryOf(number + 1));
    expect(applyEdit(xliff12, file, changes, DUTCH).refused).toEqual([]);
  }, 12_000);
});

test.each([
  ["a repeated attribute", (text: string) => text.replace("<body>", '<body id="1" id="2">')],
  ["`--` in a comment", (text: string) => text.replace("<body>", "<body><!-- a -- b -->")],
  ["`]]>` in a text", (text: string) => text.replace("<source>Hi", "<source>Hi ]]>")],
])("a file with %s is reported, and not written", (_, damage) => {
  const text = damage(
    '<xliff version="1.2"><file original="f"><body><trans-unit id="a"><source>Hi</source></trans-unit></body></file></xliff>',
  );
  const options = { locale: "nl", sourceLocale: "en" };
  expect(xliff12.read(text, options).problems).toMatchObject([{ code: "syntax" }]);
  const change = { key: "a", context: null, namespace: "f", text: { value: "Hoi" } };
  expect(applyEdit(xliff12, text, [change], options)).toMatchObject({
    text,
    refused: [{ reason: "syntax" }],
  });
});

describe("a printed file", () => {
  const printed = (text: Text, more: Partial<NewEntry> = {}, options: ReadOptions = DUTCH): string =>
    xliff12.print([{ key: "k", context: null, text, ...more }], options);

  test("has the most general of forms that no message can have", () => {
    expect(printed({ forms: { one: "{", other: "n" } })).toContain("<target>n</target>");
  });

  test("keeps white space, and has no characters that XML does not allow", () => {
    expect(printed({ value: "a  b" })).toContain('resname="k" xml:space="preserve">');
    for (const value of ["a\nb", "a ", " a"]) expect(printed({ value })).toContain(' xml:space="preserve">');
    expect(printed({ value: "a b" })).not.toContain("xml:space");
    expect(printed({ value: "a" }, { description: "b\u0001" })).toContain("<note>b\ufffd</note>");
  });

  test("has a tag with an undeclared prefix as text", () => {
    expect(printed({ value: '<x id="1" y:z="1"/>' })).toContain('<target>&lt;x id="1" y:z="1"/></target>');
  });

  test("has a `file` also without entries, and the layout of an example", () => {
    expect(xliff12.print([], DUTCH)).toContain('<file original=""');
    const examples = [{ text: "<xliff>\r\n\t<file/>\r\n</xliff>", bom: false, locale: "de" }];
    expect(printed({ value: "x" }, {}, { ...DUTCH, examples })).toContain(
      '\r\n\t\t\t<trans-unit id="k" resname="k">\r\n\t\t\t\t<source>k</source>\r\n',
    );
  });

  test("of 2.0 has a short id for a long key", () => {
    const key = "k".repeat(81);
    const text = xliff20.print([{ key, context: null, text: { value: "x" } }], DUTCH);
    expect(text).toMatch(/<unit id="u[\da-f]{8}" name="k{81}">/u);
    const short = key.slice(1);
    expect(xliff20.print([{ key: short, context: null, text: { value: "x" } }], DUTCH)).toContain(
      `<unit id="${short}" name="${short}">`,
    );
  });
});

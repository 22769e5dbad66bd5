/** XML tokens and their positions, well-formedness errors, and escaping. */
import { describe, expect, test } from "vitest";
import {
  decodeAttribute,
  decodeXml,
  encodeAttribute,
  encodeXml,
  indexOfNonXml,
  PLAIN,
  replaceNonXml,
  XmlScanner,
  XmlStyle,
} from "../../../../src/formats/xml/xml-tokenizer.ts";
import { expectLinearTime } from "../../support/linear-time.ts";

/** `kind raw`, the place of a flaw behind `!`, and each attribute as `name=value`. */
function tokens(text: string): string[] {
  const scanner = new XmlScanner(text);
  const found: string[] = [];
  for (let token = scanner.next(); token !== "end"; token = scanner.next()) {
    const flaw = scanner.malformed < 0 ? "" : `!${scanner.malformed}`;
    const attributes = scanner.attributes.map(({ nameStart, nameEnd, valueStart, valueEnd }) => {
      return ` ${text.slice(nameStart, nameEnd)}=${text.slice(valueStart, valueEnd)}`;
    });
    found.push(`${token}${flaw} ${text.slice(scanner.start, scanner.end)}${attributes.join("")}`);
  }
  return found;
}

describe("tokens", () => {
  test.each<[string, readonly string[]]>([
    ["", []],
    ["a>b", ["text a>b"]],
    ["<a>b</a>", ["open <a>", "text b", "close </a>"]],
    ["<a/><b />", ["empty <a/>", "empty <b />"]],
    ["</a >", ["close </a >"]],
    ["<x:a-1.b_ç>", ["open <x:a-1.b_ç>"]],
    [`<a b="1" c = '"2"'\n d=""/>`, [`empty <a b="1" c = '"2"'\n d=""/> b=1 c="2" d=`]],
    ["<a\tb='1'\r\nc='2'>", ["open <a\tb='1'\r\nc='2'> b=1 c=2"]],
    [`<a b=">">c`, [`open <a b=">"> b=>`, "text c"]],
    ["<!--a--b-->c", ["comment <!--a--b-->", "text c"]],
    ["<!---->", ["comment <!---->"]],
    ["<!-->-->", ["comment <!-->-->"]],
    ["<![CDATA[]]>a", ["cdata <![CDATA[]]>", "text a"]],
    ["<?a b>c?>d", ["pi <?a b>c?>", "text d"]],
    ["<?>?>d", ["pi <?>?>", "text d"]],
    ["<![CDATA[<a>]]>]]>", ["cdata <![CDATA[<a>]]>", "text ]]>"]],
    ["<?xml version='1.0'?>a", ["pi <?xml version='1.0'?>", "text a"]],
    ["<!DOCTYPE a>b", ["doctype <!DOCTYPE a>", "text b"]],
    [`<!DOCTYPE a "b>" 'c>'>d`, [`doctype <!DOCTYPE a "b>" 'c>'>`, "text d"]],
    [
      `<!DOCTYPE a [<!ELEMENT b (c)> <!-- ']> --> ]>d`,
      [`doctype <!DOCTYPE a [<!ELEMENT b (c)> <!-- ']> --> ]>`, "text d"],
    ],
  ])("are read from %j", (text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });

  test.each<[string, readonly string[]]>([
    ["a < b", ["text a ", "text!2 < b"]],
    ["<", ["text!0 <"]],
    ["<1>", ["text!0 <1>"]],
    ["<<a>", ["text!0 <", "open <a>"]],
    ["<a", ["open!0 <a"]],
    ["<a <b>", ["open!0 <a ", "open <b>"]],
    ["<a b>", ["open!3 <a b>"]],
    ["<a /b>", ["open!3 <a /b>"]],
    ["<÷a>", ["text!0 <÷a>"]],
    ["<×a>", ["text!0 <×a>"]],
    ["<“a>", ["text!0 <“a>"]],
    ["<\u00a0a>", ["text!0 <\u00a0a>"]],
    [`<a b="c><d e='f'>`, [`open!5 <a b="c> b="c`, `open <d e='f'> e=f`]],
    ["<a b=c d>", ["open!5 <a b=c d> b=c"]],
    ["<a b=c/>", ["empty!5 <a b=c/> b=c"]],
    ["<a b=c/d>", ["open!5 <a b=c/d> b=c/d"]],
    ["<a b=>", ["open!5 <a b=> b="]],
    ["<a 1>", ["open!3 <a 1>"]],
    [`<a b="c"d="e">`, [`open!8 <a b="c"d="e"> b=c d=e`]],
    [`<a b="c>d`, [`open!5 <a b="c> b="c`, "text d"]],
    [`<a b="<c">`, [`open!6 <a b="<c"> b=<c`]],
    [`<a b="<c"/>`, [`empty!6 <a b="<c"/> b=<c`]],
    [`<a b="<c" d="e">`, [`open!6 <a b="<c" d="e"> b=<c d=e`]],
    ["<a b=c<d>", ["open!5 <a b=c b=c", "open <d>"]],
    [`<a b="c><d e="f">`, [`open!5 <a b="c> b="c`, `open <d e="f"> e=f`]],
    ["</a b>c", ["close!0 </a b>", "text c"]],
    ["</a<b>", ["close!0 </a", "open <b>"]],
    ["</>", ["close!0 </>"]],
    ["</a", ["close!0 </a"]],
    ["<!-- a", ["comment!0 <!-- a"]],
    ["<![CDATA[a", ["cdata!0 <![CDATA[a"]],
    ["<?a", ["pi!0 <?a"]],
    ["<!DOCTYPE a [", ["doctype!0 <!DOCTYPE a ["]],
    [`<!DOCTYPE "a>`, [`doctype!0 <!DOCTYPE "a>`]],
    ["<!DOCTYPE a [<!-- ]>", ["doctype!0 <!DOCTYPE a [<!-- ]>"]],
  ])("are read from malformed %j", (text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });

  test("have names, section content, and whether a doctype has declarations", () => {
    const text = "<x:a/></b><![CDATA[c]]><![CDATA[d";
    const scanner = new XmlScanner(text);
    const names: string[] = [];
    while (scanner.next() !== "end") names.push(text.slice(scanner.nameStart, scanner.nameEnd));
    expect(names).toEqual(["x:a", "b", "c", "d"]);
    const subset = (doctype: string): boolean => {
      const each = new XmlScanner(doctype);
      each.next();
      return each.subset;
    };
    expect([subset("<!DOCTYPE a []>"), subset("<!DOCTYPE a>"), subset("<!DOCTYPE a '['>")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("are found from an offset", () => {
    const scanner = new XmlScanner(`<a/><b ab="1"/>`, 4);
    expect([scanner.next(), scanner.name, scanner.next()]).toEqual(["empty", "b", "end"]);
  });
});

describe("characters", () => {
  test.each([
    ["a&amp;&lt;&gt;&quot;&apos;b", `a&<>"'b`, -1],
    ["&#65;&#x42;&#x1F389;&#9;&#10;", "AB🎉\t\n", -1],
    ["a\r\nb\rc", "a\nb\nc", -1],
    ["&#13;\r\n", "\r\n", -1],
    ["a & b", "a & b", 2],
    ["&nbsp;&amp;", "&nbsp;&", 0],
    ["&amp;&#0;&x;", "&&#0;&x;", 5],
    ["&#xD800;", "&#xD800;", 0],
    ["&#x110000;", "&#x110000;", 0],
    ["&#1114111;", "\u{10ffff}", -1],
    ["&#65", "&#65", 0],
    ["&AMP;", "&AMP;", 0],
  ])("are decoded: %j to %j", (raw, text, flaw) => {
    expect(decodeXml(raw)).toEqual({ text, flaw });
  });

  test("normalise whitespace in attributes", () => {
    expect(decodeAttribute("a\tb\r\nc\nd&#10;&amp;")).toBe("a b c d\n&");
    expect(decodeAttribute("a&lt;")).toBe("a<");
    expect(decodeAttribute("a\tb")).toBe("a b");
  });

  test("round-trip", () => {
    expect(encodeXml(`a&b<c>"d'\r\n]]>é`, "\n", PLAIN)).toBe(`a&amp;b&lt;c>"d'&#13;\n]]&gt;é`);
    expect(encodeXml("a\nb", "\r\n", PLAIN)).toBe("a\r\nb");
    expect(encodeXml("]>]]", "\n", PLAIN)).toBe("]>]]");
    expect(encodeAttribute(`a&b<c>"d'\t\n\r\0`, '"')).toBe("a&amp;b&lt;c>&quot;d'&#9;&#10;&#13;\ufffd");
    expect(encodeAttribute(`"'`, "'")).toBe(`"&apos;`);
  });

  test("are detected if invalid in XML", () => {
    expect(
      ["a\tb\n\r", "\u0008", "a\ufffe", "b\ud800", "\udc00", "🎉", "c\u000b"].map(indexOfNonXml),
    ).toEqual([-1, 0, 1, 1, 0, -1, 1]);
    expect(replaceNonXml("a\0b\ud800c🎉\uffff")).toBe("a\ufffdb\ufffdc🎉\ufffd");
  });
});

describe("escaping style", () => {
  const style = (...texts: readonly string[]): XmlStyle => new XmlStyle(texts);
  const written = (text: string, of: XmlStyle, ...near: readonly string[]): string =>
    encodeXml(text, "\n", of.near(near));

  test("is that of the nearest text, else of most texts", () => {
    const quotes = style("&quot;", "&quot;", '"');
    expect(written('"', quotes)).toBe("&quot;");
    expect(written('"', quotes, 'a"')).toBe('"');
    expect(written('"', quotes, "b", 'a"')).toBe('"');
    expect(written('"', quotes, "&#34;", 'a"')).toBe("&#34;");
    expect(written('"', style("&quot;", '"'))).toBe("&quot;");
    expect(written('"', style("&quot;", '"', '"'))).toBe('"');
    expect(written('"', style())).toBe('"');
    expect(written(">", style("&gt;"))).toBe("&gt;");
    // There it must be a reference, and tells nothing.
    expect(written(">", style("]]&gt; ]]&gt;"))).toBe(">");
    expect(written(">", style(), "]]&gt;")).toBe(">");
    expect(written('"', style("&#34;", "&quot;"))).toBe("&#34;");
    expect(written("<&<", style())).toBe("&lt;&amp;&lt;");
  });

  test("escapes all non-ASCII letters if the file has none", () => {
    expect(written("ü🎉a", style("&#xE9;"))).toBe("&#xFC;&#x1F389;a");
    expect(written("ü'", style("&#233;"))).toBe("&#252;'");
    expect(written("ü", style("&#xE9;", "é"))).toBe("ü");
    expect(written("ü'", style("&apos;"))).toBe("ü&apos;");
  });

  test("searches a large file once for thousands of letters", () => {
    const letters = String.fromCharCode(...Array.from({ length: 6_000 }, (_, index) => 0x4e00 + index));
    const large = style("words and ".repeat(100_000));
    expectLinearTime((count) => {
      expect(written(letters.slice(0, count), large)).toBe(letters.slice(0, count));
    }, letters.length);
  });
});

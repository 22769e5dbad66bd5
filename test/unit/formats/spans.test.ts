/** The spans of entries: `«key»` and `‹text›` mark the expected ones. */
import { beforeAll, describe, expect, test } from "vitest";
import type { GeneratedTextFormat, TextFormat } from "../../../src/formats/format.ts";
import { wordpressJed } from "../../../src/formats/wordpress/wordpress-jed-format.ts";
import { po } from "../../../src/formats/gettext/po-format.ts";
import { jsModule } from "../../../src/formats/js/js-module-format.ts";
import { jsonJs, laravelJson } from "../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../src/formats/php/laravel-php-format.ts";
import { wordpressPhp } from "../../../src/formats/wordpress/wordpress-php-format.ts";
import { csv } from "../../../src/formats/spreadsheets/csv-format.ts";
import { xliff12, xliff20 } from "../../../src/formats/xliff/xliff-format.ts";

type Case = readonly [title: string, marked: string];

beforeAll(async () => jsModule.prepare?.());

const MARKS = /[«»‹›]/gu;

/** The file's text with marks around what its entries say. */
function mark(format: TextFormat | GeneratedTextFormat, text: string): string {
  const { entries } = format.read(text, { locale: "nl", sourceLocale: "en" });
  const marks = entries.flatMap(({ keySpan, valueSpan }) => [
    { at: keySpan.end, sign: "»" },
    { at: keySpan.start, sign: "«" },
    { at: valueSpan.end, sign: "›" },
    { at: valueSpan.start, sign: "‹" },
  ]);
  // They are put in from the end; of several at one place the innermost come first.
  const order = "«‹›»";
  marks.sort((one, other) => other.at - one.at || order.indexOf(other.sign) - order.indexOf(one.sign));
  return marks.reduce((marked, { at, sign }) => marked.slice(0, at) + sign + marked.slice(at), text);
}

const cases: readonly (readonly [TextFormat | GeneratedTextFormat, readonly Case[]])[] = [
  [
    jsonJs,
    [
      ["members at all depths", `{ "«a»": ‹"A"›, "b": { "«c»" : ‹"C"›,\n"d": {"«e»":‹""›} } }`],
      ["escapes", String.raw`{ "«a\"\u00e9»": ‹"\"A\n"› }`],
      ["items", `{ "a": [ «‹"A"›»,«‹"B"›», { "«b»": ‹"C"› } ] }`],
      ["forms side by side", `{ "x": { "«a_one»": ‹"A",\n"a_other" : "B"› } }`],
      ["comments", `{ /* "x": 1 */ "«a»" /* b */ : // c\n ‹"A"› /* d */ }`],
    ],
  ],
  [laravelJson, [["texts", `{"«A b.»":‹"B"›,"«b»": ‹"C | D"›}`]]],
  [
    laravelPhp,
    [
      ["quotes", `<?php return ['«a»' => ‹'A'›, "«b»" => ‹"B"›, "«»"=>‹""›];`],
      ["escapes", String.raw`<?php return ['«it\'s»' => ‹'it\'s'›, "«\"b\"»" => ‹"\"B\""›];`],
      ["numbers", `<?php return [«5» => ‹'A'›, «-7» => ‹6›];`],
      ["joined keys and texts", `<?php return [«'a' . 'b'» => ‹'A' . "B"›, «"d" . "e"»=>‹("E" . 'F')›];`],
      ["a heredoc", `<?php return [\n«<<<X\n  a\n  X» => ‹<<<'Y'\nB\nY›,\n'«b»' => ‹'B'›];`],
      ["items", `<?php return ['a' => [«‹'A'›», «‹"B"›» , '«x»' => ‹'C'›]];`],
      [
        "arrays in arrays",
        `<?php return array('a' => array ( '«b»' => ‹'B'› ) , '«c»' /* d */ => // e\n ‹'C'› );`,
      ],
      ["texts that code makes", `<?php return ['«a»' => ‹'A' . PHP_EOL›, '«b»' => ‹(string) 5›];`],
    ],
  ],
  [
    jsModule,
    [
      [
        "names and quotes",
        `export default { «a»: ‹"A"›, '«b»' : ‹'B'›, "«c»": ‹\`C\`›, «5»: ‹"D"›, ["«e»"]: ‹"E"› }`,
      ],
      ["members at all depths", `module.exports = {\n  a: { «b»: ‹"B"›, c: [«‹"C"›»] },\n};`],
      ["joined texts and assertions", `export default { «a»: ‹"A" + 'B'›, «b»: ‹"B"› as string } as const;`],
    ],
  ],
  [
    po,
    [
      ["a text", `msgid "«a»"\nmsgstr ‹"A"›\n`],
      ["several lines", `msgid "«a»"\nmsgstr ‹""\n"A"\n  "B"›\n`],
      ["a context", `# x\nmsgctxt "c"\nmsgid "«a»"\nmsgstr ‹"A"›\n`],
      [
        "forms",
        `msgid "«a»"\nmsgid_plural "b"\nmsgstr[0] ‹"A"\nmsgstr[1] "B"›\n\nmsgid "«c»"\nmsgstr ‹""›\n`,
      ],
    ],
  ],
  [
    wordpressPhp,
    [
      [
        "texts, contexts and forms",
        `<?php\nreturn ['messages'=>['«a»'=>‹'A'›,«'c' . "\\4" . 'b'»=>‹'B'›,'c\u0004«d»' => ‹'D' . "\\0" . 'E'›]];`,
      ],
    ],
  ],
  [
    wordpressJed,
    [
      [
        "texts, contexts and forms",
        String.raw`{"locale_data":{"messages":{"":{"lang":"nl"},"«a»":‹["A"]›,"c\u0004«b\"»" : ‹["B","C"]›,"«d»":‹"D"›}}}`,
      ],
    ],
  ],
  [
    csv,
    [
      ["cells", `key,nl\n«a»,‹A›\n"«b»",‹"B, ""C"""›\n«c»,‹›\n`],
      ["other separators and line ends", `key;x;nl\r\n«a»;y;‹A›\r\n«b»;;‹"B\r\nC"›`],
    ],
  ],
  [
    xliff12,
    [
      [
        "targets, with inline elements and empty",
        `<xliff version="1.2"><file source-language="en" target-language="nl"><body><trans-unit id="1" resname="«a»"><source>A</source><target>‹B<x id="1"/>›</target></trans-unit><trans-unit id='«b»'><source>B</source>‹<target/>›</trans-unit><trans-unit id="«c»"><source>C</source>‹›</trans-unit></body></file></xliff>`,
      ],
    ],
  ],
  [
    xliff20,
    [
      [
        "targets of segments",
        `<xliff version="2.0" srcLang="en" trgLang="nl"><file id="f"><unit id="1" name="«a»"><segment><source>A</source><target>‹B›</target></segment></unit><unit id="«b»"><segment><source>B</source>‹<target />›</segment></unit></file></xliff>`,
      ],
    ],
  ],
];

for (const [format, ofFormat] of cases) {
  describe(format.name, () => {
    test.each(ofFormat)("%s", (_, marked) => {
      expect(mark(format, marked.replaceAll(MARKS, ""))).toBe(marked);
    });
  });
}

/**
 * Malicious files: maximum size, one long line, deep nesting, missing ends, NULs. Reading takes linear time, problems
 * have positions, and edits are exact or refused.
 */
import { describe, expect, test } from "vitest";
import type { Format, ReadOptions } from "../../../src/formats/format.ts";
import { FORMATS } from "../../../src/formats/supported-formats.ts";
import {
  editTranslationFile,
  isUnreadable,
  readTranslationFile,
} from "../../../src/formats/parse-and-edit-file.ts";
import { isForms } from "../../../src/model/translation-text.ts";
import { cpuTime } from "../support/cpu-time.ts";
import { IS_FULL } from "../support/full-run.ts";

const DUTCH: ReadOptions = { locale: "nl", sourceLocale: "en" };

/** Kilobytes of the larger file; another number goes to see how files of that size are taken. */
const KILOBYTES = Number(process.env["PROJECT_TRANSLATIONS_BAD_INPUT_KB"] ?? (IS_FULL ? 256 : 32));
const TIMES = 8;
/** Eight times as much would take 64 times as long if time grew with its square. */
const OUT_OF_PROPORTION = 32;
/** Less cannot be measured. Milliseconds. */
const LEAST = 8;

/** How a file of a format begins, what an entry is, and how it ends. */
type Frame = readonly [head: string, entry: (name: string, value: string) => string, tail: string];

const PO_HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n';
const member = (name: string, value: string): string => `  "${name}": "${value}",\n`;

const FRAMES: ReadonlyMap<string, Frame> = new Map<string, Frame>([
  ["laravel_php", ["<?php\nreturn [\n", (name, value) => `  '${name}' => '${value}',\n`, "];\n"]],
  ["laravel_json", ["{\n", member, '  "z": "z"\n}\n']],
  ["json_js", ["{\n", member, '  "z": "z"\n}\n']],
  ["js_module", ["export default {\n", member, "};\n"]],
  ["po", [PO_HEAD, (name, value) => `msgid "${name}"\nmsgstr "${value}"\n\n`, ""]],
  ["pot", [PO_HEAD, (name, value) => `msgid "${name} ${value}"\nmsgstr ""\n\n`, ""]],
  ["csv", ["key,value\n", (name, value) => `${name},"${value}"\n`, ""]],
  [
    "xliff12",
    [
      '<xliff version="1.2"><file original="a" source-language="en" target-language="nl" datatype="x"><body>\n',
      (name, value) => `<trans-unit id="${name}"><source>a</source><target>${value}</target></trans-unit>\n`,
      "</body></file></xliff>\n",
    ],
  ],
  [
    "xliff20",
    [
      '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="nl"><file id="a">\n',
      (name, value) =>
        `<unit id="${name}"><segment><source>a</source><target>${value}</target></segment></unit>\n`,
      "</file></xliff>\n",
    ],
  ],
]);

function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length));
}

/** Pieces told by their number, until there is as much of them. */
function many(length: number, piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let index = 0, size = 0; size < length; index++) {
    const one = piece(index);
    pieces.push(one);
    size += one.length;
  }
  return pieces.join("");
}

type Shape = (frame: Frame, length: number) => string;

const inValue =
  (text: string): Shape =>
  ([head, entry, tail], length) =>
    head + entry("k", filled(text, length)) + tail;
const behindHead =
  (text: string): Shape =>
  ([head], length) =>
    head + filled(text, length);
const beforeEntry =
  (text: string): Shape =>
  ([head, entry, tail], length) =>
    head + filled(text, length) + entry("k", "v") + tail;

const SHAPES: Readonly<Record<string, Shape>> = {
  "many entries": ([head, entry, tail], length) =>
    head + many(length, (index) => entry(`key_${index}`, "a text of some words")) + tail,
  "many entries on one line": ([head, entry, tail], length) =>
    head + many(length, (index) => entry(`key_${index}`, "x").replaceAll("\n", " ")) + tail,
  "one key again and again": ([head, entry, tail], length) =>
    head + many(length, () => entry("again", "a text")) + tail,
  "many branches": ([head, entry, tail], length) =>
    head + many(length, (index) => entry(`a.b.c${index % 50}.k${index}`, "x")) + tail,
  "one long text": inValue("words and "),
  "a text of escapes": inValue("\\\\ \\n &amp; "),
  "a text of entities": inValue("&#65;&lt;&foo;"),
  "a text of pipes": inValue("a|"),
  "a text of open messages": inValue("{n, plural, one {"),
  "a text of NULs": inValue("a\0b"),
  "a key of dots": ([head, entry, tail], length) => head + entry(filled("a.", length), "v") + tail,
  "a text that does not end": ([head, entry], length) =>
    (head + entry("k", filled("x", length))).slice(0, length),
  "open brackets": behindHead("["),
  "open braces": behindHead('{"a":'),
  "open arrays": behindHead("'a' => ["),
  "open elements": behindHead("<g id='1'>"),
  "open comments": behindHead("/* "),
  "open sections": behindHead("<![CDATA["),
  "open templates": behindHead("a: `${"),
  "open heredocs": behindHead("'a' => <<<A\nx\nB\n"),
  attributes: behindHead(" x='1'"),
  "signs of less": behindHead("<"),
  "double quotes": behindHead('"'),
  "single quotes": behindHead("'"),
  backslashes: behindHead('"\\\\'),
  commas: behindHead(","),
  concatenation: behindHead("'a' . "),
  sums: behindHead("1+"),
  "comments of all kinds": beforeEntry("// c\n# c\n/* x */\n<!-- c -->\n"),
  "flags and references": beforeEntry("#, fuzzy\n#. c\n#: a:1\n#~ x\n"),
  spaces: beforeEntry(" "),
  "empty lines": beforeEntry("\n"),
  "old line ends": beforeEntry("\r"),
  "forms without end": ([head], length) =>
    `${head}msgid "x"\nmsgid_plural "y"\n${many(length, (index) => `msgstr[${index}] "x"\n`)}`,
};

const TEXT_FORMATS = FORMATS.filter(({ kind }) => kind === "text");

async function timeOf(format: Format, bytes: Uint8Array): Promise<number> {
  const started = cpuTime();
  await readTranslationFile(format, bytes, DUTCH);
  return cpuTime() - started;
}

function bytesOf(shape: Shape, frame: Frame, length: number): Uint8Array {
  return new TextEncoder().encode(shape(frame, length));
}

test("covers every text format", () => {
  expect(TEXT_FORMATS.map(({ name }) => name)).toEqual([...FRAMES.keys()]);
});

describe.each(TEXT_FORMATS.map((format) => [format.name, format] as const))("%s", (name, format) => {
  const frame = FRAMES.get(name);
  if (frame === undefined) throw new Error(`no frame for ${name}`);

  test.each(Object.entries(SHAPES))(
    "%s: is rejected in time with a location, or read exactly",
    { timeout: 600_000 },
    async (_, shape) => {
      const length = KILOBYTES * 1000;
      const small = bytesOf(shape, frame, length / TIMES);
      const large = bytesOf(shape, frame, length);
      // On a busy machine one time says little; what is out of proportion is so again and again.
      let ratio = Infinity;
      for (let round = 0; round < 4 && ratio > OUT_OF_PROPORTION; round++) {
        const least = Math.max(LEAST, await timeOf(format, small));
        ratio = Math.min(ratio, (await timeOf(format, large)) / least);
      }
      expect(ratio).toBeLessThanOrEqual(OUT_OF_PROPORTION);

      const read = await readTranslationFile(format, small, DUTCH);
      if (isUnreadable(read)) {
        expect([read.line, read.column].every((each) => each >= 1)).toBe(true);
        return;
      }
      for (const { line, column, message } of read.problems) {
        if (line === null || column === null || line < 1 || column < 1)
          throw new Error(`no place: ${message}`);
      }
      const entry = read.entries.find(({ readOnly, text }) => readOnly === null && !isForms(text));
      if (entry === undefined) return;
      const { key, context, namespace, locale } = entry;
      const change = { key, context, namespace, locale, text: { value: "new" } };
      const edited = await editTranslationFile(format, small, [change], DUTCH);
      if (isUnreadable(edited)) throw new Error("no longer a text");
      if (edited.refused.length > 0) {
        expect(edited.bytes).toBe(small);
        return;
      }
      const back = await editTranslationFile(format, edited.bytes, [{ ...change, text: entry.text }], DUTCH);
      if (isUnreadable(back)) throw new Error("no longer a text");
      // gettext's files are not to hold a NUL, though one that does is read.
      if (back.refused.length > 0) {
        expect(back.bytes).toBe(edited.bytes);
        return;
      }
      // What was escaped in the text may be so no longer; the text is the same.
      const again = await readTranslationFile(format, back.bytes, DUTCH);
      if (isUnreadable(again)) throw new Error("no longer a text");
      expect(again.entries.length).toBe(read.entries.length);
      expect(again.entries.find((each) => each.key === key && each.context === context)?.text).toEqual(
        entry.text,
      );
    },
  );
});

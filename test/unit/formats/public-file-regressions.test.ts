/** Defects found with files of public projects, each with a small file. */
import { expect, test } from "vitest";
import { applyEdit } from "../../../src/formats/editing/apply-verified-edit.ts";
import type { ReadOptions, TextFormat } from "../../../src/formats/format.ts";
import { po } from "../../../src/formats/gettext/po-format.ts";
import { wordpressJed } from "../../../src/formats/wordpress/wordpress-jed-format.ts";
import { jsonJs } from "../../../src/formats/json/json-format.ts";
import { wordpressPhp } from "../../../src/formats/wordpress/wordpress-php-format.ts";
import { detectFromContent } from "../../../src/formats/detect-format.ts";
import { xliff12, xliff20 } from "../../../src/formats/xliff/xliff-format.ts";
import { edited, ENGLISH } from "./editing.ts";
import { cpuTime } from "../support/cpu-time.ts";

const DUTCH: ReadOptions = { locale: "nl", sourceLocale: "en" };

/** The text after a change and its taking back. */
function thereAndBack(format: TextFormat, text: string, key: string, value: string, options = DUTCH): string {
  const [entry] = format.read(text, options).entries.filter((each) => each.key === key);
  if (entry === undefined) throw new Error(`no ${key}`);
  const name = { key, context: entry.context, namespace: entry.namespace };
  const there = applyEdit(format, text, [{ ...name, text: { value } }], options);
  expect(there.refused).toEqual([]);
  expect(there.text).not.toBe(text);
  return applyEdit(format, there.text, [{ ...name, text: entry.text }], options).text;
}

test("keeps HTML characters escaped (PHP's JSON_HEX_TAG)", () => {
  const text = '{"a":"\\u0022x\\u0022 \\u003Cb\\u003E \\u0026 it\\u0027s","b":"caf\\u00e9"}';
  expect(edited(jsonJs, text, { b: '<i>"\'&é\\"' })).toBe(
    text.replace("caf\\u00e9", "\\u003Ci\\u003E\\u0022\\u0027\\u0026\\u00e9\\\\\\u0022"),
  );
  expect(thereAndBack(jsonJs, text, "b", '"', ENGLISH)).toBe(text);
  // One that also stands there as itself is not escaped.
  expect(edited(jsonJs, '{"a":"\\u003cb>","c":"é"}', { c: "<x>" })).toBe('{"a":"\\u003cb>","c":"\\u003cx>"}');
});

test("wraps a long text like its msgid (Django)", () => {
  const long = "words that are so many that they do not fit behind the keyword of the line";
  const text = `msgid ""\nmsgstr ""\n"Language: nl\\n"\n\nmsgid ""\n"${long}"\nmsgstr ""\n"${long} "\n"ook hier"\n`;
  expect(thereAndBack(po, text, long, "kort")).toBe(text);
});

test("wraps texts like other texts, not like msgids (Babel, Transifex)", () => {
  const one = (name: string): string => `msgid ""\n"\\n"\n"${name}\\n"\nmsgstr "\\n${name} vertaald\\n"\n`;
  const text = `msgid ""\nmsgstr "Language: nl\\n"\n\n${one("first")}\n${one("second")}\n${one("third")}`;
  expect(thereAndBack(po, text, "\nsecond\n", "kort")).toBe(text);
});

const units = (...each: readonly string[]): string =>
  `<xliff version="1.2"><file original="f" source-language="en" target-language="nl" datatype="x"><body>\n${each
    .map((inner, index) => `<trans-unit id="k${index}">${inner}</trans-unit>\n`)
    .join("")}</body></file></xliff>\n`;

test("writes a self-closing element if the file has some (TYPO3)", () => {
  const text = units("<source/>", "<source/>").replace(' target-language="nl"', "");
  expect(thereAndBack(xliff12, text, "k1", "x", ENGLISH)).toBe(text);
});

test("removes a target equal to its source in the source locale (locize)", () => {
  const english = (text: string): string => text.replace('"nl"', '"en"');
  const text = english(units("<source>a</source>", "<source>b</source>", "<source>c</source>"));
  expect(thereAndBack(xliff12, text, "k1", "x", ENGLISH)).toBe(text);
  // Where targets repeat their sources, it does.
  const both = english(
    units(...["a", "b", "c"].map((each) => `<source>${each}</source><target>${each}</target>`)),
  );
  expect(thereAndBack(xliff12, both, "k1", "x", ENGLISH)).toBe(both);
});

test("reads a segment without source as read-only (XLIFF2-Object-Model)", () => {
  const text =
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="nl"><file id="f">' +
    '<unit id="u"><segment><target>woosh</target></segment></unit></file></xliff>';
  expect(xliff20.read(text, DUTCH).entries.map(({ readOnly }) => readOnly)).toEqual(["unsupported"]);
});

test("reads frequent duplicate names in linear time", () => {
  const messages = Array.from({ length: 60_000 }, () => '"again":["x"]').join(",");
  const started = cpuTime();
  const { entries, problems } = wordpressJed.read(`{"locale_data":{"messages":{${messages}}}}`, DUTCH);
  expect(cpuTime() - started).toBeLessThan(5_000);
  expect([entries.length, problems.length]).toEqual([1, 59_999]);
});

test("reads a module that exports a frozen object by name (logto)", () => {
  const text = "const role = {\n  name: 'Name',\n};\n\nexport default Object.freeze(role);\n";
  expect(detectFromContent("locales/nl/role.ts", text)?.format).toBe("js_module");
  expect(
    detectFromContent("src/nl/start.ts", "const app = start();\nexport default wrap(app);\n"),
  ).toBeNull();
});

test("reads duplicate msgids with different plurals in linear time", () => {
  const messages = Array.from({ length: 40_000 }, (_, index) => `"a\\0p${index}"=>"x\\0y"`).join(",");
  const started = cpuTime();
  const { entries, problems } = wordpressPhp.read(`<?php\nreturn ['messages'=>[${messages}]];\n`, DUTCH);
  expect(cpuTime() - started).toBeLessThan(10_000);
  expect([entries.length, problems.length]).toEqual([1, 39_999]);
});

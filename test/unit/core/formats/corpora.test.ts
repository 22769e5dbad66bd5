/**
 * Real translation files of public projects, where they lie beside the repository (or where `PROJECT_SHARED`
 * says): every file is read without a problem, and every edit is taken back to the same bytes.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeText, encodeText, isNotText } from "../../../../src/core/bytes.ts";
import { applyEdit } from "../../../../src/core/formats/edit.ts";
import type { TextFormat } from "../../../../src/core/formats/format.ts";
import { jsonJs } from "../../../../src/core/formats/json/json-js.ts";
import { laravelPhp } from "../../../../src/core/formats/php/laravel-php.ts";
import { isForms, type Text } from "../../../../src/core/text.ts";
import { ENGLISH } from "./editing.ts";

const SHARED = process.env["PROJECT_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared");

const CORPORA: readonly (readonly [string, string, TextFormat])[] = [
  ["bookstack/lang", ".php", laravelPhp],
  ["excalidraw/locales", ".json", jsonJs],
];

function filesIn(folder: string, ending: string): string[] {
  const path = resolve(SHARED, "corpora", folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => resolve(path, name));
}

const NEW_TEXT = "new 'text' with \"quotes\", a \\ and $x – ü 🎉\n";

function other(text: Text): Text {
  return isForms(text) ? { forms: { one: "x", other: NEW_TEXT } } : { value: NEW_TEXT };
}

describe.runIf(existsSync(SHARED))("real files", () => {
  for (const [folder, ending, format] of CORPORA) {
    const paths = filesIn(folder, ending);

    test(`${folder} is there`, () => {
      expect(paths.length).toBeGreaterThan(5);
    });

    test.each(paths)("%s", (path) => {
      const bytes = new Uint8Array(readFileSync(path));
      const decoded = decodeText(bytes);
      if (isNotText(decoded)) throw new Error("not UTF-8");
      expect(encodeText(decoded)).toEqual(bytes);
      const { text } = decoded;
      const { entries, problems } = format.read(text, ENGLISH);
      expect(problems.filter((problem) => problem.code !== "type")).toEqual([]);
      const step = Math.max(1, Math.floor(entries.length / 4));
      for (const entry of entries.filter((_, index) => index % step === 0)) {
        const { key } = entry;
        const there = applyEdit(format, text, [{ key, context: null, text: other(entry.text) }], ENGLISH);
        expect(there.refused).toEqual([]);
        expect(there.text.slice(0, entry.valueSpan.start)).toBe(text.slice(0, entry.valueSpan.start));
        expect(there.text.endsWith(text.slice(entry.valueSpan.end))).toBe(true);
        const back = applyEdit(format, there.text, [{ key, context: null, text: entry.text }], ENGLISH);
        expect(back.text).toBe(text);

        const parent = key.slice(0, key.lastIndexOf(".") + 1);
        const names = [`${parent}zz_new`, "brand.new.key"];
        const put = names.map((name) => ({ key: name, context: null, text: { value: NEW_TEXT } }));
        const grown = applyEdit(format, text, put, ENGLISH);
        expect(grown.refused).toEqual([]);
        const take = names.map((name) => ({ key: name, context: null, text: null }));
        expect(applyEdit(format, grown.text, take, ENGLISH).text).toBe(text);
      }
    });
  }
});

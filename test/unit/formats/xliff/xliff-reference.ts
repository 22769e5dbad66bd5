/** Validates XLIFF files with OASIS's schemas (xmllint), saxes and the `xliff` library. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SaxesParser } from "saxes";
import { expect } from "vitest";
import { xliff12ToJs } from "xliff";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change } from "../../../../src/formats/format.ts";
import { xliff12, xliff20 } from "../../../../src/formats/xliff/xliff-format.ts";
import { runText } from "../../support/reference-tools.ts";
import { DUTCH } from "./xliff-samples.ts";

const SCHEMAS = resolve(import.meta.dirname, "../../../fixtures/xliff");
const SCHEMA = { xliff12: "xliff-core-1.2-transitional.xsd", xliff20: "xliff-core-2.0.xsd" } as const;
const FORMAT = { xliff12, xliff20 } as const;

/** @throws Error unless all of the files are valid by OASIS's schema. */
export function validate(format: keyof typeof SCHEMA, files: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), "xliff-"));
  process.env["XML_CATALOG_FILES"] = resolve(SCHEMAS, "catalog.xml");
  try {
    const paths = files.map((file, index) => {
      const path = join(folder, `${index}.xlf`);
      writeFileSync(path, file);
      return path;
    });
    runText("xmllint", ["--nonet", "--noout", "--schema", resolve(SCHEMAS, SCHEMA[format]), ...paths]);
  } finally {
    delete process.env["XML_CATALOG_FILES"];
    rmSync(folder, { recursive: true });
  }
}

/** @throws Error unless the file is well-formed XML, its namespaces included. */
export function parse(file: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(file).close();
}

/**
 * What the library says of a text: words; where there are tags, objects of its own. It is known to drop white space
 * behind a reference, to keep the last only of two files of one name, and to write other bytes than it read.
 */
export function plainOf(target: unknown): string | undefined {
  if (target === undefined) return "";
  return typeof target === "string" ? target : undefined;
}

/** The `xliff` library reads the same texts of an XLIFF 1.2 file, before and after every third was changed. */
export async function expectSameAsLibrary(file: string): Promise<void> {
  const { entries, locale } = await expectSameTexts(file, "nl");
  const changes = entries
    .filter((_, index) => index % 3 === 0)
    .map(({ key, namespace }): Change => ({ key, namespace, context: null, text: { value: NEW_TEXT } }));
  const changed = applyEdit(xliff12, file, changes, { locale, sourceLocale: "en" });
  const refused = changed.refused.length;
  parse(changed.text);
  const after = await expectSameTexts(changed.text, locale);
  const written = after.entries.filter(({ text }) => "value" in text && text.value === NEW_TEXT);
  expect(written.length + refused).toBe(changes.length);
  expect(written.length > 0).toBe(entries.length > 0);
}

const NEW_TEXT = "new 'text' with \"quotes\" & <b>tags</b>, ]]> ü 🎉";

async function expectSameTexts(file: string, locale: string) {
  const options = { locale: xliff12.read(file, { ...DUTCH, locale }).locale ?? locale, sourceLocale: "en" };
  const { entries, problems } = xliff12.read(file, options);
  expect(problems).toEqual([]);
  const { resources } = await xliff12ToJs(file);
  const byId = resources[entries[0]?.namespace ?? ""] ?? {};
  const theirs = Object.values(byId);
  expect(theirs).toHaveLength(entries.length);
  for (const [index, { key, text }] of entries.entries()) {
    // By id, unless the key is another attribute. (Ids that are numbers are out of order there.)
    const target = plainOf((byId[key] ?? theirs[index])?.target);
    // Elements in a text are objects of the library's own.
    if (target !== undefined) expect(text).toEqual({ value: target });
  }
  return { entries, locale: options.locale };
}

/** The file with every text changed or removed and one added. */
export function everythingChanged(name: keyof typeof SCHEMA, file: string): string {
  const format = FORMAT[name];
  const { entries } = format.read(file, DUTCH);
  const changes = entries.map(({ key, namespace }, index): Change => ({
    key,
    namespace,
    context: null,
    text: index % 5 === 0 ? null : { value: `<${key}>` },
  }));
  const namespace = entries[0]?.namespace ?? "n";
  const { text } = applyEdit(
    format,
    file,
    [...changes, { key: "new", namespace, context: null, text: { value: "x" } }],
    DUTCH,
  );
  expect(text).not.toBe(file);
  return text;
}

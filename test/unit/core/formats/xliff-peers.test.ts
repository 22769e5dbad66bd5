/**
 * XLIFF as others see it: OASIS's schemas by way of xmllint, saxes, the `xliff` library, and the real files of a
 * public project, every one of which comes back as it was.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { xliff12ToJs, xliff2js } from "xliff";
import { applyEdit } from "../../../../src/core/formats/edit.ts";
import type { Change, NewEntry, ReadOptions } from "../../../../src/core/formats/format.ts";
import { fileId } from "../../../../src/core/formats/xliff/xliff-print.ts";
import { xliff12 } from "../../../../src/core/formats/xliff/xliff12.ts";
import { xliff20 } from "../../../../src/core/formats/xliff/xliff20.ts";
import { peerText } from "../../support/peer.ts";
import { ANGULAR, DUTCH, SYMFONY, TWO } from "./xliff-samples.ts";

const SHARED = process.env["PROJECT_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared");
const KIMAI = resolve(SHARED, "corpora/kimai/translations");
const SCHEMAS = resolve(import.meta.dirname, "../../../fixtures/xliff");
const SCHEMA = { xliff12: "xliff-core-1.2-transitional.xsd", xliff20: "xliff-core-2.0.xsd" } as const;
const ENGLISH: ReadOptions = { locale: "en", sourceLocale: "en" };

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "xliff-"));
  process.env["XML_CATALOG_FILES"] = resolve(SCHEMAS, "catalog.xml");
});
afterAll(() => {
  delete process.env["XML_CATALOG_FILES"];
  rmSync(folder, { recursive: true });
});

/** Throws unless all of them are valid by OASIS's schema. */
function validate(format: keyof typeof SCHEMA, files: readonly string[]): void {
  const paths = files.map((file, index) => {
    const path = join(folder, `${index}.xlf`);
    writeFileSync(path, file);
    return path;
  });
  peerText("xmllint", ["--nonet", "--noout", "--schema", resolve(SCHEMAS, SCHEMA[format]), ...paths]);
}

function parse(file: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(file).close();
}

const ENTRIES: readonly NewEntry[] = [
  {
    key: "a",
    context: null,
    namespace: "messages",
    text: { value: "<b>&\"' ]]>\r\n\t " },
    source: { value: "x" },
  },
  { key: "a b/c", context: null, namespace: "messages", text: { value: "" }, description: "a < b & c" },
  { key: "é", context: null, namespace: "admin/users", text: { value: "\u0000\uFFFF\uD800" } },
  { key: "é", context: "twice", namespace: "admin/users", text: { value: "one name, two contexts" } },
  { key: "r", context: null, namespace: "messages", text: { value: "a\r\nb\r" } },
  { key: "n", context: null, namespace: null, text: { forms: { one: "1", other: "n" } } },
  { key: "", context: null, namespace: "*", text: { value: '<g id="1">' } },
];
const CHANGES: readonly Change[] = [
  { key: "cart.title", context: null, text: { value: "a & <b> ]]>" } },
  { key: "user.name", context: null, text: { value: "Naam" } },
  { key: "user.mail", context: null, text: null },
  { key: "2", context: null, text: { value: "x" } },
  { key: "u3", context: null, text: { value: "Drie" } },
  {
    key: "new key",
    context: null,
    text: { value: "Nieuw" },
    source: { value: "New" },
    description: "A note",
  },
  { key: "of another", context: null, namespace: "admin/users", text: { value: "y" } },
];

describe("the schemas", () => {
  test("take what is printed", () => {
    validate("xliff12", [
      xliff12.print(ENTRIES, DUTCH),
      xliff12.print(ENTRIES, ENGLISH),
      xliff12.print([], DUTCH),
    ]);
    validate("xliff20", [xliff20.print(ENTRIES, DUTCH), xliff20.print(ENTRIES, ENGLISH)]);
  });

  test("take what is changed", () => {
    const edited = (file: string): string => {
      const namespace = xliff12.read(file, DUTCH).entries[0]?.namespace ?? null;
      const changes = CHANGES.map((change) => ({ namespace, ...change }));
      const { text, refused } = applyEdit(xliff12, file, changes, DUTCH);
      expect(refused.every(({ reason }) => reason === "not_found")).toBe(true);
      expect(text).not.toBe(file);
      parse(text);
      return text;
    };
    const inOrder = ANGULAR.replace(/( *<context-group[^]*?<\/context-group>\n)( *<note)/, "$1$2");
    validate("xliff12", [SYMFONY, inOrder, edited(SYMFONY), edited(inOrder)]);
    validate("xliff20", [TWO, edited(TWO)]);
  });

  test("refuse what is not XLIFF, so that they would tell", () => {
    const twice = SYMFONY.replace("inmIkP6", "N7mikjJ");
    expect(() => validate("xliff12", [twice, SYMFONY])).toThrow(/N7mikjJ/);
    expect(() => validate("xliff20", [TWO.replace("</segment>", "<note/></segment>")])).toThrow(/note/);
  });
});

/**
 * What the library says of a text: words; where there are tags, objects of its own. It is known to drop white space
 * behind a reference, to keep the last only of two files of one name, and to write other bytes than it read.
 */
function plainOf(said: unknown): string | undefined {
  if (said === undefined) return "";
  return typeof said === "string" ? said : undefined;
}

describe("the xliff library", () => {
  test("reads the same of what is printed", async () => {
    const list = ENTRIES.filter(
      ({ text, context }) => context === null && "value" in text && /^[^\r\uD800]*$/.test(text.value),
    );
    const both = [
      [xliff12, await xliff12ToJs(xliff12.print(list, DUTCH))],
      [xliff20, await xliff2js(xliff20.print(list, DUTCH))],
    ] as const;
    for (const [format, { resources }] of both) {
      const file = format.print(list, DUTCH);
      for (const { key, namespace, text } of format.read(file, DUTCH).entries) {
        if (namespace === null || key === "") continue;
        const units = resources[format === xliff12 ? namespace : fileId(namespace)];
        const unit =
          format === xliff12
            ? units?.[key]
            : Object.values(units ?? {}).find(({ target }) => "value" in text && target === text.value);
        if ("value" in text) expect(plainOf(unit?.target)).toBe(text.value);
      }
    }
  });
});

describe.runIf(existsSync(KIMAI))("the real files", () => {
  const paths = existsSync(KIMAI) ? readdirSync(KIMAI).filter((name) => name.endsWith(".xlf")) : [];

  test("are there", () => {
    expect(paths).toHaveLength(70);
  });

  test.each(paths)("%s", async (path) => {
    const file = readFileSync(resolve(KIMAI, path), "utf8");
    const options = { locale: path.split(".").at(-2) ?? "", sourceLocale: "en" };
    const { entries, problems, locale } = xliff12.read(file, options);
    expect(problems).toEqual([]);
    expect(locale).toBe(options.locale);

    const { resources } = await xliff12ToJs(file);
    const theirs = Object.values(resources[entries[0]?.namespace ?? ""] ?? {});
    expect(entries.map(({ text }) => ("value" in text ? text.value : ""))).toEqual(
      theirs.map(({ target }) => plainOf(target)),
    );

    const step = Math.max(1, Math.floor(entries.length / 3));
    for (const { key, namespace, text, valueSpan } of entries.filter((_, index) => index % step === 0)) {
      const change = { key, namespace, context: null };
      const value = "new 'text' with \"quotes\" & <b>tags</b>, ]]> ü 🎉\n";
      const there = applyEdit(xliff12, file, [{ ...change, text: { value } }], options);
      expect(there.refused).toEqual([]);
      parse(there.text);
      expect(there.text.endsWith(file.slice(valueSpan.end))).toBe(true);
      const back = applyEdit(xliff12, there.text, [{ ...change, text }], options).text;
      // A state that said that nobody translated it does not come back: it is no part of the text.
      const state = /state="needs-translation">$/.exec(file.slice(0, valueSpan.start));
      if (state === null) expect(back).toBe(file);
      else {
        const open = file.slice(0, state.index) + 'state="translated">';
        expect(back).toBe(open + file.slice(valueSpan.start));
      }
    }

    const added = { key: "zz.brand new", namespace: entries[0]?.namespace ?? null, context: null };
    if (entries.length === 0) return;
    const grown = applyEdit(xliff12, file, [{ ...added, text: { value: "x" } }], options).text;
    expect(grown.length).toBeGreaterThan(file.length);
    expect(applyEdit(xliff12, grown, [{ ...added, text: null }], options).text).toBe(file);
  });

  test("stay valid when they are changed", () => {
    const files = paths.map((path) => readFileSync(resolve(KIMAI, path), "utf8"));
    const changed = files.map((file) => {
      const { entries } = xliff12.read(file, DUTCH);
      const changes = entries.map(({ key, namespace }, index): Change => ({
        key,
        namespace,
        context: null,
        text: index % 5 === 0 ? null : { value: `<${key}>` },
      }));
      const put = {
        key: "new",
        namespace: entries[0]?.namespace ?? "n",
        context: null,
        text: { value: "x" },
      };
      return applyEdit(xliff12, file, [...changes, put], DUTCH).text;
    });
    expect(changed.filter((file, index) => file === files[index])).toEqual([]);
    validate("xliff12", changed);
  });
});

/** next-intl's own tests: the messages that `useExtracted` names, their ids, and the ICU messages that it accepts. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { nextIntl } from "../../src/frameworks/next-intl.ts";
import { parseIcuSyntax } from "../../src/model/icu-syntax.ts";
import type { FindOptions } from "../../src/scanners/key-usage.ts";
import { callsIn, parseTest, textOf, textsIn } from "./support/javascript-tests.ts";
import { expectShare, keyCases, type OutsideCase, projectFolder, usagesIn } from "./outside-suite.ts";

const NEXT_INTL: FindOptions = { frameworks: new Set(["next-intl"]), functions: [] };
const FIXTURES = "packages/swc-plugin-extractor/tests/fixture";
const COMPILER = "packages/next-intl/src/extractor/ExtractionCompiler.test.tsx";
const ROUND_TRIP = "packages/icu-minify/test/roundtrip.test.ts";

/** Returns the first name of each usage, with its line: the path in JSON files. */
function idsIn(text: string): readonly { readonly id: string; readonly line: number }[] {
  return usagesIn("input.tsx", text, NEXT_INTL).flatMap((usage) => {
    if (usage.expression.kind !== "static") return [];
    const [name] = nextIntl.keys.candidates(usage, usage.expression.key, {}, false);
    return name === undefined
      ? []
      : [{ id: name.key, line: text.slice(0, usage.callSpan.start).split("\n").length }];
  });
}

test("fixtures of the extractor", (context) => {
  const folder = projectFolder(context, "next-intl", "amannn/next-intl", FIXTURES);
  const cases = readdirSync(join(folder, FIXTURES)).flatMap((name) => {
    const output = join(folder, FIXTURES, name, "output.json");
    if (!existsSync(output)) return [];
    const expected = (
      JSON.parse(readFileSync(output, "utf8")) as { id: string; reference: { line: number } }[]
    ).map(({ id, reference }) => `${id} in line ${reference.line}`);
    const source = readFileSync(join(folder, FIXTURES, name, "input.js"), "utf8");
    // The keys of `useTranslations` are not extracted, but used.
    const own = idsIn(source).filter(({ id }) => !name.startsWith("existing-") || id !== "greeting");
    const found = own.map(({ id, line }) => `${id} in line ${line}`);
    return keyCases(name, expected, found);
  });
  expectShare("next-intl extractor, fixtures", cases, 0.95);
});

test("catalogues that its compiler writes", (context) => {
  const folder = projectFolder(context, "next-intl", "amannn/next-intl", COMPILER);
  const tests = callsIn(parseTest(join(folder, COMPILER)), new Set(["it"]));
  const cases = tests.flatMap((each): readonly OutsideCase[] => {
    const name = textOf(each.arguments[0]) ?? "";
    // Two tests begin with a catalogue whose id is not that of its message.
    if (/when a folder is (?:deleted|renamed)$/u.test(name)) return [];
    const texts = textsIn(each.node);
    const sources = texts.filter(
      (text) => /use-?intl|next-intl/u.test(text) && /(?:use|get)Extracted/u.test(text),
    );
    const catalogues = texts.filter((text) => !sources.includes(text)).join("\n");
    const found = new Set(sources.flatMap((source) => idsIn(source).map(({ id }) => id)));
    const pairs = [
      ...catalogues.matchAll(/"([\w-]{6})": ?"(.+?)"[,\n}]/gu),
      ...catalogues.matchAll(/msgid "([\w-]{6})"\n\s*msgstr "(.+)"\n/gu),
    ];
    // Translations, and messages that a test's sources no longer have or only have in a part that it appends.
    const expected = pairs.filter(([, , message = ""]) =>
      sources.some((source) => source.includes(`'${message}'`)),
    );
    return [...new Set(expected.map(([, id = ""]) => id))].map((id) => ({
      name: `${name}: ${id} is not found`,
      isRight: found.has(id),
    }));
  });
  expectShare("next-intl ExtractionCompiler", cases, 0.95);
});

test("ICU messages that it compiles or refuses", (context) => {
  const folder = projectFolder(context, "next-intl", "amannn/next-intl", ROUND_TRIP);
  const compiled = callsIn(parseTest(join(folder, ROUND_TRIP)), new Set(["compile"])).flatMap((call) => {
    const message = textOf(call.arguments[0]);
    const isRefused = call.within.at(-1)?.name === "expect";
    return message === null ? [] : [{ message, isRefused }];
  });
  const hooks = "packages/use-intl/src/react/useTranslations.test.tsx";
  const rendered = callsIn(
    parseTest(join(folder, hooks)),
    new Set(["renderMessage", "renderRichTextMessage"]),
  ).flatMap((call) => {
    const message = textOf(call.arguments[0]);
    return message === null ? [] : [{ message, isRefused: false }];
  });
  const cases = [...compiled, ...rendered].map(({ message, isRefused }): OutsideCase => {
    const { error } = parseIcuSyntax(message, { tags: true });
    return {
      name: `${isRefused ? "refused" : "valid"}: ${message} (${error?.kind ?? "valid"})`,
      isRight: (error !== null) === isRefused,
    };
  });
  expectShare("next-intl ICU messages", cases, 0.98);
});

/** FormatJS's own tests: the messages that its extractors find, and those that its parser accepts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { parseIcuSyntax } from "../../src/model/icu-syntax.ts";
import type { FindOptions } from "../../src/scanners/key-usage.ts";
import { callsIn, parseTest, textOf, textsIn, valueOf } from "./support/javascript-tests.ts";
import { expectShare, keyCases, type OutsideCase, projectFolder, usagesIn } from "./outside-suite.ts";

const FORMATJS: FindOptions = { frameworks: new Set(["formatjs"]), functions: [] };
const CLI = "packages/cli-lib/tests/unit";
const TRANSFORMER = "packages/ts-transformer/tests";

/** They have no `other`, which the package's `parse` requires and its parser, without options, does not. */
const WITHOUT_OTHER = new Set(["less_than_sign_1.txt", "quoted_pound_sign_2.txt"]);
const PARSER = "packages/icu-messageformat-parser/integration-tests/test_cases";

test("messages that the parser accepts and refuses", (context) => {
  const folder = join(projectFolder(context, "formatjs", "formatjs/formatjs", PARSER), PARSER);
  const cases = readdirSync(folder).flatMap((name): readonly OutsideCase[] => {
    if (WITHOUT_OTHER.has(name)) return [];
    const [text = "", options = "", result = ""] = readFileSync(join(folder, name), "utf8").split("\n---\n");
    const { ignoreTag = false } = JSON.parse(options) as { ignoreTag?: boolean };
    const { err } = JSON.parse(result) as { err: { kind: number } | null };
    const { error } = parseIcuSyntax(text, { tags: !ignoreTag });
    return [
      {
        name: `${name}: ${err === null ? "valid" : `error ${err.kind}`}, but ${error?.kind ?? "valid"}: ${text}`,
        isRight: (err === null) === (error === null),
      },
    ];
  });
  expectShare("formatjs icu-messageformat-parser", cases, 0.98);
});

/** A message that FormatJS extracts. */
interface Message {
  readonly id: string;
  readonly defaultMessage?: string;
  readonly description?: unknown;
}

/** Returns the id of each usage, or its message and description. */
function messagesIn(path: string, text: string): string[] {
  return usagesIn(path, text, FORMATJS).map(({ expression, isMessage, context }) => {
    const key = expression.kind === "static" ? expression.key : "";
    return isMessage === true ? `${key.trim()}#${context ?? ""}` : key;
  });
}

test("messages that the transformer extracts", (context) => {
  const folder = join(projectFolder(context, "formatjs", "formatjs/formatjs", TRANSFORMER), TRANSFORMER);
  const tests = callsIn(parseTest(join(folder, "index.test.ts")), new Set(["it"]));
  const cases = tests.flatMap((each): readonly OutsideCase[] => {
    const name = textOf(each.arguments[0]) ?? "";
    const file = textsIn(each.node).find((text) => text.endsWith(".tsx"));
    const [expected] = callsIn(each.node, new Set(["toEqual"]))
      .map((call) => valueOf(call.arguments[0]))
      .filter((value): value is Message[] => Array.isArray(value));
    // Options of the transformer name further functions and components, or compute ids by a function.
    if (file === undefined || expected === undefined || /^(?:additional.*|overrideIdFn|ast)$/u.test(name))
      return [];
    const source = readFileSync(join(folder, "fixtures", file), "utf8");
    const found = messagesIn(file, source);
    // The tests have a rule of ids of their own, so messages without a written id are compared themselves.
    const ids = expected.map(({ id, defaultMessage = "", description = "" }) =>
      found.includes(id) ? id : `${defaultMessage}#${String(description)}`,
    );
    return keyCases(name, ids, found);
  });
  expectShare("formatjs ts-transformer", cases, 0.95);
});

test("messages that the command line extracts from Vue and Svelte", (context) => {
  const folder = join(projectFolder(context, "formatjs", "formatjs/formatjs", CLI), CLI);
  const cases = ["vue", "svelte"].flatMap((language) => {
    const snapshots = readFileSync(join(folder, `__snapshots__/${language}_extractor.test.ts.snap`), "utf8");
    return [...snapshots.matchAll(/= `\n(\[[\s\S]*?\n\])\n`/gu)].flatMap(([, json = ""], index) => {
      const messages = JSON.parse(json.replaceAll(/,(?=\s*[}\]])/gu, "")) as readonly Message[];
      const file = `fixtures/${index === 0 ? "comp" : "bind"}.${language}`;
      const expected = messages.map((each) => `${each.defaultMessage ?? ""}#${String(each.description)}`);
      return keyCases(file, expected, messagesIn(file, readFileSync(join(folder, file), "utf8")));
    });
  });
  expectShare("formatjs cli-lib", cases, 0.95);
});

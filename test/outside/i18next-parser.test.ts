/** The keys that i18next-parser finds in the samples of its lexers' tests. */
import { join } from "node:path";
import { test } from "vitest";
import type { CustomFunction, FindOptions } from "../../src/scanners/key-usage.ts";
import { expectShare, keyCases, type OutsideCase, projectFolder, usagesIn } from "./outside-suite.ts";
import { callsIn, parseTest, textOf, valueOf, variableIn } from "./support/javascript-tests.ts";

const TESTS = "test/lexers";
const FILES = ["javascript-lexer.test.js", "jsx-lexer.test.js"];

/** A key as the lexer returns it. */
interface Found {
  readonly key?: string;
  readonly namespace?: string;
  readonly keyPrefix?: string;
}

/** Options of the lexers that are not the project's functions. */
const IS_OTHER_OPTION =
  /^(?:attr|namespaceFunctions|componentFunctions|transKeepBasicHtmlNodesFor|typeMap|parseGenerics)$/u;

/**
 * Samples whose keys are no others: keys in comments, which name them for the extractor; values of constants and texts
 * beside a spread, which the lexer does not read; a `t` outside of the component that `withTranslation` gives it to; and
 * an unknown namespace before a known one, which is the one that is searched.
 */
const IS_LEFT_OUT = /comment|dynamic keys|JSX spread/u;
const LEFT_OUT_CODE = /withTranslation\(|\[someVariable/u;

test("keys in its samples", (context) => {
  const folder = projectFolder(
    context,
    "i18next-parser",
    "i18next/i18next-parser",
    join(TESTS, "jsx-lexer.test.js"),
  );
  const tests = FILES.flatMap((file) => callsIn(parseTest(join(folder, TESTS, file)), new Set(["it"])));
  const cases = tests.flatMap((each): readonly OutsideCase[] => {
    const name = textOf(each.arguments[0]) ?? "";
    const [lexer] = callsIn(each.node, new Set(["JavascriptLexer", "JsxLexer"]));
    const options = (valueOf(lexer?.arguments[0]) ?? {}) as Readonly<Record<string, unknown>>;
    const expected = valueOf(callsIn(each.node, new Set(["deepEqual"]))[0]?.arguments[1]);
    const content = valueOf(variableIn(each.node, "content"));
    if (typeof content !== "string" || !Array.isArray(expected)) return [];
    if (IS_LEFT_OUT.test(name) || LEFT_OUT_CODE.test(content)) return [];
    if (Object.keys(options).some((option) => IS_OTHER_OPTION.test(option))) return [];
    const functions = (options["functions"] ?? []) as readonly string[];
    const find: FindOptions = {
      frameworks: new Set(["i18next"]),
      functions: functions.map((own): CustomFunction => ({ name: own, key: 0 })),
    };
    const found = usagesIn("a.tsx", content, find).map(({ expression, namespaces, keyPrefix }) => {
      const key = expression.kind === "static" ? expression.key : "";
      return JSON.stringify([Array.isArray(namespaces) ? namespaces[0] : null, keyPrefix, key]);
    });
    const keys = (expected as readonly Found[]).flatMap(({ key, namespace = null, keyPrefix = "" }) =>
      key === undefined ? [] : [JSON.stringify([namespace, keyPrefix, key])],
    );
    return keyCases(`${name}: ${content}`, keys, found);
  });
  expectShare("i18next-parser", cases, 0.95);
});

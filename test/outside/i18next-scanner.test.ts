/** The keys that i18next-scanner derives from the children of `<Trans>` in its tests. */
import { join } from "node:path";
import { test } from "vitest";
import type { FindOptions } from "../../src/scanners/key-usage.ts";
import { expectShare, keyCases, type OutsideCase, projectFolder, usagesIn } from "./outside-suite.ts";
import { callsIn, parseTest, textOf, valueOf } from "./support/javascript-tests.ts";

const TESTS = "test/jsx-parser.test.js";
const I18NEXT: FindOptions = { frameworks: new Set(["i18next"]), functions: [] };

test("children of Trans", (context) => {
  const folder = projectFolder(context, "i18next-scanner", "i18next/i18next-scanner", TESTS);
  const cases = callsIn(parseTest(join(folder, TESTS)), new Set(["toBe"])).flatMap(
    (call): readonly OutsideCase[] => {
      const [converted] = callsIn(call.node, new Set(["jsxToString"]));
      const code = textOf(converted?.arguments[0]);
      const expected = valueOf(call.arguments[0]);
      if (code === null || typeof expected !== "string") return [];
      const found = usagesIn("a.tsx", `<Trans>${code}</Trans>`, I18NEXT).map(({ expression }) =>
        expression.kind === "static" ? expression.key : "",
      );
      return keyCases(code, expected === "" ? [] : [expected], found);
    },
  );
  expectShare("i18next-scanner Trans", cases, 0.95);
});

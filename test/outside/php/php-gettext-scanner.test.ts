/** The number of texts in each domain that gettext/php-scanner finds in the code of its test. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import type { FindOptions } from "../../../src/scanners/key-usage.ts";
import { expectShare, type OutsideCase, projectFolder, usagesIn } from "../outside-suite.ts";

const TESTS = "tests/PhpScannerTest.php";
const CODE = "tests/assets/code.php";
const GETTEXT: FindOptions = { frameworks: new Set(["gettext"]), functions: [] };

test("texts in its sample", (context) => {
  const folder = projectFolder(context, "PHP-Scanner", "php-gettext/PHP-Scanner", CODE);
  const found = new Map<string, Set<string>>();
  for (const usage of usagesIn(CODE, readFileSync(join(folder, CODE), "utf8"), GETTEXT)) {
    const { expression, namespaces } = usage;
    if (expression.kind !== "static") continue;
    const domain = Array.isArray(namespaces) ? (namespaces[0] as string) : "domain1";
    const texts = found.get(domain) ?? new Set();
    found.set(domain, texts.add(`${usage.context ?? ""}|${expression.key}`));
  }
  const php = readFileSync(join(folder, TESTS), "utf8");
  const counts = new Map(
    Array.from(php.matchAll(/assertCount\((\d+), \$(domain\d)\)/gu), ([, count, domain = ""]) => [
      domain,
      Number(count),
    ]),
  );
  const cases = [...counts].map(([domain, count]): OutsideCase => {
    const size = found.get(domain)?.size ?? 0;
    return { name: `${domain} has ${size} texts, not ${count}`, isRight: size === count };
  });
  expectShare("gettext/php-scanner", cases, 1);
});

/** The keys that Symfony's own extractors find in the files and templates of their tests. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import type { FindOptions } from "../../../src/scanners/key-usage.ts";
import { requireTool, runText } from "../../unit/support/reference-tools.ts";
import {
  expectShare,
  keyCases,
  type OutsideCase,
  projectFolder,
  usagesIn,
  writtenKey,
} from "../outside-suite.ts";

const SYMFONY: FindOptions = { frameworks: new Set(["symfony"]), functions: [] };
const PHP_TEST = "Tests/Extractor/PhpAstExtractorTest.php";
const TWIG_TEST = "Tests/Translation/TwigExtractorTest.php";

/** Returns what the PHP code between two texts of a file returns, with the code after it. */
function valueBetween(file: string, from: string, to: string, after = ""): unknown {
  const php = readFileSync(file, "utf8");
  const start = php.indexOf(from);
  const code = php.slice(start, php.indexOf(to, start)).replaceAll("self::CUSTOM_DOMAIN", "'domain'");
  return JSON.parse(
    runText("php", ["-n", "-r", `echo json_encode((function () { ${code} ${after} })());`]),
  ) as unknown;
}

/** Returns the keys with their domains. */
function keysIn(path: string, text: string): string[] {
  return usagesIn(path, text, SYMFONY).map((usage) => {
    const key = writtenKey(usage);
    // The extractors evaluate constants of other classes; here the domain stays open.
    if (usage.namespaces === "unknown") return `*:${key}`;
    return usage.namespaces === null ? `messages:${key}` : key;
  });
}

/** Returns the expected keys with their domains; `*` for a domain that is a constant of another class. */
function expectedKeys(byDomain: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(byDomain).flatMap(([domain, keys]) =>
    keys.map((key) => (key === "const-domain" ? `*:${key}` : `${domain}:${key}`)),
  );
}

test("PHP files", (context) => {
  const folder = projectFolder(context, "translation", "symfony/translation", PHP_TEST);
  requireTool(context, "php");
  const expected = valueBetween(
    join(folder, PHP_TEST),
    "$expectedHeredoc = ",
    "$actualCatalogue =",
    "return array_map(array_keys(...), $expectedCatalogue);",
  ) as Record<string, string[]>;
  const files = join(folder, "Tests/Fixtures/extractor-ast");
  const found = readdirSync(files)
    .filter((name) => name.endsWith(".php"))
    .flatMap((name) => keysIn(name, readFileSync(join(files, name), "utf8")));
  const indented = readFileSync(join(folder, "Tests/Fixtures/extractor-7.3/translation.html.php"), "utf8");
  expectShare(
    "symfony PhpAstExtractor",
    [
      ...keyCases("extractor-ast", expectedKeys(expected), found),
      ...keyCases(
        "extractor-7.3",
        ["heredoc\nindented\n  further", "nowdoc\nindented\n  further"].map((key) => `messages:${key}`),
        keysIn("translation.html.php", indented),
      ),
    ],
    0.95,
  );
});

test("Twig templates", (context) => {
  const folder = projectFolder(context, "twig-bridge", "symfony/twig-bridge", TWIG_TEST);
  requireTool(context, "php");
  const file = join(folder, TWIG_TEST);
  const samples = valueBetween(file, "return [\n", "    }\n") as readonly (readonly [
    string,
    Record<string, string> | [],
  ])[];
  const cases = samples.flatMap(([template, keys]): readonly OutsideCase[] => {
    const isConstant = template.includes("constant(");
    const expected = Object.entries(keys).map(([key, domain]) => `${isConstant ? "*" : domain}:${key}`);
    return keyCases(template, expected, keysIn("a.html.twig", template));
  });
  expectShare("symfony TwigExtractor", cases, 0.95);
});

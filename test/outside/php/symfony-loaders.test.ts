/** What Symfony's own loaders read in the translation files of their tests. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { test } from "vitest";
import { isUnreadable, readTranslationFile } from "../../../src/formats/parse-and-edit-file.ts";
import { formatOf } from "../../../src/formats/supported-formats.ts";
import { isForms, valuesOf } from "../../../src/model/translation-text.ts";
import { requireTool, runText } from "../../unit/support/reference-tools.ts";
import { expectShare, keyCases, type OutsideCase, projectFolder } from "../outside-suite.ts";

const FIXTURES = "Tests/Fixtures";
/** Formats by extension. CSV files of Symfony have no header row, and are read by the columns of the project file. */
const FORMATS: Readonly<Record<string, string>> = { ".po": "po", ".mo": "mo", ".json": "json_js" };

const LOAD = `
  spl_autoload_register(function ($class) {
    $name = str_replace(['Symfony\\\\Component\\\\Translation\\\\', '\\\\'], ['', '/'], $class);
    if (is_file($path = $_SERVER['argv'][1] . "/$name.php")) require_once $path;
  });
  $all = [];
  foreach (array_slice($_SERVER['argv'], 2) as $path) {
    $class = 'Symfony\\\\Component\\\\Translation\\\\Loader\\\\' . ucfirst(pathinfo($path, PATHINFO_EXTENSION)) . 'FileLoader';
    try { $all[$path] = (object) (new $class())->load($path, 'en')->all('messages'); }
    catch (Symfony\\Component\\Translation\\Exception\\InvalidResourceException) { $all[$path] = null; }
  }
  echo json_encode($all);`;

test("files", async (context) => {
  const folder = projectFolder(context, "translation", "symfony/translation", join(FIXTURES, "plurals.po"));
  requireTool(context, "php");
  const paths = readdirSync(join(folder, FIXTURES))
    // Forms 3 and 1 of a language with two, for which Symfony shows others as `-`.
    .filter((name) => extname(name) in FORMATS && name !== "missing-plurals.po")
    .map((name) => join(folder, FIXTURES, name));
  const loaded = JSON.parse(runText("php", ["-n", "-r", LOAD, "--", folder, ...paths])) as Readonly<
    Record<string, Readonly<Record<string, string>> | null>
  >;
  const cases: OutsideCase[] = [];
  for (const [path, messages] of Object.entries(loaded)) {
    const name = path.slice(join(folder, FIXTURES).length + 1);
    const format = formatOf(FORMATS[extname(path)] ?? "");
    if (format === undefined) throw new Error(`${name} has no format`);
    const read = await readTranslationFile(format, readFileSync(path), { locale: "en", sourceLocale: "nl" });
    if (messages === null) {
      const isRefused = isUnreadable(read) || read.problems.length > 0 || read.entries.length === 0;
      cases.push({ name: `${name}: is no translation file`, isRight: isRefused });
      continue;
    }
    const entries = isUnreadable(read) ? [] : read.entries;
    const written = entries
      // Symfony does not show fuzzy texts, nor empty ones.
      .filter(({ isFuzzy, text }) => isFuzzy !== true && valuesOf(text).some((value) => value !== ""))
      .map(({ key, text, source }) => {
        const id = source !== null && isForms(source) ? valuesOf(source).join("|") : key;
        return `${id}: ${valuesOf(text).join("|")}`;
      });
    const expected = Object.entries(messages).flatMap(([id, text]) =>
      text === "" ? [] : [`${id}: ${text}`],
    );
    cases.push(...keyCases(name, expected, written));
  }
  expectShare("symfony loaders", cases, 0.95);
});

/** Laravel's `MessageSelector` shows what is written for each number, in all locales that it names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { laravelPipes } from "../../../src/frameworks/laravel.ts";
import { categoryForNumber, neededCategories } from "../../../src/model/plural-categories.ts";
import { requireTool, runText } from "../../unit/support/reference-tools.ts";
import { AUTOLOAD } from "./laravel.ts";
import { expectShare, type OutsideCase, projectFolder } from "../outside-suite.ts";

/** Categories of the locale that Laravel never shows. */
function categoriesWithoutPart(locale: string): readonly string[] {
  const shown = laravelPipes.shownCategories(locale);
  return neededCategories(locale).filter((category) => !shown.includes(category));
}

const SELECTOR = "src/Illuminate/Translation/MessageSelector.php";
const NUMBERS = Array.from({ length: 211 }, (_, number) => number);

/** Numbers whose category Laravel groups with another one's: it is older than CLDR. */
function isGroupedOtherwise(locale: string, number: number): boolean {
  const language = locale.split("_", 1)[0] ?? "";
  // 0 is `one` in other languages than in CLDR.
  if (number === 0) return true;
  if (language === "is") return number % 10 === 1;
  if (language === "mk") return number % 100 === 11;
  if (language === "lv") return number % 10 === 0 || (number % 100 > 10 && number % 100 < 20);
  if (language === "mt") return number % 100 === 2;
  // In Filipino most numbers are `one`.
  return language === "fil";
}

test("what is written is shown", (context) => {
  const folder = projectFolder(context, "framework", "laravel/framework", SELECTOR);
  requireTool(context, "php");
  const php = readFileSync(join(folder, SELECTOR), "utf8");
  const locales = [...php.matchAll(/case '(\w+)':/gu)].map(([, locale = ""]) => locale);
  const lines = Object.fromEntries(
    locales.map((locale) => {
      const names = [...new Set([...neededCategories(locale), "other"])];
      const parts = laravelPipes.parts(locale, Object.fromEntries(names.map((name) => [name, name])));
      return [locale, (parts ?? []).join("|")];
    }),
  );
  const shown = choose(folder, lines);
  const cases = locales.flatMap((locale) => {
    const hidden = categoriesWithoutPart(locale);
    return NUMBERS.filter((number) => !isGroupedOtherwise(locale, number)).map((number): OutsideCase => {
      const category = categoryForNumber(locale, number);
      const isUnknown = neededCategories(locale).length === 1;
      const expected = hidden.includes(category) || isUnknown ? "other" : category;
      const is = shown[locale]?.[number];
      return {
        name: `${locale} ${number}: ${is}, not ${expected}`,
        // A locale that CLDR does not have shows the only form that is known.
        isRight: is === expected,
      };
    });
  });
  expectShare(`laravel MessageSelector, ${locales.length} locales`, cases, 1);
});

test("a value has as many parts as are ever shown", (context) => {
  const folder = projectFolder(context, "framework", "laravel/framework", SELECTOR);
  requireTool(context, "php");
  const php = readFileSync(join(folder, SELECTOR), "utf8");
  const locales = [...php.matchAll(/case '(\w+)':/gu)].map(([, locale = ""]) => locale);
  const shown = choose(folder, Object.fromEntries(locales.map((locale) => [locale, "0|1|2|3|4|5|6|7"])));
  const cases = locales.map((locale): OutsideCase => {
    const count = Math.max(...(shown[locale] ?? []).map(Number)) + 1;
    return { name: `${locale}: ${count}`, isRight: count === laravelPipes.shownCategories(locale).length };
  });
  expectShare("laravel MessageSelector, number of parts", cases, 1);
});

/** Returns what Laravel shows for each number, by locale. */
function choose(folder: string, lines: Readonly<Record<string, string>>): Record<string, string[]> {
  const script = `
    ${AUTOLOAD}
    $selector = new Illuminate\\Translation\\MessageSelector();
    $shown = [];
    foreach (json_decode(stream_get_contents(STDIN), true) as $locale => $line)
      foreach (range(0, ${NUMBERS.length - 1}) as $number) $shown[$locale][] = $selector->choose($line, $number, $locale);
    echo json_encode($shown);`;
  const stdout = runText("php", ["-n", "-r", script, "--", folder], JSON.stringify(lines));
  return JSON.parse(stdout) as Record<string, string[]>;
}

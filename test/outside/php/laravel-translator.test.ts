/** The keys that Laravel's `Translator` looks up for the calls of its own tests. */
import { join } from "node:path";
import { test } from "vitest";
import { NO_NAMESPACE } from "../../../src/model/key-hash.ts";
import type { FindOptions } from "../../../src/scanners/key-usage.ts";
import { resolveKey } from "../../../src/workspace/usages/resolve-usage-to-key.ts";
import { createKeyNames } from "../../unit/support/key-database.ts";
import { requireTool, runText } from "../../unit/support/reference-tools.ts";
import { AUTOLOAD } from "./laravel.ts";
import { expectShare, projectFolder, usagesIn } from "../outside-suite.ts";

const TESTS = "tests/Translation/TranslationTranslatorTest.php";
const LARAVEL: FindOptions = { frameworks: new Set(["laravel"]), functions: [] };

/** A call of a test, with all keys that the test defines, and the one that Laravel finds. */
interface LookUp {
  readonly test: string;
  readonly key: string;
  readonly keys: readonly (readonly [owner: string, group: string, item: string])[];
  /** `package|group|item`; `null` if there is none, or a group. */
  readonly found: string | null;
}

/** Fills each test's loader with its keys, as texts that name themselves, and repeats its calls. */
const LOOK_UP = String.raw`
  $all = [];
  $tests = file_get_contents($_SERVER['argv'][2]);
  preg_match_all('/function (test\w+)\(\)\s*\{(.*?)\n    \}/s', $tests, $tests, PREG_SET_ORDER);
  foreach ($tests as [, $test, $body]) {
    $loader = new Illuminate\Translation\ArrayLoader();
    $keys = [];
    preg_match_all("/->with\('(\w+)', '([^']+)', '([^']+)'\)\s*->andReturn\((\[.*\])\);/", $body, $loads, PREG_SET_ORDER);
    foreach ($loads as [, $locale, $group, $package, $array]) {
      $name = function ($value, $path) use (&$name, &$keys, $package, $group) {
        if (is_array($value)) {
          $named = [];
          foreach ($value as $key => $each) $named[$key] = $name($each, [...$path, $key]);
          return $named;
        }
        $keys[] = [$package, $group, implode('.', $path)];
        return "$package|$group|" . implode('.', $path);
      };
      $loader->addMessages($locale, $group, $name(eval("return $array;"), []), $package);
    }
    preg_match_all("/\\\$t->(?:get|string|array|hasForLocale)\('([^']*)'/", $body, $calls);
    foreach ($calls[1] as $key) {
      $translator = new Illuminate\Translation\Translator($loader, 'en');
      $translator->setFallback('lv');
      $found = $translator->get($key, [], 'en');
      $isFound = is_string($found) && $found !== $key;
      $all[] = ['test' => $test, 'key' => $key, 'keys' => $keys, 'found' => $isFound ? $found : null];
    }
  }
  echo json_encode($all);`;

test("keys of its calls", (context) => {
  const folder = projectFolder(context, "framework", "laravel/framework", TESTS);
  requireTool(context, "php");
  const script = `${AUTOLOAD} ${LOOK_UP}`;
  const lookUps = JSON.parse(
    runText("php", ["-n", "-r", script, "--", folder, join(folder, TESTS)]),
  ) as readonly LookUp[];
  const cases = lookUps.map(({ test: name, key, keys, found }) => {
    const names = createKeyNames(
      keys.map(([owner, group, item]) => ({
        hash: `${owner}|${group}|${item}`,
        namespace: group === "*" ? NO_NAMESPACE : owner === "*" ? group : `${owner}::${group}`,
        key: item,
        context: null,
      })),
    );
    const [usage] = usagesIn("a.php", `<?php __(${JSON.stringify(key).replaceAll("$", "\\$")});`, LARAVEL);
    const resolution = usage && resolveKey(usage, names, { frameworks: LARAVEL.frameworks });
    const ours = resolution?.kind === "known" ? resolution.key.hash : null;
    return { name: `${name}: ${key} is ${ours}, not ${found}`, isRight: ours === found };
  });
  expectShare("laravel Translator", cases, 1);
});

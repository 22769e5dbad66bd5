/** Evaluates files with PHP, in one process, with the functions that samples call. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, ReadOptions } from "../../../../src/formats/format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { wordpressPhp } from "../../../../src/formats/wordpress/wordpress-php-format.ts";
import { isForms } from "../../../../src/model/translation-text.ts";
import { runText } from "../../support/reference-tools.ts";

/** `leaves`: dotted key and text of every string, number; `null` for what is neither. `error`: PHP does not take the file. */
export type PhpSays = { readonly leaves: ReadonlyMap<string, string | null> } | { readonly error: string };

const PROGRAM = String.raw`<?php
error_reporting(0);
const FOO = 'foo';
const SEVEN = 7;
const A = 'defined';
class Foo { const BAR = 'bar'; public $prop = ['k' => 'v']; }
function env($name, $default = null) { return 'env:' . $name; }
$base = ['b' => 'from base', 'a' => 'from base', 7 => 'seven'];
$x = 'ex'; $arr = ['k' => 'v', 'q' => ['r' => 's']]; $obj = new Foo; $list = ['l0', 'l1'];
function leaves($value, $prefix, &$into) {
    foreach ($value as $key => $item) {
        $path = $prefix . $key;
        if (is_array($item)) leaves($item, $path . '.', $into);
        else $into[] = [$path, is_string($item) || is_int($item) || is_float($item) ? (string) $item : null];
    }
}
[$script, $folder, $from, $count] = $argv;
$done = (int) $from;
register_shutdown_function(function () use (&$done, $count) {
    while (ob_get_level() > 0) ob_end_clean();
    if ($done < $count) echo json_encode(['fatal' => error_get_last()['message'] ?? 'ended']), "\n";
});
for (; $done < $count; $done++) {
    ob_start();
    try {
        $value = (function ($file) use ($base, $x, $arr, $obj, $list) { return include $file; })("$folder/$done.php");
        $into = [];
        if (is_array($value)) leaves($value, '', $into);
        $output = is_array($value) ? ['leaves' => $into] : ['error' => 'no array'];
    } catch (Throwable $error) {
        $output = ['error' => $error->getMessage()];
    }
    ob_end_clean();
    $json = json_encode($output, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);
    echo $json, "\n";
}
`;

/** One answer for each text, in their order. */
export function askPhp(texts: readonly string[]): readonly PhpSays[] {
  const folder = mkdtempSync(join(tmpdir(), "php-oracle-"));
  try {
    writeFileSync(join(folder, "ask.php"), PROGRAM);
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${index}.php`), text);
    const answers: PhpSays[] = [];
    while (answers.length < texts.length) {
      const range = [String(answers.length), String(texts.length)];
      const before = answers.length;
      // A file that PHP does not even compile may end the process (with 255): the next one goes on behind it.
      const lines = runToEnd(join(folder, "ask.php"), [folder, ...range]);
      for (const line of lines) answers.push(answerOf(line));
      if (answers.length === before) throw new Error("PHP output nothing");
    }
    return answers;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runToEnd(script: string, args: readonly string[]): readonly string[] {
  const command = 'php -n -d memory_limit=1G -d short_open_tag=0 "$@" || [ $? -eq 255 ]';
  return runText("sh", ["-c", command, "sh", script, ...args])
    .split("\n")
    .filter((line) => line.startsWith("{"));
}

function answerOf(line: string): PhpSays {
  const output = JSON.parse(line) as { leaves?: [string, string | null][]; error?: string; fatal?: string };
  return output.leaves === undefined
    ? { error: output.error ?? output.fatal ?? "" }
    : { leaves: new Map(output.leaves) };
}

export const SINGULAR: ReadOptions = { locale: "en", sourceLocale: "en", isPlural: () => false };
/** No text comes from code or PHP constants, so that the rest is defined by PHP alone. */
export const NASTY = [
  "it's",
  '"q"',
  "$x {$y} ${z}",
  "\\",
  "\\n",
  "\n",
  "\r\n",
  "\0",
  "ctx\u0004",
  "7",
  "é🎉",
  "?>",
  "EOT",
  "'; exit; //",
  "",
];
/** What disagrees; empty when all is well. What is read-only because code may replace it is not compared. */
function disagreements(text: string, output: PhpSays): readonly string[] {
  const { entries, problems } = laravelPhp.read(text, SINGULAR);
  if ("error" in output) return [];
  const broken = problems.filter((problem) => problem.code === "syntax");
  // `<?` alone is PHP or text as php.ini says: nothing is read from such a file.
  if (broken.length > 0 && /<\?(?!=|php(?:\s|$))/i.test(text)) return [];
  if (broken.length > 0) return broken.map((problem) => `refused: ${problem.message}`);
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.readOnly !== null || isForms(entry.text)) continue;
    const wanted = output.leaves.get(entry.key);
    if (wanted !== entry.text.value) found.push(`${entry.key}: PHP outputs ${JSON.stringify(wanted)}`);
  }
  const isReported = problems.some((problem) => problem.code === "expression" || problem.code === "type");
  const keys = new Set(entries.map((entry) => entry.key));
  for (const [key, wanted] of output.leaves) {
    if (wanted !== null && !keys.has(key) && !isReported) found.push(`${key} is lost`);
  }
  return found;
}

/** Lets PHP read each file and returns what it read. */
export function expectAgreement(texts: readonly string[]): readonly PhpSays[] {
  const outputs = askPhp(texts);
  const bad = texts.flatMap((text, index) => {
    const output = outputs[index];
    const found = output === undefined ? ["no answer"] : disagreements(text, output);
    return found.length === 0 ? [] : [{ text, found }];
  });
  expect(bad).toEqual([]);
  return outputs;
}

/** Laravel's files say the same to PHP as to us, as they are and after two edits. */
export function expectAgreementBeforeAndAfterEdits(texts: readonly string[]): void {
  const edited = texts.map((text, index) => {
    const { entries } = laravelPhp.read(text, SINGULAR);
    const key = entries[(index * 7) % entries.length]?.key ?? "";
    const changes: Change[] = [
      { key, context: null, text: { value: NASTY.slice(index % 5).join(" ") } },
      { key: "brand.new", context: null, text: { value: NASTY.join("") } },
    ];
    return applyEdit(laravelPhp, text, changes, SINGULAR).text;
  });
  const outputs = expectAgreement([...texts, ...edited]);
  expect(outputs.filter((output) => "error" in output)).toEqual([]);
}

/** WordPress's files say the same to PHP as to us, as they are and with every fifth text changed. */
export function expectWordPressAgreement(texts: readonly string[]): void {
  const options: ReadOptions = { locale: "nl", sourceLocale: "en" };
  const read = (text: string): ReadonlyMap<string, string> =>
    new Map(
      wordpressPhp.read(text, options).entries.flatMap(({ key, context, text: own }) => {
        const name = `messages.${context === null ? "" : `${context}\u0004`}${key}`;
        return isForms(own) ? [] : [[name, own.value] as const];
      }),
    );
  for (const [index, output] of askPhp(texts).entries()) {
    const leaves = "leaves" in output ? output.leaves : new Map<string, string | null>();
    const own = read(texts[index] ?? "");
    expect(own.size).toBeGreaterThan(0);
    for (const [name, value] of own) expect([name, leaves.get(name)]).toEqual([name, value]);
  }
}

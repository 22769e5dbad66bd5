/** What PHP itself makes of files: included one after another in one process, with what the samples call defined. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peerText } from "../../support/peer.ts";

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
        $said = is_array($value) ? ['leaves' => $into] : ['error' => 'no array'];
    } catch (Throwable $error) {
        $said = ['error' => $error->getMessage()];
    }
    ob_end_clean();
    $json = json_encode($said, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);
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
      if (answers.length === before) throw new Error("PHP said nothing");
    }
    return answers;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runToEnd(script: string, args: readonly string[]): readonly string[] {
  const command = 'php -n -d memory_limit=1G -d short_open_tag=0 "$@" || [ $? -eq 255 ]';
  return peerText("sh", ["-c", command, "sh", script, ...args])
    .split("\n")
    .filter((line) => line.startsWith("{"));
}

function answerOf(line: string): PhpSays {
  const said = JSON.parse(line) as { leaves?: [string, string | null][]; error?: string; fatal?: string };
  return said.leaves === undefined
    ? { error: said.error ?? said.fatal ?? "" }
    : { leaves: new Map(said.leaves) };
}

/**
 * Makes a workspace of any size for measuring: a Laravel app with a Vue front end whose keys, files and texts are
 * the same for the same numbers. It writes real files and knows nothing of what is measured.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** How large; `keys` are spread over namespaces of 200, each source file uses 8 keys. */
export interface WorkspaceSize {
  readonly keys: number;
  readonly sourceFiles: number;
  readonly locales: readonly string[];
}

const WORDS =
  "order basket invoice customer delivery payment address product account search filter price".split(" ");
/** Keys of one namespace, by their numbers one after the other. */
export const KEYS_PER_NAMESPACE = 200;
const USES_PER_FILE = 8;

/** Dotted key `number` as the code writes it: `area3.section1.order_17`. */
export function keyAt(number: number): { namespace: string; key: string } {
  const namespace = `area${Math.floor(number / KEYS_PER_NAMESPACE)}`;
  const inside = number % KEYS_PER_NAMESPACE;
  return { namespace, key: `section${Math.floor(inside / 20)}.${WORDS[inside % WORDS.length]}_${inside}` };
}

/** The text of key `number` in a locale. */
export function textAt(number: number, locale: string): string {
  const word = WORDS[number % WORDS.length];
  return `${locale}: The ${word} :name of number ${number} is ready for you to look at`;
}

/** Writes the workspace into `folder` (made when missing); returns how many files were written. */
export async function writeWorkspace(folder: string, size: WorkspaceSize): Promise<number> {
  const files: [string, string][] = [
    ["composer.json", JSON.stringify({ require: { "laravel/framework": "^12.0" } })],
    ["package.json", JSON.stringify({ dependencies: { "laravel-vue-i18n": "^2.8.0", vue: "^3.5.0" } })],
    [
      "project-translations.json",
      JSON.stringify({ files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }] }, null, 2),
    ],
  ];
  for (let first = 0; first < size.keys; first += KEYS_PER_NAMESPACE) {
    for (const locale of size.locales) {
      files.push([
        `lang/${locale}/area${first / KEYS_PER_NAMESPACE}.php`,
        phpFile(first, Math.min(KEYS_PER_NAMESPACE, size.keys - first), locale),
      ]);
    }
  }
  for (let number = 0; number < size.sourceFiles; number++) files.push(sourceFile(number, size.keys));
  const folders = new Set(files.map(([path]) => dirname(join(folder, path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  for (let at = 0; at < files.length; at += 64) {
    await Promise.all(files.slice(at, at + 64).map(([path, text]) => writeFile(join(folder, path), text)));
  }
  return files.length;
}

function phpFile(first: number, count: number, locale: string): string {
  const lines = ["<?php", "", "return ["];
  for (let inside = 0; inside < count; inside++) {
    if (inside % 20 === 0) lines.push(`    'section${Math.floor(inside / 20)}' => [`);
    const name = keyAt(first + inside).key.split(".")[1];
    lines.push(`        '${name}' => '${textAt(first + inside, locale)}',`);
    if (inside % 20 === 19 || inside === count - 1) lines.push("    ],");
  }
  return [...lines, "];", ""].join("\n");
}

function sourceFile(number: number, keys: number): [string, string] {
  const uses = Array.from({ length: USES_PER_FILE }, (_, use) => {
    const { namespace, key } = keyAt((number * 31 + use * 7919) % keys);
    return `${namespace}.${key}`;
  });
  const folder = `dir${Math.floor(number / 100)}`;
  switch (number % 4) {
    case 0:
      return [
        `app/${folder}/Thing${number}.php`,
        `<?php\n\nnamespace App\\Dir;\n\n/** Not a use: __('nowhere.at_all') */\nclass Thing${number}\n{\n` +
          uses
            .map(
              (key, at) =>
                `    public function part${at}(): string\n    {\n        return __('${key}', ['name' => $this->name]);\n    }\n`,
            )
            .join("\n") +
          "}\n",
      ];
    case 1:
      return [
        `resources/views/${folder}/page${number}.blade.php`,
        uses
          .map((key) => `<p class="text">{{ __('${key}') }}</p>\n<x-button :label="__('${key}')" />`)
          .join("\n") + "\n",
      ];
    case 2:
      return [
        `resources/js/${folder}/Page${number}.vue`,
        `<script setup lang="ts">\nimport { trans } from "laravel-vue-i18n";\nconst first = trans("${uses[0]}");\n</script>\n\n<template>\n  <section>\n` +
          uses
            .slice(1)
            .map((key) => `    <p :title="$t('${key}')">{{ $t("${key}") }}</p>`)
            .join("\n") +
          "\n  </section>\n</template>\n",
      ];
    default:
      return [
        `resources/js/${folder}/thing${number}.ts`,
        `import { trans } from "laravel-vue-i18n";\n\n` +
          uses
            .map(
              (key, at) =>
                `export function part${at}(name: string): string {\n  // trans("not.a.use")\n  return trans("${key}", { name });\n}\n`,
            )
            .join("\n"),
      ];
  }
}

/**
 * Makes the workspace of the bench in the editor: a vue-i18n app of any size, one nested JSON file for each language,
 * the same for the same numbers. It writes real files and knows nothing of what is measured.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keyAt, textAt } from "./laravel-workspace.ts";

/** How large. Each source file uses 8 keys; one more file has 5,000 lines and 1,500 uses. */
export interface VueSize {
  readonly keys: number;
  readonly sourceFiles: number;
}

/** The languages, the source first. */
export const LOCALES: readonly string[] = ["en", "nl", "de", "fr", "es", "it", "pt", "sv", "da", "pl"];

const USES_PER_FILE = 8;
const LONG_USES = 1_500;
const LONG_LINES = 5_000;

/** The file of 5,000 lines. */
export const LONG_FILE = "src/long.ts";
/** A file of eight uses that is there in every size, one below the other. */
export const SHORT_FILE = "src/dir0/thing1.ts";

/** Key `number` as the code writes it. */
export function pathOf(number: number): string {
  const { namespace, key } = keyAt(number);
  return `${namespace}.${key}`;
}

/** The keys that a source file uses. */
function numbersIn(file: number, keys: number): number[] {
  return Array.from({ length: USES_PER_FILE }, (_, use) => (file * 31 + use * 7919) % keys);
}

/** The languages' files and what tells a project that it is one; without code. */
export async function writeTexts(folder: string, { keys }: VueSize): Promise<void> {
  const manifest = { name: "bench", dependencies: { vue: "^3.5.0", "vue-i18n": "^11.0.0" } };
  const files: [string, string][] = [["package.json", JSON.stringify(manifest, null, 2)]];
  for (const locale of LOCALES) {
    const tree: Record<string, Record<string, Record<string, string>>> = {};
    for (let number = 0; number < keys; number++) {
      const [area = "", section = "", name = ""] = pathOf(number).split(".");
      ((tree[area] ??= {})[section] ??= {})[name] = textAt(number, locale).replace(":name", "{name}");
    }
    files.push([`locales/${locale}.json`, `${JSON.stringify(tree, null, 2)}\n`]);
  }
  await writeFiles(folder, files);
}

/** The code. */
export async function writeCode(folder: string, { keys, sourceFiles }: VueSize): Promise<void> {
  const files: [string, string][] = [[LONG_FILE, longFile(keys)]];
  for (let number = 0; number < sourceFiles; number++) files.push(codeFile(number, numbersIn(number, keys)));
  await writeFiles(folder, files);
}

async function writeFiles(folder: string, files: readonly (readonly [string, string])[]): Promise<void> {
  const folders = new Set(files.map(([path]) => dirname(join(folder, path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  for (let at = 0; at < files.length; at += 64) {
    await Promise.all(files.slice(at, at + 64).map(([path, text]) => writeFile(join(folder, path), text)));
  }
}

const HEAD = 'import { useI18n } from "vue-i18n";\n\nconst { t } = useI18n();\n\n';

function longFile(keys: number): string {
  const lines = HEAD.trimEnd().split("\n");
  for (let use = 0; use < LONG_USES; use++) {
    const key = pathOf((use * 13) % keys);
    lines.push(`export function part${use}(name: string): string {`, `  return t("${key}", { name });`, "}");
  }
  while (lines.length < LONG_LINES) lines.push(`// Line ${lines.length} says nothing.`);
  return lines.join("\n");
}

function codeFile(number: number, uses: readonly number[]): [string, string] {
  const folder = `src/dir${Math.floor(number / 100)}`;
  const keys = uses.map(pathOf);
  switch (number % 3) {
    case 0:
      return [
        `${folder}/Page${number}.vue`,
        `<script setup lang="ts">\n${HEAD}const first = t("${keys[0]}");\n</script>\n\n<template>\n  <section>\n` +
          keys.map((key) => `    <p :title="$t('${key}')">{{ first }}</p>`).join("\n") +
          "\n  </section>\n</template>\n",
      ];
    case 1:
      return [
        `${folder}/thing${number}.ts`,
        HEAD +
          keys
            .map((key, at) => `export const part${at} = (name: string): string => t("${key}", { name });`)
            .join("\n") +
          "\n",
      ];
    default:
      return [
        `${folder}/view${number}.tsx`,
        HEAD +
          keys.map((key, at) => `export const Part${at} = () => <p>{t("${key}")}</p>;`).join("\n") +
          "\n",
      ];
  }
}

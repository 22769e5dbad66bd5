/** The words of many files, which are stored and read in batches. */
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { FileWordRepository } from "../../../../src/database/file-word-repository.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { NO_STAMP, type SourceFiles } from "../../../../src/workspace/usages/list-source-files.ts";
import { fileWords, packageTexts, WordUpdate } from "../../../../src/workspace/usages/stored-words.ts";

function repository(): FileWordRepository {
  const database = new Database();
  onTestFinished(() => database.close());
  return new FileWordRepository(database);
}
const read = (words: FileWordRepository): readonly string[] =>
  [...fileWords(words)].flat().map(({ path, words: all }) => `${path} ${all.join()}`);

function update(
  words: FileWordRepository,
  texts: Readonly<Record<string, string>>,
  { modified = 1, frameworks = [] as readonly FrameworkName[] } = {},
): void {
  const search = new WordUpdate(words, new Set(frameworks));
  for (const [path, text] of Object.entries(texts))
    search.update(path, text, { size: text.length, modified });
  search.finish();
}

test("those of every file are stored, and read in the order of their paths", () => {
  const paths = Array.from({ length: 350 }, (_, index) => `${String(index).padStart(3, "0")}.ts`);
  const words = repository();
  update(words, Object.fromEntries(paths.map((path) => [path, `"${path.slice(0, 3)}"`])));
  expect(read(words)).toEqual(paths.map((path) => `${path} ${path.slice(0, 3)}`));
  update(words, Object.fromEntries(paths.slice(0, 10).map((path) => [path, "'newer'"])));
  expect(read(words)).toEqual(paths.slice(0, 10).map((path) => `${path} newer`));
  update(words, {});
  expect(read(words)).toEqual([]);
});

test("those of a file are found again where its size, its time or the frameworks are others", () => {
  const words = repository();
  update(words, { "a.ts": "'one'", "b.md": "'no'" }, { frameworks: ["laravel", "i18next"] });
  expect(read(words)).toEqual(["a.ts one"]);
  const next = (text: string, given: Parameters<typeof update>[2]): readonly string[] => {
    update(words, { "a.ts": text }, { frameworks: ["laravel", "i18next"], ...given });
    return read(words);
  };
  expect(next("'two'", {})).toEqual(["a.ts one"]);
  expect(next("'two'", { frameworks: ["i18next", "laravel"] })).toEqual(["a.ts one"]);
  expect(next("'two'", { modified: 2 })).toEqual(["a.ts two"]);
  expect(next("'three'", { modified: 2 })).toEqual(["a.ts three"]);
  expect(next("'eight'", { modified: 2 })).toEqual(["a.ts three"]);
  expect(next("'eight'", { modified: 2, frameworks: ["laravel"] })).toEqual(["a.ts eight"]);
  const typed = new WordUpdate(words, new Set(["laravel"]));
  typed.update("a.ts", "'typed'", NO_STAMP);
  typed.finish();
  const again = new WordUpdate(words, new Set(["laravel"]));
  again.update("a.ts", "'again'", NO_STAMP);
  again.finish();
  expect(read(words)).toEqual(["a.ts again"]);
});

test("texts of packages are those of each that can be read, in English", async () => {
  const texts: Readonly<Record<string, string | null>> = {
    "vendor/a/broken/lang/en/a.php": null,
    "vendor/a/shop/lang/en/cart.php": "<?php return ['title' => 'Cart'];",
    "vendor/a/shop/lang/en/broken.php": null,
    "vendor/a/shop/lang/en/notes.md": "'no'",
    "vendor/a/shop/lang/en/mail.php": "<?php return ['sent' => 'Sent'];",
    "vendor/a/shop/lang/de/only.php": "<?php return ['nur' => 'Nur'];",
    "vendor/b/more/resources/lang/en/first.php": "<?php return ['more' => 'More'];",
    "vendor/b/more/src/lang/en/second.php": "<?php return ['more' => 'More'];",
    "vendor/b/more/src/Lang/en/third.php": "<?php return ['more' => 'More'];",
    "vendor/b/more/src/resources/lang/en/fourth.php": "<?php return ['more' => 'More'];",
    "vendor/b/more/src/Resources/lang/en-US/more.php": "<?php return ['more' => 'More'];",
    "vendor/b/more/other/en/other.php": "<?php return ['other' => 'Other'];",
  };
  const paths = Object.keys(texts);
  const files: SourceFiles = {
    list: (folder) => {
      const below = paths
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1).split("/"));
      const names = (isFile: boolean): string[] => [
        ...new Set(below.filter((parts) => (parts.length === 1) === isFile).map(([name = ""]) => name)),
      ];
      return { files: names(true), folders: names(false), linksOut: [] };
    },
    read: (path) => {
      const text = texts[path] ?? null;
      return text === null
        ? { kind: "skipped", stamp: NO_STAMP, reason: "unreadable" }
        : { kind: "read", stamp: NO_STAMP, bytes: new TextEncoder().encode(text) };
    },
  };
  const found = await packageTexts(files, new Set(["laravel"]));
  expect(
    Array.from(found, ([namespace, { path, words }]) => [
      namespace,
      path,
      [...words].includes(namespace === "cart" ? "title" : namespace === "mail" ? "sent" : "more"),
    ]),
  ).toEqual([
    ["cart", "vendor/a/shop/lang/en/cart.php", true],
    ["mail", "vendor/a/shop/lang/en/mail.php", true],
    ["first", "vendor/b/more/resources/lang/en/first.php", true],
    ["second", "vendor/b/more/src/lang/en/second.php", true],
    ["third", "vendor/b/more/src/Lang/en/third.php", true],
    ["fourth", "vendor/b/more/src/resources/lang/en/fourth.php", true],
    ["more", "vendor/b/more/src/Resources/lang/en-US/more.php", true],
  ]);
  expect((await packageTexts(files, new Set(["i18next"]))).size).toBe(0);
});

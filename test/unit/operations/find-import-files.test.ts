/** Which files an import takes of folders, under which paths, and why it takes none. */
import { truncateSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  findImportFiles,
  keyPrefixError,
  requireImportFields,
  tooLargeError,
} from "../../../src/operations/find-import-files.ts";
import type { FoundFile } from "../../../src/operations/find-import-files.ts";
import { locateFile } from "../../../src/workspace/local-files/local-file.ts";
import type { FilesEntry } from "../../../src/workspace/project-file/project-file.ts";
import { temporaryFolder } from "../support/node-platform.ts";

let folder: string;
let remove: () => Promise<unknown>;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const PO = 'msgid "a"\nmsgstr "b"\n';
function write(path: string, text = PO): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** The project is in `app`; a test reads what it has from there. */
const find = (
  paths: readonly string[],
  read: object = { kind: "missing" },
  signal = new AbortController().signal,
  maxFiles?: number,
) => {
  const target = {
    root: join(folder, "app"),
    files: { read: () => Promise.resolve(read) },
    local: { locate: () => null },
  };
  return findImportFiles(
    target as never,
    paths.map((path) => join(folder, path)),
    signal,
    maxFiles,
  );
};
const pathsIn = async (...paths: readonly string[]) => (await find(paths)).map(({ path }) => path);

test("files of folders are those with a language or an ending of translations only, below no packages", async () => {
  for (const path of [
    "texts/nl.json",
    "texts/deep/er/messages.po",
    "texts/table.csv",
    "texts/package.json",
    "texts/README.md",
    "texts/page.ts",
    "texts/node_modules/nl.po",
    "texts/.git/nl.po",
    "texts/.svn/nl.po",
    "texts/.hg/nl.po",
  ])
    write(path, path.endsWith(".json") ? '{ "a": "b" }' : PO);
  write("outside/nl.po");
  symlinkSync(join(folder, "outside/nl.po"), join(folder, "texts/link.po"));
  symlinkSync(join(folder, "outside"), join(folder, "texts/linked"));
  expect(await pathsIn("texts")).toEqual(["texts/deep/er/messages.po", "texts/nl.json", "texts/table.csv"]);
  // A file that is chosen itself is taken as it is, and once.
  expect(await pathsIn("texts/page.ts", "texts/nl.json", "texts")).toEqual([
    "texts/deep/er/messages.po",
    "nl.json",
    "page.ts",
    "texts/table.csv",
  ]);
});

test("folders above the chosen one say no language", async () => {
  for (const name of ["package.json", "fr.json"]) write(`home/nl/texts/${name}`, '{ "a": "b" }');
  expect(await pathsIn("home/nl/texts")).toEqual(["texts/fr.json"]);
  expect(await pathsIn("home/nl")).toEqual(["nl/texts/fr.json", "nl/texts/package.json"]);
  // Folders of the project do, also those above.
  write("app/nl/texts/words.json", '{ "a": "b" }');
  expect(await pathsIn("app/nl/texts")).toEqual(["texts/words.json"]);
});

test("the limit is that of all files together, and says how much they are", async () => {
  for (const name of ["nl.po", "fr.po"]) truncateSync(write(`large/${name}`), 30 * 1024 * 1024);
  const [one] = await find(["large/nl.po"]);
  expect(one?.bytes.length).toBe(30 * 1024 * 1024);
  await expect(find(["large/nl.po", "large/fr.po"])).rejects.toMatchObject({
    code: "invalid",
    details: { reason: "too_large" },
    message: "The files are too large: 60 MB or more together; the limit is 50 MB. Import fewer at a time.",
  });
  expect(tooLargeError(51.9 * 1024 * 1024).message).toContain(" 51 MB ");
});

test("too many files are no import", async () => {
  for (const name of ["a", "b/c", "b/d"]) write(`many/${name}.po`);
  const few = async () => (await find(["many"], undefined, undefined, 3)).map(({ path }) => path);
  expect(await few()).toEqual(["many/a.po", "many/b/c.po", "many/b/d.po"]);
  write("many/package.json");
  write("many/b/e.po");
  const refused = "There are more than 3 files there. Choose a smaller folder.";
  await expect(few()).rejects.toMatchObject({ code: "invalid", message: refused });
});

test("nothing to import is said, and nothing is read after an abort", async () => {
  write("texts/page.ts");
  await expect(find(["texts"])).rejects.toMatchObject({ code: "invalid", details: { reason: "no_files" } });
  const aborted = AbortSignal.abort(new Error("stopped"));
  await expect(find(["texts"], undefined, aborted)).rejects.toThrow("stopped");
  await expect(find(["texts/page.ts"], undefined, aborted)).rejects.toThrow("stopped");
});

test("a file of the project that cannot be read is an error; one that the project does not have is read on disk", async () => {
  write("app/nl.po");
  await expect(find(["app/nl.po"], { kind: "unreadable", reason: "outside" })).rejects.toMatchObject({
    code: "unsafe_file",
    message: expect.stringContaining("nl.po"),
  });
  const [found] = await find(["app/nl.po"]);
  expect(found).toMatchObject({ path: "nl.po", target: null, file: join(folder, "app/nl.po") });
  expect(new TextDecoder().decode(found?.bytes)).toBe(PO);
});

test("a file of the project is sent under the service’s name of its language, with its bytes", async () => {
  write("app/lang/pt_BR/cart.json", '{ "a": "Olá" }');
  const entry: FilesEntry = { path: "lang/{locale}/{namespace}.json", format: "json_js" };
  const place = locateFile("lang/pt_BR/cart.json", [entry], () => "pt-BR", "en");
  const target = {
    root: join(folder, "app"),
    files: { read: () => Promise.resolve({ kind: "read", bytes: new Uint8Array([1, 2]) }) },
    local: { locate: () => place },
  };
  const file = join(folder, "app/lang/pt_BR/cart.json");
  const [found] = await findImportFiles(target as never, [file], new AbortController().signal);
  expect(found).toMatchObject({ path: "lang/pt-BR/cart.json", file, bytes: new Uint8Array([1, 2]) });
  expect(found?.target).toMatchObject({ format: "json_js", keyPrefix: "" });
});

const source = (path: string, target: object | null = null): FoundFile =>
  ({ path, file: path, bytes: new TextEncoder().encode('{ "a": "b" }'), target }) as unknown as FoundFile;
const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};

test("the first file of which something has to be said is named, with the option that says it", () => {
  const files = [source("nl.json"), source("first.txt"), source("words.json"), source("other.json")];
  const format = "What format is first.txt? Set the option “format”.";
  expect(thrown(() => requireImportFields(files, {}))).toMatchObject({
    code: "invalid",
    message: format,
    details: { errors: { format: [format] } },
  });
  const locale = "What language is words.json? Set the option “locale”.";
  expect(thrown(() => requireImportFields(files, { format: "json_js" }))).toMatchObject({
    code: "invalid",
    message: locale,
    details: { errors: { locale: [locale] } },
  });
});

test("files whose keys get a prefix are named with it", () => {
  const target = { format: "json_js", namespace: null, locale: null, keyPrefix: "app." };
  const prefixed = ["app.", "b.", "c.", "d."].map((keyPrefix) =>
    source(keyPrefix.charAt(0), { ...target, keyPrefix }),
  );
  const others = [source("nl.json"), source("fr.json", { ...target, keyPrefix: "" })];
  expect(thrown(() => requireImportFields([...others, ...prefixed], {}))).toEqual(keyPrefixError(prefixed));
  const error = keyPrefixError(prefixed);
  expect([error.code, error.details]).toEqual(["invalid", { reason: "key_prefix" }]);
  expect(error.message).toMatch(/^An import cannot put “app\.” before the keys of a, b, c and 1 more, as/u);
});

/** Unreported changes of local files by other programs: a reload reads what is on disk. */
import { mkdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { LocalEntries, type LocalFiles } from "../../../src/workspace/local-files/local-entries.ts";
import { createLocalFileIndexing } from "../../../src/workspace/local-files/local-file-loader.ts";
import { type FolderFiles, folderFiles } from "../../../src/workspace/file-system/disk-files.ts";
import type { FileStamp } from "../../../src/model/platform.ts";
import { projectFiles, temporaryFolder } from "../support/node-platform.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;
beforeEach(async () => {
  folder = await temporaryFolder();
  database = new Database();
  await put("locales/en.json", '{ "title": "Cart", "total": "Sum" }');
  await put("locales/nl.json", '{ "title": "Mand" }');
});
afterEach(async () => {
  database.close();
  await folder.remove();
});

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(join(folder.path, path, ".."), { recursive: true });
  await writeFile(join(folder.path, path), text);
};

const open = (around: (files: FolderFiles) => FolderFiles = (files) => files): LocalEntries => {
  const fileIndexing = createLocalFileIndexing(database, around(folderFiles(folder.path)));
  const local = new LocalEntries({
    database,
    version: "1",
    files: projectFiles(folder.path),
    keysVersion: () => 0,
    indexing: () => fileIndexing,
  });
  local.configure({ ...LAYOUT, sourceLocale: "en", serviceLocales: ["en", "nl", "pt-BR"] });
  return local;
};

const LAYOUT = { files: [{ path: "locales/{locale}.json", format: "json_js" as const }], locales: {} };

const textsOf = (files: LocalFiles, locale: string): string[] =>
  [...files.entries(locale).values()].map(({ name, text }) => `${name.key}: ${JSON.stringify(text)}`).sort();

test("notices changed, new and removed files", async () => {
  const local = open();
  await local.load();
  await put("locales/en.json", '{ "title": "Basket" }');
  await put("locales/pt_BR.json", '{ "title": "Carrinho" }');
  await rm(join(folder.path, "locales/nl.json"));

  const files = await local.reload();
  expect(files.locales).toEqual(["en", "pt-BR"]);
  expect(textsOf(files, "en")).toEqual(['title: {"value":"Basket"}']);
  expect(textsOf(files, "pt-BR")).toEqual(['title: {"value":"Carrinho"}']);
});

test("notices a text of the same length with an older modification time", async () => {
  const path = join(folder.path, "locales/en.json");
  await utimes(path, 1_000_000_000, 1_000_000_000);
  const local = open();
  await local.load();
  const { atime, mtime, size } = await stat(path);
  await put("locales/en.json", '{ "title": "Bags", "total": "Sum" }');
  await utimes(path, atime, mtime);
  expect(await stat(path)).toMatchObject({ size, mtime });

  expect(textsOf(await local.reload(), "en")[0]).toBe('title: {"value":"Bags"}');
});

const coarse = (stamp: FileStamp): FileStamp => ({
  ...stamp,
  modified: Math.floor(stamp.modified / 10_000) * 10_000,
});

test("notices the second of two writes within the resolution of the file system's clock", async () => {
  const local = open((files) => ({
    ...files,
    // A disk that counts whole seconds, as FAT and some networks do.
    stat: (path) => {
      const state = files.stat(path);
      return state.kind === "file" ? { ...state, stamp: coarse(state.stamp) } : state;
    },
    read: (path) => {
      const content = files.read(path);
      return content.kind === "read" ? { ...content, stamp: coarse(content.stamp) } : content;
    },
  }));
  await local.load();
  await put("locales/en.json", '{ "title": "Bags", "total": "Sum" }');
  expect(textsOf(await local.reload(), "en")[0]).toBe('title: {"value":"Bags"}');
});

test("does not read untouched files again", async () => {
  for (const path of ["en", "nl"]) {
    await utimes(join(folder.path, `locales/${path}.json`), 1_000_000_000, 1_000_000_000);
  }
  const reads: string[] = [];
  const local = open((files) => ({
    ...files,
    read: (path) => {
      reads.push(path);
      const content = files.read(path);
      return content.kind === "read" ? { ...content, recent: false } : content;
    },
  }));
  const before = await local.load();
  reads.length = 0;
  expect(textsOf(await local.reload(), "nl")).toEqual(textsOf(before, "nl"));
  expect(reads).toEqual([]);
});

test("handles the service's languages arriving while files are listed", async () => {
  await put("locales/pt_BR.json", '{ "title": "Carrinho" }');
  let arrive = (): void => undefined;
  const local = open((files) => ({
    ...files,
    find: async (...args) => {
      const found = await files.find(...args);
      arrive();
      return found;
    },
  }));
  local.configure({ ...LAYOUT, sourceLocale: null, serviceLocales: [] });
  arrive = () => local.configure({ ...LAYOUT, sourceLocale: "en", serviceLocales: ["en", "nl", "pt-BR"] });
  await local.load();
  const files = await local.load();
  expect(files.locales).toEqual(["en", "nl", "pt-BR"]);
  expect(textsOf(files, "pt-BR")).toEqual(['title: {"value":"Carrinho"}']);
});

test("finds a file that is reported while files are listed", async () => {
  let notify = async (): Promise<void> => undefined;
  const local = open((files) => ({
    ...files,
    find: async (...args) => {
      const found = await files.find(...args);
      await notify();
      return found;
    },
  }));
  notify = async () => {
    notify = async () => undefined;
    await put("locales/fr.json", '{ "title": "Panier" }');
    local.invalidate(["locales/fr.json"]);
  };
  local.configure({ ...LAYOUT, sourceLocale: "en", serviceLocales: [] });
  await local.load();
  expect((await local.load()).locales).toEqual(["en", "fr", "nl"]);
});

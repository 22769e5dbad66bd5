/** Translation files are read in batches: what is passed on together, in which order, and what happens meanwhile. */
import { expect, test } from "vitest";
import type { LocalFileLocation } from "../../../../src/workspace/local-files/local-file.ts";
import { FileBatches, type Readable } from "../../../../src/workspace/local-files/read-in-batches.ts";
import { createLocalProject } from "./local-project.ts";

const LARAVEL = { files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" as const }] };

function file(path: string, size = 10): Readable {
  const location: LocalFileLocation = {
    path,
    entry: { path: "{locale}.json", format: "json_js" },
    placeholders: { locale: "en", namespace: null, package: null },
    keyNaming: { namespace: "*", keyPrefix: "" },
    locale: "en",
  };
  const stamp = { size, modified: 1 };
  return { location, content: { kind: "read", bytes: new Uint8Array(size), stamp, dirty: false } };
}

/** Batches whose processing ends when told to. */
function createBatches() {
  const started: string[][] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const batches = new FileBatches((files) => {
    started.push(files.map(({ location }) => location.path));
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  return { started, ends, batches };
}

const LARGE = 400 * 1024;

test("reads the next batch while one is processed, and no further", async () => {
  const { started, ends, batches } = createBatches();
  await batches.add(file("a", LARGE));
  expect(started).toEqual([]);
  await batches.add(file("b", LARGE));
  expect(started).toEqual([["a", "b"]]);
  await batches.add(file("c", LARGE));
  let isAdded = false;
  const adding = batches.add(file("d", LARGE)).then(() => (isAdded = true));
  await new Promise(setImmediate);
  expect([started.length, isAdded]).toEqual([1, false]);
  ends[0]?.resolve();
  await adding;
  expect(started).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  const finishing = batches.finish();
  ends[1]?.resolve();
  await finishing;
  expect(started).toHaveLength(2);
});

test("passes on many small files at once", async () => {
  const { started, ends, batches } = createBatches();
  for (let number = 0; number < 300; number++) await batches.add(file(`${number}`, 0));
  expect(started.map(({ length }) => length)).toEqual([256]);
  ends[0]?.resolve();
  const finishing = batches.finish();
  await new Promise(setImmediate);
  ends[1]?.resolve();
  await finishing;
  expect(started.map(({ length }) => length)).toEqual([256, 44]);
});

test("rejects with what a batch failed with", async () => {
  const { ends, batches } = createBatches();
  await batches.add(file("a", 2 * LARGE));
  ends[0]?.reject(new Error("disk full"));
  await expect(batches.finish()).rejects.toThrow("disk full");
  await batches.stop();
});

test("stores the files of all languages with the same keys one after the other", async () => {
  const texts = "<?php return ['title' => 'Text'];";
  const paths = ["en", "de", "nl"].flatMap((locale) =>
    ["auth", "cart"].map((name) => `lang/${locale}/${name}.php`),
  );
  const batches: string[][] = [];
  const fixture = createLocalProject(
    Object.fromEntries(paths.map((path) => [path, texts])),
    LARAVEL,
    (own) => {
      const readFiles = own.readFiles.bind(own);
      return (files, signal) => {
        batches.push(files.map(({ location }) => location.path));
        return readFiles(files, signal);
      };
    },
  );
  await fixture.local.load();
  expect(batches).toEqual([
    ["lang/en/auth.php", "lang/en/cart.php"],
    ["lang/de/auth.php", "lang/nl/auth.php", "lang/de/cart.php", "lang/nl/cart.php"],
  ]);
  expect(fixture.local.files.map(({ path }) => path)).toEqual(paths.toSorted());
});

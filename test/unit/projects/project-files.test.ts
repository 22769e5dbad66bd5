/** The files of a project on disk: what is written if something else writes at the same time. */
import * as disk from "node:fs/promises";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectFiles, temporaryFolder } from "../support/node-platform.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(at("texts/nl"), { recursive: true });
  await symlink(at("texts"), at("lang"));
  for (const path of PATHS) await writeFile(at(path), "before");
});
afterEach(() => folder.remove());

const PATHS = ["lang/en.json", "lang/nl.json", "texts/de.json"] as const;
const at = (path: string): string => join(folder.path, path);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const writes = PATHS.map((path) => ({ path, before: bytes("before"), after: bytes("after") }));
const contents = (): Promise<readonly string[]> =>
  Promise.all(PATHS.map((path) => readFile(at(path), "utf8")));

test("none is written if one changed since it was read, which is named as in the project", async () => {
  await writeFile(at("texts/nl.json"), "theirs");
  const outcome = await projectFiles(folder.path).write(writes);
  expect(outcome).toEqual({ kind: "changed", paths: ["lang/nl.json"] });
  expect(await contents()).toEqual(["before", "theirs", "before"]);
});

test("none is written if one changes while they are prepared, which is named as in the project", async () => {
  let prepared = 0;
  const files = projectFiles(folder.path, {
    disk: {
      ...disk,
      access: async (path, mode) => {
        if (++prepared === PATHS.length) await writeFile(at("texts/nl.json"), "theirs");
        return disk.access(path, mode);
      },
    },
  });
  expect(await files.write(writes)).toEqual({ kind: "changed", paths: ["lang/nl.json"] });
  expect(await contents()).toEqual(["before", "theirs", "before"]);
  expect((await readdir(at("texts"))).toSorted()).toEqual(["de.json", "en.json", "nl", "nl.json"]);
});

test("none is written where a folder is in the place of one", async () => {
  const [first, ...others] = writes;
  const inTheWay = { path: "lang/nl", before: undefined, after: bytes("after") };
  const outcome = await projectFiles(folder.path).write(
    [first, inTheWay, ...others].filter((each) => each !== undefined),
  );
  expect(outcome).toEqual({ kind: "changed", paths: ["lang/nl"] });
  expect(await contents()).toEqual(["before", "before", "before"]);
});

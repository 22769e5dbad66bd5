/** Renames that wait for the service: kept, joined, and left out where the files say otherwise. */
import { expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { Project } from "../../../src/database/project-state.ts";
import { countToPush } from "../../../src/sync/pending-changes.ts";
import { addRename, hashesOf, pendingRenames, removeRename } from "../../../src/sync/pending-renames.ts";
import { sha1, yieldNow } from "../support/node-ports.ts";
import { hashOf, nameOf, worldOf } from "../workspace/local-world.ts";

const layout = { files: [{ path: "{locale}.json", format: "json_js" as const }], serviceLocales: ["en"] };

function projectWith(...ids: string[]): Project {
  const project = new Project("id", "label", new Database());
  project.keys.put(
    ids.map((id) => ({
      ...{ hash: hashOf(nameOf(id)), ...nameOf(id), isPlural: false, text: { value: id }, sourceHash: null },
      ...{ description: null, maxLength: null, tags: [], updatedAt: null },
    })),
    1,
  );
  project.syncState.setCursor({
    ...{ contentVersion: 1, counts: [], since: null, keysSince: null, wholeAt: 0, differences: [] },
  });
  return project;
}

test("a rename holds while the service has the old name and the files the new one alone", async () => {
  const project = projectWith("old");
  const rename = { from: nameOf("old"), to: nameOf("new") };
  addRename(project, rename.from, rename.to);
  const said = async (texts: object) => {
    const { local } = worldOf({ "en.json": JSON.stringify(texts) }, layout);
    return pendingRenames(project, await local.load(), sha1);
  };
  expect(await said({ new: "x" })).toEqual([rename]);
  // On another branch, say.
  expect(await said({ old: "x" })).toEqual([]);
  expect(await said({ old: "x", new: "x" })).toEqual([]);
  expect(await said({})).toEqual([]);
  expect(await said({ new: "x" })).toEqual([rename]);
  project.keys.remove([hashOf(nameOf("old"))], 2).next();
  expect(await said({ new: "x" })).toEqual([]);
});

test("a second rename of the same key goes on with the first; one back to its name ends it", async () => {
  const project = projectWith("a", "x");
  const { local } = worldOf({ "en.json": '{"c": "a", "y": "x"}' }, layout);
  const files = await local.load();
  addRename(project, nameOf("a"), nameOf("b"));
  addRename(project, nameOf("x"), nameOf("y"));
  addRename(project, nameOf("b"), nameOf("c"));
  expect(pendingRenames(project, files, sha1).map(({ from, to }) => `${from.key} ${to.key}`)).toEqual([
    "x y",
    "a c",
  ]);
  addRename(project, nameOf("c"), nameOf("a"));
  removeRename(project, nameOf("x"));
  expect(pendingRenames(project, files, sha1)).toEqual([]);
});

test("a key that waits for its new name is not counted as new", async () => {
  const project = projectWith("old");
  const { local } = worldOf({ "en.json": '{"new": "old", "other": "x"}' }, layout);
  const files = await local.load();
  addRename(project, nameOf("old"), nameOf("new"));
  const renamed = hashesOf(pendingRenames(project, files, sha1), "to", sha1);
  expect(await countToPush(project, files, yieldNow, renamed)).toMatchObject({ new: 1 });
  expect(await countToPush(project, files, yieldNow)).toMatchObject({ new: 2 });
});

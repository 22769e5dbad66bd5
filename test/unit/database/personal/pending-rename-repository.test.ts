/** Pending renames: stored, combined, and ignored if the files contradict them. */
import * as v from "valibot";
import { expect, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { PendingChangeQueries } from "../../../../src/database/pending-change-queries.ts";
import { LOCAL_PROJECT, PersonalData } from "../../../../src/database/personal/personal-data.ts";
import { Project } from "../../../../src/database/project-state.ts";
import { countPendingChanges } from "../../../../src/sync/count-pending-changes.ts";
import {
  addRename,
  isFormerName,
  pendingRenames,
  removeRename,
  renameHashes,
} from "../../../../src/database/personal/pending-rename-repository.ts";
import { hashOf, nameOf, createLocalProject } from "../../workspace/local-files/local-project.ts";
import { COMPLETE_CURSOR } from "../../support/complete-cursor.ts";

const layout = { files: [{ path: "{locale}.json", format: "json_js" as const }], serviceLocales: ["en"] };

function projectWith(database: Database, ...ids: string[]): Project {
  return projectOf(new PersonalData(), database, ...ids);
}

function projectOf(personal: PersonalData, database: Database, ...ids: string[]): Project {
  const project = new Project("id", "label", database, personal);
  project.setSession({ kind: "signed-in", baseUrl: "x", slug: "shop", name: "Shop", canWrite: true });
  project.keys.put(
    ids.map((id) => ({
      ...nameOf(id),
      hash: hashOf(nameOf(id)),
      isPlural: false,
      text: { value: id },
      sourceHash: null,
      description: null,
      maxLength: null,
      tags: [],
      updatedAt: null,
    })),
    1,
  );
  project.syncMetadata.setCursor(COMPLETE_CURSOR);
  return project;
}

test("keeps a rename while the service has only the old and the files only the new name", async () => {
  const project = projectWith(new Database(), "old");
  const rename = { from: nameOf("old"), to: nameOf("new") };
  addRename(project, rename.from, rename.to);
  const said = async (texts: object) => {
    const { local } = createLocalProject({ "en.json": JSON.stringify(texts) }, layout);
    return pendingRenames(project, await local.load());
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

test("distinguishes old and new names", () => {
  const renames = [
    { from: nameOf("a"), to: nameOf("b") },
    { from: nameOf("x|a"), to: nameOf("x|b") },
  ];
  expect([...renameHashes(renames, "from")]).toEqual([nameOf("a"), nameOf("x|a")].map(hashOf));
  expect([...renameHashes(renames, "to")]).toEqual([nameOf("b"), nameOf("x|b")].map(hashOf));
});

test("combines renames of a key, and ends when renamed back", async () => {
  const project = projectWith(new Database(), "a", "x");
  const { local } = createLocalProject({ "en.json": '{"c": "a", "y": "x"}' }, layout);
  const files = await local.load();
  addRename(project, nameOf("a"), nameOf("b"));
  addRename(project, nameOf("x"), nameOf("y"));
  addRename(project, nameOf("b"), nameOf("c"));
  expect(pendingRenames(project, files).map(({ from, to }) => `${from.key} ${to.key}`)).toEqual([
    "x y",
    "a c",
  ]);
  addRename(project, nameOf("c"), nameOf("a"));
  removeRename(project, nameOf("x"));
  expect(pendingRenames(project, files)).toEqual([]);
  expect(project.personal.get("renames", v.unknown())).toEqual([]);
});

test("knows the name that a renamed key still has at the service", () => {
  const project = projectWith(new Database(), "a", "x");
  addRename(project, nameOf("a"), nameOf("b"));
  addRename(project, nameOf("b"), nameOf("c"));
  expect(isFormerName(project, nameOf("c"), nameOf("a"))).toBe(true);
  expect(isFormerName(project, nameOf("b"), nameOf("a"))).toBe(false);
  expect(isFormerName(project, nameOf("c"), nameOf("x"))).toBe(false);
});

test("a context is a part of a name, and an empty one is none", () => {
  const project = projectWith(new Database(), "a");
  const inMenu = { ...nameOf("a"), context: "menu" };
  addRename(project, { ...nameOf("a"), context: "" }, nameOf("b"));
  addRename(project, inMenu, { ...nameOf("b"), context: "menu" });
  expect(isFormerName(project, nameOf("b"), nameOf("a"))).toBe(true);
  expect(isFormerName(project, nameOf("b"), inMenu)).toBe(false);
  removeRename(project, nameOf("a"));
  expect(isFormerName(project, nameOf("b"), nameOf("a"))).toBe(false);
  expect(isFormerName(project, { ...nameOf("b"), context: "menu" }, inMenu)).toBe(true);
  // The same name in another namespace.
  const inShop = { ...inMenu, namespace: "shop" };
  removeRename(project, inShop);
  expect(isFormerName(project, { ...nameOf("b"), context: "menu" }, inMenu)).toBe(true);
  expect(isFormerName(project, { ...nameOf("b"), context: "menu" }, inShop)).toBe(false);
});

test("does not count a renamed key as new or to be pulled", async () => {
  const fixture = createLocalProject(
    { "en.json": '{"new": "old", "other": "x"}', "nl.json": '{"new": "oud"}' },
    { ...layout, serviceLocales: ["en", "nl"] },
  );
  const local = await fixture.local.load();
  const project = projectWith(fixture.database, "old");
  const row = { hash: hashOf(nameOf("old")), text: { value: "oud" }, isTranslated: true, isOutdated: false };
  project.translations.put("nl", [{ ...row, issues: [], version: null, updatedAt: null }], 1);
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
  project.showLanguage("nl");
  const counting = new PendingChangeQueries(fixture.database);
  const count = () => countPendingChanges(project, local, counting);
  expect(await count()).toMatchObject({ toPush: { new: 2 }, toPull: 1, renames: [] });
  addRename(project, nameOf("old"), nameOf("new"));
  expect(await count()).toMatchObject({
    toPush: { new: 1 },
    toPull: 0,
    renames: [{ from: nameOf("old"), to: nameOf("new") }],
  });
});

test("takes over the renames that were made while nobody was signed in", async () => {
  const signedIn = new PersonalData(undefined, "shop");
  const project = projectOf(signedIn, new Database(), "a", "x");
  const signedOut = projectOf(new PersonalData(signedIn.database, LOCAL_PROJECT), new Database());
  const { local } = createLocalProject({ "en.json": '{"d": "a", "y": "x"}' }, layout);
  const files = await local.load();
  addRename(project, nameOf("a"), nameOf("b"));
  addRename(signedOut, nameOf("x"), nameOf("y"));
  expect(isFormerName(project, nameOf("y"), nameOf("x"))).toBe(true);
  addRename(signedOut, nameOf("b"), nameOf("c"));
  // Already before the next rename.
  const { local: earlier } = createLocalProject({ "en.json": '{"c": "a", "y": "x"}' }, layout);
  expect(pendingRenames(project, await earlier.load())).toHaveLength(2);
  addRename(project, nameOf("c"), nameOf("d"));
  const renames = pendingRenames(project, files).map(({ from, to }) => `${from.key} ${to.key}`);
  expect(renames.toSorted()).toEqual(["a d", "x y"]);
  // The next one follows another that was made meanwhile, and that nobody has asked for yet.
  addRename(signedOut, nameOf("d"), nameOf("e"));
  addRename(project, nameOf("e"), nameOf("d"));
  expect(pendingRenames(project, files).map(({ from, to }) => `${from.key} ${to.key}`)).toEqual([
    "x y",
    "a d",
  ]);
  removeRename(project, nameOf("a"));
  removeRename(project, nameOf("x"));
  expect(pendingRenames(project, files)).toEqual([]);
});

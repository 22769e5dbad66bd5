/** What a push requires of the local files. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keyHash } from "../../../src/model/key-hash.ts";
import { requireSourceTexts, suspiciousMapping } from "../../../src/operations/push-requirements.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../support/fixture-project.ts";

const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

test("source texts are known by their number, without reading entries", async () => {
  const { local } = await shop.open();
  await local.load();
  const read = vi.spyOn(local, "entries");
  requireSourceTexts({ ...SPELLING, local });
  expect(read).not.toHaveBeenCalled();
});

test("an empty source file is enough, none is not", async () => {
  const { local } = await shop.open();
  await shop.write("lang/en/cart.php", "<?php\n\nreturn [];\n");
  await local.reload();
  expect(() => requireSourceTexts({ ...SPELLING, local })).not.toThrow();
  local.configure({ files: [], locales: {}, sourceLocale: "en", serviceLocales: [] });
  await local.reload();
  expect(() => requireSourceTexts({ ...SPELLING, local })).toThrow(
    "No translation files of the source language",
  );
});

test("the mapping is not judged by what was read before while the service cannot be reached, and then is", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const keys = await sourceKeys(window);
  const judge = () => {
    const { project, local, refresher } = window;
    const mapped = { project, local, refresher: () => Promise.resolve(refresher), files: [] };
    return suspiciousMapping(mapped, keys, new AbortController().signal);
  };
  expect(await judge()).toBeNull();
  window.goOffline();
  await window.refresher.refresh({ priority: "person" });
  await expect(judge()).rejects.toThrow("Nothing was pushed: the keys of the service could not be read");
});

test("the mapping is judged by the keys that the service has now, not by those that an earlier window stored", async () => {
  const earlier = await shop.open("one", { machine: "here" });
  await earlier.refresher.refresh();
  const window = await shop.open("two", { machine: "here" });
  expect(window.project.keysComplete).toBe(true);
  const names = Array.from({ length: 6 }, (_, number) => ({ namespace: "other", key: `name ${number}` }));
  const keys = names.map((name) => {
    const whole = { ...name, context: null };
    return { hash: keyHash(whole), name: whole, text: { value: name.key }, description: null, path: "a.php" };
  });
  const judge = () => {
    const { project, local, refresher } = window;
    const mapped = { project, local, refresher: () => Promise.resolve(refresher), files: [] };
    return suspiciousMapping(mapped, keys, new AbortController().signal);
  };
  const others = names.map(({ key }) => ({ namespace: "web", key, value: key }));
  await earlier.client.sync({ keys: [...others, ...names.map((name) => ({ ...name, value: name.key }))] });
  expect(await judge()).toBeNull();
  await earlier.client.sync({ keys: [], archive: keys.map(({ hash }) => hash) });
  await window.refresher.refresh({ priority: "person" });
  expect(await judge()).toMatchObject({ kind: "suspicious", known: 0, local: 6 });
});

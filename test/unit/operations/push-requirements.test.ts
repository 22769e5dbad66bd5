/** What a push requires of the local files. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

/** What a push requires of the local files. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { requireSourceTexts } from "../../../src/operations/push-requirements.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

test("source texts are known by their number, without reading entries", async () => {
  const { local } = await shop.open();
  await local.load();
  const read = vi.spyOn(local, "entries");
  requireSourceTexts({ local });
  expect(read).not.toHaveBeenCalled();
});

test("an empty source file is enough, none is not", async () => {
  const { local } = await shop.open();
  await shop.write("lang/en/cart.php", "<?php\n\nreturn [];\n");
  await local.reload();
  expect(() => requireSourceTexts({ local })).not.toThrow();
  local.configure({ files: [], locales: {}, sourceLocale: "en", serviceLocales: [] });
  await local.reload();
  expect(() => requireSourceTexts({ local })).toThrow("No translation files of the source language");
});

/** The walk of a hover in CONTRIBUTING.md names every file that waits for what a hover reads. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEditor, type Editor } from "../support/open-editor.ts";
import { filesThatUseDatabase, told } from "../support/walks.ts";

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({
    files: {
      "package.json": JSON.stringify({ dependencies: { i18next: "25" } }),
      "locales/en.json": '{ "cart": { "title": "Your cart" } }',
      "locales/nl.json": '{ "cart": { "title": "Je mandje" } }',
      "src/a.ts": 'import { t } from "i18next";\nt("cart.title");\n',
    },
  });
});
afterAll(() => editor.close());

test("a hover", async () => {
  let hover: string | undefined;
  const all = await filesThatUseDatabase("sql", "features/hover/hover-provider.ts", async () => {
    hover = await editor.hover("src/a.ts", 't("cart.ti|tle")');
  });
  expect(hover).toContain("Je mandje");
  expect(all).toContain("database/key-name-repository.ts");
  // The walk ends where the database is read.
  const files = all.filter((path) => !path.startsWith("database/"));
  expect(told("A hover**", files)).toEqual({ stops: 10, missing: [] });
});

/** What a push asks before anything is compared: which files have the source texts, and whether their keys fit the service's. */
import { afterEach, expect, test } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { answerNextInput, answerNextList, pickInNextList } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const SERVICE = { ...SHOP, languages: [{ locale: "nl" }] };
const COMPOSER = { "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }) };
const PROJECT_FILE = "project-translations.json";
const KEYS = ["title", "total", "items", "sum", "old", "later"];

let editor: Editor;
afterEach(() => editor.close());

/** Gives the service the keys, named by a function. */
async function store(
  nameOf: (key: string) => { readonly namespace?: string; readonly key: string },
): Promise<void> {
  const keys = KEYS.map((key) => ({ ...nameOf(key), value: key }));
  await editor.request("POST", "/keys/sync", { keys, archive: [] });
}

test("a mapping that fits hardly any key is questioned, and another one is written to the project file", async () => {
  const entry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" };
  const asWritten = `${JSON.stringify({ files: [entry] }, null, 2)}\n`;
  editor = await openEditor({
    files: {
      ...COMPOSER,
      [PROJECT_FILE]: asWritten,
      "lang/en/cart.php": `<?php\n\nreturn [\n${KEYS.map((key) => `    '${key}' => '${key}',\n`).join("")}];\n`,
    },
    service: SERVICE,
  });
  await store((key) => ({ key: `cart.${key}` }));
  expect(await editor.run(pushCommand, {})).toMatchObject({ error: { code: "invalid", reason: "mapping" } });
  expect(await editor.run(pushCommand, { dryRun: true })).toMatchObject({ error: { reason: "mapping" } });
  pickInNextList((items, { title, placeHolder }) => {
    expect([
      title,
      placeHolder,
      ...items.map(({ label, description, detail }) => [label, description, detail]),
    ]).toMatchInlineSnapshot(`
        [
          "The key mapping looks wrong: the service knows 0 of 6 local keys.",
          "A push now would create 6 new keys. Choose another mapping for the project file:",
          [
            "$(arrow-swap) No namespace; the file’s name before the key",
            "6 of 6 keys known",
            "lang/{locale}/{namespace}.php",
          ],
          [
            "$(warning) Keep the Mapping and Push",
            "0 of 6 keys known",
            undefined,
          ],
        ]
      `);
    return undefined;
  });
  expect(await editor.ask(pushCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await editor.read(PROJECT_FILE)).toBe(asWritten);
  pickInNextList((items) => items[0]);
  expect(await editor.ask(pushCommand, {})).toMatchObject({ outcome: "unchanged", plan: { unchanged: 6 } });
  expect(JSON.parse(await editor.read(PROJECT_FILE))).not.toEqual(JSON.parse(asWritten));

  // As it was before; and then it is kept.
  await editor.write(PROJECT_FILE, asWritten);
  await waitUntil(async () => (await editor.run(pushCommand, { dryRun: true })).outcome === "failed");
  const keep = (): void => {
    answerNextList((preview) => {
      expect(preview.title).toBe("Push to Shop: 6 new");
      preview.hide();
    });
  };
  pickInNextList("Keep the Mapping and Push");
  keep();
  expect(await editor.ask(pushCommand, {})).toEqual({ outcome: "cancelled" });
  // It is not questioned again.
  keep();
  expect(await editor.ask(pushCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await editor.run(pushCommand, { dryRun: true })).toMatchObject({ plan: { new: 6 } });
});

test("files are proposed where no source text is found, and the push goes on with them", async () => {
  editor = await openEditor({
    files: {
      ...COMPOSER,
      "strings/app_en.json": '{ "title": "Your cart" }\n',
      "strings/app_nl.json": '{ "title": "Mandje" }\n',
    },
    service: SERVICE,
  });
  expect(await editor.run(pushCommand, {})).toMatchObject({ error: { reason: "no_source_files" } });
  pickInNextList(() => undefined);
  expect(await editor.ask(pushCommand, {})).toMatchObject({ error: { reason: "no_source_files" } });
  pickInNextList("strings/app_{locale}.json");
  answerNextInput((input) => input.accept());
  answerNextList((preview) => {
    expect(preview.title).toBe("Push to Shop: 1 new");
    preview.accept();
  });
  expect(await editor.ask(pushCommand, {})).toMatchObject({ result: { created: 1 } });
});

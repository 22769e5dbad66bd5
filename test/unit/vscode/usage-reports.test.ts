/** Which keys the code of a project at a service uses, directly or by a text. */
import { afterEach, expect, test } from "vitest";
import { findUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { setTranslationsCommand } from "../../../src/commands/declarations/text-commands.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { loseFileEvents } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let editor: Editor;
afterEach(() => editor.close());

const ENGLISH = "locales/en/shop.json";
const FILES = {
  "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
    sourceLocale: "en",
  }),
  [ENGLISH]: `{ "title": "Shop", "name": "Bookshop", "spare": "Spare" }\n`,
  "src/page.ts": `import i18next from "i18next";\nexport const title = i18next.t("shop:title");\n`,
};
/** Returns the number of used keys, and the unused ones. */
async function report(): Promise<readonly unknown[]> {
  const found = (await editor.run(findUnusedCommand, {})) as {
    readonly used?: number;
    readonly unused?: readonly { readonly key: string }[];
  };
  return [found.used, found.unused?.map(({ key }) => key)];
}

test("a key is used by a text of the files that contains it, until that no longer does", async () => {
  editor = await openEditor({ files: FILES });
  expect(await report()).toEqual([1, ["name", "spare"]]);
  await editor.write(ENGLISH, FILES[ENGLISH].replace("Shop", "Shop of $t(shop:name)"));
  expect(await report()).toEqual([2, ["spare"]]);
  await editor.write(ENGLISH, FILES[ENGLISH]);
  expect(await report()).toEqual([1, ["name", "spare"]]);
  // A new key, of which no event told.
  loseFileEvents();
  await editor.write(ENGLISH, FILES[ENGLISH].replace('Spare"', 'Spare", "new": "New"'));
  expect(await report()).toEqual([1, ["name", "spare", "new"]]);
});

test("a key is used by a text that only the service has", async () => {
  editor = await openEditor({ files: FILES, service: { ...SHOP, type: "i18next" } });
  expect(await editor.run(pushCommand, {})).toMatchObject({ outcome: "done", result: { created: 3 } });
  expect(await report()).toEqual([1, ["name", "spare"]]);
  const items = [{ namespace: "shop", key: "title", value: "Winkel van $t(shop:name)" }];
  await editor.run(setTranslationsCommand, { locale: "nl", items });
  await editor.run(refreshCommand, {});
  await waitUntil(
    async () => (await editor.hover("src/page.ts", '"shop:ti|tle"'))?.includes("Winkel") === true,
  );
  expect(await report()).toEqual([2, ["spare"]]);
  // A file says so, too, of which no event told.
  loseFileEvents();
  await editor.write(ENGLISH, FILES[ENGLISH].replace("Bookshop", "Bookshop $t(shop:spare)"));
  expect(await report()).toEqual([3, []]);
});

/** Two projects with the same languages in a window: rows and reports of one are not those of the other. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findUnusedCommand, removeUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { answerNextList } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const LAYOUT = JSON.stringify({
  files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
  sourceLocale: "en",
});
const MANIFEST = JSON.stringify({ dependencies: { i18next: "^23.0.0" } });
const CODE = "web/src/cart.ts";
const FILES = {
  "shared/package.json": MANIFEST,
  "shared/project-translations.json": LAYOUT,
  "shared/locales/en/common.json": `{ "save": "Save", "unused": "Nobody" }\n`,
  "shared/locales/nl/common.json": `{ "save": "Opslaan" }\n`,
  "web/package.json": MANIFEST,
  "web/project-translations.json": LAYOUT,
  "web/locales/en/cart.json": `{ "title": "Your cart" }\n`,
  [CODE]: `import i18next from "i18next";
export const title = i18next.t("cart:title");
export const save = i18next.t("common:save");
`,
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES });
  for (const folder of ["shared", "web"])
    await editor.run(listKeysCommand, { folder: editor.uri(folder).fsPath });
});
afterAll(() => editor.close());

test("keys are removed in the project of the report, whatever file is open, and named ones in theirs", async () => {
  await editor.ask(findUnusedCommand, { folder: editor.uri("shared").fsPath });
  const extra = "web/locales/en/extra.json";
  await editor.write(extra, `{ "gone": "Gone", "left": "Left" }\n`);
  await editor.show(CODE);
  answerNextList((list) => {
    expect(list.rows).toEqual(["$(trash) common:unused"]);
    list.hide();
  });
  expect(await editor.ask(removeUnusedCommand, {})).toEqual({ outcome: "cancelled" });
  const hashes = [keyHash({ namespace: "extra", key: "gone", context: null })];
  const folder = editor.uri("web").fsPath;
  expect(await editor.run(removeUnusedCommand, { folder, hashes: [] })).toMatchObject({ removed: 0 });
  expect(await editor.run(removeUnusedCommand, { folder, hashes })).toMatchObject({ removed: 1 });
  expect(await editor.read(extra)).toBe(`{ "left": "Left" }\n`);
  await rm(editor.uri(extra).fsPath);
});

test("views tell apart the rows of a language that both projects have", async () => {
  const [common, cart] = ["shared/locales/nl/common.json", "web/locales/nl/cart.json"] as const;
  const dutch = async (view: string) => {
    const rows = ["shared", "web"].map((project) =>
      editor.row(view, project, "Nederlands").catch(() => null),
    );
    return (await Promise.all(rows)).flatMap((row) => row?.id ?? []);
  };
  try {
    await editor.write(common, `{ "save": "Opslaan {{x}}" }\n`);
    await editor.write(cart, `{ "title": "Mandje {{x}}" }\n`);
    for (const view of ["issues", "languages"]) {
      await waitUntil(async () => (await dutch(view)).length === 2);
      expect(new Set(await dutch(view)).size).toBe(2);
    }
  } finally {
    await editor.write(common, FILES[common]);
    await rm(editor.uri(cart).fsPath);
    await waitUntil(async () => (await dutch("issues")).length === 0);
  }
});

/** A window that is closed and opened again: what is kept, and what an interrupted write left behind. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import { copyTextCommand, findUsesCommand } from "../../../src/commands/declarations/key-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import {
  chooseInlayLanguageCommand,
  showDiagnosisCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { stageFiles } from "../../../src/workspace/file-system/file-transaction.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { sha1 } from "../support/node-platform.ts";
import {
  logged,
  messages,
  pickInNextList,
  problems,
  trustGranted,
  views,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "lang/en/cart.php";
const DUTCH = "lang/nl/cart.php";
const CODE = "app/Cart.php";
const php = (title: string): string => `<?php\n\nreturn ['title' => '${title}'];\n`;
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  [ENGLISH]: php("Cart"),
  [DUTCH]: php("Mandje"),
  [CODE]: "<?php\n\necho __('cart.title');\n",
};

let editor: Editor;
afterEach(() => editor.close());

const journal = (folder = "."): string =>
  join(editor.stored.folder, "writing", sha1(editor.uri(folder).toString()));

/**
 * Leaves what a process that was killed while it wrote both files leaves behind.
 * @param isBegun the first one was replaced
 * @param folder of the project
 */
async function interruptWrite(isBegun: boolean, folder = "."): Promise<void> {
  await mkdir(journal(folder), { recursive: true });
  const files = [ENGLISH, DUTCH].map(async (path) => ({
    path: editor.uri(`${folder}/${path}`).fsPath,
    before: await readFile(editor.uri(`${folder}/${path}`).fsPath),
    after: new TextEncoder().encode(php(`New ${path}`)),
  }));
  await stageFiles(await Promise.all(files), { journalFolder: journal(folder) });
  const [name = ""] = await readdir(journal(folder));
  const entry = JSON.parse(await readFile(join(journal(folder), name), "utf8")) as {
    readonly files: readonly { readonly path: string; readonly beside: string }[];
  };
  const [first] = entry.files;
  if (first === undefined) throw new Error("there are two files");
  if (isBegun) await rename(first.beside, first.path);
  await rm(join(journal(folder), name));
  // No process has this number.
  await writeFile(join(journal(folder), "0.json"), JSON.stringify({ ...entry, pid: 2 ** 30 }));
}
const texts = async (): Promise<readonly string[]> => [await editor.read(ENGLISH), await editor.read(DUTCH)];
const NEW = [php(`New ${ENGLISH}`), php(`New ${DUTCH}`)];

test("completes a write that was interrupted after its first file, says so, and shows the texts", async () => {
  editor = await openEditor({ files: FILES });
  expect(await editor.hover(CODE, "'cart.ti|tle'")).toContain("Cart");
  const caches = join(editor.stored.folder, "projects");
  const [project = ""] = await readdir(caches);
  await editor.reload(async () => {
    await interruptWrite(true);
    // Of a process that has ended, and of an earlier version.
    for (const name of [`project.db.${2 ** 30}.${crypto.randomUUID()}.tmp`, "keys.json"])
      await writeFile(join(caches, project, name), "");
  });
  await waitUntil(async () => (await texts())[1] === NEW[1]);
  expect((await readdir(join(caches, project))).filter((name) => !name.startsWith("project.db-"))).toEqual([
    "project.db",
  ]);
  expect(await texts()).toEqual(NEW);
  await waitUntil(() => messages.some(({ kind }) => kind === "warning"));
  expect(messages.map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "The window closed while files were being written. They have now been completed: lang/en/cart.php, lang/nl/cart.php.",
    ]
  `);
  await waitUntil(async () => (await editor.hover(CODE, "'cart.ti|tle'"))?.includes("New lang") === true);
  expect(await readdir(journal())).toEqual([]);
  messages.length = 0;
  await editor.reload();
  expect(await editor.run(listKeysCommand, {})).toMatchObject({ outcome: "done" });
  expect(messages).toEqual([]);
});

test("takes back a write that was interrupted before its first file, and says that it failed", async () => {
  editor = await openEditor({ files: FILES, service: DUTCH_SHOP });
  await editor.reload(() => interruptWrite(false));
  await waitUntil(() => messages.some(({ kind }) => kind === "warning"));
  expect(messages.map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "The window closed before these files were written, so they are unchanged: lang/en/cart.php, lang/nl/cart.php. Try again.",
    ]
  `);
  expect(await texts()).toEqual([php("Cart"), php("Mandje")]);
  expect(await readdir(join(editor.folder, "lang/en"))).toEqual(["cart.php"]);
  const words = "The window closed before these files were written";
  await waitUntil(async () => (await editor.rows("activity")).some((row) => row.startsWith(words)));
  expect(await editor.row("activity", words)).toMatchObject({
    description: "just now",
    iconPath: { id: "error" },
  });
});

test("writes nothing in folders that are not trusted, and then does, also in the second project", async () => {
  const layout = { files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }] };
  const files = Object.entries({ ...FILES, "project-translations.json": JSON.stringify(layout) });
  editor = await openEditor({
    files: Object.fromEntries(
      ["a", "b"].flatMap((folder) => files.map(([path, text]) => [`${folder}/${path}`, text])),
    ),
  });
  await editor.reload(async () => {
    workspace.isTrusted = false;
    await interruptWrite(true, "a");
    await interruptWrite(true, "b");
  });
  const dutch = () => Promise.all(["a", "b"].map((folder) => editor.read(`${folder}/${DUTCH}`)));
  for (const folder of ["a", "b"])
    expect(await editor.run(listKeysCommand, { folder: editor.uri(folder).fsPath })).toMatchObject({
      outcome: "done",
    });
  expect(await dutch()).toEqual([php("Mandje"), php("Mandje")]);
  workspace.isTrusted = true;
  trustGranted.fire();
  await waitUntil(async () => (await dutch()).every((text) => text === NEW[1]));
});

test("lists what was done before, and whose texts they are, before anything is read again", async () => {
  editor = await openEditor({ files: FILES, service: DUTCH_SHOP });
  expect(await editor.run(pushCommand, {})).toMatchObject({ outcome: "done" });
  const done = (rows: readonly string[]): boolean => rows.some((row) => row.startsWith("Pushed"));
  await waitUntil(async () => done(await editor.rows("activity")));
  await editor.run(refreshCommand, {});
  await editor.reload(async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
  });
  await waitUntil(async () => done(await editor.rows("activity")));
  await waitUntil(async () => (await editor.rows("languages")).length > 1);
  expect(await editor.rows("languages", "English", "All keys")).toEqual(["cart.title | Cart"]);
});

test("leaves nothing to fail in a window that is closed before its projects are found", async () => {
  editor = await openEditor({ files: FILES });
  const failed: unknown[] = [];
  const onFailure = (reason: unknown): void => void failed.push(reason);
  process.on("unhandledRejection", onFailure);
  onTestFinished(() => void process.off("unhandledRejection", onFailure));
  const opening = editor.reload();
  await waitUntil(() => views.size > 0);
  await editor.reload();
  await opening;
  expect(failed).toEqual([]);
  // Only the command says so, which had waited for them.
  expect(logged.filter((line) => line.startsWith("error: ") && !line.includes("listKeys"))).toEqual([]);
});

test("reports no key as unknown before it knows the keys of the service, and then does", async () => {
  editor = await openEditor({
    files: { ...FILES, [CODE]: "<?php\n\necho __('cart.unknown'), __('cart.title');\n" },
    service: DUTCH_SHOP,
  });
  const { fetch } = globalThis;
  await editor.reload(async () => {
    // A refusal is not tried again, as a connection that fails is.
    vi.stubGlobal("fetch", async () => Response.json({ message: "No." }, { status: 422 }));
    const databases = await readdir(editor.stored.folder, { recursive: true });
    for (const path of databases.filter((each) => /\.db(?:-\w+)?$/u.test(each) && !each.includes("personal")))
      await rm(join(editor.stored.folder, path));
  });
  await editor.show(CODE);
  const isChecked = () => [...problems].some(([uri]) => uri.path === editor.uri(CODE).path);
  await waitUntil(isChecked);
  await editor.run(findUsesCommand, { namespace: "cart", key: "title" });
  expect(editor.problems(CODE)).toEqual([]);
  const hover = () => editor.hover(CODE, "'cart.unk|nown'");
  expect(await hover()).toBeUndefined();
  // What the files say is shown, of which nobody knows whether it is on the service.
  expect(await editor.hover(CODE, "'cart.ti|tle'")).toMatchInlineSnapshot(`
    "**cart&#46;title**

    Cart

    ---

    [$(go-to-file) Go to Entry](goToEntry . cart title )"
  `);
  expect(await editor.hints(CODE)).toEqual(["3:40 Cart"]);
  pickInNextList((items) => {
    expect(items.map(({ label, description }) => [label, description])).toMatchInlineSnapshot(`
      [
        [
          "$(check) As set in the project file",
          "",
        ],
        [
          "English (en)",
          undefined,
        ],
        [
          "Nederlands (nl)",
          undefined,
        ],
      ]
    `);
    return undefined;
  });
  expect(await editor.ask(chooseInlayLanguageCommand, {})).toEqual({ outcome: "cancelled" });
  const title = { namespace: "cart", key: "title" };
  expect(await editor.run(copyTextCommand, title)).toEqual({ outcome: "done", text: "Cart" });
  const { text = "" } = (await editor.run(showDiagnosisCommand, {})) as { readonly text?: string };
  expect(text).toContain("- Keys on the service: not read yet\n");
  expect(text).toContain("- Match rate: –\n");
  // Whether a key is on the service is not known, either.
  expect(await editor.lenses(ENGLISH)).toContain("3 1/1 translated");
  await waitUntil(() => [...problems].some(([uri]) => uri.path === editor.uri(ENGLISH).path));
  expect(editor.problems(ENGLISH)).toEqual([]);
  vi.stubGlobal("fetch", fetch);
  await editor.run(refreshCommand, {});
  expect(await hover()).toContain("The service does not know this key");
  expect(await editor.lenses(ENGLISH)).toContain("3 0/1 translated · not pushed");
  await waitUntil(() => editor.problems(ENGLISH).some((line) => line.includes("not pushed yet")));
  await waitUntil(() => editor.problems(CODE).length > 0);
  expect(editor.problems(CODE)).toEqual([
    "3: Unknown key “cart.unknown”: neither the service nor a translation file has it.",
  ]);
});

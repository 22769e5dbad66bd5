/** Unused keys of a project at a service: they are archived after a look at them, and not from every branch. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  archiveCommand,
  copyKeyCommand,
  copyTextCommand,
  findUnusedCommand,
} from "../../../src/commands/declarations/key-commands.ts";
import {
  refreshCommand,
  setUpProjectFileCommand,
  signInCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import {
  editTranslationCommand,
  setTranslationsCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { chooseInlayLanguageCommand } from "../../../src/commands/declarations/window-commands.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { archiveUnusedCommand } from "../../../src/features/usage-report/usage-report-command.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { contextKeyIs, type Editor, openEditor } from "../support/open-editor.ts";
import { answerNextList, env, messages, pickInNextList } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const LANGUAGES = ["nl", "fr", "de", "es", "it", "sv"].map((locale) => ({ locale }));
const CODE = "app/Order.php";
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "project-translations.json": `{
  "files": [{ "path": "lang/{locale}/{namespace}.php", "format": "laravel_php" }]
}
`,
  "lang/en/order.php": `<?php

return [
    'title' => 'Order',
    'nobody' => 'Nobody',
    'spare' => 'Spare',
    'status' => ['open' => 'Open', 'sent' => 'Sent'],
    'items' => ':count item|:count items',
];
`,
  "lang/nl/order.php": "<?php\n\nreturn [\n    'spare' => 'Reserve',\n];\n",
  [CODE]: "<?php\n\necho __('order.title'), trans_choice('order.items', 2), __('order.status.'.$status);\n",
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({
    indexingProcess: true,
    files: FILES,
    service: { ...DUTCH_SHOP, languages: LANGUAGES },
  });
  await editor.run(pushCommand, {});
});
afterAll(() => editor.close());

const onBranch = (name: string) => editor.write(".git/HEAD", `ref: refs/heads/${name}\n`);
const keys = async (): Promise<readonly string[]> => {
  const { keys: all = [] } = (await editor.run(listKeysCommand, {})) as {
    readonly keys?: readonly { readonly key: string }[];
  };
  return all.map(({ key }) => key).toSorted();
};
const groups = () => editor.rows("usage");
/** Somebody else adds a key. */
const addKey = (key: string) =>
  editor.request("POST", "/keys/sync", { keys: [{ namespace: "order", key, value: key }], archive: [] });

test("on another branch it is asked first whether keys are archived at all", async () => {
  await editor.ask(findUnusedCommand, {});
  expect(await groups()).toEqual([
    "Unresolved calls (1)",
    "Unused (2)",
    "Probably unused (2)",
    "May be used (0)",
    "Used (2)",
  ]);
  await editor.write(".git/config", "");
  await onBranch("feature/cart");
  pickInNextList((items, { title, placeHolder }) => {
    expect([title, placeHolder, items.map(({ label }) => label)]).toEqual([
      "Archive keys from the branch feature/cart?",
      "Other branches may still use these 4 keys.",
      ["Keep Them", "Choose Keys…"],
    ]);
    return items[0];
  });
  expect(await editor.ask(archiveUnusedCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await keys()).toEqual(["items", "nobody", "spare", "status.open", "status.sent", "title"]);
  pickInNextList("Choose Keys");
  answerNextList((list) => {
    expect([list.title, list.checked]).toEqual([
      "Archive 2 keys of Shop?",
      ["$(archive) order.nobody", "$(archive) order.spare"],
    ]);
    expect(list.rows).toHaveLength(4);
    list.toggle("order.spare");
    list.accept();
  });
  expect(await editor.ask(archiveUnusedCommand, {})).toMatchObject({
    outcome: "done",
    result: { archived: 1 },
  });
  await waitUntil(async () => !(await keys()).includes("nobody"));
  // The report is that of the keys that are left.
  await waitUntil(async () => (await groups()).includes("Unused (1)"));
  expect(await editor.rows("usage", "Unused")).toEqual(["order.spare | Spare"]);
  expect(await keys()).toEqual(["items", "spare", "status.open", "status.sent", "title"]);
});

test("on the main branch the keys are listed at once; a key that the code uses by then is not among them", async () => {
  await onBranch("main");
  await editor.write(CODE, FILES[CODE].replace("__('order.title')", "__('order.title'), __('order.spare')"));
  answerNextList((list) => {
    // Those that only may be used are not checked, and nothing else is left.
    expect([list.title, list.checked, list.rows]).toEqual([
      "Select keys to archive",
      [],
      ["$(archive) order.status.open", "$(archive) order.status.sent"],
    ]);
    list.hide();
  });
  expect(await editor.ask(archiveUnusedCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await editor.run(archiveUnusedCommand, {})).toEqual({ outcome: "unchanged" });
  expect(await keys()).toEqual(["items", "spare", "status.open", "status.sent", "title"]);
});

test("a report is of the keys that the service has by then, and stays while another token is used", async () => {
  await addKey("theirs");
  await editor.ask(findUnusedCommand, {});
  expect(await editor.rows("usage", "Unused")).toEqual(["order.theirs | theirs"]);
  const { baseUrl = "", token = "", readToken = "" } = editor.service ?? {};
  for (const canWrite of [false, true]) {
    await editor.run(signInCommand, { baseUrl, token: canWrite ? token : readToken });
    await contextKeyIs("canWrite", canWrite);
    expect((await editor.hover(CODE, "'order.ti|tle'"))?.includes("$(edit)")).toBe(canWrite);
  }
  expect(await editor.rows("usage", "Unused")).toEqual(["order.theirs | theirs"]);
  const hash = keyHash({ namespace: "order", key: "theirs", context: null });
  await editor.run(archiveCommand, { hashes: [hash] });
});

test("a key is copied as code has it, and its text in the source language or in the one that is named", async () => {
  const title = { namespace: "order", key: "title" };
  await editor.run(setTranslationsCommand, { locale: "nl", items: [{ ...title, value: "Bestelling" }] });
  // Somebody else wrote these, and this window has not read the languages yet.
  for (const [locale, value] of [
    ["de", "Bestellung"],
    ["es", "Pedido"],
    ["it", "Ordine"],
    ["sv", "Beställning"],
  ])
    await editor.request("PUT", `/translations/${locale}`, {
      mode: "overwrite",
      translations: [{ ...title, value }],
    });
  await editor.run(refreshCommand, {});
  const copied = async () => env.clipboard.readText();
  expect(await editor.ask(copyKeyCommand, title)).toEqual({ outcome: "done", text: "order.title" });
  expect(await copied()).toBe("order.title");
  // A context is not written with it.
  expect(await editor.ask(copyKeyCommand, { ...title, context: "menu" })).toMatchObject({
    text: "order.title",
  });
  await editor.show(CODE, "'order.it|ems'");
  expect(await editor.ask(copyKeyCommand, {})).toMatchObject({ text: "order.items" });
  expect(await editor.ask(copyTextCommand, {})).toMatchObject({ text: ":count item\n:count items" });
  expect(await copied()).toBe(":count item\n:count items");
  expect(await editor.ask(copyTextCommand, title)).toMatchObject({ text: "Order" });
  expect(await editor.ask(copyTextCommand, { ...title, locale: "nl" })).toMatchObject({ text: "Bestelling" });
  expect(await editor.ask(copyTextCommand, { ...title, locale: "de" })).toMatchObject({ text: "Bestellung" });
  // What only the files have, and what nothing has.
  const spare = { namespace: "order", key: "spare", locale: "nl" };
  expect(await editor.ask(copyTextCommand, spare)).toMatchObject({ text: "Reserve" });
  expect(await editor.ask(copyTextCommand, { ...title, locale: "pl" })).toMatchObject({
    error: { code: "not_found", message: "order.title has no text in pl." },
  });
  expect(await copied()).toBe("Reserve");
  // The rows of a language are those of the service, too.
  expect(await editor.rows("languages", "Svenska", "Translated")).toEqual(["order.title | Beställning"]);
});

test("the language that is chosen for inline translations is read then", async () => {
  const first = async () => (await editor.hints(CODE))[0]?.replace(/^\S+ /u, "");
  expect(await first()).toBe("Order");
  expect(await editor.run(chooseInlayLanguageCommand, { locale: "it" })).toEqual({
    outcome: "done",
    locale: "it",
  });
  expect(await first()).toBe("Ordine");
  await editor.run(chooseInlayLanguageCommand, { locale: null });
});

test("languages that were not read yet are while one is chosen to edit, and what is active stays so", async () => {
  answerNextList(async (list) => {
    const detail = () => list.items.find(({ label }) => label.startsWith("Español"))?.detail;
    expect(detail()).toBe("");
    list.move("Deutsch");
    await waitUntil(() => detail() === "Pedido");
    expect(list.activeItems.map(({ label }) => label)).toEqual(["Deutsch (de)"]);
    list.hide();
  });
  expect(await editor.ask(editTranslationCommand, { namespace: "order", key: "title" })).toEqual({
    outcome: "cancelled",
  });
});

test("the address of the service is proposed for the project file, and not at the sign-in if nobody else can use it", async () => {
  expect(await editor.ask(setUpProjectFileCommand, { afterSignIn: true })).toEqual({
    outcome: "unchanged",
    written: 0,
  });
  const { baseUrl } = editor.service ?? expect.fail("there is a service");
  pickInNextList((items) => {
    expect(
      items.map((item) => [item.label, item.description, (item as { picked?: boolean }).picked]),
    ).toEqual([["$(link) Base URL", baseUrl, false]]);
    return items;
  });
  expect(await editor.ask(setUpProjectFileCommand, {})).toEqual({ outcome: "done", written: 1 });
  expect(JSON.parse(await editor.read("project-translations.json"))).toEqual({
    files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }],
    baseUrl,
  });
  expect(await editor.ask(setUpProjectFileCommand, {})).toEqual({ outcome: "unchanged", written: 0 });
  expect(messages.at(-1)?.text).toMatch(/already has everything that was found/u);
});

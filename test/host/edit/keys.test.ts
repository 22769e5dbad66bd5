/** What a person is asked when a key is updated, its local text set, or keys are archived. */
import assert from "node:assert/strict";
import { commands, Selection, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/outside.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  outcome: string;
  key?: { description: string | null; maxLength: number | null; tags: string[] };
  result?: { archived: number };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, options);
const total = { namespace: "cart", key: "total" };

/** Waits for the open input or list by its title. */
const titled = (words: string): Promise<void> =>
  onPage((page, text) => page.locator(".quick-input-title:visible", { hasText: text }).waitFor(), words);
const choose = (words: string): Promise<void> =>
  onPage(
    (page, text) => page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click(),
    words,
  );
const type = (text: string): Promise<void> =>
  onPage(async (page, value) => {
    await page.locator(".quick-input-box input").fill(value);
    await page.keyboard.press("Enter");
  }, text);

async function openAt(path: string, words: string): Promise<void> {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const document = await workspace.openTextDocument(Uri.joinPath(folder.uri, path));
  const editor = await window.showTextDocument(document);
  const at = document.positionAt(document.getText().indexOf(words) + 2);
  editor.selection = new Selection(at, at);
}

describe("keys", () => {
  before(async () => {
    const service = await startService({ demo: true });
    const { baseUrl, token } = service;
    assert.equal((await run("signIn", { baseUrl, token, confirm: false })).outcome, "done");
    await run("refresh", { confirm: false });
  });

  it("are updated field by field, with a length that can be", async () => {
    const updating = run("updateKey", total);
    await titled("total");
    await screenshot("fields");
    await choose("Maximum Length");
    await titled("Maximum Length");
    await onPage((page) => page.locator(".quick-input-box input").fill("many"));
    await onPage((page) => page.locator(".quick-input-message", { hasText: "whole number" }).waitFor());
    await type("40");
    const { outcome, key } = await updating;
    assert.deepEqual([outcome, key?.maxLength], ["done", 40]);
    const tagging = run("updateKey", total);
    await titled("total");
    await choose("Tags");
    await titled("Tags");
    await type("cart, money, cart");
    assert.deepEqual((await tagging).key?.tags.toSorted(), ["cart", "money"]);
    const clearing = run("updateKey", total);
    await titled("total");
    await choose("Maximum Length");
    await titled("Maximum Length");
    await type("");
    assert.equal((await clearing).key?.maxLength, null);
  });

  it("take their local text from what is typed at the use in code, or at the entry in the file", async () => {
    await openAt("resources/views/cart.blade.php", "cart.continue");
    const setting = run("setLocal");
    await titled("continue");
    assert.equal(
      await onPage((page) => page.locator(".quick-input-box input").inputValue()),
      "Continue shopping",
    );
    await type("Go on shopping");
    assert.deepEqual(await setting, { outcome: "done", file: "lang/en/cart.php", created: false });
    await openAt("lang/en/cart.php", "Go on shopping");
    const back = run("setLocal");
    await titled("continue");
    await type("Continue shopping");
    assert.equal((await back).outcome, "done");
  });

  it("are searched by name and text where nothing says which one is meant", async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    const going = run("goToEntry");
    await titled("which key");
    await onPage((page) => page.locator(".quick-input-box input").fill("gift wrap"));
    await screenshot("search");
    await onPage((page) => page.locator(".quick-input-box input").fill("cart subtot"));
    await choose("subtotal");
    assert.equal((await going).outcome, "done");
    const editor = await waitFor("the file is open", () => window.activeTextEditor);
    assert.equal(editor.document.getText(editor.selection), "'Subtotal'");
  });

  it("are archived as far as they stay ticked", async () => {
    const { keys } = await run("listKeys", { namespace: "auth", confirm: false });
    const hashes = (keys as { hash: string }[]).slice(0, 3).map((key) => key.hash);
    const archiving = run("archive", { hashes });
    await titled("Archive 3 keys");
    await screenshot("archive");
    await onPage((page) => page.locator(".quick-input-list .monaco-list-row").first().click());
    await onPage((page) => page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click());
    assert.equal((await archiving).result?.archived, 2);
  });
});

/** Confirmations before a key is updated, its local text is set, or keys are archived. */
import assert from "node:assert/strict";
import { commands, Selection, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import {
  pickItem,
  clickInputButton,
  setInputValue,
  waitForInputValue,
  waitForInputMessage,
  waitForInput,
  submitInput,
} from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  outcome: string;
  key?: { description: string | null; maxLength: number | null; tags: string[] };
  result?: { archived: number };
  error?: { code: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, options);
const total = { namespace: "cart", key: "total" };

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

  it("are updated field by field, with a valid maximum length", async () => {
    const updating = run("updateKey", total);
    await waitForInput("total");
    await screenshot("fields");
    await pickItem("Maximum Length");
    await waitForInput("Maximum Length");
    await setInputValue("many");
    await waitForInputMessage("whole number");
    await submitInput("40");
    const { outcome, key } = await updating;
    assert.deepEqual([outcome, key?.maxLength], ["done", 40]);
    const tagging = run("updateKey", total);
    await waitForInput("total");
    await pickItem("Tags");
    await waitForInput("Tags");
    await submitInput("cart, money, cart");
    assert.deepEqual((await tagging).key?.tags.toSorted(), ["cart", "money"]);
    const clearing = run("updateKey", total);
    await waitForInput("total");
    await pickItem("Maximum Length");
    await waitForInput("Maximum Length");
    await submitInput("");
    assert.equal((await clearing).key?.maxLength, null);
  });

  it("get their local text from a prompt at the usage or the entry", async () => {
    await openAt("resources/views/cart.blade.php", "cart.continue");
    const setting = run("setLocal");
    await waitForInputValue("continue", "Continue shopping");
    await submitInput("Go on shopping");
    assert.deepEqual(await setting, { outcome: "done", file: "lang/en/cart.php", created: false });
    await openAt("lang/en/cart.php", "Go on shopping");
    const back = run("setLocal");
    await waitForInput("continue");
    await submitInput("Continue shopping");
    assert.equal((await back).outcome, "done");
  });

  it("keep a local text that was changed while the prompt was open", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = Uri.joinPath(folder.uri, "lang/en/cart.php");
    const textNow = async (): Promise<string> => new TextDecoder().decode(await workspace.fs.readFile(file));
    const before = await textNow();
    const theirs = before.replace("Continue shopping", "Shop on");
    assert.notEqual(theirs, before);
    const setting = run("setLocal", { namespace: "cart", key: "continue" });
    await waitForInputValue("continue", "Continue shopping");
    await workspace.fs.writeFile(file, new TextEncoder().encode(theirs));
    await submitInput("Keep shopping");
    const { outcome, error } = await setting;
    assert.deepEqual([outcome, error?.code], ["failed", "file_changed"]);
    assert.equal(await textNow(), theirs);
    const again = run("setLocal", { namespace: "cart", key: "continue" });
    await waitForInputValue("continue", "Keep shopping");
    await submitInput("Continue shopping");
    assert.equal((await again).outcome, "done");
    assert.equal(await textNow(), before);
  });

  it("are chosen from a searchable list if there is no key at the cursor", async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    const going = run("goToEntry");
    await waitForInput("which key");
    await setInputValue("gift wrap");
    await screenshot("search");
    await setInputValue("cart subtot");
    await pickItem("subtotal");
    assert.equal((await going).outcome, "done");
    const editor = await waitFor("the file is open", () => window.activeTextEditor);
    assert.equal(editor.document.getText(editor.selection), "'Subtotal'");
  });

  it("are archived if they stay selected", async () => {
    const { keys } = await run("listKeys", { namespace: "auth", confirm: false });
    const hashes = (keys as { hash: string }[]).slice(0, 3).map((key) => key.hash);
    const archiving = run("archive", { hashes });
    await waitForInput("Archive 3 keys");
    await screenshot("archive");
    await onPage((page) => page.locator(".quick-input-list .monaco-list-row").first().click());
    await clickInputButton("OK");
    assert.equal((await archiving).result?.archived, 2);
  });
});

/** Extracts a selected text into the source file and replaces it by a call. */
import assert from "node:assert/strict";
import { commands, Range, Selection, Uri, window, workspace, WorkspaceEdit, type CodeAction } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { pickItem, submitInput, waitForInput, waitForInputValue } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

type Result = Record<string, unknown> & { readonly outcome: string };

const run = async (name: string, options: object): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, options);

function uriOf(path: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
}

/** Opens the view with a new paragraph in it, and selects the words. */
async function select(words: string, paragraph: string): Promise<void> {
  const document = await workspace.openTextDocument(uriOf("resources/views/cart.blade.php"));
  const edit = new WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(document.getText().length), `${paragraph}\n`);
  assert.ok(await workspace.applyEdit(edit));
  const editor = await window.showTextDocument(document);
  const at = document.getText().lastIndexOf(words);
  editor.selection = new Selection(document.positionAt(at), document.positionAt(at + words.length));
}

describe("extract key", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    assert.equal((await run("signIn", { baseUrl, token, confirm: false })).outcome, "done");
  });

  journey("is offered for a selected text, proposes a name and accepts another", async () => {
    await select("Pay later", "<b>Pay later</b>");
    const editor = window.activeTextEditor;
    assert.ok(editor);
    const range = new Range(editor.selection.start, editor.selection.end);
    const actions = await commands.executeCommand<CodeAction[]>(
      "vscode.executeCodeActionProvider",
      editor.document.uri,
      range,
    );
    assert.ok(actions.some(({ command }) => command?.command === "projectTranslations.extractKey"));
    const extracting = run("extractKey", {});
    await onPage((page) => page.locator(".quick-input-title", { hasText: "Pay later" }).waitFor());
    await screenshot("extract-key");
    await onPage(async (page) => {
      await page.keyboard.press("Control+A");
      await page.keyboard.type("checkout.pay_later");
      await page.locator(".quick-input-box input:visible").press("Enter");
    });
    const result = await extracting;
    assert.deepEqual(
      [result.outcome, result["file"]],
      ["done", "lang/en/checkout.php"],
      JSON.stringify(result),
    );
    await waitFor("the code says it", () =>
      editor.document.getText().includes("{{ __('checkout.pay_later') }}"),
    );
  });

  it("adds the text to the source file and replaces it by its key in the code", async () => {
    await select("Nice to see you, {{ $user->name }}", "<p>Nice to see you, {{ $user->name }}</p>");
    const result = await run("extractKey", { confirm: false });
    assert.deepEqual(
      [result.outcome, result["key"], result["file"]],
      ["done", "cart.nice_to_see_you", "lang/en/cart.php"],
    );
    const code = window.activeTextEditor?.document.getText() ?? "";
    assert.match(code, /<p>\{\{ __\('cart\.nice_to_see_you', \['name' => \$user->name\]\) \}\}<\/p>/);
    const file = await workspace.openTextDocument(uriOf("lang/en/cart.php"));
    assert.match(file.getText(), /'nice_to_see_you' => 'Nice to see you, :name',/);
  });

  it("offers the keys that have the same text already, and a new one", async () => {
    await select("Your cart", "<b>Your cart</b>");
    const source = (await workspace.openTextDocument(uriOf("lang/en/cart.php"))).getText();
    const editor = window.activeTextEditor ?? assert.fail("no editor");
    const using = run("extractKey", {});
    await waitForInput("Extract “Your cart”");
    await screenshot("same-text");
    await pickItem("Use cart.title");
    assert.deepEqual(await using, { outcome: "done", key: "cart.title", file: null });
    await waitFor("the code uses it", () =>
      editor.document.getText().includes("<b>{{ __('cart.title') }}</b>"),
    );
    assert.equal((await workspace.openTextDocument(uriOf("lang/en/cart.php"))).getText(), source);
    await select("Your cart", "<i>Your cart</i>");
    const adding = run("extractKey", {});
    await waitForInput("Extract “Your cart”");
    await pickItem("New Key…");
    await waitForInputValue("Extract “Your cart”", "cart.your_cart");
    await submitInput("cart.heading");
    assert.deepEqual(await adding, { outcome: "done", key: "cart.heading", file: "lang/en/cart.php" });
  });

  it("refuses a name in use with another text, and what is not a text", async () => {
    await select("Something else", "<b>Something else</b>");
    const taken = await run("extractKey", { key: "cart.title", confirm: false });
    assert.equal(taken.outcome, "failed");
    await select("$cart->isEmpty()", "{{ $cart->isEmpty() }}");
    assert.equal((await run("extractKey", { confirm: false })).outcome, "failed");
  });

  it("refuses a name that cannot be written at the position", async () => {
    await select("Something new", "<b>Something new</b>");
    const code = window.activeTextEditor?.document.getText();
    const source = (await workspace.openTextDocument(uriOf("lang/en/cart.php"))).getText();
    const result = await run("extractKey", { key: "cart.a }} b", confirm: false });
    assert.equal(result.outcome, "failed");
    assert.match(JSON.stringify(result["error"]), /cannot be used at this place/);
    assert.equal(window.activeTextEditor?.document.getText(), code);
    assert.equal((await workspace.openTextDocument(uriOf("lang/en/cart.php"))).getText(), source);
  });

  it("is not offered in a translation file", async () => {
    const document = await workspace.openTextDocument(uriOf("lang/en/cart.php"));
    const words = "Nice to see you";
    const at = document.getText().indexOf(words);
    assert.ok(at > 0);
    const actions = await commands.executeCommand<CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      new Range(document.positionAt(at), document.positionAt(at + words.length)),
    );
    assert.ok(!actions.some(({ command }) => command?.command === "projectTranslations.extractKey"));
  });

  it("is not offered for attribute names or inside a key's call", async () => {
    for (const [words, paragraph] of [
      ["card wide", '<b class="card wide">x</b>'],
      ["cart.title", "<b>{{ __('cart.title') }}</b>"],
    ] as const) {
      await select(words, paragraph);
      const { document, selection } = window.activeTextEditor ?? assert.fail("no editor");
      const actions = await commands.executeCommand<CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        new Range(selection.start, selection.end),
      );
      assert.ok(
        !actions.some(({ command }) => command?.command === "projectTranslations.extractKey"),
        paragraph,
      );
    }
  });
});

/** What a translation file shows of its entries: how far translated, how often used, and its outline. */
import assert from "node:assert/strict";
import { commands, Uri, window, workspace, type CodeLens, type DocumentSymbol } from "vscode";
import { onPage, screenshot, startService } from "../harness/outside.ts";
import { waitFor } from "../harness/wait-for.ts";

async function show(path: string): Promise<Uri> {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uri = Uri.joinPath(folder.uri, path);
  await window.showTextDocument(uri);
  return uri;
}

async function lensesOf(uri: Uri): Promise<ReadonlyMap<string, string>> {
  const lenses = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", uri, 1_000);
  const document = await workspace.openTextDocument(uri);
  return new Map(lenses.map(({ range, command }) => [document.getText(range), command?.title ?? ""]));
}

describe("translation files", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const options = { baseUrl, token, confirm: false };
    const result = await commands.executeCommand<{ outcome: string }>("projectTranslations.signIn", options);
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  it("tell above an entry in how many languages it is translated, and its uses", async () => {
    const uri = await show("lang/en/cart.php");
    const title = await waitFor("the uses are counted", async () => {
      const words = (await lensesOf(uri)).get("title");
      return words?.includes("used") && words.includes("of 4 ·") ? words : undefined;
    });
    assert.match(title, /^translated [34] of 4 · used \d times$/);
    await onPage((page) => page.locator(".codelens-decoration", { hasText: "translated" }).first().waitFor());
    await screenshot("code-lens");
  });

  it("tell nothing where the setting says so", async () => {
    const settings = workspace.getConfiguration("projectTranslations");
    await settings.update("codeLens.enabled", false, true);
    const uri = await show("lang/en/cart.php");
    await waitFor("no lens is there", async () => (await lensesOf(uri)).size === 0);
    await settings.update("codeLens.enabled", undefined, true);
    await waitFor("they are back", async () => (await lensesOf(uri)).size > 0);
  });

  it("have their entries as symbols, below their groups", async () => {
    const uri = await show("lang/en/checkout.php");
    const symbols = await commands.executeCommand<DocumentSymbol[]>(
      "vscode.executeDocumentSymbolProvider",
      uri,
    );
    const steps = symbols.find(({ name }) => name === "steps");
    assert.ok(steps, JSON.stringify(symbols.map(({ name }) => name)));
    assert.deepEqual(
      steps.children.map(({ name }) => name),
      ["address", "payment", "review"],
    );
  });
});

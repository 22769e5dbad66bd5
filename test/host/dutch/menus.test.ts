/** Menus and prompts in a Dutch window. */
import assert from "node:assert/strict";
import { commands, Selection, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { chooseMenuItem } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";

const run = (name: string, options: object = {}): Thenable<Record<string, unknown>> =>
  commands.executeCommand(`projectTranslations.${name}`, { confirm: false, ...options });

describe("menus", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    assert.equal((await run("signIn", { baseUrl, token }))["outcome"], "done");
    await run("refresh");
  });

  it("import a folder from the explorer, prompting only for what its paths do not determine", async () => {
    await commands.executeCommand("workbench.view.explorer");
    await onPage((page) =>
      page.getByRole("treeitem", { name: "lang", exact: true }).click({ button: "right" }),
    );
    await onPage((page) =>
      page.locator(".monaco-menu .action-label", { hasText: "Vertaalbestanden importeren" }).waitFor(),
    );
    await screenshot("explorer");
    await chooseMenuItem("Vertaalbestanden importeren");
    await onPage((page) =>
      page
        .locator(".quick-input-list .monaco-list-row", { hasText: "Bestaande vertalingen behouden" })
        .waitFor(),
    );
    await screenshot("overwrite");
    await onPage((page) =>
      page
        .locator(".quick-input-list .monaco-list-row", { hasText: "Bestaande vertalingen behouden" })
        .click(),
    );
    await waitFor(
      "the import has ended",
      async () => {
        const { jobs } = await run("listJobs");
        return (jobs as { status: string }[]).some((job) => job.status === "succeeded");
      },
      20,
    );
  });

  it("go from a usage to the entry and to the other languages", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const document = await workspace.openTextDocument(
      Uri.joinPath(folder.uri, "resources/views/cart.blade.php"),
    );
    const editor = await window.showTextDocument(document);
    const at = document.positionAt(document.getText().indexOf("cart.subtotal") + 3);
    editor.selection = new Selection(at, at);
    await onPage((page) => page.keyboard.press("Shift+F10"));
    await onPage((page) =>
      page.locator(".monaco-menu .action-label", { hasText: "Project Translations" }).first().hover(),
    );
    await onPage((page) =>
      page.locator(".monaco-menu .action-label", { hasText: "Vertaling bewerken" }).waitFor(),
    );
    await screenshot("editor");
    await chooseMenuItem("Naar de vermelding gaan");
    await waitFor("the entry is open", () =>
      window.activeTextEditor?.document.uri.path.endsWith("lang/en/cart.php"),
    );
  });
});

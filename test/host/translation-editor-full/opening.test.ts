/** All ways to open the translation editor, each with its filter and position. */
import assert from "node:assert/strict";
import { commands, Selection, window } from "vscode";
import { runSuccessfully, middleOfText, openFile, runCommand } from "../harness/documents.ts";
import { onPage, onWebview, startService } from "../harness/bridge-client.ts";
import { chooseMenuItem } from "../harness/prompts.ts";
import { clickTreeButton, expandTreeRows, treeRows, waitForTreeRow } from "../harness/tree-rows.ts";
import { waitFor } from "../harness/wait-for.ts";
import { columns, focused, selectedFilters, shownKeys, status } from "../translation-editor/page.ts";

/** Opens the editor from a row's own button. */
const openByButton = (view: string, text: string): Promise<void> =>
  clickTreeButton(
    view,
    text,
    "Open Translation Editor",
    () => window.tabGroups.activeTabGroup.activeTab !== undefined,
  );

/** Opens the editor from the menu of a row. */
async function openByMenu(view: string, text: string): Promise<void> {
  await onPage(
    async (page, [view, text]) => {
      const pane = page.locator(".pane").filter({ has: page.locator(".pane-header", { hasText: view }) });
      await pane.getByRole("treeitem").filter({ hasText: text }).first().click({ button: "right" });
    },
    [view, text] as const,
  );
  await chooseMenuItem("Open Translation Editor");
}

/** Waits until the page shows these languages and filters. Out: the keys of its rows. */
const shows = (locales: string, filters: string): Promise<readonly string[]> =>
  waitFor(`${locales} with ${filters === "" ? "no filter" : filters}`, async () => {
    const at = `${(await columns()).join()} ${await selectedFilters()}`;
    const keys = await shownKeys();
    return at === `${locales} ${filters}` && keys.length > 0 && keys;
  });

describe("the translation editor is opened", function () {
  this.timeout(120_000);

  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    await runSuccessfully("signIn", { baseUrl, token });
    await runCommand("refresh");
    await commands.executeCommand("projectTranslations.languages.focus");
  });

  afterEach(() => commands.executeCommand("workbench.action.closeAllEditors"));

  for (const [group, locales, filters] of [
    ["Untranslated", "en,nl", "Untranslated"],
    ["Outdated", "en,nl", "Outdated"],
    ["QA issues", "en,nl", "QA issues"],
    ["Translated", "en,nl", ""],
  ] as const) {
    it(`from the row “${group}” of a language`, async () => {
      await expandTreeRows("Languages", "Nederlands");
      await openByButton("Languages", group);
      const keys = await shows(locales, filters);
      const count = Number((await status()).split(" ")[0]);
      if (filters === "") {
        assert.ok(count > 40);
        return;
      }
      assert.equal(count, keys.length);
      // The row's number is the same.
      const rows = await treeRows("Languages");
      assert.ok(
        rows.some((row) => row.includes(`${group} (${count})`)),
        rows.join("\n"),
      );
    });
  }

  it("by the command, with a list of languages", async () => {
    await runSuccessfully("openEditor", { locales: ["fr"], filter: "outdated", search: "" });
    await shows("en,fr", "Outdated");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("from an untranslated key, with the others of its language", async () => {
    await commands.executeCommand("workbench.actions.treeView.projectTranslations.languages.collapseAll");
    await expandTreeRows("Languages", "Français", "Untranslated");
    await waitForTreeRow("Languages", "Your order is on its way");
    await openByMenu("Languages", "Your order is on its way");
    const keys = await shows("en,fr", "Untranslated");
    const row = keys.findIndex((key) => key.startsWith("Your order is on its way"));
    await waitFor("the key has the focus", async () => (await focused()).row === row + 2);
  });

  it("from a QA issue, with the others of its language", async () => {
    await commands.executeCommand("projectTranslations.issues.focus");
    await expandTreeRows("QA", "Français");
    await waitForTreeRow("QA", "cart.remove");
    await openByMenu("QA", "cart.remove");
    const keys = await shows("en,fr", "QA issues");
    const row = keys.indexOf("cart.remove");
    await waitFor("the key has the focus", async () => (await focused()).row === row + 2);
  });

  it("from the usage report, with the unused keys", async () => {
    const { unused } = await commands.executeCommand<{
      readonly unused: readonly { readonly namespace: string; readonly key: string }[];
    }>("projectTranslations.findUnused");
    await openByButton("Usage", "Unused");
    const keys = await shows("en,nl,fr", "Unused");
    assert.deepEqual(keys, unused.map(({ namespace, key }) => `${namespace}.${key}`).toSorted());
  });

  it("from “All languages” in a hover, at its key", async () => {
    const document = await openFile("resources/views/cart.blade.php");
    const editor = await window.showTextDocument(document);
    const at = middleOfText(document, "cart.subtotal");
    editor.selection = new Selection(at, at);
    await commands.executeCommand("editor.action.showHover");
    await onPage((page) =>
      page.locator(".monaco-hover:visible a", { hasText: "All languages" }).first().click(),
    );
    const keys = await shows("en,nl,fr", "");
    await waitFor("the key has the focus", async () => {
      const { row } = await focused();
      return row !== null && (await status()).startsWith("55 rows") && keys.length > 0;
    });
    const { row } = await focused();
    const header = await onWebview(
      (frame, row) => frame.locator(`[aria-rowindex="${row}"] [role=rowheader] bdi`).innerText(),
      row,
    );
    assert.equal(header, "cart.subtotal");
  });

  it("from the title of the project file and its menu in the explorer", async () => {
    await window.showTextDocument(await openFile("project-translations.json"));
    await onPage((page) =>
      page.locator(".editor-actions").getByRole("button", { name: "Open Translation Editor" }).click(),
    );
    await shows("en,nl,fr", "");
    await commands.executeCommand("workbench.action.closeAllEditors");
    await commands.executeCommand("workbench.view.explorer");
    await onPage((page) =>
      page.getByRole("treeitem", { name: "project-translations.json" }).click({ button: "right" }),
    );
    await chooseMenuItem("Open Translation Editor");
    await shows("en,nl,fr", "");
  });
});

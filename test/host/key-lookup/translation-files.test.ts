/** Code lenses and outline of translation files: progress and usage counts. */
import assert from "node:assert/strict";
import {
  commands,
  FoldingRangeKind,
  Range,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
  type CodeLens,
  type DocumentSymbol,
  type FoldingRange,
} from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { inAllThemes } from "../editor/opened.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

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
  const byText = Map.groupBy(lenses, ({ range }) => document.getText(range));
  const titlesOf = (each: readonly CodeLens[]): string =>
    each.map(({ command }) => command?.title).join(" · ");
  return new Map(Array.from(byText, ([text, each]) => [text, titlesOf(each)]));
}

describe("translation files", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const options = { baseUrl, token, confirm: false };
    const result = await commands.executeCommand<{ outcome: string }>("projectTranslations.signIn", options);
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  journey("shows code lenses with an entry's translated languages and its usages", async () => {
    const uri = await show("lang/en/cart.php");
    const title = await waitFor("the uses are counted", async () => {
      const words = (await lensesOf(uri)).get("title");
      return /\d references?$/.test(words ?? "") && words?.includes("/4 ") ? words : undefined;
    });
    assert.match(title, /^[0-4]\/4 translated( · \d outdated)?( · \d not on the service)? · \d references$/);
    await onPage((page) => page.locator(".codelens-decoration", { hasText: "translated" }).first().waitFor());
    // The service has no translations of a key that is archived there.
    await waitFor("the archived key is known", async () =>
      /^0\/4 translated · archived · \d references?$/.test((await lensesOf(uri)).get("continue") ?? ""),
    );
    await inAllThemes("code-lens");
  });

  it("opens the key in the translation editor from the lens with its languages", async () => {
    const uri = await show("lang/en/cart.php");
    const lenses = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", uri, 1_000);
    const document = await workspace.openTextDocument(uri);
    const ids = lenses.flatMap(({ range, command }) =>
      document.getText(range) === "title" ? command?.command : [],
    );
    assert.deepEqual(ids, ["projectTranslations.openEditor", "projectTranslations.findUses"]);
    const [lens] = lenses.filter(({ range }) => document.getText(range) === "title");
    const opened = await commands.executeCommand<{ outcome: string }>(
      lens?.command?.command ?? "",
      ...((lens?.command?.arguments ?? []) as unknown[]),
    );
    assert.equal(opened.outcome, "done");
  });

  it("shows one code lens for several keys on a line", async () => {
    const uri = await show("lang/en/cart.php");
    const document = await workspace.openTextDocument(uri);
    const before = document.getText();
    const edit = new WorkspaceEdit();
    const text = "<?php\n\nreturn ['one' => 'One', 'two' => 'Two', 'three' => 'Three'];\n";
    edit.replace(uri, new Range(0, 0, document.lineCount, 0), text);
    await workspace.applyEdit(edit);
    const titles = await waitFor("the line has its lens", async () => {
      const lenses = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", uri, 100);
      const there = lenses.map(({ command }) => command?.title ?? "");
      return there.some((each) => each.startsWith("3 keys")) && there;
    });
    assert.equal(titles.length, 1, titles.join("\n"));
    assert.match(titles[0] ?? "", /^3 keys · 0\/12 translated · not pushed$/);
    await screenshot("code-lens-line");
    const undo = new WorkspaceEdit();
    undo.replace(uri, new Range(0, 0, document.lineCount, 0), before);
    await workspace.applyEdit(undo);
    await document.save();
  });

  it("shows no code lenses if the setting is off", async () => {
    const settings = workspace.getConfiguration("projectTranslations");
    await settings.update("codeLens.enabled", false, true);
    const uri = await show("lang/en/cart.php");
    await waitFor("no lens is there", async () => (await lensesOf(uri)).size === 0);
    await settings.update("codeLens.enabled", undefined, true);
    await waitFor("they are back", async () => (await lensesOf(uri)).size > 0);
  });

  it("provides document symbols, nested in their groups", async () => {
    const uri = await show("lang/en/checkout.php");
    const symbols = await commands.executeCommand<DocumentSymbol[]>(
      "vscode.executeDocumentSymbolProvider",
      uri,
    );
    const steps = symbols.find(({ name }) => name === "steps");
    assert.ok(steps, JSON.stringify(symbols.map(({ name }) => name)));
    await onPage((page) => page.locator(".breadcrumbs-control").first().waitFor());
    await commands.executeCommand("outline.focus");
    await screenshot("outline");
    assert.deepEqual(
      steps.children.map(({ name }) => name),
      ["address", "payment", "review"],
    );
  });

  it("folds PO entries with their comments, and PHP groups", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = Uri.joinPath(folder.uri, "languages/shop.po");
    const text = [
      'msgid ""',
      'msgstr ""',
      '"Language: nl\\n"',
      "",
      "#. For the page head.",
      "#: app/Cart.php:12",
      'msgid "Your cart"',
      'msgstr "Je winkelwagen"',
      "",
      '#~ msgid "Old"',
      '#~ msgstr "Oud"',
      "",
    ].join("\n");
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    try {
      await window.showTextDocument(uri);
      const ranges = await waitFor("it folds", async () => {
        const found = await commands.executeCommand<FoldingRange[]>(
          "vscode.executeFoldingRangeProvider",
          uri,
        );
        return found.length > 0 && found;
      });
      assert.deepEqual(
        ranges.map(({ start, end, kind }) => [start, end, kind]),
        [
          [0, 2, undefined],
          [4, 7, undefined],
          [9, 10, FoldingRangeKind.Comment],
        ],
      );
    } finally {
      await workspace.fs.delete(Uri.joinPath(folder.uri, "languages"), { recursive: true });
    }
    await show("lang/en/checkout.php");
    await commands.executeCommand("editor.foldLevel2");
    await onPage((page) =>
      page.locator(".margin-view-overlays .codicon-folding-collapsed").first().waitFor(),
    );
    await screenshot("folded");
  });
});

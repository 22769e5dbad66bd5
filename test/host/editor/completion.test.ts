/** Completion of keys, by name and by text; only between the quotes of a key. */
import assert from "node:assert/strict";
import {
  commands,
  CompletionItemKind,
  Selection,
  window,
  workspace,
  type CompletionItem,
  type CompletionItemLabel,
  type CompletionList,
  type MarkdownString,
  type Range,
  type TextDocument,
} from "vscode";
import { openFile, positionOf, runCommand } from "../harness/documents.ts";
import { onPage } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { inAllThemes, set, show, signIn, withText } from "./opened.ts";

/** How the item is called and what stands beside. */
function labelOf({ label }: CompletionItem): CompletionItemLabel {
  return typeof label === "string" ? { label } : label;
}

/** What is offered with the cursor at the end of `typed` in a call that was just begun; ours alone. */
async function offered(
  path: string,
  before: string,
  typed: string,
  after: string,
): Promise<CompletionItem[]> {
  const document = await openFile(path);
  const start = document.getText();
  let items: CompletionItem[] = [];
  await withText(document, `${start}${before}${typed}${after}`, async () => {
    items = await offeredAt(document, start.length + before.length + typed.length);
  });
  return items;
}

async function offeredAt(document: TextDocument, offset: number): Promise<CompletionItem[]> {
  const { items } = await commands.executeCommand<CompletionList>(
    "vscode.executeCompletionItemProvider",
    document.uri,
    document.positionAt(offset),
    undefined,
    5,
  );
  // VS Code's own snippets have words beside their names too.
  return items.filter(
    ({ label, kind }) =>
      typeof label !== "string" && label.description !== undefined && kind !== CompletionItemKind.Snippet,
  );
}

const blade = "resources/views/cart.blade.php";

describe("completion", () => {
  before(async () => {
    await signIn();
    await waitFor(
      "keys and translations are indexed for search",
      async () => (await offered(blade, "{{ __('", "je winkel", "') }}")).length > 0,
    );
  });

  journey("offers all keys with their texts in empty quotes", async () => {
    const items = await offered(blade, "{{ __('", "", "') }}");
    const title = items.find((item) => labelOf(item).label === "cart.title");
    assert.equal(title && labelOf(title).description, "Your cart");
    assert.ok(items.some((item) => labelOf(item).label === "Search the shop"));
  });

  journey("filters by the beginning of the name, best match first", async () => {
    const items = await offered(blade, "{{ __('", "cart.v", "') }}");
    const labels = items.toSorted((a, b) => ((a.sortText ?? "") < (b.sortText ?? "") ? -1 : 1)).map(labelOf);
    assert.match(labels[0]?.label ?? "", /^cart\.v/u);
  });

  journey("filters by the text of any preview language", async () => {
    const items = await offered(blade, "{{ __('", "je winkel", "') }}");
    assert.ok(items.some((item) => labelOf(item).label === "cart.title"));
  });

  journey("replaces only the text inside the quotes", async () => {
    const document = await openFile(blade);
    const at = positionOf(document, "cart.title'", "cart".length);
    const items = await offeredAt(document, document.offsetAt(at));
    const item = items.find((each) => labelOf(each).label === "cart.title");
    assert.equal(document.getText(item?.range as Range), "cart.title");
  });

  journey("resolves the other languages of the focused item", async () => {
    const document = await openFile(blade);
    const at = positionOf(document, "cart.title'", 4);
    const { items } = await commands.executeCommand<CompletionList>(
      "vscode.executeCompletionItemProvider",
      document.uri,
      at,
      undefined,
      100,
    );
    const item = items.find((each) => labelOf(each).label === "cart.title");
    assert.ok(item);
    assert.match((item.documentation as MarkdownString).value, /`nl` Je winkelwagen/u);
  });

  it("offers nothing outside the quotes of a key", async () => {
    assert.deepEqual(await offered(blade, "<p title='", "cart", "'>"), []);
    assert.deepEqual(await offered(blade, "{{ route('", "cart", "') }}"), []);
    assert.deepEqual(await offered(blade, "{{ __('cart.title', ['", "cart", "' => 1]) }}"), []);
  });

  it("offers none in a message from which the framework computes the key", async () => {
    const script = "resources/js/app.ts";
    const translator = 'import { useTranslations, useExtracted } from "next-intl";\n';
    const key = `${translator}const t = useTranslations(); t("`;
    assert.notDeepEqual(await offered(script, key, "cart", '");'), []);
    assert.deepEqual(
      await offered(script, key.replace("= useTranslations", "= useExtracted"), "cart", '");'),
      [],
    );
  });

  it("shows the text of a key in the suggest widget while typing", async () => {
    const document = await show(blade);
    await withText(document, "{{ __('') }}\n", async () => {
      const editor = await waitFor("the editor is there", () => window.activeTextEditor);
      const place = positionOf(document, "''", 1);
      editor.selection = new Selection(place, place);
      await commands.executeCommand("workbench.action.focusActiveEditorGroup");
      await onPage((page) => page.keyboard.type("cart.t", { delay: 50 }));
      await commands.executeCommand("editor.action.triggerSuggest");
      const row = await onPage(async (page) => {
        const first = page.locator(".suggest-widget.visible .monaco-list-row").first();
        await first.waitFor();
        return first.innerText();
      });
      assert.match(row, /cart\.t/u);
      await inAllThemes("completion");
      await commands.executeCommand("acceptSelectedSuggestion");
      await waitFor("the key is written", () => /__\('cart\.t\w+'\)/u.test(document.getText()));
    });
  });

  it("filters by the text of a language that is not a preview language", async () => {
    // Somebody looked at the German texts, so they are known.
    assert.equal((await runCommand("listIssues"))["outcome"], "done");
    const items = await waitFor("German is read", async () => {
      const found = await offered(blade, "{{ __('", "Zwischensum", "') }}");
      return found.length > 0 && found;
    });
    assert.ok(items.some((item) => labelOf(item).label === "cart.subtotal"));
  });

  it("offers the namespaces before the keys", async () => {
    const items = await offered(blade, "{{ __('", "che", "') }}");
    const labels = items.toSorted((a, b) => ((a.sortText ?? "") < (b.sortText ?? "") ? -1 : 1)).map(labelOf);
    assert.equal(labels[0]?.label, "checkout.");
    assert.equal(labels[0]?.description, "namespace");
    assert.ok(
      !(await offered(blade, "{{ __('", "checkout.", "') }}")).some(
        (item) => labelOf(item).label === "checkout.",
      ),
    );
  });

  it("offers the placeholders of the source text, in an array and in an object", async () => {
    const names = async (path: string, before: string, typed: string, after: string): Promise<unknown[]> =>
      (await offered(path, before, typed, after)).map((item) => [
        labelOf(item).label,
        typeof item.insertText === "string" ? item.insertText : item.insertText?.value,
      ]);
    assert.deepEqual(await names(blade, "{{ __('cart.voucher.applied', [", "", "]) }}"), [
      ["amount", "'amount' => $0"],
      ["code", "'code' => $0"],
    ]);
    assert.deepEqual(await names(blade, "{{ __('cart.voucher.applied', ['amount' => $a, '", "", "']) }}"), [
      ["code", "code"],
    ]);
    assert.deepEqual(await names(blade, "{{ __('cart.voucher.applied', ['amount' => '", "", "']) }}"), []);
    const script = "resources/js/app.ts";
    // The TypeScript extension offers its own names, too.
    const members = await names(script, "\ntrans('cart.total', {\n  ", "am", "\n});\n");
    assert.deepEqual(
      members.filter((each) => String(each).includes("amount")),
      [["amount", "amount: $0"]],
    );
  });

  it("is disabled for one language by the setting", async () => {
    const settings = workspace.getConfiguration("projectTranslations", { languageId: "typescript" });
    await settings.update("completion.enabled", false, true, true);
    try {
      assert.deepEqual(await offered("resources/js/app.ts", "\ntrans('", "cart", "');\n"), []);
      assert.ok((await offered(blade, "{{ __('", "cart", "') }}")).length > 0);
    } finally {
      await settings.update("completion.enabled", undefined, true, true);
    }
  });

  it("is disabled by the setting", async () => {
    await set("completion.enabled", false);
    assert.deepEqual(await offered(blade, "{{ __('", "cart", "') }}"), []);
    await set("completion.enabled", undefined);
  });
});

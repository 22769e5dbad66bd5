/** Completion of keys: inside of their quotes alone, by name and by text. */
import assert from "node:assert/strict";
import {
  commands,
  Selection,
  window,
  type CompletionItem,
  type CompletionItemLabel,
  type CompletionList,
  type MarkdownString,
  type Range,
  type TextDocument,
} from "vscode";
import { onPage, screenshot } from "../harness/outside.ts";
import { waitFor } from "../harness/wait-for.ts";
import { inLight, openFile, placeOf, set, show, signIn, withText } from "./opened.ts";

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
  return items.filter((item) => typeof item.label !== "string" && item.label.description !== undefined);
}

const blade = "resources/views/cart.blade.php";

describe("completion", () => {
  before(signIn);

  it("offers every key in empty quotes, with its text", async () => {
    const items = await offered(blade, "{{ __('", "", "') }}");
    const title = items.find((item) => labelOf(item).label === "cart.title");
    assert.equal(title && labelOf(title).description, "Your cart");
    assert.ok(items.some((item) => labelOf(item).label === "Search the shop"));
  });

  it("finds by the beginning of the name, best first", async () => {
    const items = await offered(blade, "{{ __('", "cart.v", "') }}");
    const labels = items.toSorted((a, b) => ((a.sortText ?? "") < (b.sortText ?? "") ? -1 : 1)).map(labelOf);
    assert.match(labels[0]?.label ?? "", /^cart\.v/u);
  });

  it("finds by the text of any preview language", async () => {
    const items = await offered(blade, "{{ __('", "je winkel", "') }}");
    assert.ok(items.some((item) => labelOf(item).label === "cart.title"));
  });

  it("replaces the key's text and nothing else", async () => {
    const document = await openFile(blade);
    const at = placeOf(document, "cart.title'", "cart".length);
    const items = await offeredAt(document, document.offsetAt(at));
    const item = items.find((each) => labelOf(each).label === "cart.title");
    assert.equal(document.getText(item?.range as Range), "cart.title");
  });

  it("tells the other languages of the one that is looked at", async () => {
    const document = await openFile(blade);
    const at = placeOf(document, "cart.title'", 4);
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

  it("offers nothing outside of a key's quotes", async () => {
    assert.deepEqual(await offered(blade, "<p title='", "cart", "'>"), []);
    assert.deepEqual(await offered(blade, "{{ route('", "cart", "') }}"), []);
    assert.deepEqual(await offered(blade, "{{ __('cart.title', ['", "cart", "' => 1]) }}"), []);
  });

  it("shows in the editor's own list what a key says, while one types", async () => {
    const document = await show(blade);
    await withText(document, "{{ __('') }}\n", async () => {
      const editor = await waitFor("the editor is there", () => window.activeTextEditor);
      const place = placeOf(document, "''", 1);
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
      await screenshot("completion");
      await inLight(() => screenshot("completion-light"));
      await commands.executeCommand("acceptSelectedSuggestion");
      await waitFor("the key is written", () => /__\('cart\.t\w+'\)/u.test(document.getText()));
    });
  });

  it("is off where the setting says so", async () => {
    await set("completion.enabled", false);
    assert.deepEqual(await offered(blade, "{{ __('", "cart", "') }}"), []);
    await set("completion.enabled", undefined);
  });
});

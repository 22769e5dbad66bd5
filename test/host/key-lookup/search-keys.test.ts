/** Searches keys by name and by text in any language, with a preview of the entry. */
import assert from "node:assert/strict";
import { commands, window } from "vscode";
import { onPage, startService } from "../harness/bridge-client.ts";
import { pressInInput } from "../harness/prompts.ts";
import { inAllThemes } from "../editor/opened.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

const run = async (name: string, options: object): Promise<{ outcome: string }> =>
  await commands.executeCommand<{ outcome: string }>(`projectTranslations.${name}`, options);

const type = (text: string): Promise<void> =>
  onPage(async (page, typed) => {
    await page.locator(".quick-input-title:visible", { hasText: "Search Keys" }).waitFor();
    // What is typed before the keys are listed is lost.
    await page.locator(".quick-input-list .monaco-list-row:visible").first().waitFor();
    await page.locator(".quick-input-box input:visible").fill(typed);
  }, text);

const row = (text: string): Promise<void> =>
  onPage(
    (page, words) => page.locator(".quick-input-list .monaco-list-row", { hasText: words }).first().waitFor(),
    text,
  );

describe("search keys", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    assert.equal((await run("signIn", { baseUrl, token, confirm: false })).outcome, "done");
  });

  journey(
    "finds keys by part of the name or a text in another language, and previews the entry",
    async () => {
      const searching = run("searchKeys", {});
      await type("cart subtotal");
      await row("cart.subtotal");
      await type("Zwischensumme");
      await row("cart.subtotal");
      // Both searches find it: until the second one is done, another row may be the focused one.
      await waitFor("the entry is shown beside the list", async () => {
        const rows = await onPage((page) =>
          page.locator(".quick-input-list .monaco-list-row.focused").allInnerTexts(),
        );
        const editor = window.activeTextEditor;
        return (
          rows.some((text) => text.includes("Zwischensumme")) &&
          editor?.document.uri.path.endsWith("/lang/en/cart.php") === true &&
          editor.document.getText(editor.selection) === "'Subtotal'"
        );
      });
      await inAllThemes("search-keys");
      await pressInInput("Enter");
      assert.equal((await searching).outcome, "done");
      const editor = window.activeTextEditor;
      assert.equal(editor?.document.getText(editor.selection), "'Subtotal'");
    },
  );

  it("changes nothing when cancelled", async () => {
    const searching = run("searchKeys", {});
    await type("no such words anywhere");
    await onPage((page) => page.locator(".quick-input-box input:visible").press("Escape"));
    assert.equal((await searching).outcome, "cancelled");
  });
});

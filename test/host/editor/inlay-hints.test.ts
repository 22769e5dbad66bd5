/** Inlay hints show the text after each usage, in the project's hint language. */
import assert from "node:assert/strict";
import { commands, Range, workspace, type InlayHint, type TextDocument } from "vscode";
import { openFile, positionOf, runCommand } from "../harness/documents.ts";
import { onPage } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { all, inAllThemes, set, show, signIn, withText } from "./opened.ts";

const hintsIn = (document: TextDocument, range: Range): Thenable<InlayHint[]> =>
  commands.executeCommand<InlayHint[]>("vscode.executeInlayHintProvider", document.uri, range);

const labelsIn = async (document: TextDocument, range = all(document)): Promise<string[]> =>
  (await hintsIn(document, range)).map(({ label }) => label as string);

describe("inlay hints", () => {
  before(signIn);

  journey("shows the text of the first preview language after the key", async () => {
    const document = await openFile("resources/views/cart.blade.php");
    const hints = await hintsIn(document, all(document));
    const behind = positionOf(document, "'cart.title'", "'cart.title'".length);
    const hint = hints.find(({ position }) => position.isEqual(behind));
    assert.equal(hint?.label, "Je winkelwagen");
  });

  journey("shows the chosen language and marks fallbacks from another one", async () => {
    const document = await openFile("resources/views/cart.blade.php");
    const picked = await runCommand("chooseInlayLanguage", { locale: "pl" });
    assert.equal(picked["outcome"], "done", JSON.stringify(picked));
    await waitFor("texts are Polish, or say that they are not", async () => {
      const labels = await labelsIn(document);
      return labels.includes("Twój koszyk") && labels.some((label) => /^nl: ./.test(label));
    });
    await runCommand("chooseInlayLanguage", { locale: null });
    await waitFor("they are as before", async () => (await labelsIn(document)).includes("Je winkelwagen"));
  });

  it("shows nothing after patterns and in comments", async () => {
    const document = await openFile("resources/views/checkout.blade.php");
    const { line } = positionOf(document, "checkout.steps");
    assert.deepEqual(await labelsIn(document, new Range(line, 0, line + 1, 0)), []);
  });

  it("truncates texts to the configured length", async () => {
    await set("inlayHints.maxLength", 8);
    const document = await openFile("resources/views/cart.blade.php");
    const labels = await waitFor("the hints are short", async () => {
      const found = await labelsIn(document);
      return found.every((label) => label.length <= 8) ? found : undefined;
    });
    assert.ok(labels.some((label) => label.endsWith("…")));
    await set("inlayHints.maxLength", undefined);
  });

  it("is disabled by the setting", async () => {
    const document = await openFile("resources/views/cart.blade.php");
    assert.ok((await labelsIn(document)).length > 5);
    await set("inlayHints.enabled", false);
    assert.deepEqual(await labelsIn(document), []);
    await set("inlayHints.enabled", undefined);
  });

  it("is disabled for one language by the setting, and for all by a command", async () => {
    const blade = await openFile("resources/views/cart.blade.php");
    const script = await openFile("resources/js/app.ts");
    const settings = workspace.getConfiguration("projectTranslations", { languageId: "typescript" });
    await settings.update("inlayHints.enabled", false, true, true);
    assert.deepEqual(await labelsIn(script), []);
    assert.ok((await labelsIn(blade)).length > 5);
    await settings.update("inlayHints.enabled", undefined, true, true);
    assert.ok((await labelsIn(script)).length > 0);
    assert.deepEqual(await runCommand("toggleInlayHints"), { outcome: "done", enabled: false });
    assert.deepEqual(await labelsIn(blade), []);
    assert.deepEqual(await runCommand("toggleInlayHints"), { outcome: "done", enabled: true });
    assert.ok((await labelsIn(blade)).length > 5);
    await set("inlayHints.enabled", undefined);
  });

  it("shows a multi-line text in one line, with its language if it is a fallback", async () => {
    const text = { key: "several", namespace: "cart", value: "One\nTwo" };
    assert.equal((await runCommand("setLocal", text))["outcome"], "done");
    const document = await openFile("resources/views/cart.blade.php");
    await withText(document, "{{ __('cart.several') }}", async () => {
      await waitFor("the hint is there", async () => (await labelsIn(document)).includes("en: One↵Two"));
    });
  });

  it("renders after the key in the editor", async () => {
    await show("resources/views/cart.blade.php");
    const line = await waitFor("the line shows its hint", () =>
      onPage(async (page) => {
        const lines = await page.locator(".editor-instance .view-line").allInnerTexts();
        return lines
          .map((text) => text.replaceAll("\u00a0", " "))
          .find((text) => text.includes("cart.title") && text.includes("Je winkelwagen"));
      }),
    );
    assert.ok(line.indexOf("'cart.title'") < line.indexOf("Je winkelwagen"), line);
    await inAllThemes("hints");
  });
});

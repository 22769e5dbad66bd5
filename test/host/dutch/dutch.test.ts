/** The display language: Dutch if VS Code or the setting says so, also for the service's messages. */
import assert from "node:assert/strict";
import { commands, ConfigurationTarget, workspace } from "vscode";
import { onPage, onWebview, screenshot, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { clickCell, clickInMenu, statusSays } from "../translation-editor/page.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const speak = (language: string | undefined): Thenable<void> =>
  workspace
    .getConfiguration("projectTranslations")
    .update("language", language, ConfigurationTarget.Workspace);

describe("the language", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
  });

  after(() => speak(undefined));

  journey("is the window's by default, in rows, messages and view names", async () => {
    await commands.executeCommand("projectTranslations.languages.focus");
    const rows = await waitFor("rows are there", async () => {
      const texts = await onPage((page) => page.getByRole("treeitem").allInnerTexts());
      return texts.some((each) => each.includes("verouderd")) && texts;
    });
    assert.ok(
      rows.some((each) => each.includes("QA-fouten")),
      rows.join(),
    );
    assert.ok(await onPage((page) => page.locator(".pane-header", { hasText: "Talen" }).first().isVisible()));
    assert.match((await run("signIn", { token: "" })).error?.message ?? "", /^Er is geen token/);
    assert.equal(
      (await run("push", { onlyy: true })).error?.message,
      "Er is geen optie “onlyy”. Sleutels versturen kent hier: dryRun, archiveMissing, only, files, folder, confirm.",
    );
    assert.equal(
      (await run("pull", { locales: "nl" })).error?.message,
      "De optie “locales” heeft een verkeerde waarde. Toegestaan is een lijst met als elk onderdeel een taalcode.",
    );
    await screenshot("dutch");
  });

  journey("applies to the translation editor", async () => {
    assert.equal(
      (await run("openEditor", { locales: ["nl", "fr"], namespace: "cart", key: "title" })).outcome,
      "done",
    );
    await statusSays("rijen");
    await clickCell("cart.title", "nl");
    await clickInMenu("Meer", "Zoeken en vervangen");
    await screenshot("translation-editor");
    await onWebview((frame) => frame.locator(".menu > button", { hasText: "Meer" }).press("Enter"));
    await screenshot("translation-editor-legend");
    await onWebview((frame) => frame.locator(".menu > button", { hasText: "Filters" }).press("Enter"));
    await onWebview((frame) => frame.getByRole("checkbox", { name: "Onvertaald" }).waitFor());
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("applies to the walkthrough, whose steps are not truncated", async () => {
    // VS Code 1.105 reads those of extensions when it opens the first one, and shows its own then.
    await run("openWalkthrough");
    await onPage((page) => page.locator(".getting-started-step.expanded").waitFor());
    await commands.executeCommand("workbench.action.closeAllEditors");
    await run("openWalkthrough");
    const titles = await waitFor("the steps are there", async () => {
      const shown = await onPage((page) =>
        page
          .locator(".getting-started-step .step-title")
          .evaluateAll((steps) =>
            (
              steps as unknown as readonly { textContent: string; scrollWidth: number; clientWidth: number }[]
            ).map(({ textContent, scrollWidth, clientWidth }) =>
              scrollWidth > clientWidth ? `${textContent} (cut)` : textContent,
            ),
          ),
      );
      return shown[0]?.startsWith("Zie") === true && shown;
    });
    assert.deepEqual(titles, [
      "Zie de teksten van je app",
      "Aanmelden",
      "Project configureren",
      "Bronteksten versturen",
      "Vertalingen ophalen",
      "Vertaal wat ontbreekt",
    ]);
    await onPage((page) =>
      page
        .frameLocator(".getting-started-media iframe")
        .frameLocator("#active-frame")
        .locator("svg")
        .waitFor(),
    );
    await screenshot("walkthrough");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("applies to the service's messages", async () => {
    const result = await run("updateKey", { namespace: "cart", key: "title", maxLength: 0 });
    assert.equal(result.error?.code, "invalid", JSON.stringify(result));
    const words = result.error.message;
    await speak("en");
    const again = await run("updateKey", { namespace: "cart", key: "title", maxLength: 0 });
    assert.notEqual(again.error?.message, words);
    await speak(undefined);
  });

  it("can be set by the setting", async () => {
    await speak("en");
    assert.match((await run("signIn", { token: "" })).error?.message ?? "", /^No token was given/);
    assert.match(String((await run("showDiagnosis"))["text"]), /Language: en \(VS Code: nl\)/);
    await speak("nl");
    assert.match((await run("signIn", { token: "" })).error?.message ?? "", /^Er is geen token/);
  });
});

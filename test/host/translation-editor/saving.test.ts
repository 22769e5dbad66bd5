/** The translation editor as a document of its own: its tab, Save, auto save, Revert, and what could not be saved. */
import assert from "node:assert/strict";
import { commands, Uri, window, workspace } from "vscode";
import { screenshot, startService } from "../harness/bridge-client.ts";
import { runCommand, runSuccessfully } from "../harness/documents.ts";
import { notifications, pressInNotification, waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { cellHolds, cellIs, edit, isDirty, selectedFilters, statusSays } from "./page.ts";

const VIEW_TYPE = "projectTranslations.editor";

const tabs = (): readonly string[] =>
  window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

const save = async (): Promise<void> => {
  await commands.executeCommand("workbench.action.files.save");
};

describe("the document of the translation editor", function () {
  this.timeout(120_000);
  let service: Awaited<ReturnType<typeof startService>>;

  const send = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${service.token}`, "content-type": "application/json" };
    const response = await fetch(`${service.baseUrl}${path}`, { ...init, headers });
    assert.equal(response.status, 200);
    return response.json();
  };
  const atTheService = async (key: string): Promise<string | null | undefined> => {
    const { data } = (await send("/translations/nl?namespace=cart")) as {
      data: { key: string; value: string | null }[];
    };
    return data.find((row) => row.key === key)?.value;
  };
  const theyWrite = async (key: string, value: string): Promise<void> => {
    const body = JSON.stringify({ mode: "overwrite", translations: [{ namespace: "cart", key, value }] });
    await send("/translations/nl", { method: "PUT", body });
  };
  const openTitle = () =>
    runSuccessfully("openEditor", {
      locales: ["nl"],
      filter: [],
      search: "",
      namespace: "cart",
      key: "title",
    });

  before(async () => {
    service = await startService({ demo: true });
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
    await runCommand("refresh");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  afterEach(async () => {
    await workspace.getConfiguration("files").update("autoSave", "off", true);
    await commands.executeCommand("workbench.action.files.revert");
    await waitFor("nothing is unsaved", () => !isDirty());
    await commands.executeCommand("notifications.clearAll");
  });

  after(() => commands.executeCommand("workbench.action.closeAllEditors"));

  it("is called after its project, also when it is opened with the project file", async () => {
    await openTitle();
    assert.deepEqual(tabs(), ["Translations – Webshop"]);
    await commands.executeCommand("workbench.action.closeAllEditors");
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = Uri.joinPath(folder.uri, "project-translations.json");
    await commands.executeCommand("vscode.openWith", file, VIEW_TYPE);
    await waitFor("there is only its own tab", () => tabs().join() === "Translations – Webshop");
    await openTitle();
    await cellHolds("cart.title", "nl", "Je winkelwagen");
    assert.deepEqual(tabs(), ["Translations – Webshop"]);
  });

  it("warns of conflicts when it is saved, shows them, and stays unsaved", async () => {
    await edit("cart.title", "nl", "Mijn wagen");
    await edit("cart.subtotal", "nl", "Mijn subtotaal");
    await theyWrite("title", "Hun wagen");
    await save();
    const words = "someone else changed 1 translation";
    await waitForNotification(words);
    await screenshot("save-conflict");
    assert.ok(!(await notifications()).some((text) => text.includes("Failed to save")));
    await waitFor("it stays unsaved", isDirty);
    assert.deepEqual(
      [await atTheService("title"), await atTheService("subtotal")],
      ["Hun wagen", "Mijn subtotaal"],
    );
    await pressInNotification(words, "Show Conflicts");
    await waitFor("the conflicts are shown", async () => (await selectedFilters()) === "Conflicts");
    await statusSays("1 row");
    await cellIs("cart.title", "nl", "unsaved", "conflict");
  });

  it("restores what Revert has discarded", async () => {
    await openTitle();
    await edit("cart.title", "nl", "Toch niet");
    await commands.executeCommand("workbench.action.files.revert");
    await cellHolds("cart.title", "nl", "Hun wagen");
    await pressInNotification("Discarded: 1 unsaved text.", "Restore");
    await cellHolds("cart.title", "nl", "Toch niet");
    await cellIs("cart.title", "nl", "unsaved");
    await waitFor("it is unsaved", isDirty);
  });

  it("is saved with all editors", async () => {
    await openTitle();
    await edit("cart.title", "nl", "Met alle andere");
    assert.equal(await workspace.saveAll(false), true);
    await waitFor("it is saved", () => !isDirty());
    assert.equal(await atTheService("title"), "Met alle andere");
  });

  it("is saved automatically, and what is in conflict is not sent again and again", async () => {
    await workspace.getConfiguration("files").update("autoSave", "afterDelay", true);
    await openTitle();
    await edit("cart.title", "nl", "Vanzelf");
    await waitFor("it is at the service", async () => (await atTheService("title")) === "Vanzelf");
    await waitFor("it is saved", () => !isDirty());
    await theyWrite("title", "Van hen");
    await edit("cart.title", "nl", "Van mij");
    await cellIs("cart.title", "nl", "unsaved", "conflict");
    await waitForNotification("someone else changed 1 translation");
    await screenshot("auto-save-conflict");
    assert.deepEqual((await notifications()).length, 1, (await notifications()).join("\n"));
    assert.ok(isDirty());
    assert.equal(await atTheService("title"), "Van hen");
  });

  it("offers to try again what could not be sent", async () => {
    await runCommand("refresh");
    await openTitle();
    await edit("cart.title", "nl", "Zonder verbinding");
    await service.stop();
    await save();
    await waitForNotification("kept in the translation editor: cart.title (nl)");
    await screenshot("save-offline");
    assert.ok(!(await notifications()).some((text) => text.includes("Failed to save")));
    await waitFor("it stays unsaved", isDirty);
    await pressInNotification("kept in the translation editor: cart.title (nl)", "Try Again");
    await waitFor("the unsaved ones are shown", async () => (await selectedFilters()) === "Unsaved");
    await cellIs("cart.title", "nl", "unsaved");
  });
});

/** What a save of the translation editor says and offers when only a part of the texts can be saved. */
import assert from "node:assert/strict";
import { chmod } from "node:fs/promises";
import { commands, Uri, workspace } from "vscode";
import { screenshot, startService } from "../harness/bridge-client.ts";
import { runCommand, runSuccessfully } from "../harness/documents.ts";
import { notifications, pressInNotification, waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { startFaultyService, type FaultyService } from "./faulty-service.ts";
import {
  canBeEdited,
  cell,
  cellIs,
  clickCell,
  detailsSay,
  edit,
  isDirty,
  press,
  selectedFilters,
  status,
  statusSays,
} from "./page.ts";

const KEPT = "Not saved, but kept in the translation editor: cart.title (";

describe("a save of the translation editor that fails", function () {
  this.timeout(120_000);
  let service: FaultyService;
  let tokens: { readonly token: string; readonly readToken: string };

  /** Saves as a person does, and returns what the notification says. */
  const saveWith = async (words: string, name: string): Promise<string> => {
    await commands.executeCommand("workbench.action.files.save");
    const said = await waitForNotification(words);
    await screenshot(name);
    assert.ok(!(await notifications()).some((text) => text.includes("Failed to save")));
    await waitFor("it stays unsaved", isDirty);
    return said;
  };

  before(async () => {
    const started = await startService({ demo: true });
    tokens = started;
    service = await startFaultyService(started.baseUrl);
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: tokens.token });
    await runCommand("refresh");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  beforeEach(() =>
    runSuccessfully("openEditor", {
      locales: ["nl"],
      filter: [],
      search: "",
      namespace: "cart",
      key: "title",
    }),
  );

  afterEach(async () => {
    service.refuseWrites(null);
    service.refuseAll(null);
    await runCommand("refresh");
    await commands.executeCommand("workbench.action.files.revert");
    await waitFor("nothing is unsaved", () => !isDirty());
    await commands.executeCommand("notifications.clearAll");
  });

  after(async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    service.close();
  });

  it("is not needed with a token that may only read: table and details say so", async () => {
    const { baseUrl } = service;
    await runSuccessfully("signIn", { baseUrl, token: tokens.readToken });
    await runCommand("refresh");
    await statusSays("read-only");
    await cellIs("cart.title", "nl", "readonly");
    await clickCell("cart.title", "nl");
    await press("Enter");
    await detailsSay("Editing needs a token with write access.");
    assert.equal(
      (await cell("cart.title", "nl"))?.description,
      "read-only, Editing needs a token with write access.",
    );
    await screenshot("read-only-token");
    await runSuccessfully("signIn", { baseUrl, token: tokens.token });
    await runCommand("refresh");
    await waitFor("it can be edited", async () => !(await status()).includes("read-only"));
    await canBeEdited("cart.title", "nl");
  });

  it("names the text that the service refuses, and shows it", async () => {
    await edit("cart.title", "nl", "Mijn wagen");
    const errors = { "translations.0.value": ["Too long."] };
    service.refuseWrites({ status: 422, body: { message: "No.", errors } });
    const said = await saveWith(KEPT, "save-refused");
    assert.match(said, /The service did not write cart\.title \(nl\): Too long\./u);
    await pressInNotification(KEPT, "Show Unsaved Texts");
    await waitFor("the unsaved ones are shown", async () => (await selectedFilters()) === "Unsaved");
  });

  for (const [name, status, body, words] of [
    [
      "an error of the service",
      500,
      { message: "The index is being rebuilt." },
      "The index is being rebuilt.",
    ],
    ["a page instead of an answer", 200, "<html>Welcome!</html>", "could not be read"],
  ] as const) {
    it(`offers to try again after ${name}`, async () => {
      await edit("cart.title", "nl", "Mijn wagen");
      service.refuseWrites({ status, body });
      assert.ok((await saveWith(KEPT, `save-${status}`)).includes(words));
      service.refuseWrites(null);
      await pressInNotification(KEPT, "Try Again");
      await waitFor("it is saved", () => !isDirty());
      await edit("cart.title", "nl", "Je winkelwagen");
      await commands.executeCommand("workbench.action.files.save");
      await waitFor("it is saved", () => !isDirty());
    });
  }

  it("shows that it waits for an answer, is not sent twice, and can be cancelled", async () => {
    await edit("cart.title", "nl", "Mijn wagen");
    const held = service.holdWrites();
    const save = () => commands.executeCommand("workbench.action.files.save");
    const saves = [save()];
    await waitForNotification("Saving 1 text");
    saves.push(save());
    await screenshot("save-without-answer");
    await pressInNotification("Saving 1 text", "Cancel");
    // What was sent may still be answered, which is waited for.
    const said = await waitForNotification(KEPT);
    held.release();
    await Promise.all(saves);
    assert.match(said, /^Cancelled before the service answered, so it may have been written\./mu);
    assert.equal(held.count(), 1);
    await waitFor("it stays unsaved", isDirty);
    await pressInNotification(KEPT, "Try Again");
    await waitFor("it is saved", () => !isDirty());
    await edit("cart.title", "nl", "Je winkelwagen");
    await save();
    await waitFor("it is saved", () => !isDirty());
  });

  it("says that the project is archived, and offers to sign out", async () => {
    await edit("cart.title", "nl", "Mijn wagen");
    service.refuseAll({ status: 403, body: { message: "Archived." } });
    const said = await saveWith(KEPT, "save-archived");
    assert.match(
      said,
      /The project is archived: nothing can be read or changed until it is restored\. Not saved/u,
    );
    assert.match(said, /Sign Out/u);
  });

  it("says what was saved when a file is read-only", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = Uri.joinPath(folder.uri, "lang", "en", "cart.php").fsPath;
    await edit("cart.title", "nl", "Mijn wagen");
    await edit("cart.title", "en", "My cart");
    await chmod(file, 0o444);
    try {
      const said = await saveWith(KEPT, "save-read-only-file");
      assert.match(said, /^Saved: 1 of 2 texts\. lang\/en\/cart\.php or its folder is read-only\./mu);
      assert.ok(said.includes(`${KEPT}en).`), said);
      await cellIs("cart.title", "en", "unsaved");
      await cellIs("cart.title", "nl");
    } finally {
      await chmod(file, 0o644);
    }
    await pressInNotification(KEPT, "Try Again");
    await waitFor("it is saved", () => !isDirty());
  });
});

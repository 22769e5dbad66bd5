/** An unsaved text of a key that somebody else deletes. */
import assert from "node:assert/strict";
import { commands, env } from "vscode";
import { keyHash } from "../../../src/model/key-hash.ts";
import { startService } from "../harness/bridge-client.ts";
import { runCommand, runSuccessfully } from "../harness/documents.ts";
import { pressInNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { cell, click, clickCell, edit, isDirty, status, statusSays } from "../translation-editor/page.ts";

const NOTIFICATION = "Not saved, since their keys or languages no longer exist: nl “Mijn wagen”.";

describe("an unsaved text of a deleted key", function () {
  this.timeout(120_000);

  after(async () => {
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("is reported on save, and kept until it is discarded", async () => {
    const service = await startService({ demo: true });
    const syncKeys = async (body: object): Promise<void> => {
      const response = await fetch(`${service.baseUrl}/keys/sync`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      assert.ok(response.ok, await response.text());
    };
    const key = { namespace: "cart", key: "temporary" };
    await syncKeys({ keys: [{ ...key, value: "For a while" }] });
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
    await runCommand("refresh");
    await runSuccessfully("openEditor", { locales: ["nl"], filter: [], ...key });
    await waitFor("the key is shown", () => cell("cart.temporary", "nl"));
    await edit("cart.temporary", "nl", "Mijn wagen");
    await syncKeys({ keys: [], archive: [keyHash({ ...key, context: null })] });
    for (const label of ["Copy Texts", "Discard"]) {
      await commands.executeCommand("workbench.action.files.save");
      await statusSays("1 unsaved");
      await pressInNotification(NOTIFICATION, label);
      if (label === "Copy Texts")
        await waitFor("it is copied", async () => (await env.clipboard.readText()) === "nl\tMijn wagen");
    }
    await waitFor("nothing is unsaved", async () => !(await status()).includes("unsaved"));
    await commands.executeCommand("workbench.action.files.save");
    await waitFor("VS Code shows it as saved", () => !isDirty());
  });

  it("is reported of a language that the project no longer has, and prevents no other from being saved", async () => {
    const project = (...locales: readonly string[]) => ({
      slug: "languages",
      name: "Languages",
      sourceLocale: "en",
      languages: locales.map((locale) => ({ locale })),
    });
    const service = await startService({ project: project("fr", "nl") });
    const { baseUrl, token } = service;
    const call = async (path: string, init: RequestInit = {}): Promise<string> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const response = await fetch(`${baseUrl}${path}`, { ...init, headers });
      const body = await response.text();
      assert.ok(response.ok, body);
      return body;
    };
    const keys = [{ namespace: "cart", key: "only", value: "Only here" }];
    await call("/keys/sync", { method: "POST", body: JSON.stringify({ keys }) });
    await runSuccessfully("signIn", { baseUrl, token });
    await runCommand("refresh");
    await runSuccessfully("openEditor", { locales: ["fr", "nl"], namespace: "cart", key: "only" });
    await edit("cart.only", "fr", "Ici");
    await edit("cart.only", "nl", "Hier");
    await service.stop();
    await startService({ restartOf: service.id, project: project("nl") });
    await runSuccessfully("refresh");
    await commands.executeCommand("workbench.action.files.save");
    await waitFor("the other text is written", async () => (await call("/translations/nl")).includes("Hier"));
    await statusSays("1 unsaved");
    await waitFor("its column is still shown", async () => {
      const shown = await cell("cart.only", "fr");
      return shown?.text === "Ici" && shown.states.includes("readonly");
    });
    await clickCell("cart.only", "fr");
    await click("Discard change");
    await waitFor("nothing is unsaved", async () => !(await status()).includes("unsaved"));
    await commands.executeCommand("workbench.action.files.save");
    await waitFor("VS Code shows it as saved", () => !isDirty());
  });
});

/** An unsaved text of a key that somebody else deletes. */
import assert from "node:assert/strict";
import { commands, env } from "vscode";
import { keyHash } from "../../../src/model/key-hash.ts";
import { startService } from "../harness/bridge-client.ts";
import { runCommand, runSuccessfully } from "../harness/documents.ts";
import { pressInNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { cell, edit, isDirty, status, statusSays } from "../translation-editor/page.ts";

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
});

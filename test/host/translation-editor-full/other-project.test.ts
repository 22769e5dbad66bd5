/** Signing in to another project with unsaved texts: each project keeps its own. */
import assert from "node:assert/strict";
import { commands } from "vscode";
import { runSuccessfully, runCommand } from "../harness/documents.ts";
import { startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  cellHolds,
  cellIs,
  columns,
  edit,
  focused,
  isDirty,
  status,
  statusSays,
} from "../translation-editor/page.ts";

describe("another project in the translation editor", function () {
  this.timeout(120_000);

  const signIn = async ({ baseUrl, token }: Awaited<ReturnType<typeof startService>>): Promise<void> => {
    await runSuccessfully("signIn", { baseUrl, token });
    await runCommand("refresh");
    await runSuccessfully("openEditor", {
      locales: ["nl"],
      filter: [],
      search: "",
      namespace: "cart",
      key: "title",
    });
  };

  const focusIsInDutch = async (): Promise<void> => {
    const column = (await columns()).indexOf("nl") + 2;
    await waitFor("the focus is in Dutch", async () => (await focused()).column === column);
  };

  after(async () => {
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("shows only its own unsaved texts, and restores them when signed in again", async () => {
    const first = await startService({ demo: true });
    const second = await startService({ demo: true });
    await signIn(first);
    await cellHolds("cart.title", "nl", "Je winkelwagen");
    await edit("cart.title", "nl", "Van de eerste");
    await waitFor("it is unsaved", isDirty);
    await signIn(second);
    await cellHolds("cart.title", "nl", "Je winkelwagen");
    await focusIsInDutch();
    await waitFor("nothing is unsaved", () => !isDirty());
    for (const name of ["undo", "redo"]) {
      await commands.executeCommand(name);
      await runSuccessfully("openEditor", { namespace: "cart", key: "title" });
      await cellIs("cart.title", "nl");
      assert.ok(!(await status()).includes("unsaved"));
    }
    await signIn(first);
    await cellHolds("cart.title", "nl", "Van de eerste");
    await focusIsInDutch();
    await statusSays("1 unsaved");
    await waitFor("it is unsaved", isDirty);
  });
});

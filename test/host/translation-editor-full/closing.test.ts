/** A text that is being typed is not lost when the editor is closed by a keyboard shortcut. */
import { commands, window } from "vscode";
import { runSuccessfully, runCommand } from "../harness/documents.ts";
import { startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  cell,
  cellHolds,
  cellIs,
  clickCell,
  isDirty,
  press,
  statusSays,
  type,
} from "../translation-editor/page.ts";

describe("closing the translation editor while a cell is edited", function () {
  this.timeout(120_000);

  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    await runSuccessfully("signIn", { baseUrl, token });
    await runCommand("refresh");
  });

  // A test of VS Code discards unsaved texts when an editor closes, without asking.
  afterEach(async () => {
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("keeps the typed text as unsaved", async () => {
    await runSuccessfully("openEditor", { search: "cart.subtotal" });
    await statusSays("1 row");
    await clickCell("cart.subtotal", "nl");
    await press("Enter");
    await type("nl", "Tussentotaal van alles");
    await press("Control+w");
    await waitFor("the editor is closed", () => window.tabGroups.activeTabGroup.activeTab === undefined);
    await runSuccessfully("openEditor", { search: "cart.subtotal" });
    await cellHolds("cart.subtotal", "nl", "Tussentotaal van alles");
    await cellIs("cart.subtotal", "nl", "unsaved");
    await waitFor("VS Code shows it as unsaved", isDirty);
  });

  it("discards with Escape the text that a shortcut has kept", async () => {
    await runSuccessfully("openEditor", { search: "cart.subtotal" });
    await statusSays("1 row");
    const before = await cell("cart.subtotal", "nl");
    await clickCell("cart.subtotal", "nl");
    await press("Enter");
    await type("nl", "Iets anders");
    // A shortcut that does nothing here.
    await press("F8");
    await waitFor("VS Code shows it as unsaved", isDirty);
    await press("Escape");
    await cellHolds("cart.subtotal", "nl", before?.text ?? "");
    await cellIs("cart.subtotal", "nl", ...(before?.states ?? []));
    await statusSays("1 row");
  });
});

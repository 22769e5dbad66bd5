/** Similar plural texts in the details of a cell. */
import assert from "node:assert/strict";
import { commands } from "vscode";
import { runSuccessfully, runCommand } from "../harness/documents.ts";
import { screenshot, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { cell, click, clickCell, detailsSay, statusSays, violations } from "../translation-editor/page.ts";

describe("the details of a plural cell in the translation editor", function () {
  this.timeout(120_000);

  before(async () => {
    const service = await startService({ demo: true });
    const response = await fetch(`${service.baseUrl}/keys/sync`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({
        keys: [
          {
            namespace: "orders",
            key: "deleted",
            forms: { one: ":count order deleted", other: ":count orders deleted" },
          },
        ],
      }),
    });
    assert.equal(response.status, 200, await response.text());
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
    await runCommand("refresh");
  });

  after(async () => {
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("offer each form of a similar text", async () => {
    await runSuccessfully("openEditor", {
      locales: ["nl"],
      filter: [],
      search: "",
      namespace: "orders",
      key: "deleted",
    });
    await waitFor("the key is shown", () => cell("orders.deleted", "nl"));
    await clickCell("orders.deleted", "nl");
    await detailsSay(":count product deleted · :count products deleted");
    assert.deepEqual(await violations(), []);
    await screenshot("similar-forms");
    await click("Use “:count product verwijderd · :count producten verwijderd”");
    await waitFor("both forms are taken", async () => {
      const text = (await cell("orders.deleted", "nl"))?.text;
      return text === "one :count product verwijderdother :count producten verwijderd";
    });
    await statusSays("1 unsaved");
    await commands.executeCommand("undo");
    await waitFor("it is undone", async () =>
      (await cell("orders.deleted", "nl"))?.states.includes("missing"),
    );
  });
});

/** The details of a cell. */
import assert from "node:assert/strict";
import { commands } from "vscode";
import { runSuccessfully, runCommand } from "../harness/documents.ts";
import { onWebview, screenshot, startService } from "../harness/bridge-client.ts";
import { waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  cell,
  click,
  clickCell,
  detailsSay,
  focused,
  press,
  search,
  shownKeys,
  statusSays,
  tabTo,
  violations,
} from "../translation-editor/page.ts";

describe("the details of a cell in the translation editor", function () {
  this.timeout(120_000);
  let service: Awaited<ReturnType<typeof startService>>;

  const send = async (method: string, path: string, body: object): Promise<void> => {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, await response.text());
  };
  const goTo = async (key: string, locale: string): Promise<void> => {
    const [namespace, ...name] = key.split(".");
    await runSuccessfully("openEditor", {
      locales: [locale],
      filter: [],
      search: "",
      namespace,
      key: name.join("."),
    });
    await waitFor(`${key} is shown`, () => cell(key, locale));
    await clickCell(key, locale);
  };

  before(async () => {
    service = await startService({ demo: true });
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
    await runCommand("refresh");
  });

  after(async () => {
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("take the focus from a Tab that is pressed before they arrive", async () => {
    await goTo("cart.title", "nl");
    await press("ArrowDown", "Tab");
    await waitFor("the focus is in the details", () =>
      onWebview((frame) => frame.locator(".details:focus-within").count()),
    );
    await detailsSay("Total: :amount");
    await tabTo("Clear");
    await press("Escape");
    await waitFor("the focus is in the table", async () => (await focused()).row !== null);
  });

  it("name the plural form of an issue", async () => {
    await goTo("cart.items", "de");
    await detailsSay(":count is missing (form “other”)");
  });

  it("show the previous source text of an outdated translation", async () => {
    await send("POST", "/keys/sync", {
      keys: [{ namespace: "cart", key: "subtotal", value: "Sum without delivery" }],
    });
    await runCommand("refresh");
    await goTo("cart.subtotal", "nl");
    await detailsSay("Source text on the service\nSum without delivery");
    await detailsSay("Source text before\nSubtotal");
    await screenshot("source-before");
  });

  it("explain why a cell is read-only", async () => {
    await goTo("cart.continue", "nl");
    await detailsSay("This key is archived on the service. Restore it first.");
    await screenshot("readonly");
  });

  it("report that a plural text was not filled into a singular one", async () => {
    await goTo("cart.items", "nl");
    await press("Shift+ArrowDown");
    await click("Fill down");
    await waitForNotification("Not changed: 1 of 1 text");
    await commands.executeCommand("notifications.clearAll");
    assert.equal((await cell("cart.remove", "nl"))?.text, ":product verwijderen");
  });

  it("offer to show all keys if none matches", async () => {
    await search("nowhere at all");
    await statusSays("0 rows");
    assert.deepEqual(await violations(), []);
    await click("Show all keys");
    await waitFor("all rows", async () => (await shownKeys()).length > 5);
  });
});

/** Translates two hundred missing texts with the keyboard only. */
import assert from "node:assert/strict";
import { commands, window } from "vscode";
import { runSuccessfully, runCommand } from "../harness/documents.ts";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { focused, press, shownKeys, statusSays, violations } from "../translation-editor/page.ts";

const COUNT = 200;

describe("many missing texts in the translation editor", function () {
  this.timeout(300_000);

  after(async () => {
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("are translated one after the other and saved", async () => {
    const service = await startService();
    const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
      const response = await fetch(`${service.baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      assert.equal(response.status, 200);
      return response.json();
    };
    const keys = Array.from({ length: COUNT }, (_, index) => ({
      namespace: "many",
      key: `text.${String(index).padStart(3, "0")}`,
      value: `Source text ${index} of :name`,
    }));
    await ask("POST", "/keys/sync", { keys });
    const { data } = (await ask("GET", "/project")) as { data: { languages: { locale: string }[] } };
    const locale = data.languages[1]?.locale ?? "";
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
    await runCommand("refresh");
    await runSuccessfully("openEditor", { locales: [locale], filter: "untranslated", search: "many" });
    await statusSays(`${COUNT} rows`);
    await waitFor("the first translation has the focus", async () => {
      const { row, column } = await focused();
      return row === 2 && column === 3;
    });
    assert.equal((await shownKeys())[0], "many.text.000");
    await onPage(async (page, count) => {
      const box = page.frameLocator("iframe.webview").frameLocator("#active-frame").locator("textarea");
      for (let index = 0; index < count; index++) {
        await page.keyboard.press("Enter");
        await box.waitFor();
        await page.keyboard.insertText(`Tekst ${index} van `);
        await page.keyboard.press("Alt+1");
        await page.keyboard.press("Control+Enter");
        await box.waitFor({ state: "detached" });
      }
    }, COUNT);
    await statusSays(`${COUNT} rows · ${COUNT} unsaved`);
    assert.deepEqual(await violations(), []);
    await screenshot("many");
    await press("Control+s");
    await waitFor("all is saved", () => window.tabGroups.activeTabGroup.activeTab?.isDirty === false);
    const { data: rows } = (await ask("GET", `/translations/${locale}?namespace=many`)) as {
      data: { key: string; value: string | null }[];
    };
    const texts = new Map(rows.map(({ key, value }) => [key, value]));
    for (const [index, { key }] of keys.entries()) assert.equal(texts.get(key), `Tekst ${index} van :name`);
  });
});

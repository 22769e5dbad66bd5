/** The pictures of the translation editor: its table, menus, replacements, and a text that somebody else changed, too. */
import type { FrameLocator, Page } from "playwright-core";
import type { DemoService } from "./demo-setup.ts";
import { hideSideBar, openFile, runCommand, runExtensionCommand } from "./page-actions.ts";
import { shown } from "./shown-texts.ts";
import type { Scene } from "./shots.ts";

/** The editor's part of the window. */
const EDITOR = { x: 463, y: 5, width: 930, height: 862 } as const;

export const editorScenes: readonly Scene[] = [
  {
    name: "translation-editor",
    clip: EDITOR,
    async play(page) {
      const table = await openTable(page);
      await table.getByRole("searchbox", { name: shown("Search") }).fill("cart.");
      await table.getByRole("rowheader").first().filter({ hasText: "cart.checkout" }).waitFor();
      const row = table.getByRole("row", { name: /^cart\.items/ });
      await row.getByRole("gridcell").nth(1).click();
      await page.keyboard.press("Enter");
      await table.getByRole("textbox").nth(1).waitFor();
    },
  },
  {
    name: "editor-filters",
    clip: EDITOR,
    async play(page) {
      const table = await openTable(page);
      await table.getByRole("searchbox", { name: shown("Search") }).fill("");
      await table.getByRole("button", { name: shown("Filters") }).click();
      await table.getByRole("checkbox", { name: shown("QA issues") }).focus();
    },
  },
  {
    name: "editor-legend",
    clip: EDITOR,
    async play(page) {
      const table = await openTable(page);
      await table.getByRole("button", { name: shown("More") }).click();
      await table.getByRole("region", { name: shown("Legend") }).waitFor();
    },
  },
  {
    name: "editor-replace",
    clip: EDITOR,
    async play(page) {
      const table = await openTable(page);
      await table.getByRole("button", { name: shown("More") }).click();
      await table.getByRole("button", { name: shown("Find and replace") }).click();
      await table.getByRole("textbox", { name: shown("Find"), exact: true }).fill("winkelwagen");
      await table.getByRole("textbox", { name: shown("Replace with") }).fill("mandje");
      await page.keyboard.press("Enter");
      await table.locator(".matches li").first().waitFor();
    },
  },
  {
    name: "editor-conflict",
    async play(page, { services: [service] }) {
      const table = await openTable(page);
      await table.getByRole("searchbox", { name: shown("Search") }).fill("cart.");
      await table.getByRole("rowheader").first().filter({ hasText: "cart.checkout" }).waitFor();
      const cell = table
        .getByRole("row", { name: /^cart\.title/ })
        .getByRole("gridcell")
        .nth(1);
      await cell.click();
      await page.keyboard.press("Enter");
      await table.getByRole("textbox", { name: "nl" }).fill("Mijn winkelmandje");
      await page.keyboard.press("Control+Enter");
      await cell.filter({ hasText: "Mijn winkelmandje" }).waitFor();
      await theyWrite(service, "Hun winkelmandje");
      await page.locator(".tab.active.dirty").waitFor();
      await runCommand(page, "File: Save");
      await page
        .locator(".notification-toast")
        .getByRole("button", { name: shown("Show Conflicts") })
        .click();
      const theirs = table.getByRole("region", { name: shown("Details") }).getByText("Hun winkelmandje");
      const conflict = table.locator("[role=gridcell][data-state~=conflict]");
      await conflict.click();
      await theirs.waitFor();
    },
  },
];

/** Opens the translation editor and returns its page. */
async function openTable(page: Page): Promise<FrameLocator> {
  await openFile(page, "resources/views/cart.blade.php");
  await runExtensionCommand(page, "openEditor");
  await hideSideBar(page);
  const table = page.frameLocator("iframe.webview").frameLocator("#active-frame");
  await table.getByRole("rowheader").first().waitFor();
  return table;
}

/** Changes the Dutch title of the cart, as somebody else does. */
async function theyWrite(service: DemoService | undefined, value: string): Promise<void> {
  if (service === undefined) throw new Error("There is no service.");
  const response = await fetch(`${service.baseUrl}/translations/nl`, {
    method: "PUT",
    headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
    body: JSON.stringify({ mode: "overwrite", translations: [{ namespace: "cart", key: "title", value }] }),
  });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
}

/**
 * The pictures of the running product, in the order in which they are taken. Add yours at the end. The README's are
 * taken by `npm run demo -- --shots media/readme --scene hover --scene languages --scene push`.
 */
import type { Page } from "playwright-core";
import { clickText, hoverText, openContainer, openFile, pickerRows, runCommand, runOurs } from "./hands.ts";
import type { Scene } from "./shots.ts";

export const scenes: readonly Scene[] = [
  {
    name: "hover",
    async play(page) {
      await openContainer(page, "Project Translations");
      await row(page, /^Nederlands/).waitFor();
      await openFile(page, "resources/views/cart.blade.php");
      await hoverText(page, "cart.free_delivery");
    },
  },
  {
    name: "languages",
    async play(page) {
      await openContainer(page, "Project Translations");
      await openFile(page, "resources/views/cart.blade.php");
      await expand(page, /^Français/);
      await expand(page, /^Outdated/);
      await runCommand(page, "Project Translations: Focus on QA Issues View");
      const issues = page.locator(".pane", { has: page.locator(".pane-header", { hasText: "QA Issues" }) });
      const dutch = issues.getByRole("treeitem", { name: /^Nederlands/ }).first();
      await dutch.locator(".monaco-tl-twistie").click();
      await issues.getByRole("treeitem", { level: 2 }).first().waitFor();
    },
  },
  {
    name: "push",
    async play(page) {
      await openFile(page, "lang/en/cart.php");
      await runOurs(page, "push");
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "pull",
    async play(page) {
      await openFile(page, "lang/fr/checkout.php");
      await runOurs(page, "pull");
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "menu",
    async play(page) {
      await openFile(page, "resources/views/checkout.blade.php");
      await page.locator(".statusbar-item", { hasText: "Webshop" }).click();
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "edit",
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await clickText(page, "cart.free_delivery");
      await runOurs(page, "editTranslation");
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "diagnosis",
    async play(page) {
      await openFile(page, "project-translations.json");
      await runOurs(page, "showDiagnosis");
      await page.locator(".editor-group-container .view-line", { hasText: "Webshop" }).first().waitFor();
    },
  },
];

/** A tree's row by what a screen reader says of it. */
function row(page: Page, name: RegExp) {
  return page.locator(".sidebar").getByRole("treeitem", { name }).first();
}

async function expand(page: Page, name: RegExp): Promise<void> {
  const it = row(page, name);
  await it.waitFor();
  if ((await it.getAttribute("aria-expanded")) !== "true") await it.locator(".monaco-tl-twistie").click();
  await page.locator(`.sidebar [role=treeitem][aria-expanded=true]`).first().waitFor();
}

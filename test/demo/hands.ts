/** What a person's hands do in VS Code: run a command, open a file, point at a word. */
import type { Page } from "playwright-core";

/** Runs a command by its title in the Command Palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input").first();
  await input.waitFor();
  await input.fill(`>${title}`);
  await page.locator(".quick-input-list").getByRole("option", { name: title }).first().waitFor();
  await page.keyboard.press("Enter");
}

/** Opens a file by its path in the folder, and puts the focus into it. */
export async function openFile(page: Page, path: string): Promise<void> {
  await page.keyboard.press("Control+KeyP");
  const input = page.locator(".quick-input-widget input").first();
  await input.waitFor();
  await input.fill(path);
  const name = path.split("/").at(-1) ?? path;
  await page.locator(".quick-input-list").getByRole("option", { name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".editor-group-container").getByRole("tab", { name, selected: true }).waitFor();
  await page.locator(".editor-group-container .view-line").first().waitFor();
}

/** Shows a view of the activity bar. */
export async function openContainer(page: Page, name: string): Promise<void> {
  const tab = page.locator(".activitybar").getByRole("tab", { name });
  await tab.waitFor();
  if ((await tab.getAttribute("aria-expanded")) !== "true") await tab.click();
  // Off the tab, which would show its tip.
  await page.mouse.move(700, 850);
}

/** Puts the cursor on the first occurrence of a text in the active editor, and shows its hover. */
export async function hoverText(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+KeyF");
  const find = page.locator(".find-widget textarea").first();
  await find.waitFor();
  await find.fill(text);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await runCommand(page, "Show or Focus Hover");
  await page.locator(".monaco-resizable-hover .monaco-hover").first().waitFor();
}

/** Leaves whatever is open: pickers, hovers, editors, notifications. */
export async function closeAll(page: Page): Promise<void> {
  for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
  await runCommand(page, "Notifications: Clear All Notifications");
  await runCommand(page, "View: Close All Editors");
}

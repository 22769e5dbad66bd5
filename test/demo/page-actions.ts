/** Actions in the page of VS Code: run a command, open a file, hover a word. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { root } from "../setup/ensure.mjs";

/** Runs a command by its title in the Command Palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator(".quick-input-widget:visible input").first();
  // A key that is pressed while the focus moves is lost, and the palette closes when the focus leaves it.
  const isFilled = (): Promise<boolean> =>
    input.fill(`>${title}`, { timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  do await page.keyboard.press("F1");
  while (!(await isFilled()));
  const option = page.locator(".quick-input-list").getByRole("option", { name: title }).first();
  await option.click();
  // The next palette would be closed with this one.
  await option.waitFor({ state: "hidden" });
  // Away from the next picker, which would show a tooltip.
  await page.mouse.move(700, 850);
}

/** Runs a command of Project Translations by the last part of its id. */
export async function runExtensionCommand(page: Page, name: string): Promise<void> {
  const titles = JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8")) as Record<string, string>;
  const title = titles[`command.${name}`];
  if (title === undefined) throw new Error(`There is no title for the command ${name}.`);
  await runCommand(page, `Project Translations: ${title}`);
}

/** The rows of the open picker. */
export function pickerRows(page: Page) {
  return page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row");
}

/** Opens and focuses a file by its path in the folder. */
export async function openFile(page: Page, path: string): Promise<void> {
  await page.keyboard.press("Control+KeyP");
  const input = page.locator(".quick-input-widget input").first();
  await input.waitFor();
  await input.fill(path);
  const name = path.split("/").at(-1) ?? path;
  await page.locator(".quick-input-list").getByRole("option", { name }).first().click();
  await page.locator(".editor-group-container").getByRole("tab", { name, selected: true }).waitFor();
  await page.locator(".editor-group-container .view-line").first().waitFor();
}

/** Shows a view of the activity bar. */
export async function openContainer(page: Page, name: string): Promise<void> {
  const tab = page.locator(".activitybar").getByRole("tab", { name });
  await tab.waitFor();
  if ((await tab.getAttribute("aria-expanded")) !== "true") await tab.click();
  // Away from the tab, which would show its tooltip.
  await page.mouse.move(700, 850);
}

/** Hovers the first occurrence of a text in the active editor until its hover is shown. */
export async function hoverText(page: Page, text: string): Promise<void> {
  const { x, y } = await positionOf(page, text);
  await page.mouse.move(x - 1, y);
  await page.mouse.move(x, y);
  await page.locator(".monaco-resizable-hover .monaco-hover:visible").first().waitFor();
}

/** Clicks the first occurrence of a text in the active editor. */
export async function clickText(page: Page, text: string): Promise<void> {
  const { x, y } = await positionOf(page, text);
  await page.mouse.click(x, y);
}

/** Returns the centre of the first visible occurrence of a text, which may span several tokens. */
async function positionOf(page: Page, text: string): Promise<{ readonly x: number; readonly y: number }> {
  const line = page.locator(".editor-group-container.active .view-line", { hasText: text }).first();
  await line.waitFor();
  return line.evaluate((element, wanted) => {
    const range = element.ownerDocument.createRange();
    const walker = element.ownerDocument.createTreeWalker(element, 4);
    // Editors draw a space as a no-break one.
    let at =
      (element.textContent ?? "").replaceAll("\u00a0", " ").indexOf(wanted) + Math.floor(wanted.length / 2);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { length } = node.textContent ?? "";
      if (at < length) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
      at -= length;
    }
    throw new Error(`"${wanted}" is not shown`);
  }, text);
}

/** Closes pickers, hovers, editors and notifications. */
export async function closeAll(page: Page): Promise<void> {
  const picker = page.locator(".quick-input-widget:visible");
  do await page.keyboard.press("Escape");
  while ((await picker.count()) > 0);
  const discard = page.getByRole("button", { name: "Discard" });
  // The preview of a rename.
  if ((await discard.count()) > 0) await discard.first().click();
  const unsaved = page.locator(".tab.active.dirty");
  if ((await unsaved.count()) > 0) {
    await unsaved.click();
    await runCommand(page, "File: Revert File");
    await unsaved.waitFor({ state: "detached" });
    await runCommand(page, "View: Close All Editors");
  }
  // Focuses the editors.
  await page.locator(".part.editor").click({ position: { x: 300, y: 780 }, force: true });
  await runCommand(page, "Notifications: Clear All Notifications");
  await runCommand(page, "View: Close All Editors");
}

/** Actions in the page of VS Code: run a command, open a file, hover a word. */
import type { Page } from "playwright-core";
import { commandTitle } from "./shown-texts.ts";

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
  await parkMouse(page);
}

/** Runs a command of Project Translations by the last part of its id. */
export async function runExtensionCommand(page: Page, name: string): Promise<void> {
  await runCommand(page, `Project Translations: ${commandTitle(name)}`);
}

/** Moves the pointer to where nothing shows a tooltip. */
export async function parkMouse(page: Page): Promise<void> {
  const { width, height } = sizeOf(page);
  await page.mouse.move(width / 2, height - 50);
}

/** CSS pixels of the page. */
export function sizeOf(page: Page): { readonly width: number; readonly height: number } {
  const size = page.viewportSize();
  if (size === null) throw new Error("The page has no size.");
  return size;
}

/** Whether the window has no room for the side bar beside an editor. */
export function isSmall(page: Page): boolean {
  return sizeOf(page).width < 900;
}

/** Hides the side bar in a small window. */
export async function hideSideBar(page: Page): Promise<void> {
  const bar = page.locator(".part.sidebar");
  if (!isSmall(page) || !(await bar.isVisible())) return;
  await runCommand(page, "View: Toggle Primary Side Bar Visibility");
  await bar.waitFor({ state: "hidden" });
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
  await hideSideBar(page);
}

/** Shows a view of the activity bar. */
export async function openContainer(page: Page, name: string): Promise<void> {
  const tab = page.locator(".activitybar").getByRole("tab", { name });
  await tab.waitFor();
  if ((await tab.getAttribute("aria-expanded")) !== "true") await tab.click();
  await parkMouse(page);
}

/** Hovers the first occurrence of a text in the active editor until its hover is shown. */
export async function hoverText(page: Page, text: string): Promise<void> {
  const { x, y } = await positionOf(page, text);
  await page.mouse.move(x - 1, y);
  await page.mouse.move(x, y);
  await page.locator(".monaco-resizable-hover .monaco-hover:visible").first().waitFor();
}

/** Scrolls to the first occurrence of a text in the active editor of a small window. */
export async function revealText(page: Page, text: string): Promise<void> {
  if (!isSmall(page)) return;
  await page.keyboard.press("Control+KeyF");
  await page.locator(".find-widget.visible textarea").first().fill(text);
  await page.locator(".editor-group-container.active .view-line", { hasText: text }).first().waitFor();
  await page.keyboard.press("Escape");
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
  const editors = await page.locator(".part.editor").boundingBox();
  if (editors !== null)
    await page.mouse.click(editors.x + editors.width / 2, editors.y + editors.height - 60);
  await runCommand(page, "Notifications: Clear All Notifications");
  await runCommand(page, "View: Close All Editors");
}

/** A tree's row by what a screen reader says of it. */
export function row(page: Page, name: RegExp) {
  return page.locator(".sidebar").getByRole("treeitem", { name }).first();
}

export async function expand(page: Page, name: RegExp): Promise<void> {
  const it = row(page, name);
  await it.waitFor();
  if ((await it.getAttribute("aria-expanded")) !== "true") await it.locator(".monaco-tl-twistie").click();
  await page.locator(`.sidebar [role=treeitem][aria-expanded=true]`).first().waitFor();
}

/** Focuses a view of the extension and returns it. In a small window the others are folded. */
export async function focusView(page: Page, title: string) {
  await runCommand(page, `Project Translations: Focus on ${title} View`);
  const header = (hasText: string) => page.locator(".sidebar .pane-header", { hasText });
  await header(title).waitFor();
  if (isSmall(page)) {
    const others = page.locator(".sidebar .pane-header[aria-expanded=true]").filter({ hasNotText: title });
    while ((await others.count()) > 0) await others.first().click({ position: { x: 8, y: 8 } });
  }
  return page.locator(".sidebar .pane", { has: page.locator(".pane-header", { hasText: title }) });
}

/** Matches texts that begin as this one, or go on after its first value. */
export function startsWith(text: string): RegExp {
  const [before = "", after = ""] = text.split(/\{\d\}/u);
  const escaped = (part: string) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&");
  return before === "" ? new RegExp(escaped(after), "u") : new RegExp(`^${escaped(before)}`, "u");
}

/** Uses VS Code's input boxes and quick picks through the page. */
import { commands } from "vscode";
import { onPage } from "./bridge-client.ts";
import { waitFor } from "./wait-for.ts";

/** Waits for an input box or quick pick whose title contains `title`, and returns the value of its input. */
export const waitForInput = (words: string): Promise<string> =>
  onPage(async (page, text) => {
    await page.locator(".quick-input-title:visible", { hasText: text }).waitFor();
    return page.locator(".quick-input-box input").inputValue();
  }, words);

/** Waits for an input box with this title and value; VS Code sets the title first. */
export const waitForInputValue = (words: string, text: string): Promise<true> =>
  waitFor(`an input titled ${words} holds ${text}`, async () => (await waitForInput(words)) === text);

/** Replaces the value of the open input. */
export const setInputValue = (text: string): Promise<void> =>
  onPage((page, value) => page.locator(".quick-input-box input").fill(value), text);

/** Presses a key in the open input, regardless of the focus. */
export const pressInInput = (key: string): Promise<void> =>
  onPage((page, name) => page.locator(".quick-input-box input:visible").press(name), key);

/** Replaces the value of the open input and accepts it. */
export async function submitInput(text: string): Promise<void> {
  await setInputValue(text);
  await pressInInput("Enter");
}

/** Waits for a message below the open input. */
export const waitForInputMessage = (words: string): Promise<void> =>
  onPage((page, text) => page.locator(".quick-input-message", { hasText: text }).waitFor(), words);

/** Returns the texts of the items of the open quick pick. */
export const pickItems = (): Promise<string[]> =>
  onPage((page) => page.locator(".quick-input-list .monaco-list-row").allInnerTexts());

/**
 * Clicks the first item of the open quick pick that contains `text`. The pointer leaves the list first: where it rests after
 * an earlier click, the tooltip of an item may cover others.
 */
export const pickItem = (words: string): Promise<void> =>
  onPage(async (page, text) => {
    await page.mouse.move(0, 0);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
  }, words);

/** Clicks a button of the open input box or quick pick. */
export const clickInputButton = (name: string): Promise<void> =>
  onPage(
    (page, label) => page.locator(".quick-input-widget").getByRole("button", { name: label }).click(),
    name,
  );

/**
 * Opens the list of notifications at its start, the newest. A window under test shows none by itself, an open list stays
 * scrolled when others come, only what is in view is drawn, and an empty list closes.
 */
async function showNotifications(): Promise<void> {
  await commands.executeCommand("notifications.hideList");
  await commands.executeCommand("notifications.showList");
}

/** Returns the texts of the newest notifications. */
export async function notifications(): Promise<readonly string[]> {
  await showNotifications();
  return onPage((page) => page.locator(".notification-list-item").allInnerTexts());
}

/** Waits for a notification that contains the words and returns its text. */
export const waitForNotification = (words: string): Promise<string> =>
  waitFor(`a notification says “${words}”`, async () =>
    (await notifications()).find((text) => text.includes(words)),
  );

/** Waits for a notification that contains the words, presses one of its buttons, and closes the list of notifications. */
export async function pressInNotification(words: string, button: string): Promise<void> {
  await waitFor(`a notification has a button ${button}`, async () => {
    await showNotifications();
    return onPage(
      async (page, [text, label]) => {
        const found = page.locator(".notification-list-item", { hasText: text }).first();
        if ((await found.count()) === 0) return false;
        await found.getByRole("button", { name: label }).click({ timeout: 5_000 });
        return true;
      },
      [words, button] as const,
    );
  });
  // Else the next Escape closes it.
  await commands.executeCommand("notifications.hideList");
}

/**
 * Chooses an entry of the open context menu whose text contains `words`, with the keyboard: VS Code ignores clicks within a
 * tenth of a second after a menu has opened.
 */
export const chooseMenuItem = (words: string): Promise<void> =>
  onPage(async (page, text) => {
    await page.locator(".monaco-menu .action-menu-item", { hasText: text }).first().hover();
    await page.locator(".monaco-menu .action-menu-item:focus", { hasText: text }).waitFor();
    await page.keyboard.press("Enter");
  }, words);

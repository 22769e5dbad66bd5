/** VS Code's input boxes and pick lists in tests, as a person uses them. */
import { onPage } from "./outside.ts";
import { waitFor } from "./wait-for.ts";

/** Waits for an input or a list whose title holds the words. Out: the text of its input. */
export const inputTitled = (words: string): Promise<string> =>
  onPage(async (page, text) => {
    await page.locator(".quick-input-title:visible", { hasText: text }).waitFor();
    return page.locator(".quick-input-box input").inputValue();
  }, words);

/** Waits for an input with these words in its title and this text in it: the title comes first. */
export const inputHolds = (words: string, text: string): Promise<true> =>
  waitFor(`an input titled ${words} holds ${text}`, async () => (await inputTitled(words)) === text);

/** Replaces the text of the open input. */
export const fill = (text: string): Promise<void> =>
  onPage((page, value) => page.locator(".quick-input-box input").fill(value), text);

/** Presses a key in the open input, wherever the focus is. */
export const press = (key: string): Promise<void> =>
  onPage((page, name) => page.locator(".quick-input-box input:visible").press(name), key);

/** Replaces the text of the open input and accepts it. */
export async function submit(text: string): Promise<void> {
  await fill(text);
  await press("Enter");
}

/** Waits for a message below the open input. */
export const inputMessage = (words: string): Promise<void> =>
  onPage((page, text) => page.locator(".quick-input-message", { hasText: text }).waitFor(), words);

/** The rows of the open list. */
export const rows = (): Promise<string[]> =>
  onPage((page) => page.locator(".quick-input-list .monaco-list-row").allInnerTexts());

/** Clicks the first row of the open list that holds the words. */
export const choose = (words: string): Promise<void> =>
  onPage(
    (page, text) => page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click(),
    words,
  );

/** Clicks a button of the open input or list. */
export const clickButton = (name: string): Promise<void> =>
  onPage(
    (page, label) => page.locator(".quick-input-widget").getByRole("button", { name: label }).click(),
    name,
  );

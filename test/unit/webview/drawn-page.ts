/** The page in a document, what is drawn there, and what a person does in it. */
import { openDrawnPage, settle } from "./editor-peer.ts";
import type { PageElement } from "./page-document.ts";

type Page = Awaited<ReturnType<typeof openDrawnPage>>;

/** The page that was opened last. */
export let page: Page;

export async function drawPage(...columns: string[]): Promise<void> {
  page = await openDrawnPage(...columns);
}

/** Opens the page again after its content was changed. */
export async function showAgain(change: (more: Page["more"]) => void): Promise<void> {
  change(page.more);
  await page.change("stats", "keys", "translations");
}
export const all = (selector: string): PageElement[] =>
  page.document.documentElement.querySelectorAll(selector);
export const texts = (selector: string): readonly string[] =>
  all(selector).map(({ textContent }) => textContent);
export function element(selector: string, text = ""): PageElement {
  const found = all(selector).find(({ textContent }) => textContent.includes(text));
  if (found === undefined)
    throw new Error(`there is no ${selector} with “${text}”: ${texts(selector).join("; ")}`);
  return found;
}
export const cell = (row: number, column: number): PageElement =>
  element(`[aria-rowindex="${row + 2}"] > [aria-colindex="${column + 1}"]`);
export const attributes = (from: PageElement, ...names: readonly string[]) =>
  names.map((name) => from.getAttribute(name));

export function at(list: readonly PageElement[], index: number): PageElement {
  const found = list[index];
  if (found === undefined) throw new Error(`there are only ${list.length}`);
  return found;
}

/** Does something, and lets the page draw it. */
export async function fire(on: PageElement, type: string, detail: object = {}) {
  const event = on.fire(type, detail);
  await settle();
  return event;
}
export const press = (on: PageElement, key: string, more: object = {}) =>
  fire(on, "keydown", { key, code: "", ...more });
export const click = (on: PageElement) => fire(on, "click");
/** Types a text in place of what is there. */
export function type(box: PageElement, text: string) {
  box.value = text;
  return fire(box, "input");
}
export const change = (box: PageElement, value: string) => {
  box.value = value;
  return fire(box, "change");
};
export const button = (label: string): PageElement => element("button", label);
export const box = (): PageElement => element("textarea");
export const active = (): readonly number[] => [page.state.active.value.row, page.state.active.value.column];
/** The cell that has the focus. */
export const focused = (): readonly unknown[] => {
  const { activeElement } = page.document;
  return [activeElement.parentNode, activeElement].flatMap((each) =>
    each === null ? [] : (each.getAttribute("aria-rowindex") ?? each.getAttribute("aria-colindex") ?? []),
  );
};

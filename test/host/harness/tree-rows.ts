/**
 * Rows of tree views. `view` is (part of) the view's heading; `text` is a case-sensitive part of the row's text, of which the
 * first match counts.
 */
import { onPage } from "./bridge-client.ts";
import { waitFor } from "./wait-for.ts";

/** Returns the texts of the visible rows. */
export const treeRows = (view: string): Promise<string[]> =>
  onPage(async (page, heading) => {
    const pane = page.locator(".pane").filter({ has: page.locator(".pane-header", { hasText: heading }) });
    return pane.getByRole("treeitem").allInnerTexts();
  }, view);

/** Waits for a row and returns its text. */
export const waitForTreeRow = (view: string, text: string): Promise<string> =>
  waitFor(`a row with ${text} in ${view}`, async () =>
    (await treeRows(view)).find((each) => each.includes(text)),
  );

/** Expands nested rows from the outermost to the innermost; a row without children is clicked. */
export async function expandTreeRows(view: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await waitForTreeRow(view, text);
    await onPage(
      async (page, [heading, pattern]) => {
        const pane = page
          .locator(".pane")
          .filter({ has: page.locator(".pane-header", { hasText: heading }) });
        const item = pane
          .getByRole("treeitem")
          .filter({ hasText: new RegExp(pattern) })
          .first();
        const expanded = await item.getAttribute("aria-expanded");
        if (expanded === "true") return;
        // Another row's tooltip may cover this one.
        await page.mouse.move(700, 300);
        await item.click();
        // A view that is re-rendered at that moment drops the click, or collapses the row before its children are there;
        // ArrowRight expands a row and never collapses it.
        const hasChildren = (): Promise<boolean> =>
          item.evaluate((row) => {
            if (row.getAttribute("aria-expanded") !== "true") return false;
            const level = (of: typeof row): number => Number(of.getAttribute("aria-level"));
            const next = [...(row.parentElement?.children ?? [])].find(
              (each) =>
                Number(each.getAttribute("data-index")) === Number(row.getAttribute("data-index")) + 1,
            );
            return next === undefined || level(next) > level(row);
          });
        const isOpen = async (): Promise<boolean> => {
          for (let attempt = 0; attempt < 50; attempt++) {
            if (await hasChildren()) return true;
            await page.waitForTimeout(100);
          }
          return false;
        };
        if (expanded === "false") while (!(await isOpen())) await item.press("ArrowRight");
      },
      [view, escapeRegExp(text)] as const,
    );
  }
}

/** Clicks a row's button until `isDone`: a view that is re-rendered at that moment drops the click. */
export async function clickTreeButton(
  view: string,
  text: string,
  button: string,
  isDone: () => boolean | Promise<boolean>,
): Promise<void> {
  await waitForTreeRow(view, text);
  await waitFor(`the effect of “${button}”`, async () => {
    await onPage(
      async (page, [heading, pattern, name]) => {
        const pane = page
          .locator(".pane")
          .filter({ has: page.locator(".pane-header", { hasText: heading }) });
        const item = pane
          .getByRole("treeitem")
          .filter({ hasText: new RegExp(pattern) })
          .first();
        await page.mouse.move(700, 300);
        await item
          .hover({ timeout: 2_000 })
          .then(() => item.getByRole("button", { name }).click({ timeout: 2_000 }))
          .catch(() => undefined);
      },
      [view, escapeRegExp(text), button] as const,
    );
    return waitFor(button, isDone, 3).catch(() => false);
  });
}

/** Escapes a text for a regular expression, which the page constructs. */
const escapeRegExp = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

/** Clicks a button in a view's heading until `isDone`. */
export async function clickViewButton(
  view: string,
  button: string,
  isDone: () => boolean | Promise<boolean>,
): Promise<void> {
  await waitFor(`the effect of “${button}” of ${view}`, async () => {
    await onPage(
      async (page, [heading, name]) => {
        const header = page.locator(".pane-header", { hasText: heading });
        await page.mouse.move(700, 300);
        await header
          .hover({ timeout: 2_000 })
          .then(() => header.getByRole("button", { name }).click({ timeout: 2_000 }))
          .catch(() => undefined);
      },
      [view, button] as const,
    );
    return waitFor(button, isDone, 3).catch(() => false);
  });
}

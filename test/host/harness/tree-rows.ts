/**
 * Rows of tree views. `view`: the heading of the view, or a part of it. `text`: a part of the row's text, upper and lower
 * case as written; of several rows the first.
 */
import { onPage } from "./outside.ts";
import { waitFor } from "./wait-for.ts";

/** The texts of the rows that are drawn. */
export const treeRows = (view: string): Promise<string[]> =>
  onPage(async (page, heading) => {
    const pane = page.locator(".pane").filter({ has: page.locator(".pane-header", { hasText: heading }) });
    return pane.getByRole("treeitem").allInnerTexts();
  }, view);

/** Waits for a row. Out: its text. */
export const treeRow = (view: string, text: string): Promise<string> =>
  waitFor(`a row with ${text} in ${view}`, async () =>
    (await treeRows(view)).find((each) => each.includes(text)),
  );

/** Clicks rows one below the other; waits until those that were folded are open, and leaves those that are open. */
export async function openTreeRows(view: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await treeRow(view, text);
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
        // The tooltip of another row may cover this one.
        await page.mouse.move(700, 300);
        await item.click();
        // A view that is painted anew in that moment forgets the click; this key opens a row and never folds one.
        const opened = item.and(page.locator("[aria-expanded=true]"));
        const isOpen = () =>
          opened.waitFor({ timeout: 5_000 }).then(
            () => true,
            () => false,
          );
        if (expanded === "false") while (!(await isOpen())) await item.press("ArrowRight");
      },
      [view, patternOf(text)] as const,
    );
  }
}

/** Clicks a row's button. A view that is drawn anew takes a click away, from a person as well: clicks until `isDone`. */
export async function clickTreeButton(
  view: string,
  text: string,
  button: string,
  isDone: () => boolean | Promise<boolean>,
): Promise<void> {
  await treeRow(view, text);
  await waitFor(`what “${button}” does`, async () => {
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
      [view, patternOf(text), button] as const,
    );
    return waitFor(button, isDone, 3).catch(() => false);
  });
}

/** A regular expression for this text, as it travels to the page. */
const patternOf = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

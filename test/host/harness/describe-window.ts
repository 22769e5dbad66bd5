/** What a window shows and has logged, as text: what one needs to understand a failed test from the log of its run. */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";

/** Number of lines of the extension's log. */
const LOG_LINES = 40;
/** Number of rows of a view, and of lines of an editor or a page. */
const ROWS = 25;
/** Characters of one line. */
const LINE_LENGTH = 180;
/** A window that does not answer within this time is described without that part. */
const PATIENCE_MS = 3_000;

/**
 * Returns the focused element, notifications, dialogs, tabs, visible rows and texts, and the end of the extension's log.
 *
 * @param folder the folder of VS Code's data
 * @param secrets texts that are left out
 */
export async function describeWindow(
  page: Page,
  folder: string,
  secrets: readonly string[],
): Promise<string> {
  const parts = await Promise.all([
    part("Focus", focusOf(page)),
    part("Notifications", textsOf(page, ".notification-list-item:visible")),
    part("Dialogs", textsOf(page, ".monaco-dialog-box, .quick-input-widget:visible, .monaco-hover:visible")),
    part("Tabs", tabsOf(page)),
    part(
      "Status bar",
      textsOf(page, ".statusbar-item.has-background-color, .statusbar-item[id*=translations]"),
    ),
    ...(await viewsOf(page)),
    part("Editor", textsOf(page, ".editor-instance .view-line")),
    part("Webview", webviewsOf(page)),
    part("Log of the extension", Promise.resolve(logOf(folder))),
  ]);
  let text = parts.filter((each) => each !== "").join("\n");
  for (const secret of secrets) text = text.replaceAll(secret, "[token]");
  return text;
}

/** Returns a heading with lines below it; an empty text if there are none. */
async function part(heading: string, lines: Promise<readonly string[]>): Promise<string> {
  const late = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve(["not known: the window did not answer"]), PATIENCE_MS).unref();
  });
  const found = await Promise.race([lines, late]).catch((error: unknown) => [`not known: ${String(error)}`]);
  return found.length === 0 ? "" : [`${heading}:`, ...found.map((line) => `  ${line}`)].join("\n");
}

/** Makes one short line of a text. */
const short = (text: string): string => text.replaceAll(/\s+/gu, " ").trim().slice(0, LINE_LENGTH);

const linesOf = (texts: readonly string[]): readonly string[] =>
  texts
    .map(short)
    .filter((text) => text !== "")
    .slice(0, ROWS);

async function textsOf(place: Page | Frame, selector: string): Promise<readonly string[]> {
  return linesOf(await place.locator(selector).allInnerTexts());
}

/** Returns the focused element of the window, and of the pages in it. */
async function focusOf(page: Page): Promise<readonly string[]> {
  const found = page.frames().map((frame) =>
    frame.locator("body").evaluate((body) => {
      const element = body.ownerDocument.activeElement;
      if (element === null || !body.ownerDocument.hasFocus()) return "";
      const attributes = ["role", "aria-label", "aria-rowindex", "aria-colindex", "id", "class"].flatMap(
        (name) => {
          const value = element.getAttribute(name);
          return value === null || value === "" ? [] : [`${name}="${value}"`];
        },
      );
      return `<${element.localName} ${attributes.join(" ")}> ${element.textContent ?? ""}`;
    }),
  );
  return linesOf(await Promise.all(found));
}

async function tabsOf(page: Page): Promise<readonly string[]> {
  const tabs = await page.locator(".tab").evaluateAll((all) =>
    all.map((tab) => {
      const states = ["active", "dirty"].filter((state) => tab.classList.contains(state));
      return [tab.getAttribute("aria-label") ?? tab.textContent ?? "", ...states].join(", ");
    }),
  );
  return linesOf(tabs);
}

/** Returns a part for each view that is open. */
async function viewsOf(page: Page): Promise<readonly Promise<string>[]> {
  const panes = await page
    .locator(".pane:visible")
    .evaluateAll((all) =>
      all.map((pane) => pane.querySelector(".pane-header")?.getAttribute("aria-label") ?? ""),
    )
    .catch(() => []);
  return panes.map((name, index) =>
    part(
      `View ${name}`,
      page.locator(".pane:visible").nth(index).getByRole("treeitem").allInnerTexts().then(linesOf),
    ),
  );
}

/** Returns the texts of the webviews' documents. */
async function webviewsOf(page: Page): Promise<readonly string[]> {
  const frames = page
    .frames()
    .filter((frame) => frame.name() === "active-frame" || frame.name() === "pending-frame");
  const texts = await Promise.all(frames.map((frame) => frame.locator("body").innerText()));
  return texts.flatMap((text) => linesOf(text.split("\n")));
}

/** Returns the end of the newest log of the extension. */
function logOf(folder: string): readonly string[] {
  const logs = globSync("**/Project Translations.log", { cwd: folder }).map((path) => join(folder, path));
  const newest = logs.toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs).at(-1);
  if (newest === undefined) return [];
  const lines = readFileSync(newest, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.slice(-LOG_LINES).map((line) => line.slice(0, LINE_LENGTH));
}

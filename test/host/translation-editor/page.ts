/** Operates the page of the translation editor through its accessible roles and names. */
import axe from "axe-core";
import { window } from "vscode";
import { onPage, onWebview } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";

export interface ShownCell {
  readonly text: string;
  readonly states: readonly string[];
  /** The words of its states. */
  readonly description: string;
}

interface CellPlace {
  /** Part of the row's header. */
  readonly key: string;
  readonly locale: string;
}

/** The cell of a key and a language; `null`: it is not drawn. */
export const cell = (key: string, locale: string): Promise<ShownCell | null> =>
  onWebview(
    async (frame, place: CellPlace) => {
      return frame.getByRole("grid", { name: "Translations" }).evaluate((grid, { key, locale }) => {
        const header = [...grid.querySelectorAll("[role=columnheader]")].find((each) =>
          (each.textContent ?? "").split(" ").includes(locale),
        );
        const column = header?.getAttribute("aria-colindex");
        const row = [...grid.querySelectorAll("[role=row]")].find((each) =>
          each.querySelector("[role=rowheader]")?.textContent?.includes(key),
        );
        const found = row?.querySelector(`[role=gridcell][aria-colindex="${column}"]`);
        if (found == null) return null;
        const listed = (name: string): string[] =>
          (found.getAttribute(name) ?? "").split(" ").filter((each: string) => each !== "");
        return {
          // Without the words of its states.
          text: [...found.querySelectorAll(".value, .editor")]
            .map((each: { readonly textContent: string | null }) => each.textContent)
            .join(""),
          states: listed("data-state"),
          description: listed("aria-describedby")
            .map((id: string) => grid.ownerDocument.getElementById(id)?.textContent ?? `no #${id}`)
            .join(", "),
        };
      }, place);
    },
    { key, locale },
  );

/** Waits until the cell holds the text. */
export const cellHolds = (key: string, locale: string, text: string): Promise<ShownCell> =>
  waitFor(`${key} holds ${text} in ${locale}`, async () => {
    const shown = await cell(key, locale);
    return shown?.text === text ? shown : null;
  });

/** Waits until the cell has these states and no others. */
export const cellIs = (key: string, locale: string, ...states: readonly string[]): Promise<true> =>
  waitFor(`${key} in ${locale} is ${states.join(" ")}`, async () => {
    const shown = await cell(key, locale);
    return shown?.states.join(" ") === states.join(" ");
  });

/** Waits until the cell can be edited: the text may be there before the rest of its language. */
export const canBeEdited = (key: string, locale: string): Promise<true> =>
  waitFor(`${key} in ${locale} can be edited`, async () => {
    const shown = await cell(key, locale);
    return shown !== null && !shown.states.includes("readonly");
  });

/** Clicks the cell of a key and a language, and waits until it has the focus. */
export const clickCell = (key: string, locale: string): Promise<void> =>
  onWebview(
    async (frame, place: CellPlace) => {
      // "Nederlands" contains "de".
      const hasText = new RegExp(`(?:^|\\s)${place.locale}(?:\\s|$)`, "u");
      const header = frame.getByRole("columnheader").filter({ hasText }).first();
      const column = await header.getAttribute("aria-colindex");
      const row = frame
        .getByRole("row")
        .filter({ has: frame.getByRole("rowheader", { name: place.key }) })
        .first();
      const clicked = `[role=gridcell][aria-colindex="${column}"]`;
      await row.locator(clicked).click();
      await row.locator(`${clicked}:focus-within`).waitFor();
    },
    { key, locale },
  );

/** Presses keys where the focus is, one after the other. */
export const press = (...keys: readonly string[]): Promise<void> =>
  onPage(async (page, keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  }, keys);

/** Replaces the text of the box that is edited. `name`: as it is labelled. */
export const type = (name: string, text: string): Promise<void> =>
  onWebview(
    (frame, box: { readonly name: string; readonly text: string }) =>
      frame.getByRole("textbox", { name: box.name, exact: true }).fill(box.text),
    { name, text },
  );

/** Types a text of these UTF-16 units over the one of the box that is edited: halves of characters are not sent to the page. */
export const typeUnits = (units: readonly number[]): Promise<void> =>
  onWebview(
    (frame, units: readonly number[]) =>
      frame.locator("textarea").evaluate((box, units) => {
        const { InputEvent } = box.ownerDocument.defaultView ?? globalThis;
        (box as unknown as { value: string }).value = String.fromCharCode(...units);
        box.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }, units),
    units,
  );

/** Whether VS Code shows the active editor as unsaved, which it does some time after the page. */
export const isDirty = (): boolean => window.tabGroups.activeTabGroup.activeTab?.isDirty === true;

const countUnsaved = async (): Promise<number> => Number(/(\d+) unsaved/.exec(await status())?.[1] ?? 0);

/**
 * Edits a cell with the keyboard and leaves it with Ctrl+Enter. Waits until the extension has counted the edit, which the
 * page shows before; one of a cell that is unsaved already is not counted.
 */
export async function edit(key: string, locale: string, text: string): Promise<void> {
  await canBeEdited(key, locale);
  const isUnsaved = (await cell(key, locale))?.states.includes("unsaved") === true;
  const before = await countUnsaved();
  await clickCell(key, locale);
  await press("Enter");
  await type(locale, text);
  await press("Control+Enter");
  await cellHolds(key, locale, text);
  if (!isUnsaved) await waitFor("the edit is counted", async () => (await countUnsaved()) === before + 1);
  await waitFor("VS Code shows it as unsaved", isDirty);
}

/** What the status says. */
export const status = (): Promise<string> => onWebview((frame) => frame.getByRole("status").innerText());

/** Waits until the status says the words, not as parts of others: `1 row` is not in `21 rows`. */
export const statusSays = (words: string): Promise<true> =>
  waitFor(`the status says ${words}`, async () => ` ${await status()} `.includes(` ${words} `));

/** Waits until the details of the active cell say the words. */
export const detailsSay = (words: string): Promise<true> =>
  waitFor(`the details say ${words}`, () =>
    onWebview(
      async (frame, text) =>
        (await frame.getByRole("region", { name: "Details" }).innerText()).includes(text),
      words,
    ),
  );

/** Presses a button of the page, by keyboard: a notification may lie over it. */
export const click = (name: string): Promise<void> =>
  onWebview((frame, label) => frame.getByRole("button", { name: label, exact: true }).press("Enter"), name);

/** Replaces the words that are searched for. */
export const search = (words: string): Promise<void> =>
  onWebview((frame, text) => frame.getByRole("searchbox", { name: "Search" }).fill(text), words);

/** Searches, and edits the cell that has the focus before the rows that are found can be there. */
export const searchAndEdit = (words: string, text: string): Promise<void> =>
  onWebview(
    (frame, given: { readonly words: string; readonly text: string }) =>
      frame.locator("body").evaluate(async (body, { words, text }) => {
        const { KeyboardEvent, InputEvent } = body.ownerDocument.defaultView ?? globalThis;
        const put = (box: ReturnType<typeof body.querySelector>, value: string): void => {
          if (box === null) throw new Error("there is no such box");
          (box as unknown as { value: string }).value = value;
          box.dispatchEvent(new InputEvent("input", { bubbles: true }));
        };
        put(body.querySelector("[type=search]"), words);
        const cell = body.ownerDocument.activeElement;
        cell?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        await Promise.resolve();
        put(body.querySelector("textarea"), text);
      }, given),
    { words, text },
  );

/** Clicks a button and replaces the words that are searched for, before the extension can answer either. */
export const clickAndSearch = (label: string, words: string): Promise<void> =>
  onWebview(
    (frame, given: { readonly label: string; readonly words: string }) =>
      frame.locator("body").evaluate((body, { label, words }) => {
        const { InputEvent } = body.ownerDocument.defaultView ?? globalThis;
        const button = body.querySelector(`[aria-label="${label}"]`) as { click(): void } | null;
        const box = body.querySelector("[type=search]");
        if (button === null || box === null) throw new Error("there is no such button or box");
        button.click();
        (box as unknown as { value: string }).value = words;
        box.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }, given),
    { label, words },
  );

export interface Focused {
  readonly role: string | null;
  /** Of the row and the column; `null`: it is in none. */
  readonly row: number | null;
  readonly column: number | null;
}

/** What has the focus in the page. */
export const focused = (): Promise<Focused> =>
  onWebview((frame) =>
    frame.locator("body").evaluate((body) => {
      const element = body.ownerDocument.activeElement;
      const row = element?.closest("[aria-rowindex]")?.getAttribute("aria-rowindex");
      const column = element?.getAttribute("aria-colindex");
      return {
        role: element?.getAttribute("role") ?? null,
        row: row == null ? null : Number(row),
        column: column == null ? null : Number(column),
      };
    }),
  );

export const focusIsAt = (row: number, column: number): Promise<true> =>
  waitFor(`the focus is at row ${row}, column ${column}`, async () => {
    const at = await focused();
    return at.row === row && at.column === column;
  });

/** The keys of the rows that are drawn, in their order. */
export const shownKeys = (): Promise<string[]> =>
  onWebview((frame) => frame.getByRole("rowheader").locator("bdi").allInnerTexts());

/** The locales of the columns, in their order. */
export const columns = (): Promise<string[]> =>
  onWebview((frame) => frame.getByRole("columnheader").locator(".locale").allInnerTexts());

/** An attribute of the grid. */
export const gridSays = (name: string): Promise<string | null> =>
  onWebview(
    (frame, attribute) => frame.getByRole("grid", { name: "Translations" }).getAttribute(attribute),
    name,
  );

/** What axe has against the page as it is shown. */
export const violations = (): Promise<string[]> =>
  onPage(async (page, source) => {
    const root = await page
      .frameLocator("iframe.webview")
      .frameLocator("#active-frame")
      .locator("html")
      .elementHandle();
    const frame = await root?.ownerFrame();
    if (frame == null) throw new Error("the page is gone");
    // Past the page's policy, which lets nobody else's script run.
    await frame.evaluate(source);
    return frame.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run();
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
    });
  }, axe.source);

/** Pastes the text where the focus is. */
export const paste = (text: string): Promise<void> =>
  onWebview(
    (frame, copied) =>
      frame.locator(":focus").evaluate((element, text) => {
        const place = globalThis as unknown as {
          DataTransfer: new () => { setData(type: string, text: string): void };
          ClipboardEvent: new (type: string, init: object) => Parameters<typeof element.dispatchEvent>[0];
        };
        const clipboardData = new place.DataTransfer();
        clipboardData.setData("text/plain", text);
        element.dispatchEvent(
          new place.ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
      }, copied),
    text,
  );

/** Waits until the page is drawn in a theme of this kind: `vscode-dark`, `vscode-high-contrast`. */
export const themeIs = (kind: string): Promise<void> =>
  onWebview((frame, name) => frame.locator(`body.${name}`).waitFor(), kind);

/** The labels of the text boxes that are open. */
export const boxes = (): Promise<string[]> =>
  onWebview((frame) =>
    frame.getByRole("textbox").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? "")),
  );

/** The text of the first text box that is open. */
export const boxText = (): Promise<string> =>
  onWebview((frame) => frame.locator("textarea").first().inputValue());

/** Types where the focus is, key by key. */
export const keys = (text: string): Promise<void> => onPage((page, text) => page.keyboard.type(text), text);

/** Presses Tab, or Shift+Tab, until the focus is on what has this name; each time until the focus has moved. */
export const tabTo = (name: string, key = "Tab"): Promise<void> =>
  onPage(
    async (page, { name, key }: { readonly name: string; readonly key: string }) => {
      const inPage = page.frameLocator("iframe.webview").frameLocator("#active-frame").locator("body");
      /** Of a document whose element is given: starts to wait for a move of the focus, into it or out of it. */
      const watch = (body: { readonly ownerDocument: object }): void => {
        const { defaultView } = body.ownerDocument as {
          defaultView: EventTarget & { moved?: Promise<void> };
        };
        defaultView.moved = new Promise((resolve) => {
          for (const event of ["focusin", "blur"])
            defaultView.addEventListener(event, () => resolve(), { once: true });
        });
      };
      const moved = (body: { readonly ownerDocument: object }): Promise<void> | undefined =>
        (body.ownerDocument as { defaultView: { moved?: Promise<void> } }).defaultView.moved;
      const bodies = [inPage, page.locator("body").first()];
      const seen: string[] = [];
      for (let times = 0; times < 60; times++) {
        for (const body of bodies) await body.evaluate(watch);
        await page.keyboard.press(key);
        const isLate = await Promise.race([
          ...bodies.map((body) => body.evaluate(moved)),
          page.waitForTimeout(10_000).then(() => true),
        ]);
        if (isLate === true) throw new Error(`${key} moved no focus after ${seen.join(", ")}`);
        const focused: string = await inPage.evaluate((body) => {
          const element = body.ownerDocument.activeElement;
          const label = element?.getAttribute("aria-label") ?? element?.closest("label")?.textContent;
          return (label ?? element?.textContent ?? "").trim();
        });
        if (focused.startsWith(name)) return;
        seen.push(focused);
      }
      throw new Error(`Tab never came to ${name}, but to ${seen.join(", ")}`);
    },
    { name, key },
  );

/** Runs a command by its name in the palette, with the keyboard. */
export async function runByPalette(name: string): Promise<void> {
  await press("F1");
  await onPage((page) => page.locator(".quick-input-widget input").first().waitFor());
  await keys(name);
  await onPage(async (page, name) => {
    const labelOf = (row: string): Promise<string | null> =>
      page.locator(`.quick-input-list .monaco-list-row${row}`).first().getAttribute("aria-label");
    const isNamed = (label: string | null): boolean =>
      label === name || label?.startsWith(`${name},`) === true;
    await page.locator(`.quick-input-list .monaco-list-row[aria-label^="${name}"]`).first().waitFor();
    while (!isNamed(await labelOf(".focused"))) await page.keyboard.press("ArrowDown");
  }, name);
  await press("Enter");
}

/** The filter that is on, as the menu's button says; `(2)` for two. */
export const selectedFilters = (): Promise<string> =>
  onWebview(async (frame) => {
    const button = frame.locator(".menu > button", { hasText: /^Filters/u });
    return (await button.innerText()).replace(/^Filters:? ?/u, "");
  });

interface MenuControl {
  readonly menu: string;
  readonly name: string;
}

/** Opens a menu of the toolbar and presses a button in it, by keyboard. */
export const clickInMenu = (menu: string, name: string): Promise<void> =>
  onWebview(
    async (frame, { menu, name }: MenuControl) => {
      await frame.locator(".menu > button", { hasText: new RegExp(`^${menu}`, "u") }).press("Enter");
      await frame.locator(".panel").getByRole("button", { name, exact: true }).press("Enter");
    },
    { menu, name },
  );

/** Turns a filter on or off in its menu, by keyboard. */
export const toggleFilter = (name: string): Promise<void> =>
  onWebview(async (frame, name) => {
    await frame.locator(".menu > button", { hasText: /^Filters/u }).press("Enter");
    await frame.locator(".panel").getByRole("checkbox", { name, exact: true }).press("Space");
    await frame.locator(".panel").press("Escape");
    await frame.locator(".panel").waitFor({ state: "detached" });
  }, name);

/** Waits until the focus is on what has this label, or is in a label with these words. */
export const focusIsOn = (name: string): Promise<true> =>
  waitFor(`the focus is on ${name}`, () =>
    onWebview((frame, name) => {
      return frame.locator("body").evaluate((body, name) => {
        const element = body.ownerDocument.activeElement;
        return (element?.closest("label") ?? element)?.textContent?.trim() === name;
      }, name);
    }, name),
  );

/** Waits until the window's focus is in the page. */
export const pageHasFocus = (): Promise<true> =>
  waitFor("the page has the focus", () =>
    onWebview((frame) => frame.locator("body").evaluate((body) => body.ownerDocument.hasFocus())),
  );

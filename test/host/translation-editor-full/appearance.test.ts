/** The translation editor at 200 % zoom, in forced colours, and with right-to-left texts. */
import assert from "node:assert/strict";
import { commands, workspace } from "vscode";
import { runSuccessfully, runCommand } from "../harness/documents.ts";
import { onPage, onWebview, screenshot, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  cellHolds,
  clickCell,
  edit,
  focusIsAt,
  focusIsOn,
  press,
  tabTo,
  themeIs,
  type,
  violations,
} from "../translation-editor/page.ts";

/** Shows all keys, from the one that the tests begin in. */
async function showTitle(): Promise<void> {
  await runSuccessfully("openEditor", {
    locales: ["nl", "fr"],
    filter: [],
    search: "",
    namespace: "cart",
    key: "title",
  });
  await cellHolds("cart.title", "nl", "Je winkelwagen");
}

async function goToTitle(): Promise<void> {
  await showTitle();
  await clickCell("cart.title", "nl");
}

describe("the translation editor", function () {
  this.timeout(120_000);

  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    await runSuccessfully("signIn", { baseUrl, token });
    await runCommand("refresh");
    await showTitle();
  });

  after(async () => {
    await onPage((page) => page.emulateMedia({ forcedColors: "none" }));
    await onPage((page) => page.setViewportSize({ width: 1400, height: 900 }));
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("shows each text in its own direction", async () => {
    await edit("cart.empty", "fr", "سلة التسوق فارغة.");
    await edit("cart.total", "fr", "المجموع: :amount");
    await edit("cart.subtotal", "fr", "‫סכום ביניים");
    await clickCell("cart.total", "fr");
    const { cell, text } = await onWebview((frame) =>
      frame.locator("[data-active]").evaluate((cell) => {
        const range = cell.ownerDocument.createRange();
        range.selectNodeContents(cell.querySelector("bdi") as never);
        const value = cell.querySelector(".value") as unknown as typeof cell;
        return { cell: value.getBoundingClientRect().right, text: range.getBoundingClientRect().right };
      }),
    );
    assert.ok(cell - text < 20, `the text ends ${cell - text} pixels before its cell`);
    await screenshot("right-to-left");
    await press("Enter");
    // The box itself cannot isolate the placeholder.
    assert.deepEqual(
      await onWebview((frame) => frame.locator(".editor .as-shown bdi.placeholder").allInnerTexts()),
      [":amount"],
    );
    await screenshot("right-to-left-edited");
    await press("Escape");
    assert.deepEqual(await violations(), []);
  });

  for (const [name, theme, kind] of [
    ["dark", "Default High Contrast", "vscode-high-contrast"],
    ["light", "Default High Contrast Light", "vscode-high-contrast-light"],
  ] as const) {
    it(`shows the focus in high contrast, ${name}`, async () => {
      await workspace.getConfiguration("workbench").update("colorTheme", theme, true);
      await themeIs(kind);
      await clickCell("cart.title", "nl");
      await press("Shift+ArrowDown");
      await screenshot(`high-contrast-${name}`);
      await tabTo("Clear");
      await screenshot(`high-contrast-${name}-button`);
      await press("Escape");
    });
  }

  it("distinguishes states, selection and focus in forced colours", async () => {
    await edit("cart.total", "fr", "المجموع: :amount");
    await workspace.getConfiguration("workbench").update("colorTheme", "Default Light Modern", true);
    await themeIs("vscode-light");
    await onPage((page) => page.emulateMedia({ forcedColors: "active" }));
    await clickCell("cart.title", "nl");
    await press("Shift+ArrowDown");
    await tabTo("Filters", "Shift+Tab");
    await press("Enter");
    await focusIsOn("Untranslated");
    await press("Space");
    await screenshot("forced-colours-filter");
    await goToTitle();
    await screenshot("forced-colours");
    const borderOf = (key: string) =>
      onWebview(
        (frame, key) =>
          frame
            .getByRole("row")
            .filter({
              has: frame.getByRole("rowheader", { name: key }),
            })
            .first()
            .getByRole("gridcell")
            .nth(2)
            .evaluate(
              (cell) => cell.ownerDocument.defaultView?.getComputedStyle(cell).borderInlineStartColor,
            ),
        key,
      );
    assert.notEqual(await borderOf("cart.total"), await borderOf("cart.title"));
  });

  /** Opens each menu of the toolbar, which has to be in view. */
  async function openMenus(place: string): Promise<void> {
    for (const menu of ["More", "Filters"]) {
      await tabTo(menu, "Shift+Tab");
      await press("Enter");
      const { left, right, bottom, window } = await onWebview((frame) =>
        frame.locator(".panel").evaluate((panel) => {
          const { left, right, bottom } = panel.getBoundingClientRect();
          const { clientWidth, clientHeight } = panel.ownerDocument.documentElement;
          return { left, right, bottom, window: { clientWidth, clientHeight } };
        }),
      );
      await screenshot(`${place}-${menu.toLowerCase()}`);
      assert.ok(left >= 0 && right <= window.clientWidth && bottom <= window.clientHeight, menu);
      assert.deepEqual(await violations(), []);
      await press("Escape");
      await focusIsOn(menu);
    }
    // One row.
    const height = await onWebview((frame) =>
      frame.locator(".toolbar").evaluate((toolbar) => toolbar.getBoundingClientRect().height),
    );
    assert.ok(height < 50, `the toolbar is ${height} pixels high`);
  }

  it("has its menus in view, and its toolbar in one row", async () => {
    await onPage((page) => page.emulateMedia({ forcedColors: "none" }));
    await goToTitle();
    await openMenus("menu");
    await onPage((page) => page.setViewportSize({ width: 700, height: 450 }));
    await goToTitle();
    await openMenus("200-percent-sidebar-menu");
    await onPage((page) => page.setViewportSize({ width: 1400, height: 900 }));
  });

  it("is usable at 200 % zoom", async () => {
    await onPage((page) => page.emulateMedia({ forcedColors: "none" }));
    // As much as fits into a window of 1,400 × 900 then.
    await onPage((page) => page.setViewportSize({ width: 700, height: 450 }));
    await commands.executeCommand("workbench.action.closeSidebar");
    await goToTitle();
    await screenshot("200-percent");
    assert.deepEqual(await violations(), []);
    await press("Enter");
    await type("nl", "Mijn winkelwagen met een lange naam");
    await screenshot("200-percent-edit");
    await press("Escape");
    await tabTo("Copy source text");
    await screenshot("200-percent-details");
    await press("Escape");
    await press("Control+Home");
    await focusIsAt(2, 1);
    await screenshot("200-percent-home");
  });

  it("shows the source text above the text box at 200 % zoom next to the side bar", async () => {
    await commands.executeCommand("workbench.view.explorer");
    await goToTitle();
    await press("Enter");
    await type("nl", "Mijn wagen");
    /** Whether the texts of the elements are in view and nothing covers them. */
    const areSeen = (...selectors: string[]): Promise<boolean> =>
      onWebview(
        (frame, selectors) =>
          frame.locator("body").evaluate(
            (body, selectors) =>
              selectors.every((selector) => {
                const element = body.querySelector(selector);
                if (element === null) return false;
                const { left, right, top, bottom } = element.getBoundingClientRect();
                return [left + 2, right - 2].every((x) =>
                  element.contains(body.ownerDocument.elementFromPoint(x, (top + bottom) / 2)),
                );
              }),
            selectors,
          ),
        selectors,
      );
    await waitFor("both texts are seen", () => areSeen(".editor .source-above", ".editor textarea"));
    await screenshot("200-percent-sidebar-edit");
    assert.deepEqual(await violations(), []);
    await press("Escape");
    await press("ArrowLeft");
    await waitFor("the source text is seen", () => areSeen(".cell[data-active]"));
    await press("ArrowRight");
    await waitFor("the translation is seen", () => areSeen(".cell[data-active]"));
  });
});

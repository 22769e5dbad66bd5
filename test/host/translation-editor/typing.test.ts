/** Typing in the cells of the translation editor, as in a spreadsheet. */
import assert from "node:assert/strict";
import { commands } from "vscode";
import { onPage, onWebview, screenshot, startService } from "../harness/bridge-client.ts";
import { runCommand, runSuccessfully } from "../harness/documents.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  boxes,
  boxText,
  cell,
  cellHolds,
  cellIs,
  click,
  clickCell,
  detailsSay,
  focused,
  isDirty,
  keys,
  press,
  shownKeys,
  statusSays,
} from "./page.ts";

const openEditor = (options: object = {}) => runSuccessfully("openEditor", options);

describe("typing in the translation editor", function () {
  this.timeout(120_000);

  before(async () => {
    const service = await startService({ demo: true });
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
    await runCommand("refresh");
  });

  const textOfEmpty = async (): Promise<string> => (await cell("cart.empty", "nl"))?.text ?? "";

  it("takes the text with Enter and goes down; Shift and Alt break the line", async () => {
    await openEditor({ locales: ["nl", "fr"], filter: [], search: "cart." });
    const before = await waitFor("the text is shown", textOfEmpty);
    await clickCell("cart.empty", "nl");
    const { row } = await focused();
    await press("Enter");
    await keys("!");
    await press("Shift+Enter");
    await keys("Kom");
    await press("Alt+Enter");
    await keys("terug");
    assert.equal(await boxText(), `${before}!\nKom\nterug`);
    await screenshot("edited");
    await press("Enter");
    await waitFor("the next row has the focus", async () => (await focused()).row === (row ?? 0) + 1);
    assert.deepEqual(await boxes(), []);
    await statusSays("1 unsaved");
    await commands.executeCommand("undo");
    await cellHolds("cart.empty", "nl", before);
    await waitFor("nothing is unsaved", () => !isDirty());
  });

  it("replaces the text of a selected cell by what is typed", async () => {
    const before = await textOfEmpty();
    await clickCell("cart.empty", "nl");
    await keys("Leeg, é!");
    assert.equal(await boxText(), "Leeg, é!");
    await press("Enter");
    await cellHolds("cart.empty", "nl", "Leeg, é!");
    await statusSays("1 unsaved");
    await clickCell("cart.empty", "nl");
    await keys("x");
    await press("Escape");
    await cellHolds("cart.empty", "nl", "Leeg, é!");
    await commands.executeCommand("undo");
    await cellHolds("cart.empty", "nl", before);
    await waitFor("nothing is unsaved", () => !isDirty());
  });

  it("leaves the Enter of an input method to it", async () => {
    const before = await textOfEmpty();
    await clickCell("cart.empty", "nl");
    await press("F2");
    await onPage(async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
    });
    await onWebview((frame) =>
      frame.locator("textarea").evaluate((box) => {
        const { KeyboardEvent } = box.ownerDocument.defaultView ?? globalThis;
        for (const init of [{ isComposing: true }, { keyCode: 229 }])
          box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, ...init }));
      }),
    );
    await onPage(async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Input.insertText", { text: "日本" });
    });
    assert.equal(await boxText(), `${before}日本`);
    await press("Escape");
    await cellHolds("cart.empty", "nl", before);
  });

  it("shows a text that ends in a line break as a problem, and mends it", async () => {
    const before = await textOfEmpty();
    await clickCell("cart.empty", "nl");
    await press("F2", "Shift+Enter");
    const warning = () => onWebview((frame) => frame.locator("#extra-line-break").innerText());
    await waitFor("it is said while typing", async () =>
      (await warning()).startsWith("Ends in a line break"),
    );
    await press("Enter");
    await cellIs("cart.empty", "nl", "lineBreak", "unsaved");
    await clickCell("cart.empty", "nl");
    await detailsSay("ends in a line break that the source text does not have");
    await screenshot("line-break");
    await click(`Use “${before}”`);
    await cellHolds("cart.empty", "nl", before);
    await commands.executeCommand("undo");
    await commands.executeCommand("undo");
    await waitFor("nothing is unsaved", () => !isDirty());
  });

  it("goes to the next row that still matches with Ctrl+Enter", async () => {
    await openEditor({ locales: ["nl", "fr"], filter: ["untranslated"], search: "" });
    const [first = "", second = ""] = await waitFor("rows", async () => {
      const shown = await shownKeys();
      return shown.length > 2 && shown;
    });
    for (const locale of ["nl", "fr"]) {
      if ((await cell(second, locale))?.states.includes("missing") !== true) continue;
      await clickCell(second, locale);
      await keys("x");
      await press("Enter");
      await cellIs(second, locale, "unsaved");
    }
    await clickCell(first, "nl");
    await press("F2", "Control+Enter");
    await waitFor("the row after the translated one has the focus", async () => (await focused()).row === 4);
    await commands.executeCommand("workbench.action.files.revert");
    await waitFor("nothing is unsaved", () => !isDirty());
    await openEditor({ locales: ["nl", "fr"], filter: [], search: "" });
  });
});

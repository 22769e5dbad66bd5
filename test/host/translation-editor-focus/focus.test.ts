/** The focus of the translation editor, which determines where typed text goes. */
import assert from "node:assert/strict";
import { commands, window, workspace } from "vscode";
import { runSuccessfully, runCommand } from "../harness/documents.ts";
import { onPage, onWebview, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  cellHolds,
  clickCell,
  focused,
  gridSays,
  keys,
  pageHasFocus,
  press,
  statusSays,
  type,
} from "../translation-editor/page.ts";

/** What the focused element of the page is called. */
const nameOfFocus = (): Promise<string> =>
  onWebview((frame) =>
    frame.locator("body").evaluate((body) => {
      const element = body.ownerDocument.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    }),
  );

/** The key of the row that has the focus. */
const keyOfFocus = (): Promise<string> =>
  onWebview((frame) =>
    frame.locator("body").evaluate((body) => {
      const row = body.ownerDocument.activeElement?.closest("[role=row]");
      return row?.querySelector("[role=rowheader] bdi")?.textContent ?? "";
    }),
  );

/** Types into the cell of `cart.title`, and stays in its box. */
async function typeInTitle(text: string): Promise<void> {
  await clickCell("cart.title", "nl");
  await press("Enter");
  await type("nl", text);
}

async function undo(): Promise<void> {
  await statusSays("1 unsaved");
  await commands.executeCommand("undo");
  await cellHolds("cart.title", "nl", "Je winkelwagen");
}

describe("the focus of the translation editor", function () {
  this.timeout(120_000);
  let service: Awaited<ReturnType<typeof startService>>;

  /** Somebody else pushes a key, which is known here then. */
  const pushBefore = async (key: string): Promise<void> => {
    const response = await fetch(`${service.baseUrl}/keys/sync`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({ keys: [{ namespace: "*", key, value: "New" }] }),
    });
    assert.equal(response.status, 200, await response.text());
    await runCommand("refresh");
  };

  before(async () => {
    service = await startService({ demo: true });
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
    await runCommand("refresh");
  });

  beforeEach(async () => {
    await runSuccessfully("openEditor", {
      locales: ["nl", "fr"],
      filter: [],
      search: "",
      namespace: "cart",
      key: "title",
    });
    await cellHolds("cart.title", "nl", "Je winkelwagen");
  });

  after(async () => {
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("goes to VS Code's palette during an edit, and back to the cell", async () => {
    await typeInTitle("Mijn mand");
    await press("F1");
    const input = "document.activeElement?.closest('.quick-input-widget input') != null";
    await waitFor("the palette has the focus", () => onPage((page, input) => page.evaluate(input), input));
    await keys("translation editor");
    await waitFor("the commands are found", () =>
      onPage((page) =>
        page
          .locator(".quick-input-list .monaco-list-row", { hasText: "Translation Editor" })
          .first()
          .isVisible(),
      ),
    );
    await cellHolds("cart.title", "nl", "Mijn mand");
    await press("Escape");
    await pageHasFocus();
    await waitFor("the cell has the focus", async () => (await focused()).role === "gridcell");
    await undo();
  });

  it("stays where the user moves it during an edit", async () => {
    await typeInTitle("Mijn mand");
    await onWebview((frame) => frame.getByRole("searchbox").click());
    await cellHolds("cart.title", "nl", "Mijn mand");
    assert.equal(await nameOfFocus(), "Search");
    await undo();
    await typeInTitle("Mijn mand");
    await press("Control+f");
    await cellHolds("cart.title", "nl", "Mijn mand");
    assert.equal(await nameOfFocus(), "Search");
    await undo();
    await typeInTitle("Mijn mand");
    await press("Tab");
    await cellHolds("cart.title", "nl", "Mijn mand");
    assert.equal(await nameOfFocus(), "resources/js/components/CartBadge.vue");
    await undo();
  });

  it("is on the first row of a new list", async () => {
    await clickCell("cart.title", "nl");
    await runSuccessfully("openEditor", { locales: ["nl", "fr"], filter: "untranslated", search: "" });
    await waitFor("the first row has the focus", async () => {
      const { role, row } = await focused();
      return role === "gridcell" && row === 2;
    });
  });

  it("is on the translation in a newly shown language", async () => {
    await clickCell("cart.title", "nl");
    await runSuccessfully("openEditor", { locales: ["de"] });
    await waitFor("the German cell has the focus", async () => {
      const { role, column } = await focused();
      return role === "gridcell" && column === 3;
    });
  });

  it("is not taken from another editor when rows are updated", async () => {
    await clickCell("cart.title", "nl");
    const document = await workspace.openTextDocument({ content: "" });
    await window.showTextDocument(document, { viewColumn: 2 });
    await pushBefore("a.first");
    await statusSays("56 rows");
    await keys("typed");
    await waitFor("the document has it", () => document.getText() === "typed");
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeActiveEditor");
    await pageHasFocus();
  });

  it("stays on the edited key when another is inserted before it", async () => {
    await typeInTitle("Mijn mand");
    await pushBefore("a.second");
    await press("Control+Enter");
    await statusSays("57 rows · 1 unsaved");
    await cellHolds("cart.title", "nl", "Mijn mand");
    await waitFor("the next row has the focus", async () => (await keyOfFocus()) === "cart.total");
    await pushBefore("a.third");
    await statusSays("58 rows");
    await waitFor("the row keeps the focus", async () => (await keyOfFocus()) === "cart.total");
    await undo();
  });

  it("stays on the same element at the same position when rows are inserted above", async () => {
    await clickCell("cart.title", "nl");
    await waitFor("the row has the focus", async () => (await keyOfFocus()) === "cart.title");
    const focusedCell = () =>
      onWebview((frame) =>
        frame.getByRole("grid").evaluate((grid) => {
          const cell = grid.ownerDocument.activeElement;
          const isMarked = cell?.hasAttribute("data-marked");
          cell?.setAttribute("data-marked", "");
          return { isMarked, top: cell?.getBoundingClientRect().top };
        }),
      );
    await onWebview((frame) =>
      frame.getByRole("grid").evaluate((grid) => {
        grid.scrollTop += 100;
      }),
    );
    const { top } = await focusedCell();
    const count = Number(await gridSays("aria-rowcount"));
    await pushBefore("a.fourth");
    await waitFor("the row is there", async () => (await gridSays("aria-rowcount")) === String(count + 1));
    assert.deepEqual(await focusedCell(), { isMarked: true, top });
  });

  it("is in the text box of an edited cell that was scrolled out of view", async () => {
    await clickCell("cart.title", "nl");
    await onWebview((frame) =>
      frame.getByRole("grid").evaluate((grid) => {
        grid.scrollTop = grid.scrollHeight;
      }),
    );
    await waitFor("the grid has the focus", async () => (await focused()).role === "grid");
    await press("Enter");
    await waitFor("the box has the focus", async () => (await nameOfFocus()) === "nl");
    await press("Escape");
    await waitFor("the cell has the focus", async () => (await keyOfFocus()) === "cart.title");
  });

  it("is never on a cell covered by the pinned columns", async () => {
    await runSuccessfully("openEditor", {
      locales: ["nl", "fr", "de", "pl"],
      namespace: "cart",
      key: "title",
    });
    await clickCell("cart.title", "nl");
    await press("End");
    const isCovered = (): Promise<boolean> =>
      onWebview((frame) =>
        frame.locator("[data-active]").evaluate((cell) => {
          const { left, top } = cell.getBoundingClientRect();
          return !cell.contains(cell.ownerDocument.elementFromPoint(left + 4, top + 20));
        }),
      );
    for (let column = 6; column > 3; column--) {
      await waitFor(`column ${column} has the focus`, async () => (await focused()).column === column);
      await waitFor(`column ${column} is seen`, async () => !(await isCovered()));
      await press("ArrowLeft");
    }
  });
});

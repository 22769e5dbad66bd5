/** All work of a translator with the keyboard only, from opening the editor to resolving a conflict. */
import assert from "node:assert/strict";
import { commands, window } from "vscode";
import { onPage, onWebview, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  boxes,
  cell,
  cellHolds,
  cellIs,
  columns,
  focused,
  focusIsAt,
  focusIsOn,
  isDirty,
  keys,
  pageHasFocus,
  press,
  runByPalette,
  selectedFilters,
  shownKeys,
  status,
  statusSays,
  tabTo,
} from "../translation-editor/page.ts";

/** Waits until so many texts are unsaved. */
const unsaved = async (count: number): Promise<void> => {
  await waitFor(`${count} are unsaved`, async () => {
    const said = /(\d+) unsaved/u.exec(await status())?.[1] ?? "0";
    return said === String(count) && isDirty() === count > 0;
  });
};

let searched = "";

/** Searches with one query: of a query for each letter a later one would move the focus. */
const searchFor = async (words: string): Promise<void> => {
  await press("Control+f");
  if (words === searched) return;
  searched = words;
  await onPage((page, words) => page.keyboard.insertText(words), words);
};

/** Goes to the text of a key by searching for the key. `column`: 2 is the source. */
async function goTo(key: string, column: number): Promise<void> {
  await searchFor(key);
  await waitFor(`${key} alone`, async () => (await shownKeys()).join() === key);
  await press("ArrowDown");
  await waitFor("the row has the focus", async () => (await focused()).row === 2);
  await press("Home", ...Array<string>(column - 1).fill("ArrowRight"));
  await focusIsAt(2, column);
}

/** Ticks or unticks languages in the list that is open. */
async function choose(wanted: Readonly<Record<string, boolean>>): Promise<void> {
  for (const [locale, isWanted] of Object.entries(wanted)) {
    await press("Control+a");
    // "Nederlands" contains "de".
    await keys(`(${locale})`);
    const isTicked = () =>
      onPage(async (page, locale) => {
        const rows = await page
          .locator(".quick-input-list .monaco-list-row")
          .evaluateAll((all) =>
            all.map((each) => [each.textContent ?? "", each.getAttribute("aria-checked")] as const),
          );
        const [first] = rows;
        return rows.length === 1 && first !== undefined && first[0].includes(`(${locale})`) ? first[1] : null;
      }, locale);
    if ((await waitFor(`${locale} alone`, isTicked)) === String(isWanted)) continue;
    await press("ArrowDown", "Space");
    await waitFor(`${locale} is ${String(isWanted)}`, async () => (await isTicked()) === String(isWanted));
  }
  await press("Enter");
  await pageHasFocus();
}

describe("the translation editor with the keyboard only", function () {
  this.timeout(120_000);
  let service: Awaited<ReturnType<typeof startService>>;

  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${service.token}`, "content-type": "application/json" };
    const response = await fetch(`${service.baseUrl}${path}`, { ...init, headers });
    assert.equal(response.status, 200);
    return response.json();
  };
  const atTheService = async (key: string): Promise<string | null | undefined> => {
    const { data } = (await ask("/translations/nl?namespace=cart")) as {
      data: { key: string; value: string | null }[];
    };
    return data.find((row) => row.key === key)?.value;
  };
  /** Somebody else writes. */
  const theyWrite = async (key: string, value: string): Promise<void> => {
    const translations = [{ namespace: "cart", key, value }];
    const body = JSON.stringify({ mode: "overwrite", translations });
    await ask("/translations/nl", { method: "PUT", body });
  };

  before(async () => {
    service = await startService({ demo: true });
    for (const [name, options] of [
      ["signIn", { baseUrl: service.baseUrl, token: service.token }],
      ["refresh", {}],
    ] as const) {
      const result = await commands.executeCommand<{ outcome: string }>(`projectTranslations.${name}`, {
        confirm: false,
        ...options,
      });
      assert.notEqual(result.outcome, "failed", JSON.stringify(result));
    }
  });

  after(async () => {
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("opens", async () => {
    await runByPalette("Project Translations: Open Translation Editor");
    await waitFor("a cell has the focus", async () => (await focused()).row !== null);
  });

  it("selects and orders languages", async () => {
    await tabTo("Languages (", "Shift+Tab");
    await press("Enter");
    await onPage((page) => page.locator(".quick-input-list .monaco-list-row").first().waitFor());
    await choose({ de: true });
    await waitFor("three languages", async () => (await columns()).join() === "en,nl,fr,de");
    await tabTo("Languages (", "Shift+Tab");
    await press("Enter");
    await onPage((page) => page.locator(".quick-input-list .monaco-list-row").first().waitFor());
    await choose({ de: false });
    await waitFor("two languages", async () => (await columns()).join() === "en,nl,fr");
    await press("Control+f", "ArrowDown");
    await waitFor("a cell has the focus", async () => (await focused()).row !== null);
    await press("Control+Home", "ArrowRight", "ArrowRight");
    await focusIsAt(2, 3);
    await press("Alt+ArrowRight");
    await waitFor("fr before nl", async () => (await columns()).join() === "en,fr,nl");
    await focusIsAt(2, 4);
    await press("Alt+ArrowLeft");
    await waitFor("nl before fr", async () => (await columns()).join() === "en,nl,fr");
  });

  it("goes to the next editor", async () => {
    const label = (): string | undefined => window.tabGroups.activeTabGroup.activeTab?.label;
    const editor = label();
    await commands.executeCommand("workbench.action.files.newUntitledFile");
    await commands.executeCommand("workbench.action.previousEditor");
    await waitFor("a cell has the focus", async () => label() === editor && (await focused()).row !== null);
    await press("Control+PageDown");
    await waitFor("the other editor is shown", () => label() !== editor);
    await commands.executeCommand("workbench.action.closeActiveEditor");
    await waitFor("a cell has the focus", async () => label() === editor && (await focused()).row !== null);
    await press("Control+Home", "ArrowRight", "ArrowRight");
    await focusIsAt(2, 3);
  });

  it("filters, sorts and searches", async () => {
    const all = (await status()).split(" ")[0];
    const few = () =>
      waitFor("fewer rows", async () => {
        const shown = (await status()).split(" ")[0];
        return shown !== "0" && shown !== all;
      });
    await tabTo("Filters", "Shift+Tab");
    await press("Enter");
    await focusIsOn("Untranslated");
    await press("Space");
    await few();
    await press("Space");
    await statusSays(`${all} rows`);
    await press("ArrowDown");
    await focusIsOn("Outdated");
    await tabTo("Namespace");
    await keys("checkout");
    await waitFor("the keys of the namespace alone", async () => {
      const shown = await shownKeys();
      return shown.length > 0 && shown.every((key) => key.startsWith("checkout."));
    });
    await press("Home");
    await statusSays(`${all} rows`);
    await press("Escape");
    await focusIsOn("Filters");
    const byName = await shownKeys();
    await tabTo("More");
    await press("Enter");
    await tabTo("Sort order");
    await press("ArrowDown");
    await waitFor("another order", async () => (await shownKeys()).join() !== byName.join());
    await press("ArrowUp");
    await waitFor("by name", async () => (await shownKeys()).join() === byName.join());
    await goTo("cart.title", 3);
  });

  it("keeps a translated row until the filter is applied again", async () => {
    await searchFor("knop hieronder");
    await statusSays("1 row");
    await tabTo("Filters");
    await press("Enter");
    await focusIsOn("Untranslated");
    await press("Space");
    await waitFor("it is on", async () => (await selectedFilters()) === "Untranslated");
    await statusSays("1 row");
    await press("Control+f", "ArrowDown");
    await waitFor("a cell has the focus", async () => (await focused()).row !== null);
    await press("Home", "ArrowRight", "ArrowRight", "ArrowRight");
    await focusIsAt(2, 4);
    await press("Enter");
    await keys("Elle est en route.");
    await press("Control+Enter");
    await unsaved(1);
    await statusSays("1 row");
    await tabTo("Filters", "Shift+Tab");
    await press("Enter");
    await tabTo("Reapply filter");
    await press("Enter");
    await statusSays("0 rows");
    await press("Control+z");
    await unsaved(0);
    await tabTo("Untranslated", "Shift+Tab");
    await press("Space");
    await statusSays("1 row");
  });

  it("edits, moves to the next row, and undoes", async () => {
    await searchFor("cart.");
    await waitFor("the rows", async () => (await shownKeys()).length > 5);
    await press("ArrowDown", "Control+Home", "ArrowRight", "ArrowRight");
    await focusIsAt(2, 3);
    const [first = "", , third = ""] = await shownKeys();
    await press("Enter", "Control+a");
    await keys("Eerste");
    await press("Control+Enter");
    await focusIsAt(3, 3);
    await press("ArrowDown", "F2", "Control+a");
    await keys("Weg");
    await press("Escape");
    await focusIsAt(4, 3);
    assert.notEqual((await cell(third, "nl"))?.text, "Weg");
    await press("F2", "Control+a");
    await keys("Derde");
    await press("Control+Enter");
    await cellHolds(first, "nl", "Eerste");
    await cellHolds(third, "nl", "Derde");
    await unsaved(2);
    await press("Control+z");
    await unsaved(1);
    await press("Control+z");
    await unsaved(0);
    await press("Control+y");
    await unsaved(1);
    await cellHolds(first, "nl", "Eerste");
    await press("Control+z");
    await unsaved(0);
  });

  it("inserts placeholders", async () => {
    await goTo("cart.total", 3);
    await press("Enter", "Control+a");
    assert.deepEqual(await boxes(), ["nl"]);
    await keys("Samen ");
    await press("Alt+1", "Control+Enter");
    await cellHolds("cart.total", "nl", "Samen :amount");
    await unsaved(1);
    await press("Control+z");
    await unsaved(0);
  });

  it("inserts placeholders on a Mac, where Option and a digit type another character", async () => {
    await goTo("cart.total", 3);
    await press("Enter", "Control+a");
    await keys("Totaal ");
    await onWebview((frame) =>
      frame.locator("textarea").evaluate((box) => {
        const { KeyboardEvent } = box.ownerDocument.defaultView ?? globalThis;
        const init = { key: "¡", code: "Digit1", altKey: true, bubbles: true };
        box.dispatchEvent(new KeyboardEvent("keydown", init));
      }),
    );
    await press("Control+Enter");
    await cellHolds("cart.total", "nl", "Totaal :amount");
    await unsaved(1);
    await press("Control+z");
    await unsaved(0);
  });

  it("copies the source text and applies a suggestion and a similar text", async () => {
    for (const [key, column, button, locale, text] of [
      ["cart.empty", 3, "Copy source text", "nl", "Your cart is empty."],
      ["cart.remove", 4, "Use “Retirer :product”", "fr", "Retirer :product"],
      ["cart.checkout", 4, "Use “Commande”", "fr", "Commande"],
    ] as const) {
      await goTo(key, column);
      await tabTo(button);
      await press("Enter");
      await cellHolds(key, locale, text);
      await unsaved(1);
      await focusIsAt(2, column);
      await press("Control+z");
      await unsaved(0);
    }
  });

  it("copies, pastes, fills and clears cells", async () => {
    await searchFor("cart.t");
    await waitFor("title and total", async () => (await shownKeys()).join() === "cart.title,cart.total");
    await press("ArrowDown", "Control+Home", "ArrowRight", "ArrowRight");
    await focusIsAt(2, 3);
    await press("Shift+ArrowDown", "Control+c", "ArrowUp", "ArrowRight");
    await focusIsAt(2, 4);
    await press("Control+v");
    await cellHolds("cart.title", "fr", "Je winkelwagen");
    await cellHolds("cart.total", "fr", "Totaal: :amount");
    await unsaved(2);
    await press("Shift+ArrowDown", "Control+d");
    await cellHolds("cart.total", "fr", "Je winkelwagen");
    await press("ArrowUp", "ArrowLeft", "Delete");
    await cellIs("cart.title", "nl", "missing", "unsaved");
    await unsaved(3);
    await press("Control+z");
    await unsaved(2);
    await press("Control+z");
    await cellHolds("cart.total", "fr", "Totaal: :amount");
    await press("Control+z");
    await unsaved(0);
  });

  it("finds and replaces after a preview of every change", async () => {
    await goTo("cart.empty", 3);
    await tabTo("More", "Shift+Tab");
    await press("Enter");
    await focusIsOn("Find and replace");
    await press("Enter");
    await waitFor("the first box has the focus", async () => (await boxes()).includes("Find"));
    await keys("leeg");
    await press("Tab");
    await keys("vol");
    await press("Enter");
    await tabTo("cart.empty");
    await press("Space");
    const count = () => onWebview((frame) => frame.getByRole("button", { name: /^Replace \d/ }).innerText());
    await waitFor("nothing is chosen", async () => (await count()) === "Replace 0");
    await press("Space");
    await waitFor("it is chosen", async () => (await count()) === "Replace 1");
    await tabTo("Replace 1", "Shift+Tab");
    await press("Enter");
    await cellHolds("cart.empty", "nl", "Je winkelwagen is vol.");
    await unsaved(1);
    await waitFor("the cell has the focus", async () => (await focused()).row === 2);
  });

  it("ends a regular expression that takes too long, and says what is none", async () => {
    await press("Control+h");
    await waitFor("the first box has the focus", async () => (await boxes()).includes("Find"));
    await tabTo("Regular expression");
    await press("Space");
    await tabTo("Find", "Shift+Tab");
    const says = (words: string) =>
      waitFor(`it says ${words}`, () =>
        onWebview(async (frame, words) => (await frame.locator(".replace p").innerText()) === words, words),
      );
    await keys("(");
    await says("This is not a regular expression.");
    await keys("([a-z ]+)*)+$");
    await press("Enter");
    await says("This regular expression takes too long. Make it simpler.");
    await press("Escape");
    await waitFor("the cell has the focus", async () => (await focused()).row === 2);
  });

  it("saves", async () => {
    await press("Control+s");
    await unsaved(0);
    assert.equal(await atTheService("empty"), "Je winkelwagen is vol.");
  });

  it("resolves conflicts", async () => {
    for (const [theirs, button, text] of [
      ["Hun wagen", "Take Theirs", "Hun wagen"],
      ["Hun kar", "Keep Mine", "Mijn wagen"],
    ] as const) {
      await goTo("cart.title", 3);
      await press("Enter", "Control+a");
      await keys("Mijn wagen");
      await theyWrite("title", theirs);
      await press("Control+s");
      await statusSays("1 in conflict");
      await cellIs("cart.title", "nl", "unsaved", "conflict");
      await tabTo(button);
      await press("Enter");
      await waitFor("no conflict", async () => !(await status()).includes("conflict"));
      await focusIsAt(2, 3);
      await press("Control+s");
      await unsaved(0);
      await cellHolds("cart.title", "nl", text);
      assert.equal(await atTheService("title"), text);
    }
  });

  it("reverts", async () => {
    await goTo("cart.title", 3);
    await press("Enter", "Control+a");
    await keys("Weg");
    await press("Control+Enter");
    await cellHolds("cart.title", "nl", "Weg");
    await unsaved(1);
    await runByPalette("File: Revert File");
    await cellHolds("cart.title", "nl", "Mijn wagen");
    await unsaved(0);
  });

  it("goes to the usage of a key", async () => {
    await goTo("cart.title", 1);
    await press("Enter");
    const editor = await waitFor("the code", () => window.activeTextEditor);
    assert.match(editor.document.getText(editor.selection), /cart\.title/u);
    await commands.executeCommand("workbench.action.closeActiveEditor");
    await pageHasFocus();
    await focusIsAt(2, 1);
  });
});

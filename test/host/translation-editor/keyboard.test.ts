/** The whole work of a translator with the keyboard alone, from the command to the last conflict. */
import assert from "node:assert/strict";
import { commands, window } from "vscode";
import { onPage, screenshot, startService } from "../harness/outside.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  cell,
  cellHolds,
  cellIs,
  columns,
  focusIsAt,
  focused,
  keys,
  press,
  shownKeys,
  status,
  statusSays,
  tabTo,
  violations,
} from "./page.ts";

const isDirty = (): boolean => window.tabGroups.activeTabGroup.activeTab?.isDirty === true;
const isClean = async (): Promise<void> => {
  await waitFor("nothing is unsaved", async () => !isDirty() && !(await status()).includes("unsaved"));
};

/** Goes to a row by searching for it, and to a column. */
async function goTo(key: string, column: number): Promise<void> {
  await press("Control+f", "Control+a");
  await keys(key);
  await waitFor(`${key} alone`, async () => (await shownKeys()).join() === key);
  await press("ArrowDown");
  await waitFor("the table has the focus", async () => (await focused()).row === 2);
  await press("Home");
  for (let at = 1; at < column; at++) await press("ArrowRight");
  await focusIsAt(2, column);
}

describe("the translation editor with the keyboard alone", function () {
  this.timeout(120_000);
  let service: Awaited<ReturnType<typeof startService>>;

  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${service.token}`, "content-type": "application/json" };
    const response = await fetch(`${service.baseUrl}${path}`, { ...init, headers });
    assert.equal(response.status, 200);
    return response.json();
  };
  const atTheService = async (locale: string, key: string): Promise<string | null | undefined> => {
    const { data } = (await ask(`/translations/${locale}?namespace=cart`)) as {
      data: { key: string; value: string | null }[];
    };
    return data.find((row) => row.key === key)?.value;
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

  it("opens, and chooses languages", async () => {
    await press("F1");
    await onPage((page) => page.locator(".quick-input-widget input").first().waitFor());
    await keys("Project Translations: Open Translation Editor");
    await onPage((page) =>
      page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "Translation Editor" }).waitFor(),
    );
    await press("Enter");
    await waitFor("a cell has the focus", async () => (await focused()).row !== null);
    await tabTo("Languages…", "Shift+Tab");
    await press("Enter");
    await onPage((page) => page.locator(".quick-input-widget input").first().waitFor());
    for (const [locale, isWanted] of [
      ["fr", true],
      ["de", false],
      ["pl", false],
      ["nl", true],
    ] as const) {
      await press("Control+a");
      await keys(locale);
      const row = await waitFor(`${locale} alone`, async () => {
        const rows = await onPage((page) =>
          page
            .locator(".quick-input-list .monaco-list-row")
            .evaluateAll((all) => all.map((each) => each.getAttribute("aria-checked") ?? "")),
        );
        return rows.length === 1 && rows[0];
      });
      if ((row === "true") !== isWanted) await press("ArrowDown", "Space");
    }
    await press("Enter");
    await waitFor("both languages", async () => (await columns()).toSorted().join() === "en,fr,nl");
    if ((await columns())[1] !== "nl") {
      await waitFor("a cell has the focus", async () => (await focused()).row !== null);
      await press("Home", "ArrowRight", "ArrowRight", "Alt+ArrowRight");
    }
    await waitFor("nl before fr", async () => (await columns()).join() === "en,nl,fr");
  });

  it("filters, sorts and searches", async () => {
    await tabTo("Untranslated", "Shift+Tab");
    const all = (await shownKeys()).length;
    await press("Space");
    await waitFor("fewer rows", async () => {
      const shown = (await shownKeys()).length;
      return shown > 0 && shown < all;
    });
    await press("Space");
    await waitFor("all rows", async () => (await shownKeys()).length === all);
    await tabTo("Sort by", "Shift+Tab");
    await press("ArrowDown");
    await waitFor("another order", async () => !(await shownKeys())[0]?.startsWith("auth."));
    await press("ArrowUp");
    await waitFor("by name", async () => (await shownKeys())[0]?.startsWith("auth.") === true);
    await goTo("cart.title", 3);
  });

  it("edits and goes on to the next row", async () => {
    await press("Control+f", "Control+a");
    await keys("cart.");
    await waitFor("the rows", async () => (await shownKeys()).length > 5);
    await press("ArrowDown", "Control+Home", "ArrowRight", "ArrowRight");
    await focusIsAt(2, 3);
    const [first = "", second = ""] = await shownKeys();
    await press("Enter", "Control+a");
    await keys("Eerste");
    await press("Control+Enter");
    await focusIsAt(3, 3);
    await press("F2", "Control+a");
    await keys("Tweede");
    await press("Control+z", "Escape");
    await press("Enter", "Control+a");
    await keys("Tweede");
    await press("Control+Enter");
    await cellHolds(first, "nl", "Eerste");
    await cellHolds(second, "nl", "Tweede");
    await statusSays("2 unsaved");
    await press("Control+z", "Control+z");
    await isClean();
    await press("Control+y");
    await cellHolds(first, "nl", "Eerste");
    await statusSays("1 unsaved");
    await press("Control+z");
    await isClean();
  });

  it("copies the source, takes a suggestion and takes it back", async () => {
    await goTo("cart.empty", 3);
    await tabTo("Copy the source");
    await press("Enter");
    await cellHolds("cart.empty", "nl", "Your cart is empty.");
    await press("Escape");
    await focusIsAt(2, 3);
    await statusSays("1 unsaved");
    await press("Control+z");
    await isClean();
    await goTo("cart.remove", 4);
    await tabTo("Take “");
    await press("Enter");
    await cellHolds("cart.remove", "fr", "Retirer :product");
    await statusSays("1 unsaved");
    await press("Escape", "Control+z");
    await isClean();
  });

  it("takes a similar text", async () => {
    await goTo("cart.continue", 3);
    const similar = await onPage((page) =>
      page
        .frameLocator("iframe.webview")
        .frameLocator("#active-frame")
        .locator(".similar button")
        .first()
        .innerText(),
    );
    await tabTo(similar);
    await press("Enter");
    const text = /“(.*)”/s.exec(similar)?.[1] ?? "";
    await cellHolds("cart.continue", "nl", text);
    await statusSays("1 unsaved");
    await press("Escape", "Control+z");
    await isClean();
  });

  it("copies, pastes, fills and clears cells", async () => {
    await press("Control+f", "Control+a");
    await keys("cart.t");
    await waitFor("title and total", async () => (await shownKeys()).join() === "cart.title,cart.total");
    await press("ArrowDown", "Control+Home", "ArrowRight", "ArrowRight");
    await focusIsAt(2, 3);
    await press("Control+c", "ArrowDown");
    await focusIsAt(3, 3);
    await press("Control+v");
    await cellHolds("cart.total", "nl", "Je winkelwagen");
    await press("ArrowUp", "ArrowRight", "Shift+ArrowDown", "Control+d");
    await cellHolds("cart.total", "fr", "Votre panier");
    await statusSays("2 unsaved");
    await press("Delete");
    await cellIs("cart.title", "fr", "missing", "unsaved");
    await statusSays("3 unsaved");
    await press("Control+z", "Control+z", "Control+z");
    await isClean();
    assert.equal((await cell("cart.total", "nl"))?.text, "Totaal: :amount");
  });

  it("finds and replaces after a look at every change", async () => {
    await goTo("cart.empty", 3);
    await tabTo("Find and replace", "Shift+Tab");
    await press("Enter");
    await keys("leeg");
    await press("Tab");
    await keys("vol");
    await press("Enter");
    await waitFor("the change", () =>
      onPage((page) =>
        page
          .frameLocator("iframe.webview")
          .frameLocator("#active-frame")
          .getByRole("region", { name: "Find and replace" })
          .getByRole("listitem")
          .isVisible(),
      ),
    );
    await tabTo("cart.empty");
    await press("Space");
    await tabTo("Replace 0", "Shift+Tab").catch(() => undefined);
    await press("Escape");
    await statusSays("1 row");
    await tabTo("Find and replace", "Shift+Tab");
    await press("Enter");
    await keys("leeg");
    await press("Tab");
    await keys("vol");
    await press("Enter");
    await tabTo("Replace 1");
    await press("Enter");
    await cellHolds("cart.empty", "nl", "Je winkelwagen is vol.");
    await statusSays("1 unsaved");
  });

  it("saves, resolves a conflict and undoes", async () => {
    await waitFor("the cell has the focus", async () => (await focused()).row === 2);
    await press("Control+s");
    await waitFor(
      "it is written",
      async () => (await atTheService("nl", "empty")) === "Je winkelwagen is vol.",
    );
    await isClean();
    await goTo("cart.title", 3);
    await press("Enter", "Control+a");
    await keys("Mijn wagen");
    const translations = [{ namespace: "cart", key: "title", value: "Hun wagen" }];
    await ask("/translations/nl", {
      method: "PUT",
      body: JSON.stringify({ mode: "overwrite", translations }),
    });
    await press("Control+s");
    await cellIs("cart.title", "nl", "unsaved", "conflict");
    await statusSays("1 in conflict");
    assert.equal(await atTheService("nl", "title"), "Hun wagen");
    await screenshot("keyboard-conflict");
    await tabTo("Keep Mine");
    await press("Enter");
    await cellIs("cart.title", "nl", "unsaved");
    await press("Escape");
    await waitFor("the cell has the focus", async () => (await focused()).row === 2);
    await press("Control+s");
    await waitFor("mine is written", async () => (await atTheService("nl", "title")) === "Mijn wagen");
    await isClean();
    await press("Control+z", "Control+z");
    await waitFor("it is taken back", async () => (await cell("cart.title", "nl"))?.text !== "Mijn wagen");
    await statusSays("1 unsaved");
    await press("Control+s");
    await isClean();
  });

  it("shows the focus and every state at 200 %, in forced colours and in a narrow window", async () => {
    await press("Control+f", "Control+a");
    await keys("cart.");
    await waitFor("the rows", async () => (await shownKeys()).length > 5);
    await press("ArrowDown", "ArrowRight");
    const size = await onPage(async (page) => {
      const size = page.viewportSize();
      await page.emulateMedia({ forcedColors: "active" });
      return size;
    });
    await screenshot("forced-colours");
    await onPage((page) => page.emulateMedia({ forcedColors: "none" }));
    // As much as fits in a window at 200 %.
    await onPage((page) => page.setViewportSize({ width: 700, height: 450 }));
    await commands.executeCommand("workbench.action.closeSidebar");
    await screenshot("200-percent");
    assert.deepEqual(await violations(), []);
    await press("Enter");
    await screenshot("200-percent-edit");
    await press("Escape");
    await tabTo("Copy the source");
    await screenshot("200-percent-details");
    await press("Escape");
    await onPage((page, size) => page.setViewportSize(size ?? { width: 1400, height: 900 }), size);
    await commands.executeCommand("workbench.view.explorer");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });
});

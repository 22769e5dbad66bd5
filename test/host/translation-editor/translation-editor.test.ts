/**
 * The translation editor in a real window: reading, filtering, searching, editing, saving, undo, conflicts, offline.
 */
import assert from "node:assert/strict";
import { commands, Uri, window, workspace } from "vscode";
import { onWebview, reloadWindow, screenshot, stage, startService } from "../harness/bridge-client.ts";
import { isStored } from "../harness/browser-storage.ts";
import { clickTreeButton, expandTreeRows } from "../harness/tree-rows.ts";
import { runCommand, runSuccessfully } from "../harness/documents.ts";
import { waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import {
  boxes,
  canBeEdited,
  cell,
  cellHolds,
  cellIs,
  click,
  clickAndSearch,
  clickCell,
  clickInMenu,
  columns,
  edit,
  focused,
  focusIsAt,
  gridSays,
  isDirty,
  keys,
  paste,
  press,
  runByPalette,
  search,
  searchAndEdit,
  selectedFilters,
  shownKeys,
  status,
  statusSays,
  themeIs,
  toggleFilter,
  type,
  typeUnits,
  violations,
} from "./page.ts";

const openEditor = (options: object = {}) => runSuccessfully("openEditor", options);

const readFile = async (path: string): Promise<string> => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(folder.uri, path)));
};

const save = async (): Promise<void> => {
  await commands.executeCommand("workbench.action.files.save");
};

interface Row {
  readonly key: string;
  readonly value: string | null;
  readonly forms: Record<string, string> | null;
}

describe("the translation editor", function () {
  this.timeout(120_000);
  let service: Awaited<ReturnType<typeof startService>>;

  const atTheService = async (locale: string, namespace: string, key: string): Promise<Row | undefined> => {
    const response = await fetch(`${service.baseUrl}/translations/${locale}?namespace=${namespace}`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    const { data } = (await response.json()) as { data: Row[] };
    return data.find((row) => row.key === key);
  };
  /** Somebody else writes, past this window. */
  const theyWrite = async (locale: string, namespace: string, key: string, value: string): Promise<void> => {
    const response = await fetch(`${service.baseUrl}/translations/${locale}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({ mode: "overwrite", translations: [{ namespace, key, value }] }),
    });
    assert.equal(response.status, 200, await response.text());
  };

  describe("without signing in", () => {
    before(() => runCommand("signOut"));

    journey("shows the local files", async () => {
      await openEditor({ search: "checkout" });
      await cellHolds("checkout", "nl", "Naar de kassa");
      await openEditor({ search: "" });
      await screenshot("local");
    });

    it("writes every language into its file", async () => {
      await edit("Search the shop", "nl", "Zoek in de hele winkel");
      await save();
      await cellIs("Search the shop", "nl");
      await waitFor("it is saved", () => !isDirty());
      const text = await readFile("lang/nl.json");
      assert.match(text, /"Search the shop": "Zoek in de hele winkel"/);
      await commands.executeCommand("undo");
      await cellHolds("Search the shop", "nl", "Zoeken in de winkel");
      await save();
      await cellIs("Search the shop", "nl");
    });
  });

  describe("signed in", () => {
    before(async () => {
      service = await startService({ demo: true });
      await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
      await runCommand("refresh");
    });

    journey("shows a row per key and a column per language", async () => {
      await openEditor({ locales: ["nl", "fr"], namespace: "cart", key: "title" });
      await cellHolds("cart.title", "nl", "Je winkelwagen");
      assert.equal(await gridSays("aria-colcount"), "4");
      const rows = Number(await gridSays("aria-rowcount")) - 1;
      assert.ok(rows > 40);
      await statusSays(`${rows} rows`);
      await screenshot("grid");
    });

    const otherThemes = [
      ["dark", "Default Dark Modern", "vscode-dark"],
      ["high-contrast-light", "Default High Contrast Light", "vscode-high-contrast-light"],
    ] as const;
    for (const [name, theme, kind] of [
      ...(process.env["TEST_FULL"] === undefined ? [] : otherThemes),
      ["high-contrast", "Default High Contrast", "vscode-high-contrast"],
      ["light", "Default Light Modern", "vscode-light"],
    ] as const) {
      journey(`has no accessibility violations in the theme: ${name}`, async () => {
        await workspace.getConfiguration("workbench").update("colorTheme", theme, true);
        await themeIs(kind);
        await clickCell("cart.items", "nl");
        assert.deepEqual(await violations(), []);
        await press("Enter");
        await type("nl one", ":count ding");
        assert.deepEqual(await violations(), []);
        await screenshot(name);
        await press("Escape");
      });
    }

    journey("is opened, searched, edited and saved with the keyboard only", async () => {
      await commands.executeCommand("workbench.action.closeActiveEditor");
      await runByPalette("Project Translations: Open Translation Editor");
      await waitFor("a cell has the focus", async () => (await focused()).row !== null);
      await press("Control+f");
      await keys("cart.total");
      await waitFor("the row", async () => (await shownKeys()).join() === "cart.total");
      await press("ArrowDown");
      await waitFor("the row has the focus", async () => (await focused()).row === 2);
      const before = (await cell("cart.total", "nl"))?.text ?? "";
      await press("Home", "ArrowRight", "ArrowRight", "Enter", "Control+a");
      await keys("Samen :amount");
      await press("Control+Enter");
      await statusSays("1 unsaved");
      await waitFor("VS Code shows it as unsaved", isDirty);
      await press("Control+s");
      await waitFor("it is saved", () => !isDirty());
      assert.equal((await atTheService("nl", "cart", "total"))?.value, "Samen :amount");
      await press("Control+z");
      await statusSays("1 unsaved");
      await waitFor("VS Code shows it as unsaved", isDirty);
      await press("Control+s");
      await waitFor("it is saved", () => !isDirty());
      await cellHolds("cart.total", "nl", before);
      await openEditor({ filter: [], search: "" });
    });

    journey("edits, saves and undoes", async () => {
      await openEditor({ namespace: "cart", key: "title" });
      await edit("cart.title", "nl", "Jouw winkelwagen");
      await cellIs("cart.title", "nl", "unsaved");
      assert.equal((await cell("cart.title", "nl"))?.description, "unsaved");
      await waitFor("VS Code shows it as unsaved", isDirty);
      await statusSays("1 unsaved");
      await commands.executeCommand("undo");
      await cellHolds("cart.title", "nl", "Je winkelwagen");
      await waitFor("nothing is unsaved", () => !isDirty());
      await commands.executeCommand("redo");
      await cellHolds("cart.title", "nl", "Jouw winkelwagen");
      await save();
      await cellIs("cart.title", "nl");
      assert.equal((await atTheService("nl", "cart", "title"))?.value, "Jouw winkelwagen");
      await waitFor("it is saved", () => !isDirty());
      await commands.executeCommand("undo");
      await cellHolds("cart.title", "nl", "Je winkelwagen");
      await cellIs("cart.title", "nl", "unsaved");
      await save();
      await waitFor("the old text is back", async () => {
        return (await atTheService("nl", "cart", "title"))?.value === "Je winkelwagen";
      });
      await cellIs("cart.title", "nl");
    });

    it("moves with the arrows, Home, End and Page Down, also out of view", async () => {
      await clickCell("cart.title", "nl");
      const { row } = await focused();
      assert.ok(row !== null);
      await press("ArrowDown");
      await focusIsAt(row + 1, 3);
      await press("ArrowRight", "ArrowUp");
      await focusIsAt(row, 4);
      await press("Home");
      await focusIsAt(row, 1);
      await press("Control+End");
      await focusIsAt(Number(await gridSays("aria-rowcount")), 4);
      await press("Control+Home");
      await focusIsAt(2, 1);
      await press("End", "PageDown");
      const paged = await waitFor("a page further", async () => {
        const at = await focused();
        return at.row !== null && at.row > 4 && at;
      });
      assert.equal(paged.column, 4);
      await onWebview((frame) =>
        frame.getByRole("grid").evaluate((grid) => {
          grid.scrollTop = grid.scrollHeight;
        }),
      );
      await waitFor("the grid has the focus", async () => (await focused()).role === "grid");
      await press("ArrowDown");
      await focusIsAt((paged.row ?? 0) + 1, 4);
    });

    it("orders columns and remembers the order", async () => {
      await openEditor({ locales: ["nl", "fr", "de"], namespace: "cart", key: "title" });
      await waitFor("the columns", async () => (await columns()).join() === "en,nl,fr,de");
      await clickCell("cart.title", "fr");
      const { row } = await focused();
      await press("Alt+ArrowLeft");
      await waitFor("fr before nl", async () => (await columns()).join() === "en,fr,nl,de");
      await focusIsAt(row ?? 0, 3);
      assert.equal((await cell("cart.title", "nl"))?.text, "Je winkelwagen");
      assert.equal((await cell("cart.title", "fr"))?.text, "Votre panier");
      await click("Move fr to the right");
      await waitFor("fr after nl", async () => (await columns()).join() === "en,nl,fr,de");
      await click("Move fr to the right");
      await waitFor("fr at the end", async () => (await columns()).join() === "en,nl,de,fr");
      await commands.executeCommand("workbench.action.closeActiveEditor");
      await openEditor();
      await waitFor("the order is remembered", async () => (await columns()).join() === "en,nl,de,fr");
      await openEditor({ locales: ["nl", "fr"], filter: [], search: "", namespace: "cart", key: "title" });
    });

    it("shows each text in its language when rows arrive while a column is moved", async () => {
      await waitFor("the columns", async () => (await columns()).join() === "en,nl,fr");
      await clickAndSearch("Move fr to the left", "cart.title");
      await waitFor("fr before nl", async () => (await columns()).join() === "en,fr,nl");
      await waitFor("the row", async () => (await shownKeys()).join() === "cart.title");
      assert.equal((await cell("cart.title", "nl"))?.text, "Je winkelwagen");
      assert.equal((await cell("cart.title", "fr"))?.text, "Votre panier");
      await click("Move fr to the right");
      await waitFor("fr after nl", async () => (await columns()).join() === "en,nl,fr");
      await openEditor({ locales: ["nl", "fr"], filter: [], search: "", namespace: "cart", key: "title" });
    });

    it("searches keys and texts, and filters", async () => {
      await search("winkelwagen");
      await waitFor("the rows with the word", async () => {
        const keys = await shownKeys();
        return keys.includes("cart.title") && keys.length < 20;
      });
      await search("");
      await toggleFilter("Untranslated");
      await waitFor("rows without a translation", async () => {
        const shown = await shownKeys();
        return shown.length > 0 && shown.length < 54;
      });
      await screenshot("untranslated");
      await toggleFilter("Untranslated");
      await openEditor({ filter: "outdated" });
      assert.equal(await selectedFilters(), "Outdated");
      await openEditor({ filter: [], search: "" });
    });

    it("saves the text of the focused box, and cancels on Escape", async () => {
      await clickCell("cart.empty", "nl");
      await press("F2");
      await type("nl", "Leeg");
      await press("Escape");
      await cellHolds("cart.empty", "nl", "Je winkelwagen is leeg.");
      await press("Enter");
      await type("nl", "Helemaal leeg.");
      await press("Control+s");
      await waitFor("it is at the service", async () => {
        return (await atTheService("nl", "cart", "empty"))?.value === "Helemaal leeg.";
      });
      await cellHolds("cart.empty", "nl", "Helemaal leeg.");
      await waitFor("it is saved", () => !isDirty());
    });

    it("keeps typed text when other rows replace the edited one", async () => {
      await clickCell("cart.title", "nl");
      await searchAndEdit("cart.title", "Mijn winkelwagen");
      await waitFor("the rows that are found", async () => {
        const shown = await shownKeys();
        return shown.length < 10 && shown.includes("cart.title");
      });
      await cellHolds("cart.title", "nl", "Mijn winkelwagen");
      await cellIs("cart.title", "nl", "unsaved");
      await statusSays("1 unsaved");
      await commands.executeCommand("undo");
      await waitFor("nothing is unsaved", () => !isDirty());
      await openEditor({ filter: [], search: "", namespace: "cart", key: "title" });
    });

    it("has a text box per plural form, and inserts placeholders by key", async () => {
      await openEditor({ locales: ["pl"], namespace: "cart", key: "items" });
      await canBeEdited("cart.items", "pl");
      await clickCell("cart.items", "pl");
      await press("Enter");
      await waitFor("the boxes", async () => (await boxes()).join() === "pl one,pl few,pl many");
      await type("pl few", "kilka ");
      await press("Alt+1");
      await press("Control+Enter");
      await waitFor("the form is taken", async () =>
        (await cell("cart.items", "pl"))?.text.includes("kilka :count"),
      );
      await statusSays("1 unsaved");
      await commands.executeCommand("undo");
      await waitFor("nothing is unsaved", () => !isDirty());
      await openEditor({ locales: ["nl", "fr"], namespace: "cart", key: "title" });
    });

    it("counts the remaining characters", async () => {
      await clickCell("cart.title", "nl");
      await press("Enter");
      await type("nl", "Mand");
      const left = () => onWebview((frame) => frame.locator("#characters-left").innerText());
      await waitFor("20 of 24 are left", async () => (await left()) === "20 characters left");
      await type("nl", "Een wel heel erg lange mand");
      await waitFor("3 are too many", async () => (await left()) === "3 characters too many");
      await type("nl", "Een wel heel erg lange ma");
      await waitFor("1 is too many", async () => (await left()) === "1 character too many");
      await type("nl", "Een wel heel erg lange ");
      await waitFor("1 is left", async () => (await left()) === "1 character left");
      await press("Escape");
    });

    it("pastes, fills and clears in one undoable step each", async () => {
      await clickCell("cart.subtotal", "nl");
      await paste("Een\tUn\nTwee\tDeux");
      await cellHolds("cart.subtotal", "nl", "Een");
      await cellHolds("cart.subtotal", "fr", "Un");
      await cellHolds("cart.title", "nl", "Twee");
      await cellHolds("cart.title", "fr", "Deux");
      await press("Shift+ArrowDown", "Control+d");
      await cellHolds("cart.title", "nl", "Een");
      await press("Delete");
      await cellIs("cart.title", "nl", "missing", "unsaved");
      await cellIs("cart.subtotal", "nl", "missing", "unsaved");
      // The page shows an edit before VS Code has it, and answers in order.
      await openEditor({ namespace: "cart", key: "title" });
      for (const [text, count] of [
        ["Een", 4],
        ["Twee", 4],
        ["Je winkelwagen", 0],
      ] as const) {
        await commands.executeCommand("undo");
        await cellHolds("cart.title", "nl", text);
        if (count > 0) await statusSays(`${count} unsaved`);
      }
      await waitFor("nothing is unsaved", () => !isDirty());
    });

    it("pastes long texts completely", async () => {
      const [nl = "", fr = ""] = ["a", "b"].map((each) => `${each}${"\u{1f600}".repeat(16_000)}${each}`);
      const before = (await cell("cart.empty", "nl"))?.text ?? "";
      await clickCell("cart.empty", "nl");
      await paste(`${nl}\t${fr}`);
      await statusSays("2 unsaved");
      await save();
      await waitFor("it is saved", () => !isDirty());
      assert.equal((await atTheService("nl", "cart", "empty"))?.value, nl);
      assert.equal((await atTheService("fr", "cart", "empty"))?.value, fr);
      await commands.executeCommand("undo");
      await statusSays("2 unsaved");
      await save();
      await waitFor("it is saved", () => !isDirty());
      await cellHolds("cart.empty", "nl", before);
    });

    it("pastes a line per plural form and reports what was left out", async () => {
      await openEditor({ locales: ["pl"], filter: [], search: "", namespace: "cart", key: "items" });
      await clickCell("cart.items", "pl");
      await paste('":count rzecz\nkilka :count\n:count rzeczy"');
      const isTaken = async (): Promise<boolean> =>
        (await cell("cart.items", "pl"))?.text.includes("kilka :count") === true;
      await waitFor("the forms are taken", isTaken);
      await statusSays("1 unsaved");
      await paste("only one");
      await waitForNotification("Not changed: 1 of 1 text");
      await commands.executeCommand("notifications.clearAll");
      assert.ok(await isTaken());
      await commands.executeCommand("undo");
      await waitFor("nothing is unsaved", () => !isDirty());
      await openEditor({ locales: ["nl", "fr"], filter: [], search: "" });
    });

    it("replaces text after a preview of every change", async () => {
      await openEditor({ locales: ["nl", "fr"], filter: [], search: "", namespace: "cart", key: "title" });
      // The cell gets the focus after that, and would get the key that is pressed before.
      await waitFor("the key's cell has the focus", async () => (await focused()).role === "gridcell");
      await clickInMenu("More", "Find and replace");
      await type("Find", "WINKELWAGEN");
      await type("Replace with", "mandje");
      await press("Enter");
      const places = () =>
        onWebview((frame) =>
          frame.getByRole("region", { name: "Find and replace" }).getByRole("listitem").allInnerTexts(),
        );
      const shown = await waitFor("the changes", async () => {
        const all = await places();
        return all.length > 1 && all;
      });
      assert.ok(
        shown.some((each) => each.includes("cart.title · nl Je winkelwagen Je mandje")),
        shown.join("\n"),
      );
      assert.deepEqual(await violations(), []);
      await screenshot("replace");
      await onWebview((frame) =>
        frame.getByRole("listitem").filter({ hasText: "cart.title" }).getByRole("checkbox").uncheck(),
      );
      await click(`Replace ${shown.length - 1}`);
      await statusSays(`${shown.length - 1} unsaved`);
      await cellHolds("cart.title", "nl", "Je winkelwagen");
      await commands.executeCommand("undo");
      await waitFor("nothing is unsaved", () => !isDirty());
    });

    it("shows hostile texts as plain text", async () => {
      for (const text of ["<img src=x onerror=alert(1)>", "\u202eabc\u2066", "x".repeat(32_768)]) {
        await clickCell("cart.empty", "nl");
        await press("Enter");
        await type("nl", text);
        await press("Control+Enter");
        await waitFor("the text is shown", async () =>
          (await cell("cart.empty", "nl"))?.text.startsWith(text.slice(0, 200)),
        );
        const images = await onWebview((frame) => frame.locator("img").count());
        assert.equal(images, 0);
      }
      await openEditor({ namespace: "cart", key: "empty" });
      await save();
      await waitFor("it is at the service whole", async () => {
        return (await atTheService("nl", "cart", "empty"))?.value?.length === 32_768;
      });
      await clickCell("cart.empty", "nl");
      await press("Enter");
      await type("nl", "Leeg");
      await press("Control+Enter");
      await cellHolds("cart.empty", "nl", "Leeg");
      await statusSays("1 unsaved");
      await save();
      await waitFor("it is saved", () => !isDirty());
    });

    it("writes a lone surrogate as the replacement character", async () => {
      await openEditor({ namespace: "cart", key: "empty" });
      await clickCell("cart.empty", "nl");
      await press("Enter");
      await typeUnits([0xd83d, 0x78, 0xde00]);
      await press("Control+Enter");
      await cellHolds("cart.empty", "nl", "\ufffdx\ufffd");
      await statusSays("1 unsaved");
      await save();
      await waitFor("it is saved", () => !isDirty());
      assert.equal((await atTheService("nl", "cart", "empty"))?.value, "\ufffdx\ufffd");
      await edit("cart.empty", "nl", "Leeg");
      await save();
      await waitFor("it is saved", () => !isDirty());
    });

    it("shows conflicting writes of others and overwrites nothing", async () => {
      await edit("cart.subtotal", "nl", "Mijn subtotaal");
      await edit("cart.total", "nl", "Samen: :amount");
      await theyWrite("nl", "cart", "subtotal", "Hun subtotaal");
      await save();
      await cellIs("cart.total", "nl");
      await cellIs("cart.subtotal", "nl", "unsaved", "conflict");
      await waitFor("it stays unsaved", isDirty);
      assert.equal((await atTheService("nl", "cart", "total"))?.value, "Samen: :amount");
      assert.equal((await atTheService("nl", "cart", "subtotal"))?.value, "Hun subtotaal");
      await clickCell("cart.subtotal", "nl");
      await click("Take Theirs");
      await cellHolds("cart.subtotal", "nl", "Hun subtotaal");
      await waitFor("the status says nothing unsaved", async () => !(await status()).includes("unsaved"));
      await commands.executeCommand("undo");
      await cellIs("cart.subtotal", "nl", "unsaved", "conflict");
      await clickCell("cart.subtotal", "nl");
      await screenshot("conflict");
      await click("Keep Mine");
      await cellIs("cart.subtotal", "nl", "unsaved");
      await waitFor("the status says no conflict", async () => !(await status()).includes("conflict"));
      await save();
      await cellIs("cart.subtotal", "nl");
      assert.equal((await atTheService("nl", "cart", "subtotal"))?.value, "Mijn subtotaal");
      await waitFor("it is saved", () => !isDirty());
    });

    it("shows a write by somebody else while a cell is edited as a conflict", async () => {
      await clickCell("cart.subtotal", "nl");
      await press("Enter");
      await type("nl", "Mijn tweede");
      await theyWrite("nl", "cart", "subtotal", "Hun tweede");
      await runCommand("refresh");
      await press("Control+Enter");
      await cellIs("cart.subtotal", "nl", "unsaved", "conflict");
      await cellHolds("cart.subtotal", "nl", "Mijn tweede");
      await save();
      assert.equal((await atTheService("nl", "cart", "subtotal"))?.value, "Hun tweede");
      await clickCell("cart.subtotal", "nl");
      await click("Take Theirs");
      await cellHolds("cart.subtotal", "nl", "Hun tweede");
      await save();
      await waitFor("it is saved", () => !isDirty());
    });

    it("opens from a language's row with its untranslated texts", async () => {
      await commands.executeCommand("projectTranslations.languages.focus");
      await expandTreeRows("Languages", "Français");
      await clickTreeButton("Languages", "Outdated", "Open Translation Editor", () =>
        onWebview((frame) => frame.getByRole("button", { name: "Filters: Outdated" }).isVisible()),
      );
      await waitFor("the one language", async () => (await gridSays("aria-colcount")) === "3");
      await screenshot("sidebar");
      await commands.executeCommand("workbench.view.explorer");
      await openEditor({ locales: ["nl", "fr"], filter: [], search: "", namespace: "cart", key: "title" });
    });

    it("writes source texts to the local file as unpushed", async () => {
      await edit("cart.title", "en", "Your shopping cart");
      await save();
      await cellIs("cart.title", "en");
      const text = await readFile("lang/en/cart.php");
      assert.ok(text.includes("'title' => 'Your shopping cart',"), text);
      await openEditor({ filter: "notPushed" });
      await cellHolds("cart.title", "en", "Your shopping cart");
      await openEditor({ filter: [], search: "", namespace: "cart", key: "title" });
    });
  });

  it("keeps everything while offline, also after a reload", async function () {
    if ((await stage(this)) === undefined) {
      const other = await startService({ demo: true });
      await runSuccessfully("signIn", { baseUrl: other.baseUrl, token: other.token });
      await runCommand("refresh");
      await openEditor({ locales: ["nl", "fr"], namespace: "cart", key: "remove" });
      await cellHolds("cart.remove", "nl", ":product verwijderen");
      await edit("cart.remove", "nl", "Haal :product weg");
      await other.stop();
      await save();
      await cellIs("cart.remove", "nl", "unsaved");
      await waitFor("it stays unsaved", isDirty);
      await waitFor("the browser keeps the tab", () => isStored("editorResource"), 60);
      await reloadWindow(this, "reloaded");
    }
    await waitFor("the tab is back", () =>
      window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === "Translations – Webshop")),
    );
    await openEditor({ locales: ["nl", "fr"], namespace: "cart", key: "remove" });
    await cellHolds("cart.remove", "nl", "Haal :product weg");
    await cellIs("cart.remove", "nl", "unsaved");
    await waitFor("it is unsaved", isDirty);
    await screenshot("offline");
    await commands.executeCommand("workbench.action.files.revert");
    await cellHolds("cart.remove", "nl", ":product verwijderen");
    await waitFor("nothing is unsaved", () => !isDirty());
  });
});

/** Renames a key in code and files of all languages in one edit, then at the service. */
import assert from "node:assert/strict";
import { commands, Selection, Uri, window, workspace, type Position, type WorkspaceEdit } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { pressInInput, pressInNotification, waitForNotification } from "../harness/prompts.ts";
import { inAllThemes } from "../editor/opened.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

type Result = Record<string, unknown> & { readonly outcome: string };
interface Key {
  readonly namespace: string;
  readonly key: string;
}

const run = async (name: string, options: object = { confirm: false }): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, options);

function uriOf(path: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
}

async function textOf(path: string): Promise<string> {
  return new TextDecoder().decode(await workspace.fs.readFile(uriOf(path)));
}

async function placeOf(path: string, words: string, by: number): Promise<[Uri, Position]> {
  const document = await workspace.openTextDocument(uriOf(path));
  const at = document.getText().indexOf(words);
  assert.ok(at >= 0, `${words} is in ${path}`);
  return [document.uri, document.positionAt(at + by)];
}

async function editFor(
  path: string,
  words: string,
  by: number,
  name: string,
): Promise<ReadonlyMap<string, string[]>> {
  const [uri, position] = await placeOf(path, words, by);
  const edit = await commands.executeCommand<WorkspaceEdit>(
    "vscode.executeDocumentRenameProvider",
    uri,
    position,
    name,
  );
  return new Map(
    edit
      .entries()
      .map(([file, edits]) => [workspace.asRelativePath(file), edits.map(({ newText }) => newText)]),
  );
}

async function activity(): Promise<string[]> {
  await commands.executeCommand("projectTranslations.activity.focus");
  return onPage((page) => page.locator(".pane").getByRole("treeitem").allInnerTexts());
}

/** The names of the service's own keys of a namespace. */
async function serviceKeys(): Promise<string[]> {
  assert.equal((await run("refresh")).outcome, "done");
  const { keys } = (await run("listKeys")) as unknown as { keys: readonly Key[] };
  return keys.filter(({ namespace }) => namespace === "cart").map(({ key }) => key);
}

describe("rename", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    assert.equal((await run("signIn", { baseUrl, token, confirm: false })).outcome, "done");
  });

  journey("changes the key in all code and translation files, and nothing else", async () => {
    const edits = await editFor("resources/views/cart.blade.php", "cart.subtotal", 3, "cart.sum");
    assert.deepEqual(
      [...edits].sort(([a], [b]) => (a < b ? -1 : 1)),
      [
        ["lang/en/cart.php", ["sum"]],
        ["lang/fr/cart.php", ["sum"]],
        ["lang/nl/cart.php", ["sum"]],
        ["resources/views/cart.blade.php", ["cart.sum"]],
      ],
    );
  });

  journey("can start in a translation file and move an entry to another group", async () => {
    const edits = await editFor("lang/en/cart.php", "'subtotal'", 3, "voucher.subtotal");
    const english = edits.get("lang/en/cart.php")?.join("") ?? "";
    assert.match(english, /'subtotal' => 'Subtotal'/);
    assert.deepEqual(edits.get("resources/views/cart.blade.php"), ["cart.voucher.subtotal"]);
  });

  journey("skips a file with an unsupported encoding and handles CRLF", async () => {
    const path = "lang/fr/cart.php";
    const before = await workspace.fs.readFile(uriOf(path));
    const text = new TextDecoder().decode(before);
    const pathsWith = async (content: string): Promise<readonly string[]> => {
      await workspace.fs.writeFile(uriOf(path), new TextEncoder().encode(content));
      const edits = await editFor("resources/views/cart.blade.php", "cart.subtotal", 3, "cart.sum");
      return [...edits.keys()].filter((each) => each.startsWith("lang/")).sort();
    };
    try {
      assert.deepEqual(await pathsWith(text.replaceAll("\n", "\r\n")), [
        "lang/en/cart.php",
        path,
        "lang/nl/cart.php",
      ]);
      assert.deepEqual(await pathsWith(text.replace("\n", "\r\n")), ["lang/en/cart.php", "lang/nl/cart.php"]);
    } finally {
      await workspace.fs.writeFile(uriOf(path), before);
    }
  });

  journey("refuses the name of another key", async () => {
    await assert.rejects(
      editFor("resources/views/cart.blade.php", "cart.subtotal", 3, "cart.total"),
      /already/,
    );
  });

  journey("shows a preview, then offers the rename at the service", async () => {
    const [uri, position] = await placeOf("resources/views/cart.blade.php", "cart.subtotal", 3);
    const editor = await window.showTextDocument(uri);
    editor.selection = new Selection(position, position);
    void commands.executeCommand("editor.action.rename");
    await onPage(async (page) => {
      const box = page.locator(".rename-box input");
      await box.waitFor();
      await box.fill("cart.sum");
      await page.keyboard.press("Control+Enter");
    });
    await onPage((page) => page.getByRole("button", { name: "Apply" }).first().waitFor());
    await inAllThemes("rename-preview");
    await onPage((page) => page.getByRole("button", { name: "Apply" }).first().click());
    await waitFor("the edit was made", async () => {
      await workspace.saveAll();
      const texts = await Promise.all(["en", "nl", "fr"].map((locale) => textOf(`lang/${locale}/cart.php`)));
      return texts.every((text) => text.includes("'sum' =>") && !text.includes("'subtotal'"));
    });
    await waitForNotification("still cart.subtotal on the service");
    await screenshot("rename-offer");
    await pressInNotification("still cart.subtotal on the service", "Rename on the Service");
    await waitFor("the service has the new key and not the old", async () => {
      const { keys } = (await run("listKeys")) as unknown as { keys: readonly Key[] };
      const names = keys.filter(({ namespace }) => namespace === "cart").map(({ key }) => key);
      return names.includes("sum") && !names.includes("subtotal");
    });
    const again = await run("setTranslation", {
      locale: "de",
      namespace: "cart",
      key: "sum",
      value: "Zwischensumme",
      confirm: false,
    });
    assert.equal((again["row"] as { value: string }).value, "Zwischensumme");
    await waitFor("Activity lists it no longer", async () =>
      (await activity()).every((each) => !each.includes("Rename to")),
    );
    // Three themes and a dialog, on a machine that may have much else to do.
  }).timeout(120_000);

  it("stays pending until renamed at the service: a pull does not restore the old key, a push completes it", async () => {
    const [uri, position] = await placeOf(
      "resources/views/cart.blade.php",
      "<button>{{ __('cart.voucher.apply",
      18,
    );
    const edit = await commands.executeCommand<WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      uri,
      position,
      "cart.voucher.redeem",
    );
    await workspace.applyEdit(edit);
    await waitFor("the edit is saved", async () => {
      await workspace.saveAll();
      const texts = await Promise.all(["en", "nl", "fr"].map((locale) => textOf(`lang/${locale}/cart.php`)));
      return texts.every((text) => text.includes("'redeem' =>") && !text.includes("'apply' =>"));
    });
    await waitFor("Activity lists it", async () =>
      (await activity()).some((each) => each.includes("Rename to cart.voucher.redeem")),
    );
    await screenshot("waiting");
    await commands.executeCommand("notifications.clearAll");
    const pulled = await run("pull");
    assert.ok(["done", "unchanged"].includes(pulled.outcome), JSON.stringify(pulled));
    for (const locale of ["en", "nl", "fr"]) {
      const text = await textOf(`lang/${locale}/cart.php`);
      assert.ok(text.includes("'redeem' =>") && !text.includes("'apply' =>"), text);
    }
    assert.ok((await serviceKeys()).includes("voucher.apply"));

    const pushing = run("push", {});
    const row = await waitFor("the preview knows it", async () => {
      const rows = await onPage((page) => page.locator(".quick-input-list .monaco-list-row").allInnerTexts());
      return rows.find((each) => each.includes("voucher.redeem"));
    });
    assert.match(row, /was cart\.voucher\.apply/);
    await screenshot("push-preview");
    await pressInInput("Enter");
    assert.equal((await pushing).outcome, "done");
    const keys = await serviceKeys();
    assert.ok(keys.includes("voucher.redeem") && !keys.includes("voucher.apply"), keys.join());
    await waitFor("Activity lists it no longer", async () =>
      (await activity()).every((each) => !each.includes("Rename to")),
    );
  });

  it("records each of several renames, also of one key and back, before their files are read", async () => {
    const path = "lang/en/cart.php";
    const renameInFile = async (key: string, name: string): Promise<void> => {
      const [uri, position] = await placeOf(path, `'${key}' =>`, 2);
      const edit = await commands.executeCommand<WorkspaceEdit>(
        "vscode.executeDocumentRenameProvider",
        uri,
        position,
        name,
      );
      assert.ok(edit.size > 0, `${key} → ${name}`);
      assert.ok(await workspace.applyEdit(edit));
    };
    const pending = async (): Promise<string[]> =>
      (await activity()).filter((row) => row.includes("Rename to "));
    await renameInFile("title", "heading");
    await renameInFile("empty", "nothing");
    await renameInFile("heading", "headline");
    await workspace.saveAll();
    await waitFor("Activity lists both", async () => {
      const rows = await pending();
      const isListed = (name: string): boolean => rows.some((row) => row.includes(`Rename to cart.${name}`));
      return rows.length === 2 && isListed("headline") && isListed("nothing");
    });
    await renameInFile("nothing", "empty");
    await renameInFile("headline", "title");
    await workspace.saveAll();
    await waitFor("none is left", async () => (await pending()).length === 0);
    assert.ok((await serviceKeys()).includes("title"));
  });

  it("prompts for the key if a name without namespace is ambiguous", async () => {
    const [uri, position] = await placeOf("resources/views/cart.blade.php", "cart.total", 3);
    const editing = commands.executeCommand<WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      uri,
      position,
      "sumTotal",
    );
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "stays in cart" });
      await row.waitFor();
    });
    await screenshot("which-namespace");
    await onPage((page) =>
      page.locator(".quick-input-list .monaco-list-row", { hasText: "stays in cart" }).click(),
    );
    const files = (await editing).entries().map(([file]) => workspace.asRelativePath(file));
    assert.ok(files.includes("lang/en/cart.php") && !files.includes("lang/en.json"), files.join());
    const uses = (await editing).entries().find(([file]) => file.path.endsWith(".blade.php"));
    assert.deepEqual([...new Set(uses?.[1].map(({ newText }) => newText))], ["cart.sumTotal"]);
  });

  it("moves texts to files that do not exist yet", async () => {
    const [uri, position] = await placeOf("resources/views/cart.blade.php", "cart.total", 3);
    const editor = await window.showTextDocument(uri);
    editor.selection = new Selection(position, position);
    void commands.executeCommand("editor.action.rename");
    await onPage(async (page) => {
      const box = page.locator(".rename-box input");
      await box.waitFor();
      await box.fill("sumTotal");
      await page.keyboard.press("Enter");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "moves out of cart" }).click();
    });
    await waitFor("the texts have moved", async () => {
      await workspace.saveAll();
      const texts = await Promise.all(
        ["en", "nl", "fr"].map((locale) => textOf(`lang/${locale}.json`).catch(() => "")),
      );
      return texts.every((text) => text.includes('"sumTotal": "'));
    });
    for (const locale of ["en", "nl", "fr"])
      assert.doesNotMatch(await textOf(`lang/${locale}/cart.php`), /'total' =>/);
  });
});

/** A WordPress plugin: only its own text domain counts, in calls, headers and block.json. */
import assert from "node:assert/strict";
import { languages, Selection, window, workspace, WorkspaceEdit } from "vscode";
import { runSuccessfully, openFile, hoverText } from "../harness/documents.ts";
import { screenshot, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";

describe("a WordPress plugin", () => {
  before(async () => {
    const project = { sourceLocale: "en", languages: [{ locale: "nl", name: "Nederlands" }] };
    const { baseUrl, token } = await startService({ project });
    await runSuccessfully("signIn", { baseUrl, token });
    await runSuccessfully("push");
    for (const [key, context, value] of [
      ["Your cart", undefined, "Je mandje"],
      ["Order", "verb", "Bestellen"],
      ["Corner Shop", undefined, "Hoekwinkel"],
      ["Cart", "block title", "Mandje"],
    ] as const) {
      await runSuccessfully("setTranslation", {
        locale: "nl",
        namespace: "shop",
        key,
        ...(context && { context }),
        value,
      });
    }
    await runSuccessfully("refresh");
  });

  for (const [what, path, words, expected] of [
    ["a call in PHP", "shop.php", "'Your cart'", "Je mandje"],
    ["a context", "shop.php", "'Order'", "Bestellen"],
    ["a header", "shop.php", "Corner Shop", "Hoekwinkel"],
    ["an alias in JavaScript", "src/index.js", "'Your cart'", "Je mandje"],
    ["a block's title", "src/block.json", '"Cart"', "Mandje"],
  ] as const) {
    it(`shows the translation over ${what}`, async () => {
      await waitFor("the hover has it", async () => (await hoverText(path, words)).includes(expected));
    });
  }

  it("reports unknown texts of its own text domain only", async () => {
    const document = await openFile("shop.php");
    await window.showTextDocument(document);
    const told = await waitFor("it is told", () => {
      const found = languages.getDiagnostics(document.uri).filter(({ code }) => code === "unknown-key");
      return found.length > 0 ? found : undefined;
    });
    const texts = told.map(({ range }) => document.getText(range));
    assert.deepEqual(texts.sort(), ["A small shop.", "Your carts"]);
    assert.equal(await hoverText("shop.php", "A text of another plugin"), "");
    await screenshot("plugin");
  });

  it("counts headers and block.json as usages", async () => {
    const unused = await runSuccessfully("findUnused");
    const keys = (unused["unused"] as readonly { readonly key: string }[]).map(({ key }) => key);
    assert.deepEqual(keys, ["Nobody asks for this"]);
  });

  it("includes the text domain in the code that replaces a text", async () => {
    const document = await openFile("shop.php");
    const editor = await window.showTextDocument(document);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(document.getText().length), "$late = 'It is late';\n");
    assert.ok(await workspace.applyEdit(edit));
    const at = document.getText().lastIndexOf("It is late");
    editor.selection = new Selection(document.positionAt(at), document.positionAt(at + "It is late".length));
    const result = await runSuccessfully("extractKey");
    assert.equal(result["file"], "languages/shop.pot");
    assert.ok(document.getText().includes("$late = __( 'It is late', 'shop' );"), document.getText());
  });
});

/** Go to Definition and Find All References, from code and from translation files. */
import assert from "node:assert/strict";
import {
  commands,
  Selection,
  window,
  workspace,
  type Location,
  type LocationLink,
  type Position,
  type TextDocument,
} from "vscode";
import { openFile, positionOf } from "../harness/documents.ts";
import { onPage, screenshot } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { show, signIn, withText } from "./opened.ts";

async function definition(
  document: TextDocument,
  position: Position,
  kind: "Definition" | "Implementation" = "Definition",
): Promise<string[]> {
  const found = await commands.executeCommand<LocationLink[]>(
    `vscode.execute${kind}Provider`,
    document.uri,
    position,
  );
  const texts = found.map(async ({ targetUri, targetSelectionRange }) => {
    const target = await workspace.openTextDocument(targetUri);
    return `${workspace.asRelativePath(targetUri)}: ${target.getText(targetSelectionRange)}`;
  });
  return Promise.all(texts);
}

async function references(document: TextDocument, position: Position): Promise<string[]> {
  const found = await commands.executeCommand<Location[]>(
    "vscode.executeReferenceProvider",
    document.uri,
    position,
  );
  return found.map(({ uri, range }) => `${workspace.asRelativePath(uri)}:${range.start.line + 1}`);
}

describe("navigation", () => {
  before(signIn);

  journey("goes from a key in code to its entry in the source file", async () => {
    const document = await openFile("resources/views/cart.blade.php");
    assert.deepEqual(await definition(document, positionOf(document, "cart.voucher.apply') }}</button", 8)), [
      "lang/en/cart.php: apply",
    ]);
  });

  journey("goes from a source text used as key to its line in the JSON file", async () => {
    const document = await openFile("resources/js/app.ts");
    assert.deepEqual(await definition(document, positionOf(document, "Added to your cart", 3)), [
      "lang/en.json: Added to your cart",
    ]);
  });

  journey("offers all keys that a pattern matches", async () => {
    const document = await openFile("resources/views/checkout.blade.php");
    const found = await definition(document, positionOf(document, "checkout.steps", 3));
    assert.equal(found.length, 3, found.join("\n"));
  });

  journey("goes to all keys of a conditional expression and finds the usages of each", async () => {
    const document = await openFile("resources/js/app.ts");
    const text = 'const label = open ? "cart.title" : "cart.empty";\nconst said = __(label);\n';
    await withText(document, text, async () => {
      const place = positionOf(document, "__(label", 4);
      // The language itself goes to the constant.
      const entries = (await definition(document, place)).filter((entry) => entry.startsWith("lang/"));
      assert.deepEqual(entries.toSorted(), ["lang/en/cart.php: empty", "lang/en/cart.php: title"]);
      const uses = ["resources/views/cart.blade.php:6", "resources/views/cart.blade.php:9"];
      await waitFor("the uses of both are found", async () => {
        const found = await references(document, place);
        return uses.every((each) => found.includes(each)) || undefined;
      });
    });
  });

  journey("goes from a translation's entry to the source entry", async () => {
    const document = await openFile("lang/nl/cart.php");
    assert.deepEqual(await definition(document, positionOf(document, "'title'", 2)), [
      "lang/en/cart.php: title",
    ]);
  });

  journey("shows the entries of every language as implementations, from code and from a file", async () => {
    const entries = ["lang/en/cart.php: title", "lang/fr/cart.php: title", "lang/nl/cart.php: title"];
    const code = await openFile("resources/views/cart.blade.php");
    const from = await definition(code, positionOf(code, "cart.title", 3), "Implementation");
    // Other tests may have pulled more languages.
    assert.deepEqual(
      entries.filter((entry) => !from.includes(entry)),
      [],
    );
    assert.equal(from.filter((entry) => entry === entries[0]).length, 1);
    const file = await openFile("lang/nl/cart.php");
    const also = await definition(file, positionOf(file, "'title'", 2), "Implementation");
    assert.deepEqual(also.toSorted(), from.toSorted());
  });

  journey("finds all usages and entries from code", async () => {
    const document = await openFile("resources/views/cart.blade.php");
    const found = await waitFor("every use is found", async () => {
      const places = await references(document, positionOf(document, "'cart.title'", 3));
      return places.length >= 5 ? places : undefined;
    });
    const files = new Set(found.map((place) => place.replace(/:\d+$/u, "")));
    for (const file of ["lang/en/cart.php", "lang/nl/cart.php", "resources/views/cart.blade.php"])
      assert.ok(files.has(file), `${file} is not in ${[...files].join(", ")}`);
  });

  journey("finds all usages and entries from an entry", async () => {
    const document = await openFile("resources/views/cart.blade.php");
    const file = await openFile("lang/nl/cart.php");
    assert.deepEqual(
      await references(file, positionOf(file, "'title'", 2)),
      await references(document, positionOf(document, "'cart.title'", 3)),
    );
  });

  journey("finds nothing outside keys", async () => {
    const document = await openFile("resources/views/cart.blade.php");
    assert.deepEqual(await definition(document, positionOf(document, "isEmpty", 2)), []);
  });

  it("peeks at the entries of all languages", async () => {
    const document = await show("resources/views/cart.blade.php");
    const place = positionOf(document, "cart.title", 3);
    const editor = await waitFor("the editor is there", () => window.activeTextEditor);
    editor.selection = new Selection(place, place);
    await commands.executeCommand("editor.action.peekImplementation");
    await onPage((page) => page.locator(".peekview-widget .monaco-list-row").nth(2).waitFor());
    await screenshot("peek-languages");
    await commands.executeCommand("closeReferenceSearch");
  });
});

/** A Django app: hovers, inlay hints, diagnostics, completion and references in Python files and templates. */
import assert from "node:assert/strict";
import {
  commands,
  languages,
  Position,
  Range,
  Selection,
  window,
  workspace,
  WorkspaceEdit,
  type CompletionList,
  type Diagnostic,
  type InlayHint,
  type Location,
  type TextDocument,
} from "vscode";
import { runSuccessfully, openFile, middleOfText, hoverText } from "../harness/documents.ts";
import { screenshot, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";

const VIEWS = "shelf/views.py";
const LIST = "shelf/templates/shelf/list.html";

async function hintsIn(path: string): Promise<string[]> {
  const document = await openFile(path);
  const hints = await commands.executeCommand<InlayHint[]>(
    "vscode.executeInlayHintProvider",
    document.uri,
    new Range(new Position(0, 0), document.positionAt(document.getText().length)),
  );
  return hints.map(({ label }) => label as string);
}

const unknown = ({ uri }: TextDocument): Diagnostic[] =>
  languages.getDiagnostics(uri).filter(({ code }) => code === "unknown-key");

async function insert(document: TextDocument, position: Position, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.insert(document.uri, position, text);
  assert.ok(await workspace.applyEdit(edit));
}

describe("a Django app", () => {
  before(async () => {
    const project = { sourceLocale: "en", languages: [{ locale: "nl", name: "Nederlands" }] };
    const { baseUrl, token } = await startService({ project });
    await runSuccessfully("signIn", { baseUrl, token });
    await runSuccessfully("push");
    const items = [
      ["My bookshelf", "Mijn boekenplank"],
      ["Sorted by title", "Op titel"],
      ["No title", "Zonder titel"],
      ["A long text that goes over two lines.", "Een lange tekst."],
    ].map(([key, value]) => ({ namespace: "django", key, value }));
    await runSuccessfully("setTranslations", { locale: "nl", items });
    const inContext = { locale: "nl", namespace: "django" };
    await runSuccessfully("setTranslation", {
      ...inContext,
      key: "May",
      context: "month name",
      value: "mei",
    });
    await runSuccessfully("setTranslation", { ...inContext, key: "Open", context: "verb", value: "Openen" });
    await runSuccessfully("setTranslation", {
      ...inContext,
      key: "%(count)s book on the shelf",
      forms: { one: "%(count)s boek", other: "%(count)s boeken" },
    });
    await runSuccessfully("refresh");
  });

  for (const [what, path, words, expected] of [
    ["a call in Python", VIEWS, "My bookshelf", "Mijn boekenplank"],
    ["a context in Python", VIEWS, '"May"', "mei"],
    ["a call in an f-string", VIEWS, "Sorted by title", "Op titel"],
    ["strings side by side", VIEWS, "goes over two", "Een lange tekst."],
    ["a tag of a template", LIST, "My bookshelf", "Mijn boekenplank"],
    ["a context in a template", LIST, '"Open"', "Openen"],
    ["a block of a template", LIST, "}} book on the shelf", "%(count)s boeken"],
    ["a filter's argument", LIST, "No title", "Zonder titel"],
  ] as const) {
    it(`shows the translation over ${what}`, async () => {
      const text = await waitFor("the hover has it", async () => {
        const found = await hoverText(path, words);
        return found.includes(expected) ? found : undefined;
      });
      assert.match(text, /^`nl` /m);
    });
  }

  it("shows nothing over comments, strings and docstrings", async () => {
    assert.equal(await hoverText(VIEWS, "A note"), "");
    assert.equal(await hoverText(VIEWS, "Nothing"), "");
    assert.equal(await hoverText(LIST, "In a comment"), "");
  });

  it("shows inlay hints in Python and in a template", async () => {
    await window.showTextDocument(await openFile(VIEWS));
    const inPython = await hintsIn(VIEWS);
    assert.deepEqual(
      ["Mijn boekenplank", "mei", "Op titel", "Een lange tekst."].filter((text) => !inPython.includes(text)),
      [],
      inPython.join(" | "),
    );
    await screenshot("python");
    await window.showTextDocument(await openFile(LIST));
    const inTemplate = await hintsIn(LIST);
    assert.deepEqual(
      ["Mijn boekenplank", "Openen", "Zonder titel"].filter((text) => !inTemplate.includes(text)),
      [],
      inTemplate.join(" | "),
    );
    await screenshot("template");
  });

  for (const [path, code, fixed] of [
    [VIEWS, '\nUNKNOWN = _("My bookshelv")\n', "My bookshelf"],
    [LIST, '\n{% translate "My bookshelv" %}\n', "My bookshelf"],
  ] as const) {
    it(`reports an unknown text in ${path} with the most similar one`, async () => {
      const document = await openFile(path);
      await window.showTextDocument(document);
      await insert(document, document.positionAt(document.getText().length), code);
      const [found] = await waitFor("it is told", () => {
        const all = unknown(document);
        return all.length > 0 ? all : undefined;
      });
      assert.ok(found);
      assert.equal(document.getText(found.range), "My bookshelv");
      const actions = await commands.executeCommand<readonly { readonly edit?: WorkspaceEdit }[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        found.range,
      );
      const texts = actions.flatMap(
        ({ edit }) => edit?.get(document.uri).map(({ newText }) => newText) ?? [],
      );
      assert.ok(texts.includes(fixed), texts.join(" | "));
      await commands.executeCommand("workbench.action.files.revert");
      await waitFor("it is gone", () => unknown(document).length === 0);
    });
  }

  it("completes texts inside quotes in Python and in a template", async () => {
    for (const [path, code] of [
      [VIEWS, '\nNEW = _("")\n'],
      [LIST, '\n{% translate "" %}\n'],
    ] as const) {
      const document = await openFile(path);
      await window.showTextDocument(document);
      const end = document.getText().length;
      await insert(document, document.positionAt(end), code);
      const { items } = await commands.executeCommand<CompletionList>(
        "vscode.executeCompletionItemProvider",
        document.uri,
        document.positionAt(end + code.indexOf('""') + 1),
      );
      const labels = items.map(({ label }) => (typeof label === "string" ? label : label.label));
      assert.ok(labels.includes("Sorted by title"), `${path}: ${labels.slice(0, 20).join(" | ")}`);
      await commands.executeCommand("workbench.action.files.revert");
    }
  });

  it("finds the usages of a text in both", async () => {
    const document = await openFile(VIEWS);
    const places = await waitFor("both are found", async () => {
      const found = await commands.executeCommand<Location[]>(
        "vscode.executeReferenceProvider",
        document.uri,
        middleOfText(document, "My bookshelf"),
      );
      const paths = found.map(({ uri }) => uri.path);
      return paths.some((path) => path.endsWith(LIST)) && paths.some((path) => path.endsWith(VIEWS))
        ? found
        : undefined;
    });
    assert.ok(places.length >= 2);
  });

  for (const [path, words, line, code] of [
    [VIEWS, "Back to the list", 'BACK = "Back to the list"\n', 'BACK = _("Back to the list")'],
    [LIST, "5% cheaper", "<b>5% cheaper</b>\n", '<b>{% translate "5% cheaper" %}</b>'],
  ] as const) {
    it(`extracts a text from ${path}`, async () => {
      const document = await openFile(path);
      const editor = await window.showTextDocument(document);
      await insert(document, document.positionAt(document.getText().length), line);
      const at = document.getText().lastIndexOf(words);
      editor.selection = new Selection(document.positionAt(at), document.positionAt(at + words.length));
      const result = await runSuccessfully("extractKey");
      assert.equal(result["file"], "locale/en/LC_MESSAGES/django.po");
      assert.ok(document.getText().includes(code), document.getText());
      const catalogue = await openFile("locale/en/LC_MESSAGES/django.po");
      assert.ok(catalogue.getText().includes(`msgid "${words.replace("%", "%%")}"`), catalogue.getText());
    });
  }

  it("renames a text in Python, in templates and in every catalogue", async () => {
    const document = await openFile(VIEWS);
    const edit = await commands.executeCommand<WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      document.uri,
      middleOfText(document, "My bookshelf"),
      `The "new" shelf`,
    );
    assert.ok(await workspace.applyEdit(edit));
    for (const [path, words] of [
      [VIEWS, String.raw`title = _("The \"new\" shelf")`],
      [LIST, String.raw`{% translate "The \"new\" shelf" %}`],
      ["locale/en/LC_MESSAGES/django.po", String.raw`msgid "The \"new\" shelf"`],
      ["locale/nl/LC_MESSAGES/django.po", String.raw`msgid "The \"new\" shelf"`],
    ] as const) {
      const text = (await openFile(path)).getText();
      assert.ok(text.includes(words), text);
      assert.ok(!text.includes("My bookshelf"), text);
    }
  });
});

/** Code features with translation files only: no project file, not signed in, no service. */
import assert from "node:assert/strict";
import {
  CodeActionKind,
  commands,
  type CodeAction,
  type CodeLens,
  type Diagnostic,
  type DocumentSymbol,
  languages,
  type Location,
  type LocationLink,
  Range,
  Selection,
  type TextDocument,
  Uri,
  window,
  workspace,
  type WorkspaceEdit,
} from "vscode";
import { runSuccessfully, middleOfText, openFile, positionOf, runCommand } from "../harness/documents.ts";
import { screenshot } from "../harness/bridge-client.ts";
import { pickItem, waitForInput, pressInInput, submitInput, notifications } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";

const MENU = "src/Menu.tsx";
const fileOf = (locale: string): string => `public/locales/${locale}/common.json`;

function uriOf(path: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
}

const textOf = async (path: string): Promise<string> => (await openFile(path)).getText();

const problem = (document: TextDocument, code: string): Promise<Diagnostic> =>
  waitFor(`the problem ${code}`, () =>
    languages.getDiagnostics(document.uri).find((each) => each.code === code),
  );

async function fixFor(document: TextDocument, { range }: Diagnostic, title: string): Promise<CodeAction> {
  const actions = await commands.executeCommand<CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    range,
    CodeActionKind.QuickFix.value,
    20,
  );
  const found = actions.find((each) => each.title === title);
  assert.ok(found, actions.map((each) => each.title).join("\n"));
  return found;
}

const runs = ({ command }: CodeAction): Thenable<Record<string, unknown>> => {
  assert.ok(command);
  return commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
};

async function implementations(document: TextDocument, words: string): Promise<string[]> {
  const found = await commands.executeCommand<LocationLink[]>(
    "vscode.executeImplementationProvider",
    document.uri,
    middleOfText(document, words),
  );
  return found.map(({ targetUri }) => workspace.asRelativePath(targetUri)).toSorted();
}

async function references(document: TextDocument, words: string): Promise<string[]> {
  const found = await commands.executeCommand<Location[]>(
    "vscode.executeReferenceProvider",
    document.uri,
    middleOfText(document, words),
  );
  return found.map(({ uri, range }) => `${workspace.asRelativePath(uri)}:${range.start.line + 1}`).toSorted();
}

describe("code and translation files while signed out", () => {
  let menu: TextDocument;

  before(async () => {
    menu = await openFile(MENU);
    await window.showTextDocument(menu);
    await runSuccessfully("findUnused");
  });

  it("provide implementations in all languages", async () => {
    const all = ["de", "en", "nl"].map(fileOf);
    assert.deepEqual(await implementations(menu, '"menu.title"'), all);
    assert.deepEqual(await implementations(await openFile(fileOf("de")), '"title"'), all);
  });

  it("provide references from code and from an entry", async () => {
    const all = [`${fileOf("de")}:3`, `${fileOf("en")}:3`, `${fileOf("nl")}:3`, `${MENU}:7`];
    assert.deepEqual(await references(menu, '"menu.title"'), all);
    assert.deepEqual(await references(await openFile(fileOf("nl")), '"title"'), all);
  });

  it("show code lenses with translation progress and usages", async () => {
    const english = await openFile(fileOf("en"));
    await window.showTextDocument(english);
    const lensAt = async (words: string): Promise<string> => {
      const lenses = await commands.executeCommand<CodeLens[]>(
        "vscode.executeCodeLensProvider",
        english.uri,
        100,
      );
      const line = positionOf(english, words).line;
      const there = lenses.filter(({ range }) => range.start.line === line);
      return there.map(({ command }) => command?.title).join(" · ");
    };
    await waitFor("the lens of a used key", async () => {
      const title = await lensAt('"hours"');
      return title === "1/2 translated · 1 reference";
    });
    assert.equal(await lensAt('"retired"'), "1/2 translated · unused");
  });

  it("add a missing translation by a quick fix", async () => {
    await window.showTextDocument(menu);
    const fix = await fixFor(menu, await problem(menu, "missing-translation"), "Translate into de…");
    const asked = runs(fix);
    await waitForInput("menu.hours");
    await screenshot("translate");
    await submitInput("Bis sechs geöffnet");
    assert.equal((await asked)["outcome"], "done");
    assert.match(await textOf(fileOf("de")), /"hours": "Bis sechs geöffnet"/);
    await waitFor("the problem is gone", () =>
      languages.getDiagnostics(menu.uri).every(({ code }) => code !== "missing-translation"),
    );
  });

  it("add an unknown key, or correct it, by a quick fix", async () => {
    await window.showTextDocument(menu);
    const unknown = await problem(menu, "unknown-key");
    const asked = runs(await fixFor(menu, unknown, "Add “menu.missing_key” to the translation files…"));
    await waitForInput("menu.missing_key");
    await submitInput("Ask at the counter");
    assert.equal((await asked)["outcome"], "done");
    assert.match(await textOf(fileOf("en")), /"missing_key": "Ask at the counter"/);
    await waitFor("the problem is gone", () =>
      languages.getDiagnostics(menu.uri).every(({ code }) => code !== "unknown-key"),
    );
  });

  it("correct a wrong placeholder by a quick fix", async () => {
    const german = await openFile(fileOf("de"));
    await window.showTextDocument(german);
    const wrong = await waitFor("the placeholder", () =>
      languages.getDiagnostics(german.uri).find(({ message }) => message.includes("nam")),
    );
    const fix = await fixFor(german, wrong, "Change to “Willkommen, {{name}}!” in this file");
    assert.equal((await runs(fix))["outcome"], "done");
    assert.match(await textOf(fileOf("de")), /"welcome": "Willkommen, \{\{name\}\}!"/);
  });

  it("rename a key in code and files", async () => {
    const edit = await commands.executeCommand<WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      menu.uri,
      middleOfText(menu, '"menu.title"'),
      "menu.heading",
    );
    const files = edit.entries().map(([uri]) => workspace.asRelativePath(uri));
    assert.deepEqual(files.toSorted(), [...["de", "en", "nl"].map(fileOf), MENU]);
    assert.ok(await workspace.applyEdit(edit));
    await workspace.saveAll();
    assert.match(menu.getText(), /t\("menu\.heading"\)/);
    for (const locale of ["de", "en", "nl"]) assert.match(await textOf(fileOf(locale)), /"heading": "/);
    await waitFor("the new name is known", async () => {
      const { keys } = await runSuccessfully("listKeys");
      const names = (keys as { key: string }[]).map(({ key }) => key);
      return names.includes("menu.heading") && !names.includes("menu.title");
    });
    // Where there is no service, nothing waits for it.
    const offers = await notifications();
    assert.ok(
      offers.every((each) => !each.includes("on the service")),
      offers.join("\n"),
    );
    await commands.executeCommand("notifications.clearAll");
  });

  it("extract a text from code", async () => {
    const editor = await window.showTextDocument(menu);
    const start = positionOf(menu, "Fresh scones every day");
    editor.selection = new Selection(start, start.translate(0, "Fresh scones every day".length));
    const asked = runCommand("extractKey", { confirm: true });
    const proposed = await waitForInput("Fresh scones every day");
    assert.equal(proposed, "fresh_scones_every_day");
    await submitInput("menu.scones");
    const result = await asked;
    assert.deepEqual([result["outcome"], result["file"]], ["done", fileOf("en")], JSON.stringify(result));
    assert.match(menu.getText(), /<p>\{t\("menu\.scones"\)\}<\/p>/);
    assert.match(await textOf(fileOf("en")), /"scones": "Fresh scones every day"/);
    await menu.save();
  });

  it("take back an extraction in code and translation file with one undo", async () => {
    const before = [menu.getText(), await textOf(fileOf("en"))];
    const editor = await window.showTextDocument(menu);
    const start = positionOf(menu, "useTranslation()");
    const line = '  const late = "We close soon";';
    assert.ok(await editor.edit((edit) => edit.insert(start.with(start.line + 1, 0), `${line}\n`)));
    const inserted = menu.getText();
    const at = positionOf(menu, "We close soon");
    editor.selection = new Selection(at, at.translate(0, "We close soon".length));
    await runSuccessfully("extractKey", { key: "menu.late" });
    assert.match(menu.getText(), /t\("menu\.late"\)/);
    assert.match(await textOf(fileOf("en")), /"late": "We close soon"/);
    await commands.executeCommand("undo");
    await waitFor("both are undone", async () => {
      return menu.getText() === inserted && (await textOf(fileOf("en"))) === before[1];
    });
    await commands.executeCommand("undo");
    assert.equal(menu.getText(), before[0]);
    await workspace.saveAll();
  });

  it("list hard-coded texts and extract them one by one", async () => {
    const path = "src/Hours.tsx";
    const code = [
      'import { useTranslation } from "react-i18next";',
      "",
      "export function Hours() {",
      "  const { t } = useTranslation();",
      '  return <p title="Opening hours">Closed on Mondays <b className="big">See you soon</b> {t("menu.hours")}</p>;',
      "}",
      "",
    ];
    await workspace.fs.writeFile(uriOf(path), new TextEncoder().encode(code.join("\n")));
    const document = await openFile(path);
    await window.showTextDocument(document);
    const found = async (options: object): Promise<string[]> => {
      const { texts } = await runSuccessfully("findTexts", options);
      return (texts as { path: string; line: number; text: string }[]).map(
        (each) => `${each.path}:${each.line + 1} ${each.text}`,
      );
    };
    const all = [`${path}:5 Opening hours`, `${path}:5 Closed on Mondays`, `${path}:5 See you soon`];
    assert.deepEqual(await found({}), all);
    assert.deepEqual(await found({ files: [uriOf("src")] }), all);
    const listing = runCommand("findTexts", { confirm: true });
    await waitForInput("Hard-coded texts (3)");
    await waitFor("its place is shown", () => {
      const { selection, document: shown } = window.activeTextEditor ?? {};
      return selection !== undefined && shown?.getText(selection) === '"Opening hours"';
    });
    await screenshot("texts");
    await pickItem("Closed on Mondays");
    await waitForInput("Extract “Closed on Mondays”");
    await submitInput("menu.closed");
    await waitForInput("Hard-coded texts (2)");
    await waitFor("the code says it", () => document.getText().includes('{t("menu.closed")} <b'));
    await pickItem("See you soon");
    await waitForInput("Extract “See you soon”");
    await submitInput("menu.soon");
    await waitForInput("Hard-coded texts (1)");
    await pressInInput("Escape");
    assert.equal((await listing)["outcome"], "done");
    assert.match(document.getText(), /<b className="big">\{t\("menu\.soon"\)\}<\/b>/);
    assert.match(await textOf(fileOf("en")), /"closed": "Closed on Mondays"/);
    await document.save();
  });

  it("set a text through the prompt", async () => {
    const asked = runCommand("setLocal", {
      confirm: true,
      namespace: "common",
      key: "menu.scones",
      locale: "nl",
    });
    await waitForInput("menu.scones");
    await submitInput("Elke dag verse scones");
    assert.equal((await asked)["outcome"], "done");
    assert.match(await textOf(fileOf("nl")), /"scones": "Elke dag verse scones"/);
  });

  it("show an outline and maximum lengths for gettext files", async () => {
    const path = "desk/locale/nl/LC_MESSAGES/django.po";
    const head = 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n';
    const po = `${head}\n#, max-length:10\nmsgid "Pay"\nmsgstr "Afrekenen alstublieft"\n\nmsgid "Tip"\nmsgstr "Fooi"\n`;
    const files = { "desk/manage.py": "", "desk/views.py": '_("Pay")\n_("Tip")\n', [path]: po };
    for (const [each, text] of Object.entries(files))
      await workspace.fs.writeFile(uriOf(each), new TextEncoder().encode(text));
    const document = await openFile(path);
    await window.showTextDocument(document);
    await waitFor("the keys", async () => {
      const { keys } = await runSuccessfully("listKeys", { folder: uriOf(path).fsPath });
      return (keys as unknown[]).length === 2;
    });
    const symbols = await waitFor("the outline", async () => {
      const found = await commands.executeCommand<DocumentSymbol[] | undefined>(
        "vscode.executeDocumentSymbolProvider",
        document.uri,
      );
      return (found ?? []).length === 2 && found;
    });
    assert.deepEqual(
      symbols.map(({ name, detail }) => [name, detail]),
      [
        ["Pay", "Afrekenen alstublieft"],
        ["Tip", "Fooi"],
      ],
    );
    const long = await problem(document, "too-long");
    assert.match(long.message, /Pay \(nl\): 21 of at most 10 characters$/);
    assert.ok(long.range.isEqual(new Range(7, 7, 7, 30)), JSON.stringify(long.range));
    await screenshot("gettext");
  });

  it("write no project file", async () => {
    await assert.rejects(async () => workspace.fs.stat(uriOf("project-translations.json")));
  });
});

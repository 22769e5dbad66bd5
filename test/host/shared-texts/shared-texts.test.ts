/** A monorepo whose texts are in packages of their own: no project file, not signed in. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import {
  commands,
  languages,
  type Location,
  type LocationLink,
  Uri,
  window,
  workspace,
  type WorkspaceEdit,
} from "vscode";
import { hoverText, middleOfText, openFile, runSuccessfully } from "../harness/documents.ts";
import { waitFor } from "../harness/wait-for.ts";

const uri = (...path: readonly string[]): Uri => {
  const [root] = workspace.workspaceFolders ?? [];
  assert.ok(root);
  return Uri.joinPath(root.uri, ...path);
};

const TEXTS = { folder: uri("packages", "texts") };
const MAIL = { folder: uri("packages", "mail-texts") };

interface Report {
  readonly unused: readonly { readonly key: string }[];
  readonly used: number;
  readonly undeterminable: readonly unknown[];
}

async function report(options: typeof TEXTS): Promise<Report> {
  return (await runSuccessfully("findUnused", options)) as unknown as Report;
}

async function usesOf(options: typeof TEXTS, namespace: string, key: string): Promise<readonly string[]> {
  const { uses } = await runSuccessfully("findUses", { ...options, namespace, key });
  return (uses as readonly { readonly path: string }[]).map(({ path }) => path).toSorted();
}

const unknownKeys = (file: Uri): readonly string[] =>
  languages.getDiagnostics(file).flatMap(({ code, message }) => (code === "unknown-key" ? [message] : []));

describe("packages that share their texts", () => {
  it("have hovers where the code is written", async () => {
    await waitFor("the hover", async () =>
      (await hoverText("apps/web/src/Tonight.tsx", "tonight.title")).includes("De hemel vannacht"),
    );
    // By way of the package in between, and in it.
    assert.match(await hoverText("packages/ui/src/ReserveButton.tsx", "telescope.reserve"), /Reserveer/);
    // Of the two packages that it depends on, the one whose texts it loads, and the other one.
    assert.match(await hoverText("apps/mailer/src/send.ts", "mail.subject"), /Uw avond/);
    assert.match(await hoverText("apps/mailer/src/send.ts", "tonight.title"), /De hemel vannacht/);
  });

  it("complete and define keys, and report unknown ones", async () => {
    const document = await openFile("apps/web/src/Tonight.tsx");
    const position = middleOfText(document, "tonight.title");
    const [definition] = await commands.executeCommand<(Location | LocationLink)[]>(
      "vscode.executeDefinitionProvider",
      document.uri,
      position,
    );
    assert.ok(definition && "targetUri" in definition);
    assert.match(definition.targetUri.path, /packages\/texts\/locales\//);
    const { items } = await commands.executeCommand<{ items: { label: string | { label: string } }[] }>(
      "vscode.executeCompletionItemProvider",
      document.uri,
      position,
    );
    const labels = items.map(({ label }) => (typeof label === "string" ? label : label.label));
    assert.ok(labels.includes("tonight.cloudy"), labels.join());
    await window.showTextDocument(document);
    await waitFor("the misspelled key", () => unknownKeys(document.uri).length === 1);
    const mailer = await openFile("apps/mailer/src/send.ts");
    await window.showTextDocument(mailer);
    await hoverText("apps/mailer/src/send.ts", "mail.subject");
    assert.deepEqual(unknownKeys(mailer.uri), []);
  });

  it("have the keys that the app sees, and their texts where they stand", async () => {
    assert.match(await hoverText("apps/mailer/src/send.ts", "reminder.tomorrow"), /Tot morgen/);
    const key = { ...MAIL, confirm: false, namespace: "translation", key: "mail.reminder.tomorrow" };
    const { file } = await runSuccessfully("setLocal", { ...key, locale: "nl", value: "Tot morgenavond" });
    assert.equal(file, "src/locales/nl/mail/reminder.ts");
    const text = (await openFile(`packages/mail-texts/${file}`)).getText();
    assert.match(text, /const reminder = \{\n {2}tomorrow: "Tot morgenavond",\n\};/);
    await waitFor("the hover", async () =>
      (await hoverText("apps/mailer/src/send.ts", "reminder.tomorrow")).includes("Tot morgenavond"),
    );
  });

  it("have the keys of a module that is added", async () => {
    const write = (path: string, text: string): Thenable<void> =>
      workspace.fs.writeFile(uri("packages", "mail-texts", path), new TextEncoder().encode(text));
    const names = async (): Promise<readonly string[]> => {
      const { keys } = await runSuccessfully("listKeys", MAIL);
      return (keys as readonly { readonly namespace: string; readonly key: string }[]).map(
        ({ namespace, key }) => `${namespace}:${key}`,
      );
    };
    const atFirst = await names();
    const path = "src/locales/en/index.ts";
    const before = (await openFile(`packages/mail-texts/${path}`)).getText();
    await write("src/locales/en/later.ts", 'export default { title: "Later" };\n');
    await write(path, `import later from "./later.js";\n${before.replace("{ mail }", "{ mail, later }")}`);
    await waitFor("the key", async () => (await names()).includes("translation:later.title"));
    await write(path, before);
    await workspace.fs.delete(uri("packages", "mail-texts", "src", "locales", "en", "later.ts"));
    await waitFor("only the others, as before", async () => isDeepStrictEqual(await names(), atFirst));
  });

  it("count the usages of all packages before a key is unused", async () => {
    const texts = await report(TEXTS);
    assert.deepEqual(
      texts.unused.map(({ key }) => key),
      ["old_banner"],
    );
    assert.deepEqual([texts.used, texts.undeterminable], [5, []]);
    assert.deepEqual((await report(MAIL)).unused, []);
    assert.deepEqual(await usesOf(TEXTS, "translation", "telescope.free"), [
      "../../apps/web/src/Tonight.tsx",
    ]);
    assert.deepEqual(await usesOf(TEXTS, "translation", "tonight.title"), [
      "../../apps/mailer/src/send.ts",
      "../../apps/web/src/Tonight.tsx",
    ]);
  });

  it("rename a key in the code of all packages", async () => {
    const document = await openFile("packages/ui/src/ReserveButton.tsx");
    const edit = await commands.executeCommand<WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      document.uri,
      middleOfText(document, "telescope.reserve"),
      "telescope.book",
    );
    const changed = edit.entries().map(([each]) => workspace.asRelativePath(each));
    assert.deepEqual(changed.toSorted(), [
      "packages/texts/locales/en/translation.json",
      "packages/texts/locales/nl/translation.json",
      "packages/ui/src/ReserveButton.tsx",
    ]);
  });

  it("follow changes of the code and of the manifests", async () => {
    const file = uri("apps", "web", "src", "Banner.tsx");
    const code = 'import { t } from "i18next";\nexport const banner = t("old_banner");\n';
    await workspace.fs.writeFile(file, new TextEncoder().encode(code));
    await waitFor("the key is used", async () => (await report(TEXTS)).unused.length === 0);
    await workspace.fs.delete(file);
    await waitFor("the key is unused", async () => (await report(TEXTS)).unused.length === 1);
    const manifest = uri("apps", "web", "package.json");
    const before = await workspace.fs.readFile(manifest);
    await workspace.fs.writeFile(manifest, new TextEncoder().encode('{ "name": "@observatory/web" }'));
    await waitFor("its code uses the texts no more", async () =>
      (await report(TEXTS)).unused.some(({ key }) => key === "tonight.cloudy"),
    );
    await workspace.fs.writeFile(manifest, before);
    await waitFor("its code uses them again", async () => (await report(TEXTS)).unused.length === 1);
  });

  it("are named by the project file, too", async () => {
    const { keys: mailKeys } = await runSuccessfully("listKeys", MAIL);
    const file = uri("packages", "texts", "project-translations.json");
    const content = {
      files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
      // What belongs to another project stays there.
      usage: { include: ["../../apps/mailer/src/**/*.ts", "../mail-texts/src/**/*.ts"] },
    };
    await workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(content)));
    await waitFor("only what it includes is searched", async () => (await report(TEXTS)).used === 1);
    assert.deepEqual(await usesOf(TEXTS, "translation", "tonight.title"), ["../../apps/mailer/src/send.ts"]);
    assert.deepEqual((await runSuccessfully("listKeys", MAIL))["keys"], mailKeys);
    await workspace.fs.delete(file);
    await waitFor("all packages are searched again", async () => (await report(TEXTS)).used === 5);
  });
});

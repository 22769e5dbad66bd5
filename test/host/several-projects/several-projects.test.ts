/**
 * Several projects in one window, each with its own token, cache and rows; a file belongs to the nearest project
 * file.
 */
import assert from "node:assert/strict";
import {
  type CodeAction,
  type CodeLens,
  commands,
  type CompletionList,
  type Hover,
  languages,
  type Location,
  type LocationLink,
  Position,
  Range,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { pickItem } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { cell, status } from "../translation-editor/page.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const folder = (...path: readonly string[]): Uri => {
  const [root] = workspace.workspaceFolders ?? [];
  assert.ok(root);
  return Uri.joinPath(root.uri, ...path);
};

const rows = (): Promise<string[]> => onPage((page) => page.getByRole("treeitem").allInnerTexts());

describe("several projects", () => {
  let shop: Awaited<ReturnType<typeof startService>>;
  let store: Awaited<ReturnType<typeof startService>>;

  before(async () => {
    shop = await startService({ demo: true });
    store = await startService({
      project: { slug: "storefront", name: "Storefront", languages: [{ locale: "nl", name: "Nederlands" }] },
    });
  });

  it("refuse a command if it is ambiguous which project it is for", async () => {
    const { baseUrl, token } = shop;
    assert.equal((await run("signIn", { baseUrl, token })).error?.code, "no_project");
  });

  it("get the skill for agents in their own folder, if it is said which", async () => {
    assert.equal((await run("writeAgentSkill")).error?.code, "no_project");
    assert.equal((await run("writeAgentSkill", { folder: folder("storefront") })).outcome, "done");
    const written = await workspace.findFiles("**/SKILL.md");
    assert.deepEqual(written.map(String), [
      folder("storefront", ".claude", "skills", "project-translations", "SKILL.md").toString(),
    ]);
    await workspace.fs.delete(folder("storefront", ".claude"), { recursive: true });
  });

  it("are signed in to one by one, by any of their files", async () => {
    const inShop = folder("webshop", "lang", "en", "cart.php");
    const first = await run("signIn", { baseUrl: shop.baseUrl, token: shop.token, folder: inShop });
    assert.deepEqual(first["project"], { slug: "webshop", name: "Webshop" });
    assert.equal(
      (await run("push", { folder: folder("storefront").fsPath, dryRun: true })).error?.code,
      "not_signed_in",
    );
    const inStore = folder("storefront").toString();
    const second = await run("signIn", { baseUrl: store.baseUrl, token: store.token, folder: inStore });
    assert.deepEqual(second["project"], { slug: "storefront", name: "Storefront" });
  });

  it("each have a row with their languages", async () => {
    await commands.executeCommand("projectTranslations.languages.focus");
    await waitFor("both rows", async () => {
      const texts = await rows();
      return ["webshop", "storefront"].every((name) => texts.some((each) => each.startsWith(name)));
    });
    await waitFor("a language of the shop", async () =>
      (await rows()).some((each) => each.includes("Polski (pl)")),
    );
    await screenshot("projects");
  });

  it("push only their own files", async () => {
    const options = { dryRun: true, folder: folder("storefront") };
    const { plan } = (await run("push", options)) as unknown as { plan: { new: number; changed: number } };
    const common = JSON.parse(
      new TextDecoder().decode(
        await workspace.fs.readFile(folder("storefront", "public", "locales", "en", "common.json")),
      ),
    ) as object;
    assert.ok(plan.new >= Object.keys(common).length && plan.changed === 0, JSON.stringify(plan));
    const keys = (await run("listKeys", { folder: folder("storefront") }))["keys"] as unknown[];
    assert.equal(keys.length, 0);
  });

  it("save only their own files before a push", async () => {
    const path = ["public", "locales", "en", "common.json"];
    const copy = folder("copy", ...path);
    await workspace.fs.copy(folder("storefront", ...path), copy);
    const [own, other] = await Promise.all(
      [folder("storefront", ...path), copy].map((uri) => workspace.openTextDocument(uri)),
    );
    assert.ok(own && other);
    const edit = new WorkspaceEdit();
    for (const { uri } of [own, other]) edit.insert(uri, new Position(0, 1), '"added": "Added",');
    await workspace.applyEdit(edit);
    const pushing = run("push", { folder: folder("storefront"), confirm: true });
    await pickItem("Save and Continue");
    await waitFor("the saved file", () => !own.isDirty);
    await onPage((page) =>
      page.locator(".quick-input-list .monaco-list-row", { hasText: "added" }).waitFor(),
    );
    assert.ok(other.isDirty);
    await commands.executeCommand("workbench.action.closeQuickOpen");
    assert.equal((await pushing).outcome, "cancelled");
    await window.showTextDocument(other);
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await workspace.fs.delete(folder("copy"), { recursive: true });
  });

  it("are chosen by the active editor", async () => {
    await window.showTextDocument(folder("storefront", "src", "Basket.tsx"));
    const stats = (await run("refresh"))["stats"] as { languages: { totalKeys: number }[] };
    assert.equal(stats.languages[0]?.totalKeys, 0);
    await window.showTextDocument(folder("webshop", "resources", "views", "cart.blade.php"));
    const other = (await run("refresh"))["stats"] as typeof stats;
    assert.ok((other.languages[0]?.totalKeys ?? 0) > 0);
  });

  it("are signed out of one by one", async () => {
    assert.equal((await run("signOut", { folder: folder("storefront") })).outcome, "done");
    assert.equal((await run("refresh", { folder: folder("webshop") })).outcome, "done");
    assert.equal(
      (await run("push", { folder: folder("storefront"), dryRun: true })).error?.code,
      "not_signed_in",
    );
  });

  it("use each other’s keys by a namespace that only one of them has", async () => {
    const webshop = { folder: folder("webshop") };
    type Key = { readonly namespace: string; readonly key: string; readonly hash: string };
    const unused = async (): Promise<readonly Key[]> =>
      (await run("findUnused", webshop))["unused"] as readonly Key[];
    const file = folder("webshop", "lang", "en", "shared.php");
    const entry = "<?php\n\nreturn [\n    'only_here' => 'Only in the shop',\n];\n";
    await workspace.fs.writeFile(file, new TextEncoder().encode(entry));
    assert.equal((await run("push", webshop)).outcome, "done");
    const key = (await unused()).find(({ namespace }) => namespace === "shared");
    assert.ok(key, "a key that nobody uses");
    const uri = folder("storefront", "src", "Shared.tsx");
    const written = `${key.namespace}:${key.key}`;
    const text = `import { t } from "i18next";\nexport const shared = t("${written}");\nt("${key.namespace}:no.such");\n`;
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    const position = document.positionAt(document.getText().indexOf(written) + 2);
    await waitFor("the hover has the text of the other project", async () => {
      const hovers = await commands.executeCommand<Hover[]>("vscode.executeHoverProvider", uri, position);
      return hovers.some(({ contents }) =>
        contents.some((each) => (each as { value: string }).value.includes("Only in the shop")),
      );
    });
    const [definition] = await commands.executeCommand<LocationLink[]>(
      "vscode.executeDefinitionProvider",
      uri,
      position,
    );
    assert.match(definition?.targetUri.path ?? "", /webshop\/lang\/en\//);
    await waitFor("only the key that no project has is unknown", () => {
      const found = languages.getDiagnostics(uri).filter(({ code }) => code === "unknown-key");
      return found.length === 1 && found[0]?.range.start.line === 2;
    });
    assert.ok((await unused()).every(({ hash }) => hash !== key.hash));
    const { namespace, key: name } = key;
    const uses = (await run("findUses", { ...webshop, namespace, key: name }))["uses"] as { path: string }[];
    assert.deepEqual(
      uses.map(({ path }) => path),
      ["../storefront/src/Shared.tsx"],
    );
    await workspace.fs.delete(uri);
    assert.ok((await unused()).some(({ hash }) => hash === key.hash));
  });

  it("rename, complete and fix a key of another project in both of them", async () => {
    const webshop = { folder: folder("webshop") };
    const file = folder("webshop", "lang", "en", "shared.php");
    const entryText = (await workspace.openTextDocument(file)).getText();
    const uri = folder("storefront", "src", "SharedKeys.tsx");
    const text = `import { t } from "i18next";\nexport const shared = t("shared:only_here");\nt("shared:only_her");\nt("shared:");\n`;
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    const at = (words: string, offset = 0): Position =>
      document.positionAt(document.getText().indexOf(words) + offset);
    await waitFor("the misspelled key is unknown, the other one is not", () => {
      const found = languages.getDiagnostics(uri).filter(({ code }) => code === "unknown-key");
      const lines = found.map(({ range }) => range.start.line);
      return lines.includes(2) && !lines.includes(1);
    });

    const completed = async (position: Position): Promise<readonly string[]> => {
      const { items } = await commands.executeCommand<CompletionList>(
        "vscode.executeCompletionItemProvider",
        uri,
        position,
      );
      return items.map(({ label }) => (typeof label === "string" ? label : label.label));
    };
    const keys = await completed(at(`shared:")`, "shared:".length));
    assert.ok(keys.includes("shared:only_here"), JSON.stringify(keys.slice(0, 9)));
    const namespaces = await completed(at(`shared:")`, "sha".length));
    assert.ok(namespaces.includes("shared:"), JSON.stringify(namespaces.slice(0, 9)));

    const fixes = await commands.executeCommand<CodeAction[]>(
      "vscode.executeCodeActionProvider",
      uri,
      new Range(at("shared:only_her", 2), at("shared:only_her", 2)).with({ end: at(`only_her"`, 2) }),
    );
    assert.ok(
      fixes.some(({ title }) => title.includes("“shared:only_here”")),
      JSON.stringify(fixes.map(({ title }) => title)),
    );
    const adds = fixes.flatMap(({ command }) =>
      command?.command === "projectTranslations.setLocal" ? (command.arguments ?? []) : [],
    ) as { readonly folder: Uri; readonly namespace: string; readonly key: string }[];
    assert.deepEqual(
      adds.map(({ folder: to, namespace, key }) => [to.path, namespace, key]),
      [[folder("webshop").path, "shared", "only_her"]],
    );

    const renameAt = async (place: Uri, position: Position): Promise<readonly string[]> => {
      const edit = await commands.executeCommand<WorkspaceEdit>(
        "vscode.executeDocumentRenameProvider",
        place,
        position,
        place.path.endsWith(".php") ? "renamed_here" : "shared:renamed_here",
      );
      return edit
        .entries()
        .map(([changed, edits]) => `${workspace.asRelativePath(changed)} ${edits.length}`)
        .sort();
    };
    await waitFor("the usage in the other project is counted", async () => {
      const lenses = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", file, 100);
      return lenses.some(({ command }) => command?.title.endsWith("1 reference"));
    });
    const references = await commands.executeCommand<Location[]>(
      "vscode.executeReferenceProvider",
      file,
      (await workspace.openTextDocument(file)).positionAt(entryText.indexOf("only_here") + 2),
    );
    assert.ok(
      references.some(({ uri: { path } }) => path === uri.path),
      JSON.stringify(references.map(({ uri: { path } }) => path)),
    );
    await run("openEditor", { ...webshop, filter: "unused", search: "only_here" });
    await waitFor("the key is not among the unused ones", async () => (await status()).startsWith("0 "));
    await run("openEditor", { ...webshop, search: "only_here" });
    await waitFor("the key has a row", async () => (await cell("only_here", "en")) !== null);
    await window.showTextDocument(document);

    const both = ["storefront/src/SharedKeys.tsx 1", "webshop/lang/en/shared.php 1"];
    assert.deepEqual(await renameAt(uri, at("shared:only_here", 9)), both);
    const entries = await workspace.openTextDocument(file);
    const inFile = entries.positionAt(entries.getText().indexOf("only_here") + 2);
    assert.deepEqual(await renameAt(file, inFile), both);
    const { uses } = (await run("findUses", {
      ...webshop,
      namespace: "shared",
      key: "only_here",
    })) as unknown as {
      readonly uses: readonly { readonly path: string }[];
    };
    assert.deepEqual(
      uses.map(({ path }) => path),
      ["../storefront/src/SharedKeys.tsx"],
    );
    await workspace.fs.delete(uri);
  });
});

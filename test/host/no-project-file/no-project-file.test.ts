/** A folder without a project file: the recognised layout is proposed, and nothing is written without consent. */
import assert from "node:assert/strict";
import { commands, Uri, workspace } from "vscode";
import { isStored } from "../harness/browser-storage.ts";
import { onPage, reloadWindow, screenshot, stage, startService } from "../harness/bridge-client.ts";
import { pressInInput } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const projectFile = (): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, "project-translations.json");
};

const isThere = async (): Promise<boolean> =>
  workspace.fs.stat(projectFile()).then(
    () => true,
    () => false,
  );

describe("a folder without a project file", () => {
  it("can be signed in to, which is remembered and writes no file", async function () {
    if ((await stage(this)) === undefined) {
      await workspace.fs.delete(projectFile());
      const { baseUrl, token } = await startService({ demo: true });
      assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
      assert.equal((await run("refresh")).outcome, "done");
      await waitFor("what was signed in to is stored", () => isStored(baseUrl));
      await reloadWindow(this, "reloaded");
    }
    // Nothing in the folder starts the extension now; a command does.
    assert.equal((await run("refresh")).outcome, "done");
    assert.equal(await isThere(), false);
  });

  it("offers the recognised layouts and writes nothing if declined", async () => {
    assert.equal((await run("setUpProjectFile")).error?.code, "invalid");
    const asked = run("setUpProjectFile", { confirm: true });
    const rows = await waitFor("the proposals", async () => {
      const texts = await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row").allInnerTexts(),
      );
      return texts.length >= 3 && texts;
    });
    assert.ok(
      rows.some((each) => each.includes("lang/{locale}/{namespace}.php")),
      rows.join(),
    );
    assert.ok(
      rows.some((each) => each.includes("lang/{locale}.json")),
      rows.join(),
    );
    await screenshot("proposals");
    await pressInInput("Escape");
    assert.equal((await asked).outcome, "cancelled");
    assert.equal(await isThere(), false);
  });

  it("writes the selected layouts to the project file and knows their keys", async () => {
    const asked = run("setUpProjectFile", { confirm: true });
    await onPage(async (page) => {
      await page.locator(".quick-input-list .monaco-list-row").nth(2).waitFor();
      await page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click();
    });
    const result = await asked;
    assert.deepEqual([result.outcome, result["written"]], ["done", 2]);
    const file = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(projectFile()))) as Record<
      string,
      unknown
    >;
    assert.deepEqual(file, {
      files: [
        { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
        { path: "lang/{locale}.json", format: "laravel_json" },
      ],
    });
    await waitFor("the keys are known", async () => {
      const text = String((await run("showDiagnosis"))["text"]);
      return /the service knows 5\d of 5\d/.test(text);
    });
  });

  it("preserves comments and order when layouts are added", async () => {
    const text = '{\n  // ours\n  "preview": ["nl"],\n  "files": []\n}\n';
    await workspace.fs.writeFile(projectFile(), new TextEncoder().encode(text));
    await waitFor("the change is seen", async () =>
      String((await run("showDiagnosis"))["text"]).includes("None. Configure Project"),
    );
    const asked = run("setUpProjectFile", { confirm: true });
    await onPage(async (page) => {
      await page.locator(".quick-input-list .monaco-list-row").nth(2).waitFor();
      await page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click();
    });
    assert.equal((await asked).outcome, "done");
    const after = new TextDecoder().decode(await workspace.fs.readFile(projectFile()));
    assert.ok(after.startsWith('{\n  // ours\n  "preview": ["nl"],\n  "files": ['), after);
    assert.ok(after.includes("lang/{locale}.json"), after);
  });

  it("offers the usual layout of every format", async () => {
    const po = 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n\nmsgid "Save"\nmsgstr "Bewaren"\n';
    const xliff = (version: string, body: string): string =>
      `<xliff version="${version}" xmlns="urn:oasis:names:tc:xliff:document:${version}" ${body}</xliff>\n`;
    const unit = '<trans-unit id="a"><source>A</source><target>Aa</target></trans-unit>';
    const unit2 = '<unit id="a"><segment><source>A</source><target>Aa</target></segment></unit>';
    const jed = '{"locale_data":{"messages":{"":{"lang":"nl"},"Save":["Bewaren"]}}}';
    const files: Readonly<Record<string, string>> = {
      "languages/shop.pot": po.replace("Bewaren", ""),
      "languages/shop-nl_NL.po": po,
      "languages/shop-de_DE.po": po,
      "locale/messages.xlf": xliff(
        "1.2",
        `><file original="a" source-language="en" datatype="x"><body>${unit}</body></file>`,
      ),
      "locale/messages.nl.xlf": xliff(
        "1.2",
        `><file original="a" source-language="en" target-language="nl" datatype="x"><body>${unit}</body></file>`,
      ),
      "translations/app.nl.xlf": xliff("2.0", `srcLang="en" trgLang="nl"><file id="a">${unit2}</file>`),
      "translations/app.de.xlf": xliff("2.0", `srcLang="en" trgLang="de"><file id="a">${unit2}</file>`),
      "web/locales/en/common.json": '{"save": "Save"}',
      "web/locales/nl/common.json": '{"save": "Bewaren"}',
      "web/i18n/en.ts": "export default { save: 'Save' } as const;\n",
      "web/i18n/nl.ts": "export default { save: 'Bewaren' } as const;\n",
      "scripts/languages/shop-nl_NL-0123456789abcdef0123456789abcdef.json": jed,
      "sheets/translations.csv": "key,en,nl\nsave,Save,Bewaren\n",
    };
    for (const [path, text] of Object.entries(files)) {
      await workspace.fs.writeFile(Uri.joinPath(projectFile(), "..", path), new TextEncoder().encode(text));
    }
    const asked = run("setUpProjectFile", { confirm: true });
    const rows = await waitFor("the proposals", async () => {
      const texts = await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row").allInnerTexts(),
      );
      return texts.length >= 8 && texts.map((text) => text.replaceAll("\n", " "));
    });
    await screenshot("proposals-of-formats");
    const offered = (path: string, format: string): boolean =>
      rows.some((row) => row.includes(path) && row.includes(format));
    for (const [path, format] of [
      ["languages/shop.pot", "gettext POT, namespace shop"],
      ["languages/shop-{locale}.po", "gettext PO, namespace shop"],
      ["locale/messages.xlf", "XLIFF 1.2"],
      ["locale/messages.{locale}.xlf", "XLIFF 1.2"],
      ["translations/app.{locale}.xlf", "XLIFF 2.0"],
      ["web/locales/{locale}/{namespace}.json", "JSON"],
      ["web/i18n/{locale}.ts", "JavaScript/TypeScript"],
      ["sheets/translations.csv", "CSV"],
    ] as const) {
      assert.ok(offered(path, format), `${path} as ${format}: ${rows.join("\n")}`);
    }
    await pressInInput("Escape");
    assert.equal((await asked).outcome, "cancelled");
  });

  it("shows its local files again after signing out", async () => {
    const before = await workspace.fs.readFile(Uri.joinPath(projectFile(), "../lang/en/cart.php"));
    assert.equal((await run("signOut")).outcome, "done");
    const { keys } = await run("listKeys");
    assert.ok((keys as { key: string }[]).some(({ key }) => key === "title"));
    assert.equal((await run("push", { dryRun: true })).error?.code, "not_signed_in");
    assert.deepEqual(await workspace.fs.readFile(Uri.joinPath(projectFile(), "../lang/en/cart.php")), before);
  });
});

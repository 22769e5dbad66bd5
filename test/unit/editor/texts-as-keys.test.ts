/** Apps whose keys are their texts: in code, in catalogues, and where a text is extracted. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyKeyCommand, findUsesCommand } from "../../../src/commands/declarations/key-commands.ts";
import { extractKeyCommand } from "../../../src/commands/declarations/text-commands.ts";
import { type Editor, openEditor, selectionIn } from "../support/open-editor.ts";
import {
  answerNextInput,
  type CodeAction,
  commands,
  type DocumentSymbol,
  problems,
  Range,
  workspace,
  type WorkspaceEdit,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let editor: Editor;

describe("with gettext", () => {
  const CODE = "app/Shop.php";
  const ENGLISH = "locale/en/LC_MESSAGES/shop.po";
  const DUTCH = "locale/nl/LC_MESSAGES/shop.po";
  const head = (language: string): string => `msgid ""
msgstr ""
"Language: ${language}\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

`;
  beforeAll(async () => {
    editor = await openEditor({
      indexingProcess: true,
      files: {
        "composer.json": JSON.stringify({ require: { "gettext/gettext": "^5.7" } }),
        "project-translations.json": JSON.stringify({
          files: [{ path: "locale/{locale}/LC_MESSAGES/shop.po", format: "po", namespace: "shop" }],
          sourceLocale: "en",
        }),
        [ENGLISH]: `${head("en")}msgid "Save"
msgstr "Save"

msgid "%d book"
msgid_plural "%d books"
msgstr[0] "%d book"
msgstr[1] "%d books"

msgid "Hello %s"
msgstr "Hello %s"

msgctxt "menu"
msgid "Open"
msgstr "Open"

msgctxt "shop"
msgid "Open"
msgstr "Open"
`,
        [DUTCH]: `${head("nl")}msgid "Save"
msgstr "Opslaan"

msgid "%d book"
msgid_plural "%d books"
msgstr[0] "%d boek"
msgstr[1] "%d boeken, 50% korting"

#, fuzzy
msgid "Hello %s"
msgstr "Hallo"

msgctxt "menu"
msgid "Open"
msgstr "Openen"

msgctxt "shop"
msgid "Open"
msgstr "Geopend"
`,
        [CODE]: `<?php

echo _('Save'), ngettext('%d book', '%d books', 2), sprintf(_('Hello %s'), 'Ann'), pgettext('menu', 'Open');
echo 'Thank you';
echo _('Not extracted yet');
echo dpgettext('shop', 'menu', 'Open');
`,
      },
    });
  });
  afterAll(() => editor.close());

  test("a wrong sign is marked where it is in the plural form, and a fuzzy text is not checked", async () => {
    const { document } = await editor.show(DUTCH);
    const [symbols] = await editor.provideAll<readonly DocumentSymbol[]>(
      "DocumentSymbol",
      "provideDocumentSymbols",
      DUTCH,
    );
    expect(symbols?.map(({ name, detail }) => `${name}: ${detail}`)).toMatchInlineSnapshot(`
      [
        "Save: Opslaan",
        "%d book: one: %d boek · other: %d boeken, 50% korting",
        "Hello %s: Hallo",
        "Open: Openen",
        "Open: Geopend",
      ]
    `);
    await waitUntil(() => editor.problems(DUTCH).length > 0);
    const [problem, ...others] = problems.of(editor.uri(DUTCH));
    expect([problem && document.getText(problem.range), others]).toEqual(["%", []]);
    expect(problem?.range.start.line).toBe(12);
    const context = { diagnostics: [problem], only: undefined };
    const fixes = await editor.provideAll<readonly CodeAction[]>(
      "CodeActions",
      "provideCodeActions",
      DUTCH,
      new Range(0, 0, 0, 0),
      context,
    );
    expect(fixes.flat().map(({ title }) => title)).toEqual([
      "Change to “%d boeken, 50%% korting” in this file",
      "Ignore by a pattern…",
    ]);
    document.type(selectionIn(document, "|#, fuzzy|"), "#.");
    await waitUntil(() => editor.problems(DUTCH).length > 1);
    expect(editor.problems(DUTCH)).toEqual([
      "13: %d book (nl): “%” is not a valid placeholder (form “other”)",
      "17: Hello %s (nl): %s is missing",
    ]);
    // The fix changes that form, and no other.
    const { command } = fixes[0]?.[0] ?? {};
    expect(
      await commands.executeCommand(command?.command ?? "", ...(command?.arguments ?? [])),
    ).toMatchObject({ outcome: "done", file: DUTCH });
    expect(await editor.text(DUTCH)).toContain('msgstr[0] "%d boek"\nmsgstr[1] "%d boeken, 50%% korting"\n');
    // Of two equal forms it is not certain which one is wrong, nor where in a text with escapes.
    const marked = () =>
      problems.of(editor.uri(DUTCH)).map(({ range, message }) => `${message} (${document.getText(range)})`);
    const forms = (...texts: readonly string[]) =>
      texts.map((each, n) => `msgstr[${n}] "${each}"`).join("\n");
    document.type(
      selectionIn(document, `|${forms("%d boek", "%d boeken, 50%% korting")}|`),
      forms("%d boek 5% x", "%d boek 5% x"),
    );
    await waitUntil(() => marked()[0]?.includes("boek 5%"));
    expect(marked()).toMatchInlineSnapshot(`
      [
        "%d book (nl): “%” is not a valid placeholder (form “one”), “%” is not a valid placeholder (form “other”) ("%d boek 5% x"
      msgstr[1] "%d boek 5% x")",
        "Hello %s (nl): %s is missing ("Hallo")",
      ]
    `);
  });

  test("a text that is not extracted yet is no unknown key, without a service", async () => {
    // All code is searched by then.
    await editor.run(findUsesCommand, { namespace: "shop", key: "Save" });
    const before = problems.of(editor.uri(CODE));
    await editor.show(CODE);
    const isChecked = () => editor.problems(CODE).some((line) => line.includes("Hello %s (nl)"));
    await waitUntil(() => problems.of(editor.uri(CODE)) !== before && isChecked());
    expect(editor.problems(CODE).filter((line) => line.includes("Unknown key"))).toEqual([]);
  });

  test("a key is renamed in code and in its catalogues, and stays in its file", async () => {
    const edit = await editor.provide<WorkspaceEdit>(
      "Rename",
      "provideRenameEdits",
      CODE,
      "'Sa|ve'",
      "Store",
    );
    expect(edit.edits.map(({ uri, text }) => `${uri.path.slice(editor.folder.length + 1)}: ${text}`)).toEqual(
      [`${ENGLISH}: Store`, `${DUTCH}: Store`, `${CODE}: Store`],
    );
  });

  test("a key is copied as its text, whatever its context", async () => {
    const key = { namespace: "shop", key: "Open", context: "menu" };
    expect(await editor.run(copyKeyCommand, key)).toEqual({ outcome: "done", text: "Open" });
  });

  test("a key with a context is renamed in that context only", async () => {
    for (const [words, name] of [
      ["'Op|en'", "Start"],
      // Where the call names the file, too.
      ["dpgettext('shop', 'menu', 'St|art'", "Begin"],
    ] as const) {
      const given = ["Rename", "provideRenameEdits", CODE, words, name] as const;
      await workspace.applyEdit(await editor.provide<WorkspaceEdit>(...given));
      const code = await editor.text(CODE);
      expect(code).toContain(`, pgettext('menu', '${name}')`);
      expect(code).toContain(`dpgettext('shop', 'menu', '${name}')`);
      for (const [path, menu, shop] of [
        [ENGLISH, "Open", "Open"],
        [DUTCH, "Openen", "Geopend"],
      ] as const)
        expect((await editor.text(path)).split('msgctxt "menu"\n')[1]).toBe(
          `msgid "${name}"\nmsgstr "${menu}"\n\nmsgctxt "shop"\nmsgid "Open"\nmsgstr "${shop}"\n`,
        );
    }
  });

  test("a text is extracted as its own key", async () => {
    await editor.show(CODE, "echo |'Thank you'|");
    answerNextInput((input) => {
      expect(input.value).toBe("Thank you");
      input.accept();
    });
    expect(await editor.ask(extractKeyCommand, {})).toEqual({
      outcome: "done",
      key: "Thank you",
      file: ENGLISH,
    });
    expect(await editor.text(CODE)).toContain("echo _('Thank you');");
    expect(await editor.text(ENGLISH)).toContain('msgid "Thank you"');
  });
});

describe("with messages that the framework extracts", () => {
  const CODE = "src/Hello.tsx";
  const ENGLISH = "messages/en.json";
  beforeAll(async () => {
    editor = await openEditor({
      files: {
        "package.json": JSON.stringify({ dependencies: { "next-intl": "^4.5.0" } }),
        "project-translations.json": JSON.stringify({
          files: [{ path: "messages/{locale}.json", format: "json_js" }],
          sourceLocale: "en",
        }),
        [ENGLISH]: `{ "close": "Close" }\n`,
        [CODE]: `import { useExtracted } from "next-intl";
export function Hello() {
  const t = useExtracted();
  return <p title="Close">Hi there</p>;
}
`,
      },
    });
  });
  afterAll(() => editor.close());

  test("a text stays in the code, and has no entry yet", async () => {
    const before = await editor.read(ENGLISH);
    // There is no name to type, and no key to choose.
    for (const [words, key] of [
      ["|Hi there|", "Hi there"],
      ['title="|Close|"', "Close"],
    ] as const) {
      await editor.show(CODE, words);
      expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "done", key, file: null });
    }
    expect(await editor.text(CODE)).toContain(`<p title={t("Close")}>{t("Hi there")}</p>`);
    expect([await editor.read(ENGLISH), await editor.text(ENGLISH)]).toEqual([before, before]);
    // What is typed there is a text, not the name of a key.
    const given = ["Completion", "provideCompletionItems", CODE, 't("Cl|ose")'] as const;
    expect(await editor.provide(...given)).toBeUndefined();
  });
});

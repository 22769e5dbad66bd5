/** What code and translation files show of texts that a service has, and the quick fixes for them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { updateKeyCommand } from "../../../src/features/update-key/update-key-command.ts";
import {
  refreshCommand,
  signInCommand,
  signOutCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { chooseInlayLanguageCommand } from "../../../src/commands/declarations/window-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import {
  extractKeyCommand,
  setTranslationsCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { listIssuesCommand } from "../../../src/features/list-issues/list-issues-command.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor, wordsAt } from "../support/open-editor.ts";
import {
  answerNextInput,
  answerNextList,
  builtInCommands,
  type CodeAction,
  commands,
  type Diagnostic,
  DiagnosticSeverity,
  type Location,
  pickInNextList,
  problems,
  providersFor,
  Range,
  setSetting,
  type Uri,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "locales/en/cart.json";
const DUTCH = "locales/nl/cart.json";
const CART = "src/cart.ts";
const SERVICE = { ...SHOP, type: "i18next", languages: ["nl", "fr", "de"].map((locale) => ({ locale })) };
const FILES = {
  "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
  }),
  [ENGLISH]: `{
  "title": "Your cart",
  "total": "Total: {{amount}}",
  "sum": "Sum: {{amount}}",
  "long": "Checkout",
  "later": "Later"
}
`,
  [DUTCH]: `{
  "title": "Je mandje",
  "total": "Totaal: {{amont}}",
  "sum": "Som: {{amont}}",
  "long": "Afrekenen"
}
`,
  [CART]: `import i18next from "i18next";
export const title = i18next.t("cart:title");
export const total = i18next.t("cart:total", { amount: 1 });
export const sum = i18next.t("cart:sum", { amount: 1 });
export const long = i18next.t("cart:long");
export const later = i18next.t("cart:later");
export const fresh = i18next.t("cart:fresh");
`,
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES, service: SERVICE });
  expect(await editor.run(pushCommand, {})).toMatchObject({ result: { created: 5 } });
});
afterAll(() => editor.close());

const edit = async (path: string, before: string, text: string): Promise<void> =>
  editor.write(path, (await editor.read(path)).replace(before, text));
const translate = async (locale: string, texts: Readonly<Record<string, string>>): Promise<void> => {
  const items = Object.entries(texts).map(([key, value]) => ({ namespace: "cart", key, value }));
  expect(await editor.run(setTranslationsCommand, { locale, items })).toMatchObject({
    written: items.length,
  });
  await editor.run(refreshCommand, {});
};
const TOO_LONG = "5: cart:long (en): 9 of at most 8 characters";
const problemsOf = (path: string): readonly Diagnostic[] => problems.of(editor.uri(path));
/** Shows a file, and waits until the problems that are found in it then are so. */
async function showsProblems(path: string, isSo: (lines: readonly string[]) => boolean) {
  const before = problemsOf(path);
  await editor.show(path);
  await waitUntil(() => problemsOf(path) !== before && isSo(editor.problems(path)));
  return editor.problems(path);
}
/** The quick fixes of the problem whose message has the words. */
async function fixes(path: string, words: string): Promise<readonly CodeAction[]> {
  const found = problemsOf(path).find(({ message }) => message.includes(words));
  if (found === undefined) throw new Error(`no problem has ${words}`);
  const context = { diagnostics: [found], only: undefined };
  const all = await editor.provideAll<readonly CodeAction[]>(
    "CodeActions",
    "provideCodeActions",
    path,
    new Range(0, 0, 0, 0),
    context,
  );
  return all.flat();
}
const titles = async (path: string, words: string) =>
  (await fixes(path, words)).map(({ title, isPreferred }) => `${title}${isPreferred ? " *" : ""}`);
async function apply(path: string, words: string, title: string): Promise<unknown> {
  const { command } = (await fixes(path, words)).find((each) => each.title === title) ?? {};
  if (command === undefined) throw new Error(`no fix is ${title}`);
  return commands.executeCommand(command.command, ...(command.arguments ?? []));
}

describe("source texts", () => {
  test("that a push would send are hints, and can be pushed one by one", async () => {
    await edit(ENGLISH, '"Your cart"', '"Our cart"');
    await edit(ENGLISH, '"later"', '"fresh": "Fresh",\n  "later"');
    expect(await showsProblems(ENGLISH, (lines) => lines.length === 2)).toMatchInlineSnapshot(`
      [
        "2: “cart:title” is not pushed yet: the service has another text.",
        "6: “cart:fresh” is not pushed yet: the service does not have this key.",
      ]
    `);
    expect(new Set(problemsOf(ENGLISH).map(({ severity }) => severity))).toEqual(
      new Set([DiagnosticSeverity.Hint]),
    );
    expect(await titles(ENGLISH, "fresh")).toEqual(["Push this key…"]);
    // Its places are known, though the key is only in files.
    const code = [CART, '"cart:fre|sh"'] as const;
    const [entry] = await editor.provide<readonly { readonly targetUri: Uri }[]>(
      "Definition",
      "provideDefinition",
      ...code,
    );
    expect(entry?.targetUri.path).toBe(editor.uri(ENGLISH).path);
    const places = await editor.provide<readonly Location[]>("Reference", "provideReferences", ...code, {
      includeDeclaration: true,
    });
    expect(await wordsAt(editor, places)).toEqual([`${ENGLISH}: fresh`, `${CART}: cart:fresh`]);
    expect(await editor.hover(CART, '"cart:fre|sh"')).toMatchInlineSnapshot(`
      "**cart&#58;fresh**

      Fresh

      $(cloud-upload) Not pushed yet

      ---

      [$(go-to-file) Go to Entry](goToEntry . cart fresh )"
    `);
    expect(await editor.hover(CART, '"cart:ti|tle"')).toMatchInlineSnapshot(`
      "**cart&#58;title**

      \`en\` Your cart ⏎
      \`nl\` Je mandje $(file) local&#44; not on the service [$(edit)](editTranslation . cart title  nl "Edit nl") ⏎
      \`fr\` $(circle-slash) untranslated [$(edit)](editTranslation . cart title  fr "Edit fr")

      $(diff) Local file&#44; not pushed&#58; Our cart

      ---

      [$(go-to-file) Go to Entry](goToEntry . cart title ) &nbsp; [$(globe) All languages](openEditor . cart title )"
    `);
    expect(await editor.hints(CART)).toMatchInlineSnapshot(`
      [
        "2:43 Your cart",
        "3:43 Total: {{amount}}",
        "4:39 Sum: {{amount}}",
        "5:41 Checkout",
        "6:43 Later",
        "7:43 Fresh",
      ]
    `);
    // In another language the text of the files is only the source text.
    await editor.run(chooseInlayLanguageCommand, { locale: "fr" });
    expect((await editor.hints(CART)).at(-1)).toBe("7:43 en: Fresh");
    await editor.run(chooseInlayLanguageCommand, { locale: null });
    await showsProblems(ENGLISH, (lines) => lines.length === 2);
    answerNextList((preview) => {
      expect(preview.checked).toEqual(["$(add) cart:fresh"]);
      expect(preview.buttons).toEqual([]);
      preview.accept();
    });
    expect(await apply(ENGLISH, "fresh", "Push this key…")).toMatchObject({
      result: { created: 1, updated: 0 },
    });
    expect(await showsProblems(ENGLISH, (lines) => lines.length === 1)).toEqual([
      "2: “cart:title” is not pushed yet: the service has another text.",
    ]);
    await editor.run(pushCommand, {});
    await showsProblems(ENGLISH, (lines) => lines.length === 0);
  });

  test("that somebody changed at the service are not to be pushed", async () => {
    await editor.request("POST", "/keys/sync", {
      keys: [{ namespace: "cart", key: "title", value: "Their cart" }],
      archive: [],
    });
    await editor.run(refreshCommand, {});
    await edit(ENGLISH, '"Fresh"', '"Fresh ones"');
    expect(await showsProblems(ENGLISH, (lines) => lines.length > 0)).toEqual([
      "6: “cart:fresh” is not pushed yet: the service has another text.",
    ]);
    // Those of a file that is open, but not shown, are as a setting says, too.
    await editor.show(CART);
    setSetting("projectTranslations.diagnostics.unknownKey", "off");
    await waitUntil(() => editor.problems(ENGLISH).length === 0);
    setSetting("projectTranslations.diagnostics.unknownKey", "warning");
    // One that the file changed, too, is.
    await edit(ENGLISH, '"Our cart"', '"My cart"');
    await showsProblems(ENGLISH, (lines) =>
      lines.some((line) => line.includes("“cart:title” is not pushed")),
    );
    await edit(ENGLISH, '"My cart"', '"Their cart"');
    await editor.run(pushCommand, {});
    await showsProblems(ENGLISH, (lines) => lines.length === 0);
  });

  test("and translations may be too long", async () => {
    const update = { namespace: "cart", key: "long", maxLength: 8, description: "A button", tags: ["web"] };
    expect(await editor.run(updateKeyCommand, update)).toMatchObject({ outcome: "done" });
    expect(await showsProblems(DUTCH, (lines) => lines.some((line) => line.includes("at most")))).toContain(
      "5: cart:long (nl): 9 of at most 8 characters",
    );
    expect(await titles(DUTCH, "at most")).toEqual(["Ignore by a pattern…"]);
    await translate("nl", { long: "Afrekenen" });
    const isLong = (lines: readonly string[]) =>
      lines.includes("5: cart:long (nl): 9 of at most 8 characters");
    await showsProblems(DUTCH, isLong);
    expect(await editor.hover(CART, '"cart:lo|ng"')).toMatchInlineSnapshot(`
      "**cart&#58;long**

      \`en\` Checkout ⏎
      \`nl\` Afrekenen $(warning) 9 of at most 8 characters [$(edit)](editTranslation . cart long  nl "Edit nl") ⏎
      \`fr\` $(circle-slash) untranslated [$(edit)](editTranslation . cart long  fr "Edit fr")

      A button ⏎
      $(tag) web · $(symbol-ruler) at most 8 characters

      ---

      [$(go-to-file) Go to Entry](goToEntry . cart long ) &nbsp; [$(globe) All languages](openEditor . cart long )"
    `);
    // As long as it may be.
    await showsProblems(ENGLISH, (lines) => lines.length === 0);
  });
});

describe("translations", () => {
  test("with wrong placeholders are mended at the service, in the file, or both", async () => {
    const isWrong = (lines: readonly string[]) => lines.some((line) => line.includes("cart:sum (nl)"));
    // Only the file has them.
    await showsProblems(DUTCH, isWrong);
    expect(await titles(DUTCH, "cart:sum")).toMatchInlineSnapshot(`
      [
        "Change to “Som: {{amount}}” in this file",
        "Ignore by a pattern…",
        "Apply all suggestions in this file (2)",
      ]
    `);
    // Of the other one nobody knows what is meant.
    await translate("nl", { sum: "Som: {{amont}}", total: "Totaal" });
    await showsProblems(CART, isWrong);
    expect(await titles(CART, "cart:sum")).toMatchInlineSnapshot(`
      [
        "Change nl to “Som: {{amount}}” on the service *",
        "Ignore here",
        "Ignore by a pattern…",
      ]
    `);
    // One suggestion is its own fix.
    await translate("nl", { total: "Totaal: {{amont}}" });
    await waitUntil(() =>
      editor.problems(CART).some((line) => line.includes("cart:total (nl)") && line.includes("amont")),
    );
    expect(await titles(CART, "cart:sum")).toMatchInlineSnapshot(`
      [
        "Change nl to “Som: {{amount}}” on the service *",
        "Apply all suggestions for the keys in this file…",
        "Apply all suggestions for nl…",
        "Ignore here",
        "Ignore by a pattern…",
      ]
    `);
    await showsProblems(DUTCH, isWrong);
    await waitUntil(async () => (await titles(DUTCH, "cart:sum")).length > 3);
    expect(await titles(DUTCH, "cart:sum")).toMatchInlineSnapshot(`
      [
        "Change nl to “Som: {{amount}}” on the service *",
        "Change to “Som: {{amount}}” in this file",
        "Apply all suggestions for nl…",
        "Ignore by a pattern…",
        "Apply all suggestions in this file (2)",
      ]
    `);
    expect(await apply(DUTCH, "cart:sum", "Change to “Som: {{amount}}” in this file")).toMatchObject({
      outcome: "done",
    });
    expect(await editor.read(DUTCH)).toContain('"sum": "Som: {{amount}}"');
    await showsProblems(CART, isWrong);
    answerNextList((preview) => {
      expect(preview.rows).toHaveLength(2);
      preview.accept();
    });
    expect(await apply(CART, "cart:sum", "Apply all suggestions for the keys in this file…")).toMatchObject({
      written: 2,
    });
    await waitUntil(() => !isWrong(editor.problems(CART)));
    // And then both are wrong again.
    await translate("nl", { sum: "Som: {{amont}}", total: "Totaal: {{amont}}" });
    await showsProblems(CART, isWrong);
    await waitUntil(async () => (await titles(CART, "cart:sum")).includes("Apply all suggestions for nl…"));
    answerNextList(async (preview) => {
      expect(preview.rows).toHaveLength(2);
      const shown = builtInCommands.length;
      preview.press("Show Difference", "cart:sum");
      await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "vscode.diff"));
      preview.hide();
    });
    const ofDutch = (await fixes(CART, "cart:sum")).find(({ title }) => title.endsWith("for nl…"));
    expect(ofDutch?.command?.arguments).toMatchObject([{ locale: "nl" }]);
    expect(await apply(CART, "cart:sum", "Apply all suggestions for nl…")).toEqual({ outcome: "cancelled" });
    expect(await editor.difference()).toEqual([
      "cart:sum: service ↔ suggestion",
      "Som: {{amont}}",
      "Som: {{amount}}",
    ]);
    for (const [key, text] of [
      ["sum", "Som: {{amount}}"],
      ["total", "Totaal: {{amount}}"],
    ] as const)
      expect(await apply(CART, `cart:${key}`, `Change nl to “${text}” on the service`)).toMatchObject({
        outcome: "done",
        row: { value: text },
      });
    await waitUntil(() => !isWrong(editor.problems(CART)));
  });

  test("that are missing or outdated are reported only if that is set, in the languages that were read", async () => {
    await waitUntil(() => editor.problems(CART).length === 0);
    setSetting("projectTranslations.diagnostics.missingTranslation", "warning");
    await translate("fr", { title: "Votre panier" });
    await translate("de", { title: "Dein Korb", total: "Summe: {{amont}}" });
    await showsProblems(CART, (lines) => lines.some((line) => line.startsWith("6:")));
    await waitUntil(() => editor.problems(CART).some((line) => line.includes("(nl, fr)")));
    expect(editor.problems(CART)).toMatchInlineSnapshot(`
      [
        "2: cart:title (nl): untranslated",
        "3: cart:total (fr): untranslated",
        "4: cart:sum (fr): untranslated",
        "5: cart:long (fr): untranslated",
        "6: cart:later (nl, fr): untranslated",
        "7: cart:fresh (nl, fr): untranslated",
      ]
    `);
    // Also of a key whose source text is empty in the file.
    await edit(ENGLISH, '"Later"', '""');
    await edit(ENGLISH, '"Checkout"', '"Check out"');
    expect(
      await showsProblems(ENGLISH, (lines) => lines.some((line) => line.startsWith("5: “cart:long” is not"))),
    ).toEqual(expect.arrayContaining(["7: cart:later (nl, fr): untranslated", TOO_LONG]));
    await edit(ENGLISH, '""', '"Later"');
    await edit(ENGLISH, '"Check out"', '"Checkout"');
    await showsProblems(CART, (lines) => lines.some((line) => line.includes("cart:later")));
    expect(await titles(CART, "cart:later")).toMatchInlineSnapshot(`
      [
        "Translate into nl…",
        "Ignore here",
        "Ignore by a pattern…",
      ]
    `);
    answerNextInput((input) => {
      expect(input.title).toBe("nl · cart:later");
      input.hide();
    });
    expect(await apply(CART, "cart:later", "Translate into nl…")).toEqual({ outcome: "cancelled" });
    await edit(ENGLISH, '"Their cart"', '"Any cart"');
    await editor.run(pushCommand, {});
    await editor.run(refreshCommand, {});
    await waitUntil(() => editor.problems(CART).some((line) => line.includes("outdated")));
    expect(editor.problems(CART).filter((line) => line.startsWith("2:"))).toMatchInlineSnapshot(`
      [
        "2: cart:title (nl): untranslated",
        "2: cart:title (fr): outdated, since the source text was changed",
      ]
    `);
    expect(await titles(CART, "outdated")).toMatchInlineSnapshot(`
      [
        "Edit fr…",
        "Ignore here",
        "Ignore by a pattern…",
      ]
    `);
    answerNextInput((input) => {
      expect([input.title, input.value]).toEqual(["fr · cart:title", "Votre panier"]);
      expect(input.prompt).toContain("Source text before: Their cart");
      input.hide();
    });
    expect(await apply(CART, "outdated", "Edit fr…")).toEqual({ outcome: "cancelled" });
    // A file whose text is another one may be newer than that of the service.
    const french = "locales/fr/cart.json";
    for (const [title, isOutdated] of [
      ["Panier", false],
      ["Votre panier", true],
    ] as const) {
      await editor.write(french, `{ "title": "${title}", "total": "Somme" }\n`);
      const lines = await showsProblems(french, (all) => all.some((line) => line.includes("{{amount}}")));
      expect(lines.some((line) => line.includes("outdated"))).toBe(isOutdated);
    }
    await editor.write(french, "{}\n");
    await showsProblems(french, (lines) => lines.length === 0);
    setSetting("projectTranslations.diagnostics.missingTranslation", "off");
    await waitUntil(() => editor.problems(CART).every((line) => !/untranslated|outdated/u.test(line)));
  });

  test("of a language that is not previewed are in a hover if something is wrong there", async () => {
    // They are read when their row is opened.
    await waitUntil(async () => (await editor.rows("issues")).some((row) => row.startsWith("Deutsch (de)")));
    expect(await editor.rows("issues", "Deutsch")).toHaveLength(1);
    expect(await editor.run(listIssuesCommand, {})).toMatchObject({
      issues: [{ locale: "de", key: "total" }],
    });
    expect(await editor.hover(CART, '"cart:tot|al"')).toMatchInlineSnapshot(`
      "**cart&#58;total**

      \`en\` Total&#58; &#123;&#123;amount&#125;&#125; ⏎
      \`nl\` Totaal&#58; &#123;&#123;amount&#125;&#125; [$(edit)](editTranslation . cart total  nl "Edit nl") ⏎
      \`fr\` $(circle-slash) untranslated [$(edit)](editTranslation . cart total  fr "Edit fr") ⏎
      \`de\` Summe&#58; &#123;&#123;amont&#125;&#125; $(error) &#123;&#123;amount&#125;&#125; is missing&#44; &#123;&#123;amont&#125;&#125; is unknown [$(edit)](editTranslation . cart total  de "Edit de")

      ---

      [$(go-to-file) Go to Entry](goToEntry . cart total ) &nbsp; [$(globe) All languages](openEditor . cart total )"
    `);
    expect(await editor.hover(CART, '"cart:su|m"')).not.toContain("de");
  });

  test("are counted in the lenses of each line", async () => {
    const isSo = ["2 1 reference", "2 0/3 translated · 2 outdated · 1 not on the service"];
    await waitUntil(async () => {
      const lenses = await editor.lenses(ENGLISH);
      return isSo.every((lens) => lenses.includes(lens));
    });
    expect(await editor.lenses(ENGLISH)).toMatchInlineSnapshot(`
      [
        "2 0/3 translated · 2 outdated · 1 not on the service",
        "2 1 reference",
        "3 2/3 translated",
        "3 1 reference",
        "4 1/3 translated",
        "4 1 reference",
        "5 1/3 translated",
        "5 1 reference",
        "6 0/3 translated",
        "6 1 reference",
        "7 0/3 translated",
        "7 1 reference",
      ]
    `);
  });
});

test("a text is extracted as the file has it, under no name of another key, also of one that was not pushed", async () => {
  const before = await editor.read(ENGLISH);
  await edit(ENGLISH, '"Checkout"', '"Check out"');
  await edit(ENGLISH, '"later"', '"special_offer": "Ours",\n  "later"');
  const path = "src/offers.ts";
  await editor.write(
    path,
    `import i18next from "i18next";
export const offers = [i18next.t("cart:title"), "Special offer", "Check out"];
`,
  );
  await editor.show(path, '|"Special offer"|');
  answerNextInput((input) => {
    expect(input.value).toBe("cart:special_offer2");
    input.hide();
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "cancelled" });
  await editor.show(path, '|"Check out"|');
  expect(await editor.run(extractKeyCommand, { key: "cart:long" })).toMatchObject({ file: null });
  expect(await editor.text(path)).toContain('"Special offer", i18next.t("cart:long")];');
  await editor.write(ENGLISH, before);
});

test("a key is updated without prompts only if it is named, not because the cursor is there", async () => {
  await editor.show(CART, '"cart:ti|tle"');
  expect(await editor.run(updateKeyCommand, { description: "Of another key" })).toMatchObject({
    error: { code: "invalid", message: "No key was given." },
  });
  const { data } = await editor.request<{ readonly data: readonly { readonly description: unknown }[] }>(
    "GET",
    "/keys",
  );
  expect(data.map(({ description }) => description)).not.toContain("Of another key");
});

test("the language of inline translations is marked where another one is chosen", async () => {
  await editor.run(chooseInlayLanguageCommand, { locale: "fr" });
  pickInNextList((items) => {
    expect(items.map(({ label }) => label).filter((label) => label.includes("$(check)"))).toEqual([
      "$(check) Français (fr)",
    ]);
    return undefined;
  });
  expect(await editor.ask(chooseInlayLanguageCommand, {})).toEqual({ outcome: "cancelled" });
  // It follows what is translated, and so does the hover.
  expect(await editor.hover(CART, '"cart:ti|tle"')).toContain("Source text before&#58; Their cart");
  const { document } = await editor.show(CART);
  const [provider] = providersFor<{
    onDidChangeInlayHints(listener: () => void): { dispose(): void };
  }>("InlayHints", document);
  let hints = await editor.hints(CART);
  const following = provider?.onDidChangeInlayHints(
    () => void editor.hints(CART).then((all) => (hints = all)),
  );
  await translate("fr", { title: "Le panier" });
  await waitUntil(() => hints[0] === "2:43 Le panier");
  expect(await editor.hover(CART, '"cart:ti|tle"')).not.toContain("Source text before");
  await editor.run(chooseInlayLanguageCommand, { locale: null });
  await waitUntil(() => hints[0] === "2:43 Any cart");
  following?.dispose();
});

test("keys are listed by namespace, tag, and those that were archived", async () => {
  const keysOf = async (options: object) => {
    const result = (await editor.run(listKeysCommand, options)) as {
      readonly keys?: readonly { readonly key: string }[];
    };
    return result.keys?.map(({ key }) => key);
  };
  expect(await keysOf({ tag: "web" })).toEqual(["long"]);
  // A part of a tag is none.
  expect(await keysOf({ tag: "we" })).toEqual([]);
  expect(await keysOf({ tag: "untagged" })).toEqual(["title", "total", "sum", "later", "fresh"]);
  expect(await keysOf({ archived: false })).toHaveLength(6);
  expect(await keysOf({ namespace: "other" })).toEqual([]);
  expect(await keysOf({ archived: true })).toEqual([]);
  await editor.run(pushCommand, {});
  await edit(ENGLISH, '  "fresh": "Fresh ones",\n', "");
  expect(await editor.run(pushCommand, { archiveMissing: true })).toMatchObject({ result: { archived: 1 } });
  expect(await keysOf({ archived: true })).toEqual(["fresh"]);
  expect(await keysOf({ archived: true, namespace: "other" })).toEqual([]);
  expect(await keysOf({ archived: true, tag: "web" })).toEqual([]);
  expect(await keysOf({ namespace: "cart" })).toEqual(["title", "total", "sum", "long", "later"]);
});

test("a hover shows the languages that the project file names, and the source text above them", async () => {
  const shown = async () =>
    (await editor.hover(CART, '"cart:lo|ng"'))
      ?.match(/^`\w+`/gmu)
      ?.join(" ")
      .replaceAll("`", "");
  const layout = JSON.parse(FILES["project-translations.json"]) as object;
  await editor.write("project-translations.json", JSON.stringify({ ...layout, preview: ["de"] }));
  await waitUntil(async () => (await shown()) === "en de");
  const { baseUrl = "", token = "" } = editor.service ?? {};
  // Without a service, too.
  await editor.run(signOutCommand, {});
  await editor.write("project-translations.json", JSON.stringify({ ...layout, preview: ["nl"] }));
  await waitUntil(async () => (await shown()) === "en nl");
  await editor.write("project-translations.json", JSON.stringify(layout));
  await waitUntil(async () => (await shown()) === "en fr nl");
  await editor.run(signInCommand, { baseUrl, token });
  await waitUntil(async () => (await shown()) === "en nl fr");
});

test("a translation in a file is compared with a source text that only the service has", async () => {
  const keys = [{ namespace: "cart", key: "remote", value: "Of {{name}}" }];
  await editor.request("POST", "/keys/sync", { keys, archive: [] });
  await editor.run(refreshCommand, {});
  await edit(DUTCH, '"title"', '"remote": "Van {{nam}}",\n  "title"');
  expect(await showsProblems(DUTCH, (lines) => lines.some((line) => line.includes("remote")))).toContain(
    "2: cart:remote (nl): {{name}} is missing, {{nam}} is unknown",
  );
});

test("with a token that may only read, no fix and no link changes anything at the service", async () => {
  const { baseUrl = "", readToken = "" } = editor.service ?? {};
  expect(await editor.hover(CART, '"cart:la|ter"')).toContain("editTranslation");
  await editor.run(signInCommand, { baseUrl, token: readToken });
  setSetting("projectTranslations.diagnostics.missingTranslation", "warning");
  await edit(ENGLISH, '"Sum:', '"The sum:');
  await showsProblems(ENGLISH, (lines) => lines.some((line) => line.includes("“cart:sum” is not pushed")));
  expect(await titles(ENGLISH, "“cart:sum” is not pushed")).toEqual([]);
  // Languages that nobody has looked at since the sign-in are read with their row.
  await waitUntil(async () => (await editor.rows("issues")).some((row) => row.startsWith("Deutsch (de)")));
  await editor.rows("issues", "Deutsch");
  const isShown = (words: string) => editor.problems(CART).some((line) => line.includes(words));
  await showsProblems(CART, () => isShown("cart:total (de): {{amount}}") && isShown("cart:later (nl"));
  const ignored = ["Ignore here", "Ignore by a pattern…"];
  expect(await titles(CART, "cart:total (de): {{amount}}")).toEqual(ignored);
  expect(await titles(CART, "cart:later (nl")).toEqual(ignored);
  expect(await editor.hover(CART, '"cart:la|ter"')).not.toContain("editTranslation");
});

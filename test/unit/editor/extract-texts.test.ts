/** Texts in code become keys: the selected one, or each that is found. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { extractKeyCommand } from "../../../src/commands/declarations/text-commands.ts";
import { findTextsCommand } from "../../../src/features/extract-key/find-hard-coded-texts-command.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import {
  answerNextInput,
  answerNextList,
  type CodeAction,
  loseFileEvents,
  messages,
  pickInNextList,
  Range,
  type TextDocument,
  window,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const MENU = "src/Menu.tsx";
const ENGLISH = "locales/en/menu.json";
const FILES = {
  "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0", "react-i18next": "^14.0.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
    sourceLocale: "en",
  }),
  "i18n.ts": `import i18next from "i18next";\ni18next.init({ fallbackNS: "menu" });\n`,
  [ENGLISH]: `{\n  "title": "Menu",\n  "close": "Close"\n}\n`,
  "locales/nl/menu.json": `{ "title": "Kaart" }\n`,
  [MENU]: `import { useTranslation } from "react-i18next";
export function Menu() {
  const { t } = useTranslation("menu");
  return (
    <div>
      <h1>{t("title")}</h1>
      <p>Fresh scones every day</p>
      <p>Close</p>
      <button title="Order now">Pay by card</button>
    </div>
  );
}
`,
};
const MENU_CODE = `import { useTranslation } from "react-i18next";
export function Late() {
  const { t } = useTranslation("menu");
  return <p>Too late</p>;
}
`;

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ indexingProcess: true, files: FILES });
});
afterAll(() => editor.close());

test("a selected text can be extracted, and nothing else", async () => {
  const titles = async (path: string, words: string): Promise<readonly string[]> => {
    const { selection } = await editor.show(path, words);
    const all = await editor.provideAll<readonly CodeAction[]>(
      "CodeActions",
      "provideCodeActions",
      path,
      selection,
      { diagnostics: [], only: undefined },
    );
    return all.flat().map(({ title }) => title);
  };
  expect(await titles(MENU, "<p>|Fresh scones every day|</p>")).toEqual(["Extract into a translation key…"]);
  expect(await titles(MENU, "export |function| Menu")).toEqual([]);
  expect(await titles(MENU, "<p>Fresh| scones")).toEqual([]);
  expect(await titles(ENGLISH, '"|Menu|"')).toEqual([]);
});

test("a text that a key has already is replaced by that key, on request", async () => {
  await editor.show(MENU, "<p>|Close|</p>");
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toEqual(["$(symbol-key) Use close", "$(add) New Key…"]);
    return items[0];
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "done", key: "close", file: null });
  expect(await editor.text(MENU)).toContain('<p>{t("close")}</p>');
  expect(await editor.read(ENGLISH)).toBe(FILES[ENGLISH]);
});

test("another text gets a new key, in code and file", async () => {
  await editor.show(MENU, "<p>|Fresh scones every day|</p>");
  answerNextInput((input) => {
    expect([input.title, input.value]).toEqual([
      "Extract “Fresh scones every day”",
      "fresh_scones_every_day",
    ]);
    input.type(" ");
    input.accept();
    expect(input.validationMessage).toBe("Enter a key name.");
    input.type("scones");
    input.accept();
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "done", key: "scones", file: ENGLISH });
  expect(await editor.text(MENU)).toContain('<p>{t("scones")}</p>');
  expect(await editor.text(ENGLISH)).toContain('"scones": "Fresh scones every day"');
});

test("a name that another text has is refused, and nothing is changed", async () => {
  await editor.show(MENU, 'title="|Order now|"');
  const before = await editor.text(MENU);
  await editor.show(MENU, 'title="|Order now|"');
  expect(await editor.run(extractKeyCommand, { key: "title" })).toMatchObject({
    error: {
      code: "invalid",
      message: "There is a key title with another text. Nothing was changed; choose another name.",
    },
  });
  expect(await editor.text(MENU)).toBe(before);
  await editor.show(MENU, "export |function| Menu");
  expect(await editor.run(extractKeyCommand, {})).toMatchObject({ error: { code: "invalid" } });
});

test("texts are found in the file of the editor, in files, or everywhere, and extracted one after the other", async () => {
  const found = async (options: object) => {
    const { texts = [] } = (await editor.run(findTextsCommand, options)) as {
      readonly texts?: readonly { readonly path: string; readonly text: string }[];
    };
    return texts.map(({ path, text }) => `${path}: ${text}`);
  };
  await editor.write("src/Other.tsx", "export const Other = () => <p>Somewhere else</p>;\n");
  await editor.show(ENGLISH);
  expect(await found({})).toEqual([
    `${MENU}: Order now`,
    `${MENU}: Pay by card`,
    "src/Other.tsx: Somewhere else",
  ]);
  await editor.show("src/Other.tsx");
  expect(await found({})).toEqual(["src/Other.tsx: Somewhere else"]);
  expect(await found({ files: [MENU] })).toEqual([`${MENU}: Order now`, `${MENU}: Pay by card`]);
  expect(await found({ files: ["locales"] })).toEqual([]);
  expect(await found({ files: ["src/Men"] })).toEqual([]);
  expect(await found({ files: [editor.uri(".").fsPath] })).toHaveLength(3);
  for (const [files, text] of [
    [["locales"], "There is no source file in locales that can be searched for texts."],
    [
      ["src/Nothing.tsx", "src/None.tsx"],
      "There are no hard-coded texts in src/Nothing.tsx, src/None.tsx (2 files).",
    ],
  ] as const) {
    if (files.length > 1) for (const path of files) await editor.write(path, "export const nothing = 1;\n");
    expect(await editor.ask(findTextsCommand, { files: [...files] })).toEqual({ outcome: "done", texts: [] });
    expect(messages.at(-1)?.text).toBe(text);
  }
  await editor.show(MENU);
  answerNextList((list) => {
    expect([list.title, list.rows]).toEqual(["Hard-coded texts (2)", ["Order now", "Pay by card"]]);
    list.move("Pay by card");
    list.accept();
  });
  answerNextInput((input) => {
    input.type("pay");
    input.accept();
  });
  answerNextList((list) => {
    expect([list.title, list.rows]).toEqual(["Hard-coded texts (1)", ["Order now"]]);
    list.accept();
  });
  answerNextInput((input) => {
    input.type("order");
    input.accept();
  });
  expect(await editor.ask(findTextsCommand, {})).toMatchObject({ outcome: "done" });
  expect(await editor.text(MENU)).toContain('<button title={t("order")}>{t("pay")}</button>');
  expect(messages.at(-1)?.text).toBe(`There are no hard-coded texts in ${MENU}.`);
});

test("code that was changed while the name was typed is left alone, and so is the file of texts", async () => {
  await editor.write("src/Late.tsx", MENU_CODE);
  await editor.show("src/Late.tsx", "<p>|Too late|</p>");
  const before = await editor.read(ENGLISH);
  answerNextInput((input) => {
    const { document } = window.activeTextEditor ?? expect.fail("there is an editor");
    document.type(new Range(0, 0, 0, 0), "// A colleague pastes a line.\n");
    input.type("late");
    input.accept();
  });
  expect(await editor.ask(extractKeyCommand, {})).toMatchObject({ error: { code: "file_changed" } });
  expect(await editor.text("src/Late.tsx")).toBe(`// A colleague pastes a line.\n${MENU_CODE}`);
  expect([await editor.read(ENGLISH), (await editor.text(ENGLISH)).includes("late")]).toEqual([
    before,
    false,
  ]);
});

test("of keys that have the text already, another one can be made; a name whose text is the same adds nothing", async () => {
  await editor.write("src/Again.tsx", MENU_CODE.replace("Too late", "Close"));
  await editor.show("src/Again.tsx", "<p>|Close|</p>");
  pickInNextList("New Key…");
  answerNextInput((input) => {
    expect([input.value === "close", input.ignoreFocusOut]).toEqual([false, true]);
    input.type("title");
    input.accept();
  });
  expect(await editor.ask(extractKeyCommand, {})).toMatchObject({ error: { code: "invalid" } });
  const before = await editor.text(ENGLISH);
  await editor.show("src/Again.tsx", "<p>|Close|</p>");
  expect(await editor.run(extractKeyCommand, { key: "close" })).toEqual({
    outcome: "done",
    key: "close",
    file: null,
  });
  expect(await editor.text("src/Again.tsx")).toContain('<p>{t("close")}</p>');
  expect(await editor.text(ENGLISH)).toBe(before);
});

test("a key that was made a moment ago, and is not saved yet, is offered for the same text", async () => {
  const path = "src/Twice.tsx";
  await editor.write(path, MENU_CODE.replace("Too late", "Fresh scones every day"));
  await editor.show(path, "<p>|Fresh scones every day|</p>");
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toEqual(["$(symbol-key) Use scones", "$(add) New Key…"]);
    return items[0];
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "done", key: "scones", file: null });
  expect(await editor.text(path)).toContain('<p>{t("scones")}</p>');
});

test("without a person the proposed name is taken, which no other key has", async () => {
  await editor.write("src/Third.tsx", MENU_CODE.replace("Too late", "Third table"));
  await editor.show("src/Third.tsx", "<p>|Third table|</p>");
  expect(await editor.run(extractKeyCommand, {})).toEqual({
    outcome: "done",
    key: "third_table",
    file: ENGLISH,
  });
  await editor.write("src/Fourth.tsx", MENU_CODE.replace("Too late", "Third table!"));
  await editor.show("src/Fourth.tsx", "<p>|Third table!|</p>");
  expect(await editor.run(extractKeyCommand, {})).toEqual({
    outcome: "done",
    key: "third_table2",
    file: ENGLISH,
  });
  expect(await editor.text(ENGLISH)).toContain('"third_table": "Third table"');
  expect(await editor.text(ENGLISH)).toContain('"third_table2": "Third table!"');
});

test("nothing is changed if the list or the name is dismissed, or VS Code refuses the edit", async () => {
  const path = "src/Fifth.tsx";
  const code = MENU_CODE.replace("Too late", "Close");
  await editor.write(path, code);
  await editor.show(path, "<p>|Close|</p>");
  const before = await editor.text(ENGLISH);
  const extract = async () => {
    await editor.show(path, "<p>|Close|</p>");
    return editor.ask(extractKeyCommand, {});
  };
  pickInNextList(() => undefined);
  expect(await extract()).toEqual({ outcome: "cancelled" });
  pickInNextList("New Key…");
  answerNextInput((input) => {
    input.type("shut");
    input.hide();
  });
  expect(await extract()).toEqual({ outcome: "cancelled" });
  vi.spyOn(workspace, "applyEdit").mockResolvedValueOnce(false);
  pickInNextList("Use close");
  expect(await extract()).toMatchObject({
    error: {
      code: "file_changed",
      message: "The files could not be changed. Extract the text again.",
    },
  });
  expect([await editor.text(path), await editor.text(ENGLISH)]).toEqual([code, before]);
});

test("the entry is in the file of the namespace and the group that the code has, also in one that is new", async () => {
  const extracted = async (hook: string, key: string) => {
    const path = `src/${key}.tsx`;
    await editor.write(
      path,
      MENU_CODE.replace("Too late", "Fresh tea").replace('useTranslation("menu")', `useTranslation(${hook})`),
    );
    await editor.show(path, "<p>|Fresh tea|</p>");
    const result = await editor.run(extractKeyCommand, { key });
    return [result, (await editor.text(path)).includes(`<p>{t("${key}")}</p>`)];
  };
  const drinks = "locales/en/drinks.json";
  expect(await extracted('"drinks"', "tea")).toEqual([{ outcome: "done", key: "tea", file: drinks }, true]);
  expect(JSON.parse(await editor.read(drinks))).toEqual({ tea: "Fresh tea" });
  expect(await extracted('"menu", { keyPrefix: "hot" }', "cup")).toEqual([
    { outcome: "done", key: "cup", file: ENGLISH },
    true,
  ]);
  expect(JSON.parse(await editor.text(ENGLISH))).toMatchObject({ hot: { cup: "Fresh tea" } });
  // Where the code does not show it, it is that of the call before.
  const after = "src/After.tsx";
  await editor.write(
    after,
    `import { useTranslation } from "react-i18next";
export function Menu() {
  const { t } = useTranslation("menu");
  return <p>{t("title")}</p>;
}
export function Drinks() {
  const { t } = useTranslation("drinks");
  return <p>{t("tea")}</p>;
}
export const After = ({ t }) => <p>Iced tea</p>;
export function More() {
  const { t } = useTranslation("menu");
  return <p>{t("close")}</p>;
}
`,
  );
  await editor.show(after, "<p>|Iced tea|</p>");
  expect(await editor.run(extractKeyCommand, { key: "iced" })).toMatchObject({ key: "iced", file: drinks });
  expect(await editor.text(after)).toContain('<p>{t("iced")}</p>');
  // Two keys have the text now; the code can only name those of its namespace and prefix.
  await editor.write("src/Sixth.tsx", MENU_CODE.replace("Too late", "Fresh tea"));
  await editor.show("src/Sixth.tsx", "<p>|Fresh tea|</p>");
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toEqual([
      "$(symbol-key) Use drinks:tea",
      "$(symbol-key) Use hot.cup",
      "$(add) New Key…",
    ]);
    return items[0];
  });
  expect(await editor.ask(extractKeyCommand, {})).toMatchObject({ key: "drinks:tea", file: null });
  expect(await editor.text("src/Sixth.tsx")).toContain('<p>{t("drinks:tea")}</p>');
});

test("an entry of a file that the editor shows in another encoding is written to the file", async () => {
  await editor.write("locales/en/wide.json", `{ "title": "Wide" }\n`);
  const { document } = await editor.show("locales/en/wide.json");
  document.encoding = "windows1252";
  await editor.write("src/Wide.tsx", MENU_CODE.replace("menu", "wide"));
  await editor.show("src/Wide.tsx", "<p>|Too late|</p>");
  expect(await editor.ask(extractKeyCommand, { key: "late" })).toEqual({
    outcome: "done",
    key: "late",
    file: "locales/en/wide.json",
  });
  expect(await editor.read("locales/en/wide.json")).toBe(`{ "title": "Wide", "late": "Too late" }\n`);
});

test("the list of texts is shown again after each, also one that was not extracted, until it is dismissed", async () => {
  for (const name of ["A", "B"])
    await editor.write(
      `src/list/${name}.tsx`,
      MENU_CODE.replace("<p>Too late</p>", `<div><p>First ${name}</p><p>Second ${name}</p></div>`),
    );
  const shown = messages.length;
  const active = () => window.activeTextEditor?.document.uri.path.split("/").at(-1);
  await editor.show(MENU);
  const rows = ["First A", "Second A", "First B", "Second B"];
  answerNextList(async (list) => {
    expect([list.rows, list.activeItems.map(({ label }) => label)]).toEqual([rows, ["First A"]]);
    const shown = (name: string) =>
      waitUntil(() => window.visibleTextEditors.some(({ document }) => document.uri.path.endsWith(name)));
    await shown("list/A.tsx");
    list.move("First B");
    await shown("list/B.tsx");
    expect(active()).toBe("Menu.tsx");
    expect(list.items.map(({ description }) => description)).toEqual([
      "src/list/A.tsx:4",
      "src/list/A.tsx:4",
      "src/list/B.tsx:4",
      "src/list/B.tsx:4",
    ]);
    list.accept();
  });
  answerNextInput((input) => {
    expect(active()).toBe("B.tsx");
    input.hide();
  });
  answerNextList((list) => {
    expect([list.rows, list.activeItems.map(({ label }) => label)]).toEqual([rows, ["First B"]]);
    list.move("Second A");
    list.accept();
  });
  answerNextInput((input) => {
    expect(input.title).toBe("Extract “Second A”");
    input.type("second");
    input.accept();
  });
  // The rest of the file is where it was.
  answerNextList((list) => {
    const rest = ["First A", "First B", "Second B"];
    expect([list.rows, list.activeItems.map(({ label }) => label)]).toEqual([rest, ["First B"]]);
    list.move("First A");
    list.accept();
  });
  answerNextInput((input) => {
    expect(input.title).toBe("Extract “First A”");
    input.type("first");
    input.accept();
  });
  answerNextList((list) => {
    expect([list.rows, list.activeItems.map(({ label }) => label)]).toEqual([rows.slice(2), ["First B"]]);
    list.hide();
  });
  const { texts } = (await editor.ask(findTextsCommand, { files: ["src/list"] })) as {
    readonly texts?: readonly object[];
  };
  expect(texts?.slice(0, 2)).toEqual([
    { path: "src/list/A.tsx", line: 3, character: 17, text: "First A" },
    { path: "src/list/A.tsx", line: 3, character: 31, text: "Second A" },
  ]);
  expect(await editor.text("src/list/A.tsx")).toContain('<p>{t("first")}</p><p>{t("second")}</p>');
  expect(messages.slice(shown)).toEqual([]);
});

test("no name is proposed of a key that was written to a file a moment ago, also if no event told of it", async () => {
  loseFileEvents();
  await editor.write("locales/en/hot.json", `{ "fresh_juice": "Squeezed" }\n`);
  const path = "src/hot/Juice.tsx";
  await editor.write(path, MENU_CODE.replace("menu", "hot").replace("Too late", "Fresh juice"));
  await editor.show(path, "<p>|Fresh juice|</p>");
  expect(await editor.run(extractKeyCommand, {})).toMatchObject({ outcome: "done", key: "fresh_juice2" });
  expect(await editor.text("locales/en/hot.json")).toContain('"fresh_juice": "Squeezed"');
});

/** Writes a file, also over one that is open, and selects the words. */
async function select(path: string, code: string, words: string): Promise<TextDocument> {
  await editor.write(path, code);
  const { document } = await editor.show(path);
  document.isDirty = false;
  document.reload();
  await editor.show(path, words);
  return document;
}
/** A component with a text, and these arguments of its hook. */
const component = (hook: string, text: string, line = "") =>
  MENU_CODE.replace('useTranslation("menu");', `useTranslation(${hook});${line}`).replace("Too late", text);

test("the proposed name is one of the namespace and prefix that the code has, also if no code uses it yet", async () => {
  await editor.write("locales/en/soups.json", `{ "cold_soup": "Gazpacho" }\n`);
  // Nobody proposes the namespace of a translation.
  await editor.write("locales/nl/attic.json", `{ "old": "Oud" }\n`);
  const proposedFor = async (path: string, code: string, text = "Cold soup") => {
    await select(path, code, `<p>|${text}|</p>`);
    let proposed = "";
    answerNextInput((input) => {
      proposed = input.value;
      input.hide();
    });
    expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "cancelled" });
    return proposed;
  };
  const inHook = (hook: string, line = "") => proposedFor("src/Soup.tsx", component(hook, "Cold soup", line));
  expect(await inHook('"soups"')).toBe("cold_soup2");
  // Not where the file has most of its keys, which is where the namespace falls back to.
  expect(await inHook('"soups"', ' t("menu:title"); t("menu:close");')).toBe("cold_soup2");
  const cup = component('"menu", { keyPrefix: "hot" }', "Cup");
  expect(await proposedFor("src/Cup.tsx", cup, "Cup")).toBe("cup2");
  // Of several, the first that has a file.
  const several = (names: string) => `[${names}], { nsMode: "fallback" }`;
  expect(await inHook(several('"soups", "menu"'))).toBe("cold_soup2");
  expect(await inHook(several('"nowhere", "soups"'))).toBe("cold_soup2");
  // Without any, that of the other keys of the file, or the first.
  expect(await inHook("", ' t("soups:cold_soup");')).toBe("soups:cold_soup2");
  expect(await inHook("")).toBe("drinks:cold_soup");
});

test("a key is added where its name was proposed for, and none if one of the namespaces has it", async () => {
  const path = "src/Soup.tsx";
  const soups = "locales/en/soups.json";
  const extracted = async (hook: string, text: string, options: { readonly key?: string }, line = "") => {
    await select(path, component(hook, text, line), `<p>|${text}|</p>`);
    return editor.run(extractKeyCommand, options);
  };
  expect(await extracted('"soups"', "Cold soup", {}, ' t("menu:title");')).toEqual({
    outcome: "done",
    key: "cold_soup2",
    file: soups,
  });
  // Only the one that it falls back to has the key.
  expect(await extracted('"soups"', "Close", { key: "close" })).toEqual({
    outcome: "done",
    key: "close",
    file: null,
  });
  const several = '["nowhere", "soups"], { nsMode: "fallback" }';
  expect(await extracted(several, "Broth", { key: "broth" })).toMatchObject({ file: soups });
  // Of several, that of the other keys of the file.
  const used = '["soups", "menu"], { nsMode: "fallback" }';
  expect(await extracted(used, "Stock", { key: "stock" }, ' t("title");')).toMatchObject({ file: ENGLISH });
  expect(await extracted('"menu"', "Broth", { key: "title.broth" })).toMatchObject({
    error: {
      message: `title.broth cannot be written to ${ENGLISH} in its current state. Check the file.`,
    },
  });
  expect(await editor.text(path)).toBe(component('"menu"', "Broth"));
  expect(JSON.parse(await editor.text(soups))).toEqual({
    cold_soup: "Gazpacho",
    cold_soup2: "Cold soup",
    broth: "Broth",
  });
});

test("the namespace is that of the component, or of the nearest call, also if that is below", async () => {
  const path = "src/Nearest.tsx";
  const drinks = `export function Drinks() {
  const { t } = useTranslation("drinks");
  return <p>{t("tea")}</p>;
}
`;
  const start = 'import { useTranslation } from "react-i18next";\n';
  const extracted = async (code: string, key: string) => {
    await select(path, `${start}${code}`, "<p>|Ice cream|</p>");
    return editor.run(extractKeyCommand, { key });
  };
  const menu = MENU_CODE.replace(start, "").replace("Too late", "Ice cream");
  expect(await extracted(`${drinks}${menu}`, "ice")).toMatchObject({ file: ENGLISH });
  const unbound = "export const Ice = ({ t }) => <p>Ice cream</p>;\n";
  expect(await extracted(`${unbound}${drinks}`, "iced_cream")).toMatchObject({
    file: "locales/en/drinks.json",
  });
});

test("what is typed in the code or the file while a text is extracted is neither lost nor taken for the text", async () => {
  const path = "src/Pie.tsx";
  const code = component('"pies"', "Apple pie");
  const document = await select(path, code, "<p>|Apple pie|</p>");
  vi.spyOn(document, "getText").mockImplementationOnce(() => {
    queueMicrotask(() => document.type(new Range(0, 0, 0, 0), "// Typed.\n"));
    return code;
  });
  expect(await editor.run(extractKeyCommand, { key: "apple" })).toMatchObject({
    error: { code: "file_changed" },
  });
  expect(await editor.text(path)).toBe(`// Typed.\n${code}`);
  await expect(editor.read("locales/en/pies.json")).rejects.toThrow("ENOENT");
  loseFileEvents();
  await select(path, code, "<p>|Apple pie|</p>");
  answerNextInput(async (input) => {
    await editor.write("locales/en/pies.json", `{ "apple": "Theirs" }\n`);
    input.type("apple");
    input.accept();
  });
  expect(await editor.ask(extractKeyCommand, {})).toMatchObject({
    error: {
      message: "There is a key pies:apple with another text. Nothing was changed; choose another name.",
    },
  });
  expect(await editor.text(path)).toBe(code);
});

test("the edit is one that VS Code may save, and texts and keys are shown without icons", async () => {
  await editor.write(
    "locales/en/icons.json",
    `{ "$(bug)": "Costs $(add) more", "b": "Costs $(add) more" }\n`,
  );
  const applied = vi.spyOn(workspace, "applyEdit");
  await select("src/Icons.tsx", component('"icons"', "Costs $(add) more"), "<p>|Costs $(add) more|</p>");
  pickInNextList((items, { title, placeHolder }) => {
    expect([title, placeHolder, items.map(({ label }) => label)]).toEqual([
      "Extract “Costs $\u2060(add) more”",
      "Several keys have this text already",
      ["$(symbol-key) Use $\u2060(bug)", "$(symbol-key) Use b", "$(add) New Key…"],
    ]);
    return items[1];
  });
  expect(await editor.ask(extractKeyCommand, {})).toMatchObject({ key: "b", file: null });
  expect(applied).toHaveBeenLastCalledWith(expect.anything(), { isRefactoring: true });
});

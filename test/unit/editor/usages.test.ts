/** Usages in open documents and in all files, while code, manifests, functions and keys change. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findUnusedCommand, findUsesCommand } from "../../../src/commands/declarations/key-commands.ts";
import { type Editor, NOT_CANCELLED, openEditor } from "../support/open-editor.ts";
import {
  type Hover,
  loseFileEvents,
  pickInNextList,
  providersFor,
  Range,
  window,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const projectFile = (usage: object = {}): string =>
  json({ files: [{ path: "locales/{locale}.json", format: "json_js" }], sourceLocale: "en", usage });
const manifest = (...dependencies: readonly string[]): string =>
  json({ dependencies: Object.fromEntries(dependencies.map((each) => [each, "*"])) });
const PAGE = "src/page.ts";
const OTHER = "src/other.ts";
const MESSAGES = "locales/en.json";
const FILES = {
  "package.json": manifest("i18next"),
  "project-translations.json": projectFile(),
  [MESSAGES]: json({ title: "Title", later: "Later" }),
  [PAGE]: `import i18next from "i18next";\nexport const a = [i18next.t("title"), say("later")];\n`,
  [OTHER]: `import i18next from "i18next";\nexport const b = i18next.t("title");\n`,
};

let editor: Editor;
beforeEach(async () => {
  editor = await openEditor({ files: FILES });
});
afterEach(() => editor.close());

const isHovered = async (path: string, words: string): Promise<boolean> =>
  (await editor.hover(path, words)) !== undefined;
async function uses(key: string): Promise<readonly string[]> {
  const found = (await editor.run(findUsesCommand, { key })) as {
    readonly uses?: readonly { readonly path: string; readonly line: number }[];
  };
  return (found.uses ?? []).map(({ path, line }) => `${path}:${line + 1}`);
}
const references = async (): Promise<readonly string[]> =>
  (await editor.lenses(MESSAGES)).filter((lens) => lens.includes("reference"));

test("a usage begins at the first quote of its key, and ends behind the last", async () => {
  for (const [words, isThere] of [
    ['t|("title")', false],
    ['t(|"title")', true],
    ['t("title|")', true],
    ['t("title"|)', true],
    ['t("title")|', false],
  ] as const)
    expect([words, await isHovered(OTHER, words)]).toEqual([words, isThere]);
});

test("a function of the project's own is one as long as the project file names it", async () => {
  expect(await isHovered(PAGE, 'say("la|ter")')).toBe(false);
  expect(await uses("later")).toEqual([]);
  await editor.write("project-translations.json", projectFile({ functions: [{ name: "say", key: 0 }] }));
  await waitUntil(() => isHovered(PAGE, 'say("la|ter")'));
  expect(await uses("later")).toEqual([`${PAGE}:2`]);
  await editor.write("project-translations.json", projectFile());
  await waitUntil(async () => !(await isHovered(PAGE, 'say("la|ter")')));
  expect(await uses("later")).toEqual([]);
  expect(await uses("title")).toEqual([`${OTHER}:2`, `${PAGE}:2`]);
});

test("the functions of a framework are known once a manifest names it, and then no longer", async () => {
  const component = `import { useTranslation } from "react-i18next";
export function Page() {
  const { t } = useTranslation();
  return t("later");
}
`;
  await editor.write("src/Page.tsx", component);
  await waitUntil(async () => (await uses("later")).length > 0);
  await editor.write("package.json", manifest("vue-i18n"));
  await editor.write("src/page.vue", `<template><p>{{ $t("later") }}</p></template>\n`);
  await waitUntil(() => isHovered("src/page.vue", '$t("la|ter")'));
  expect(await uses("later")).toContain("src/page.vue:1");
});

test("the framework of a package is known by where its texts are, however deep", async () => {
  await editor.close();
  const page = "tools/shop/web/src/page.vue";
  editor = await openEditor({
    files: {
      "requirements.txt": "Django==5.0\n",
      "tools/shop/web/package.json": manifest("vue-i18n"),
      "project-translations.json": json({
        files: [{ path: "tools/shop/web/texts/{locale}.json", format: "json_js" }],
        sourceLocale: "en",
      }),
      "tools/shop/web/texts/en.json": json({ later: "Later" }),
      [page]: `<template><p>{{ $t("later") }}</p></template>\n`,
    },
  });
  await waitUntil(() => isHovered(page, '$t("la|ter")'));
  await editor.write("tools/shop/web/package.json", manifest("next"));
  await waitUntil(async () => !(await isHovered(page, '$t("la|ter")')));
});

test("an option of a framework that changes what code means is followed as it changes", async () => {
  const options = (nsMode: string): string =>
    `import i18next from "i18next";\ni18next.init({ ns: ["a", "b"], react: { nsMode: "${nsMode}" } });\n`;
  const component = `import { useTranslation } from "react-i18next";
export function Page() {
  const { t } = useTranslation(["a", "b"]);
  return t("only");
}
`;
  await editor.close();
  editor = await openEditor({
    files: {
      "package.json": manifest("i18next", "react-i18next"),
      "project-translations.json": json({
        files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
        sourceLocale: "en",
      }),
      "locales/en/a.json": json({ first: "First" }),
      "locales/en/b.json": json({ only: "Only here" }),
      "src/i18n.ts": options("default"),
      "src/Page.tsx": component,
    },
  });
  const shows = async (): Promise<boolean> =>
    (await editor.hover("src/Page.tsx", 't("on|ly")'))?.includes("Only here") === true;
  await waitUntil(async () => (await editor.hover("src/Page.tsx", 't("on|ly")')) !== undefined);
  expect(await shows()).toBe(false);
  await editor.write("src/i18n.ts", options("fallback"));
  await waitUntil(shows);
  await editor.write("src/i18n.ts", options("default"));
  await waitUntil(async () => !(await shows()));
});

test("a constant of another file is the key, as that file says now", async () => {
  await editor.write("src/names.ts", `export const NAME = "title";\n`);
  await editor.write(
    OTHER,
    `import i18next from "i18next";\nimport { NAME } from "./names";\nexport const c = i18next.t(NAME);\n`,
  );
  const shows = async (text: string): Promise<boolean> =>
    (await editor.hover(OTHER, "t(NA|ME)"))?.includes(`\`en\` ${text}`) === true;
  await waitUntil(() => shows("Title"));
  await editor.write("src/names.ts", `export const NAME = "later";\n`);
  await waitUntil(() => shows("Later"));
  expect(await uses("later")).toEqual([`${OTHER}:3`]);
  expect(await uses("title")).toEqual([`${PAGE}:2`]);
});

test("code counts as it is typed, and as it is on disk once it is discarded", async () => {
  expect(await uses("title")).toEqual([`${OTHER}:2`, `${PAGE}:2`]);
  const { document, selection } = await editor.show(OTHER, '"|title|"');
  document.type(selection, "later");
  expect(await isHovered(OTHER, '"la|ter"')).toBe(true);
  expect(await uses("title")).toEqual([`${PAGE}:2`]);
  expect(await uses("later")).toEqual([`${OTHER}:2`]);
  document.isDirty = false;
  document.reload();
  expect(await isHovered(OTHER, '"ti|tle"')).toBe(true);
  expect(await uses("title")).toEqual([`${OTHER}:2`, `${PAGE}:2`]);
});

test("of many keys the first are listed, and code that was changed since has no hover", async () => {
  const group = (count: number) =>
    json({ group: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "Text"])) });
  await editor.write(MESSAGES, group(8));
  await editor.write(OTHER, FILES[OTHER].replace("title", "group"));
  const hover = () => editor.hover(OTHER, '"gro|up"');
  await waitUntil(async () => (await hover())?.includes("A group of 8 keys") === true);
  expect((await hover())?.split("\n").at(-1)).toBe("- **group&#46;k7** Text");
  await editor.write(MESSAGES, group(9));
  await waitUntil(async () => (await hover())?.includes("A group of 9 keys") === true);
  expect((await hover())?.split("\n").slice(-2)).toEqual(["- **group&#46;k7** Text", "- …"]);
  // Of a key all plural forms and contexts are listed.
  const places = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`at_${index}`, "Place"]));
  await editor.write("locales/en.json", json({ ...places, ...(JSON.parse(group(9)) as object) }));
  await editor.write(PAGE, `import i18next from "i18next";\ni18next.t("at", { context: where });\n`);
  await waitUntil(async () => (await editor.hover(PAGE, '"a|t"'))?.match(/^- \*\*at/gmu)?.length === 9);
  const { document, selection } = await editor.show(OTHER, '"gro|up"');
  const [provider] = providersFor<{
    provideHover(...given: readonly unknown[]): Promise<Hover | undefined>;
  }>("Hover", document);
  const late = provider?.provideHover(document, selection.active, NOT_CANCELLED);
  // As soon as it has found the key.
  await new Promise(setImmediate);
  document.type(new Range(0, 0, 0, 0), "\n");
  expect(await late).toBeUndefined();
});

test("usages are shown one by one in a list, with what may be one, and the chosen one is opened", async () => {
  await editor.write(MESSAGES, json({ group: { a: "A" } }));
  await editor.write(OTHER, FILES[OTHER].replace('"title"', "`group.${name}`"));
  await editor.write(PAGE, FILES[PAGE].replace("title", "group.a"));
  const shown = () => window.visibleTextEditors[0]?.document.uri.path;
  pickInNextList((items, options) => {
    expect(items.map(({ label, description }) => [label, description])).toEqual([
      [`$(file-code) ${PAGE}:2`, ""],
      [`$(file-code) ${OTHER}:2`, "may be used by group.*"],
    ]);
    const { onDidSelectItem } = options as { readonly onDidSelectItem?: (item: unknown) => void };
    onDidSelectItem?.(items[0]);
    return items[1];
  });
  await editor.show(MESSAGES);
  const previews: unknown[] = [];
  const listener = window.onDidChangeVisibleTextEditors(() => void previews.push(shown()));
  const show = vi.spyOn(window, "showTextDocument");
  await editor.ask(findUsesCommand, { key: "group.a" });
  await waitUntil(() => previews.includes(editor.uri(PAGE).path));
  listener.dispose();
  // What is only looked at does not take the keyboard from the list.
  expect(show.mock.calls[0]?.[1]).toMatchObject({ preview: true, preserveFocus: true });
  expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri(OTHER).path);
});

test("usages are those of code and files on disk, although nobody told of their changes", async () => {
  expect(await uses("title")).toHaveLength(2);
  loseFileEvents();
  await editor.write(MESSAGES, json({ group: { late: "Late" } }));
  await editor.write(OTHER, FILES[OTHER].replace('"title"', "`group.${name}`"));
  expect(await uses("group.late")).toEqual([`${OTHER}:2`]);
});

test("lenses and lists follow files that are written, added and deleted", async () => {
  await waitUntil(async () => (await references()).join() === "2 2 references,3 0 references");
  const isTold = { lenses: false, hints: false };
  const { document } = await editor.show(MESSAGES);
  const [lenses] = providersFor<{ onDidChangeCodeLenses(listener: () => void): unknown }>(
    "CodeLens",
    document,
  );
  lenses?.onDidChangeCodeLenses(() => (isTold.lenses = true));
  await editor.write("src/third.ts", FILES[OTHER].replace("title", "later"));
  await waitUntil(() => isTold.lenses);
  const code = await editor.show(PAGE);
  const [hints] = providersFor<{ onDidChangeInlayHints(listener: () => void): unknown }>(
    "InlayHints",
    code.document,
  );
  hints?.onDidChangeInlayHints(() => (isTold.hints = true));
  await editor.write(MESSAGES, json({ title: "Title", later: "Later!" }));
  await waitUntil(() => isTold.hints);
  await waitUntil(async () => (await references()).join() === "2 2 references,3 1 reference");
  await rm(join(editor.folder, OTHER));
  await waitUntil(async () => (await references()).join() === "2 1 reference,3 1 reference");
  expect(await uses("title")).toEqual([`${PAGE}:2`]);
  // Code of packages is nobody's.
  await editor.write("node_modules/a/index.ts", FILES[OTHER]);
  await editor.write(OTHER, FILES[OTHER]);
  await waitUntil(async () => (await references()).join() === "2 2 references,3 1 reference");
});

test("usages of a new key are those that were unknown before", async () => {
  await editor.write(OTHER, FILES[OTHER].replace("title", "brand.new"));
  await waitUntil(async () => (await references()).join() === "2 1 reference,3 0 references");
  await editor.write(MESSAGES, json({ title: "Title", later: "Later", brand: { new: "New" } }));
  await waitUntil(async () => (await references()).join().endsWith("1 reference"));
  expect(await uses("brand.new")).toEqual([`${OTHER}:2`]);
});

test("a report is of the code and the keys as they are when it is made", async () => {
  const report = async (): Promise<unknown> => {
    const { used, unused } = (await editor.run(findUnusedCommand, {})) as {
      readonly used?: number;
      readonly unused?: readonly { readonly key: string }[];
    };
    return [used, unused?.map(({ key }) => key)];
  };
  await editor.write(MESSAGES, json({ title: "Title", lonely: "Lonely" }));
  expect(await report()).toEqual([1, ["lonely"]]);
  const { document } = await editor.show(OTHER);
  document.type(new Range(2, 0, 2, 0), `i18next.t("lonely");\n`);
  expect(await report()).toEqual([2, []]);
  await editor.write(MESSAGES, json({ title: "Title", lonely: "Lonely", more: "More" }));
  expect(await report()).toEqual([2, ["more"]]);
});

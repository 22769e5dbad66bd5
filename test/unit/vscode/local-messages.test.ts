/** Messages that a component defines itself, where a position of its code names one of them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { KeyUsage, LocalMessage, LocalMessages } from "../../../src/scanners/key-usage.ts";
import { localMessagesAt } from "../../../src/vscode/usages/local-messages.ts";
import { TextDocument, Uri, workspace } from "../support/vscode-stub.ts";

const CODE = `t("title") + t("menu") + t(name) + $t("title")`;
const component = new TextDocument(Uri.file("/app/src/a.vue"), CODE);
const message = (key: string, text: string, locale = "en"): LocalMessage => ({
  key,
  locale,
  text,
  keySpan: { start: 0, end: 0 },
});
/** A usage of the key in the code; the name that is no text has none. */
function usageOf(call: string, key: string, changes: object = {}): KeyUsage {
  const start = CODE.indexOf(call) + call.indexOf(key);
  const keySpan = { start, end: start + key.length };
  return { expression: { kind: "static", key }, namespaces: null, keySpan, ...changes } as never;
}
let local: LocalMessages | undefined;
/** The usage of the project at any position. */
let ofProject: KeyUsage | undefined;
beforeEach(() => {
  ofProject = undefined;
  local = {
    messages: [message("title", "Title"), message("title", "Titel", "nl"), message("menu.save", "Save")],
    usages: [usageOf('t("title") +', "title"), usageOf('t("menu")', "menu")],
    files: [],
  };
});
afterEach(() => {
  workspace.textDocuments = [];
});

/** Returns what is found where `|` is. */
async function at(words: string) {
  const [before = "", after = ""] = words.split("|");
  const documentUsages = {
    localMessagesIn: () => local,
    usageAt: () => ofProject && { use: ofProject },
  };
  const projects = {
    of: () => ({ codePath: ({ path }: Uri) => (path.startsWith("/app/") ? path.slice(5) : null) }),
  };
  const position = component.positionAt(CODE.indexOf(before + after) + before.length);
  const found = await localMessagesAt(
    { documentUsages, projects } as never,
    component as never,
    position as never,
  );
  return found && [found.key, found.messages.map(({ text }) => text), found.all.length];
}

test("a position in a key or at its quotes has its texts in all languages, or those of its group", async () => {
  for (const words of ['t("ti|tle") +', 't(|"title") +', 't("title"|) +'])
    expect(await at(words)).toEqual(["title", ["Title", "Titel"], 3]);
  expect(await at('t("me|nu")')).toEqual(["menu", ["Save"], 3]);
  for (const words of ['|t("title") +', 't("title")| +', "t(na|me)"]) expect(await at(words)).toBeUndefined();
});

test("its own usage counts before that of the project, which may name one of its messages, too", async () => {
  ofProject = usageOf('$t("title")', "title");
  expect(await at('$t("ti|tle")')).toEqual(["title", ["Title", "Titel"], 3]);
  expect(await at('t("me|nu")')).toEqual(["menu", ["Save"], 3]);
  ofProject = usageOf('$t("title")', "title", { namespaces: "unknown" });
  expect((await at('$t("ti|tle")'))?.[0]).toBe("title");
  // A key of a namespace is none of a component, nor is one that is not known.
  ofProject = usageOf('$t("title")', "title", { namespaces: ["shop"] });
  expect(await at('$t("ti|tle")')).toBeUndefined();
  ofProject = usageOf('$t("title")', "title", { expression: { kind: "pattern" } });
  expect(await at('$t("ti|tle")')).toBeUndefined();
  ofProject = usageOf('$t("title")', "other");
  expect(await at('$t("ti|tle")')).toEqual(["other", [], 3]);
});

test("messages of other files are read as their endings say, those outside of the project and missing ones are not", async () => {
  workspace.textDocuments.push(
    new TextDocument(
      Uri.file("/app/src/texts.json"),
      `{ "nl": { "title": "Kop" }, "fr": { "title": "Titre" } }`,
    ),
    new TextDocument(Uri.file("/app/src/de.json"), `{ "title": "Überschrift" }`),
    new TextDocument(Uri.file("/app/src/es.yaml"), `title: Título`),
    new TextDocument(Uri.file("/elsewhere.json"), `{ "en": { "title": "Elsewhere" } }`),
  );
  const files = ["../../elsewhere.json", "./nowhere.json", "./texts.json"].map((path) => ({
    path,
    locale: null,
  }));
  local = {
    messages: [],
    usages: [],
    files: [...files, { path: "./de.json", locale: "de" }, { path: "./es.yaml", locale: "es" }],
  };
  ofProject = usageOf('$t("title")', "title");
  expect(await at('$t("ti|tle")')).toEqual(["title", ["Kop", "Titre", "Überschrift", "Título"], 4]);
});

test("a document that defines none has none", async () => {
  ofProject = usageOf('$t("title")', "title");
  local = undefined;
  expect(await at('$t("ti|tle")')).toBeUndefined();
  local = { messages: [], usages: [], files: [] };
  expect(await at('$t("ti|tle")')).toBeUndefined();
});

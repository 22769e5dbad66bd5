/** Texts in editors of their own: their names, differences below a list, and the layout before them. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { textDocument, VirtualDocuments } from "../../../src/vscode/ui/documents/virtual-documents.ts";
import {
  builtInCommands,
  commands,
  TabInputText,
  TabInputTextDiff,
  TabInputWebview,
  Uri,
  window,
  workspace,
} from "../support/vscode-stub.ts";

interface Tab {
  readonly label: string;
  readonly input: unknown;
}

let documents: VirtualDocuments;
let closed: string[];
/** The layout of the editors, as VS Code describes it. */
let layout: object;
beforeEach(() => {
  documents = new VirtualDocuments();
  closed = [];
  layout = { orientation: 0, groups: [{ size: 1 }] };
  builtInCommands.length = 0;
  vi.spyOn(window.tabGroups, "close").mockImplementation(((tabs: readonly Tab[]) => {
    closed.push(...tabs.map(({ label }) => label));
    return Promise.resolve(true);
  }) as never);
  const execute = commands.executeCommand;
  vi.spyOn(commands, "executeCommand").mockImplementation(async (id, ...args) => {
    const result = await execute(id, ...args);
    return id === "vscode.getEditorLayout" ? layout : result;
  });
});
afterEach(() => {
  documents.dispose();
  workspace.textDocuments = [];
});

const showTabs = (...groups: readonly (readonly Tab[])[]): void => {
  vi.spyOn(window.tabGroups, "all", "get").mockReturnValue(groups.map((tabs) => ({ tabs })) as never);
};
const contentOf = async (uri: unknown): Promise<string> =>
  (await workspace.openTextDocument(uri as Uri)).getText();
const layouts = () => builtInCommands.filter(([id]) => id === "vscode.setEditorLayout").map(([, to]) => to);

test("each has its own content, also with the same name, and the name of its tab", async () => {
  const [first, second] = [documents.uri("cart.title.txt", "a"), documents.uri("cart.title.txt", "b")];
  expect([await contentOf(first), await contentOf(second)]).toEqual(["a", "b"]);
  expect(first.path).toBe("/cart.title.txt");
  expect(documents.uri("nl: a/b?.md", "").path).toBe("/nl a b .md");
  expect(documents.uri("50%: a|b.txt", "").path).toBe("/50 a b.txt");
  expect(documents.uri("??", "").path).toBe("/text");
  expect(documents.uri(`${"a".repeat(100)}.json`, "").path).toBe(`/${"a".repeat(75)}.json`);
  expect(documents.uri("x", "", "/app/lang/nl.json").path).toBe("/app/lang/nl.json");
});

test("the last three hundred are kept", async () => {
  const all = Array.from({ length: 301 }, (_, number) => documents.uri("a", `text ${number}`));
  expect(await contentOf(all[0])).toBe("");
  expect(await contentOf(all[1])).toBe("text 1");
  const next = documents.uri("a", "next");
  expect([await contentOf(all[300]), await contentOf(next)]).toEqual(["text 300", "next"]);
});

test("Markdown is shown in a preview, in place of an earlier one of that name", async () => {
  showTabs([
    { label: "Preview nl report.md", input: new TabInputWebview("mainThreadWebview-markdown.preview") },
    { label: "Preview other.md", input: new TabInputWebview("mainThreadWebview-markdown.preview") },
    { label: "nl report.md", input: new TabInputText(Uri.file("/nl report.md")) },
    { label: "nl report.md", input: new TabInputWebview("mainThreadWebview-other") },
  ]);
  const shown = vi.spyOn(window, "showTextDocument");
  await documents.open("nl/report.md", "# Report");
  expect(closed).toEqual(["Preview nl report.md"]);
  // The focus stays where it is.
  expect(window.tabGroups.close).toHaveBeenCalledExactlyOnceWith(expect.anything(), true);
  expect(builtInCommands.map(([id]) => id)).toEqual(["markdown.showPreview"]);
  expect(await contentOf(builtInCommands[0]?.[1])).toBe("# Report");
  showTabs([]);
  await documents.open("report.md", "# Report");
  expect(closed).toHaveLength(1);
  expect(shown).not.toHaveBeenCalled();
  await documents.open("keys.md.txt", "a");
  expect(window.activeTextEditor?.document.getText()).toBe("a");
  // In the tab of what was only looked at.
  expect(shown).toHaveBeenCalledExactlyOnceWith(expect.anything(), { preview: true });
});

test("differences are below the other editors, in one group, and then the layout is as before", async () => {
  showTabs([], []);
  const before = layout;
  const file = Uri.file("/app/nl.json");
  await documents.diffBelowList({ name: "a.txt", text: "a" }, file, "First");
  layout = { orientation: 1, groups: [{ size: 0.5 }, { size: 0.5 }] };
  await documents.diffBelowList({ name: "a.txt", text: "b" }, { name: "b.txt", text: "c" }, "Second");
  expect(layouts()).toEqual([{ orientation: 1, groups: [{ size: 0.5 }, { size: 0.5 }] }]);
  const [first, second] = builtInCommands.filter(([id]) => id === "vscode.diff");
  expect([await contentOf(first?.[1]), first?.[2], first?.[3]]).toEqual(["a", file, "First"]);
  expect(first?.[4]).toEqual({ preview: true, preserveFocus: true, viewColumn: 2 });
  expect([await contentOf(second?.[1]), await contentOf(second?.[2])]).toEqual(["b", "c"]);
  await documents.closeDifferences();
  expect(layouts()[1]).toBe(before);
  // Once.
  await documents.closeDifferences();
  expect(layouts()).toHaveLength(2);
  await documents.diffBelowList({ name: "a.txt", text: "a" }, file, "Third");
  expect(layouts()).toHaveLength(3);
});

test.each([
  [
    "groups side by side",
    { orientation: 0, groups: [{ size: 0.3 }, { size: 0.7 }] },
    [{ groups: [{ size: 0.3 }, { size: 0.7 }], size: 0.5 }, { size: 0.5 }],
  ],
  [
    "rows",
    { orientation: 1, groups: [{ size: 0.3 }, { size: 0.7, groups: [{}, {}] }] },
    [{ size: 0.25 }, { size: 0.25, groups: [{}, {}] }, { size: 0.5 }],
  ],
])("%s stay above the differences", async (_, given, groups) => {
  layout = given;
  await documents.diffBelowList({ name: "a", text: "a" }, { name: "b", text: "b" }, "A");
  expect(layouts()).toEqual([{ orientation: 1, groups }]);
});

test("closes the differences of a list, and the editor of several files with its title", async () => {
  const own = documents.uri("a.txt", "a");
  const file = Uri.file("/app/nl.json");
  showTabs(
    [
      { label: "own before", input: new TabInputTextDiff(own, file) },
      { label: "own after", input: new TabInputTextDiff(file, own) },
      { label: "git", input: new TabInputTextDiff(Uri.parse("git:/app/nl.json"), file) },
    ],
    [
      { label: "Pull (3 files)", input: undefined },
      { label: "Pull notes", input: new TabInputText(file) },
      { label: "Other", input: undefined },
    ],
  );
  await documents.closeDifferences();
  expect(closed).toEqual(["own before", "own after"]);
  closed = [];
  await documents.closeDifferences("Pull");
  expect(closed).toEqual(["own before", "own after", "Pull (3 files)"]);
  expect(layouts()).toEqual([]);
});

test("the differences of several files have the file's path on both sides; a new file has one side", async () => {
  const [file, other] = [Uri.file("/app/nl.json"), Uri.file("/app/fr.json")];
  await documents.diffAll("Pull", [
    { file, before: file, after: { name: "nl.json", text: "new" } },
    { file: other, before: undefined, after: { name: "fr.json", text: "french" } },
    { file, before: { name: "a.json", text: "old" }, after: { name: "b.json", text: "new" } },
  ] as never);
  const [[id, title, resources] = []] = builtInCommands;
  expect([id, title]).toEqual(["vscode.changes", "Pull"]);
  const [[, before, after] = [], [shown, none, created] = [], sides = []] = resources as Uri[][];
  expect(sides.map(({ path }) => path)).toEqual(["/app/nl.json", "/app/nl.json", "/app/nl.json"]);
  expect([await contentOf(sides[1]), await contentOf(sides[2])]).toEqual(["old", "new"]);
  expect([before, after?.path, await contentOf(after)]).toEqual([file, "/app/nl.json", "new"]);
  expect([shown, none, created?.path, await contentOf(created)]).toEqual([
    other,
    undefined,
    "/app/fr.json",
    "french",
  ]);
});

test("a plural text has each form below its category", () => {
  expect(textDocument(null)).toBe("");
  expect(textDocument({ value: " a\nb\n" })).toBe(" a\nb\n");
  expect(textDocument({ forms: { one: "item", other: "items" } })).toBe("[one]\nitem\n\n[other]\nitems\n");
});

/** Places in files: of text as it is now, of binary files, and of what is no text. */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { LocalProblem } from "../../../src/workspace/local-files/local-entries.ts";
import {
  entrySpan,
  FileTextCache,
  isBinary,
  withLocation,
} from "../../../src/vscode/files/file-text-cache.ts";
import { formatOfFile } from "../../../src/vscode/files/format-of-file.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { revealEntry } from "../../../src/vscode/ui/documents/reveal-entry.ts";
import {
  builtInCommands,
  messages,
  Position,
  Range,
  TextDocument,
  Uri,
  window,
  workspace,
} from "../support/vscode-stub.ts";

const FILES: Record<string, Uint8Array> = {
  "nl.json": new TextEncoder().encode('{\n  "a": "é"\n}\n'),
  "nl.po": Uint8Array.of(0x6d, 0xff, 0xfe, 0x80),
  "fr.po": Buffer.from(
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgid "a"\nmsgstr "é"\n',
    "latin1",
  ),
};
/** The paths that were read. */
let reads: string[];
/** Formats that the layout of the project gives to files. */
let layout: Record<string, string>;
const open = {
  root: Uri.file("/app"),
  namespaceSeparator: ".",
  unwrittenNamespaces: new Set(),
  local: { locate: (path: string) => (path in layout ? { entry: { format: layout[path] } } : null) },
  files: {
    read: async (path: string) => {
      reads.push(path);
      const bytes = FILES[path];
      return bytes === undefined ? { kind: "missing" } : { kind: "read", bytes };
    },
  },
} as unknown as OpenProject;
beforeEach(() => {
  [reads, layout] = [[], {}];
  messages.length = builtInCommands.length = 0;
});

test("a file has the format of the layout, else that of its name", () => {
  layout = { "texts.json": "i18next_v4", "strings.txt": "android" };
  expect(
    ["texts.json", "strings.txt", "other.po", "readme.txt"].map((path) => formatOfFile(open, path)),
  ).toEqual(["i18next_v4", "android", "po", undefined]);
  layout = { "catalogue.bin": "mo" };
  expect(["catalogue.bin", "a.mo", "a.po", "a.txt"].map((path) => isBinary(open, path))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("a file is read once, and has places by line and character", async () => {
  const texts = new FileTextCache(open);
  const location = await texts.location("nl.json", { start: 4, end: 7 });
  expect([location?.uri.path, location?.range]).toEqual(["/app/nl.json", new Range(1, 2, 1, 5)]);
  expect((await texts.location("nl.json", { start: 9, end: 12 }))?.range).toEqual(new Range(1, 7, 1, 10));
  expect(await texts.location("nowhere.json", { start: 0, end: 1 })).toBeUndefined();
  expect(await texts.location("nl.po", { start: 0, end: 1 })).toBeUndefined();
  expect(await texts.read("nowhere.json")).toBeUndefined();
  expect(reads).toEqual(["nl.json", "nowhere.json", "nl.po"]);
  // A binary one is not read.
  expect((await texts.location("nl.mo", { start: 4, end: 7 }))?.range.start).toEqual(new Position(0, 0));
  expect(await texts.read("nl.mo")).toBeUndefined();
  expect(reads).toHaveLength(3);
});

test("a file is read in the encoding that its format lets it declare", async () => {
  expect((await new FileTextCache(open).read("fr.po"))?.text).toContain('msgstr "é"');
  layout = { "fr.po": "json_js" };
  expect(await new FileTextCache(open).read("fr.po")).toBeUndefined();
});

test("a problem with an offset has its line and column, counted from one; others are as they are", async () => {
  const problem = (more: object) =>
    ({ path: "nl.json", line: null, span: null, ...more }) as unknown as LocalProblem;
  const located = async (more: object) => {
    const { line, column } = await withLocation(problem(more), new FileTextCache(open));
    return [line, column];
  };
  expect(await located({ span: { start: 4, end: 7 } })).toEqual([2, 3]);
  expect(await located({ span: { start: 4, end: 7 }, line: 9, column: 1 })).toEqual([9, 1]);
  expect(await located({})).toEqual([null, undefined]);
  expect(await located({ span: { start: 0, end: 0 } })).toEqual([null, undefined]);
  expect(await located({ span: { start: 4, end: 7 }, path: "nowhere.json" })).toEqual([null, undefined]);
});

test("an entry is from its key to its value, whichever is first", () => {
  const [first, second] = [
    { start: 2, end: 5 },
    { start: 7, end: 9 },
  ];
  const spanOf = (keySpan: object, valueSpan: object) =>
    entrySpan({ entry: { keySpan, valueSpan } } as never);
  expect(spanOf(first, second)).toEqual({ start: 2, end: 9 });
  expect(spanOf(second, first)).toEqual({ start: 2, end: 9 });
});

test("an entry is shown at its value; that of a binary file in the explorer, with the name of its key", async () => {
  const entry = (path: string) =>
    ({
      path,
      name: { namespace: "cart", key: "title", context: null },
      entry: { valueSpan: { start: 9, end: 12 } },
    }) as never;
  workspace.textDocuments.push(new TextDocument(Uri.file("/app/nl.json"), '{\n  "a": "é"\n}\n'));
  const show = vi.spyOn(window, "showTextDocument");
  onTestFinished(() => {
    show.mockRestore();
    workspace.textDocuments = [];
  });
  await revealEntry(open, entry("nl.json"), { preview: true });
  expect(show.mock.calls.at(-1)?.[1]).toEqual({ preview: true, selection: new Range(1, 7, 1, 10) });
  await revealEntry(open, entry("nowhere.json"));
  expect(show.mock.calls).toHaveLength(1);
  // Nobody closes the notification: that is not waited for.
  const said = vi.spyOn(window, "showInformationMessage").mockReturnValue(new Promise(() => undefined));
  onTestFinished(() => said.mockRestore());
  await revealEntry(open, entry("nl.mo"));
  expect(show.mock.calls).toHaveLength(1);
  expect(builtInCommands).toEqual([["revealInExplorer", Uri.file("/app/nl.mo")]]);
  expect(said.mock.calls).toEqual([
    ["cart.title is in nl.mo, which another program makes and VS Code does not show as text."],
  ]);
});

/** Files of a project and of code beside it, the project file, and the databases of a folder. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Uri } from "vscode";
import { mayWrite } from "../../../src/projects/project-files.ts";
import { openFiles } from "../../../src/vscode/files/project-file-system.ts";
import type { LogChannel } from "../../../src/vscode/log.ts";
import { editProjectFile } from "../../../src/vscode/projects/edit-project-file.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { OutsideCode } from "../../../src/vscode/projects/outside-code.ts";
import { ProjectDatabases } from "../../../src/vscode/projects/project-databases.ts";
import { createFolderSearch } from "../../../src/workspace/project-detection/folder-search.ts";
import { projectFiles, recordingLog, temporaryFolder } from "../support/node-platform.ts";
import { Range, TextDocument, Uri as FileUri, workspace } from "../support/vscode-stub.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const pathOf = (...names: readonly string[]): string => join(folder.path, ...names);
const uriOf = (...names: readonly string[]): Uri => FileUri.file(pathOf(...names));
beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(pathOf("app"));
});
afterEach(async () => {
  workspace.isTrusted = true;
  workspace.textDocuments = [];
  await folder.remove();
});

const filesOfApp = () =>
  openFiles({
    root: uriOf("app"),
    search: createFolderSearch(pathOf("app")),
    scope: () => ({ exclude: [], otherProjects: [] }),
    formatAt: () => undefined,
    journalFolder: pathOf("journal"),
  });

test("writes no file that was deleted since it was read", async () => {
  await writeFile(pathOf("app", "nl.json"), "{}");
  const files = filesOfApp();
  const read = await files.read("nl.json");
  await rm(pathOf("app", "nl.json"));
  const before = read.kind === "read" ? read.bytes : undefined;
  const after = new TextEncoder().encode('{"a":"b"}');
  expect(await files.write([{ path: "nl.json", before, after }])).toEqual({
    kind: "changed",
    paths: ["nl.json"],
  });
  await expect(readFile(pathOf("app", "nl.json"))).rejects.toThrow("ENOENT");
});

test("reads what is typed and not saved, and notices each change of it", async () => {
  const path = pathOf("app", "nl.json");
  await writeFile(path, "{}");
  const files = filesOfApp();
  const onDisk = await files.stat("nl.json");
  const document = new TextDocument(FileUri.file(path), "{}");
  workspace.textDocuments.push(document);
  expect(await files.stat("nl.json")).toEqual(onDisk);
  document.type(new Range(0, 1, 0, 1), '"a":"b"');
  const stamp = await files.stat("nl.json");
  expect(stamp).not.toEqual(onDisk);
  const read = await files.read("nl.json");
  expect(read).toMatchObject({ kind: "read", dirty: true, stamp });
  expect(read.kind === "read" && new TextDecoder().decode(read.bytes)).toBe('{"a":"b"}');
  document.type(new Range(0, 1, 0, 1), '"c":"d",');
  expect(await files.stat("nl.json")).not.toEqual(stamp);
});

test("creates no file in a folder of a tool or outside of the project", async () => {
  const paths = ["lang/nl.json", ".git/hooks/nl.json", "../nl.json"];
  expect(await Promise.all(paths.map((path) => mayWrite(pathOf("app"), path)))).toEqual([true, false, false]);
});

test("keeps the byte order mark and the comments of the project file", async () => {
  const path = pathOf("app", "project-translations.json");
  await writeFile(path, '\uFEFF{\n  // ours\n  "files": []\n}\n');
  const open = { files: projectFiles(pathOf("app")), fileUri: uriOf("app") } as unknown as OpenProject;
  await editProjectFile(open, ["baseUrl"], "https://example.com");
  const text = await readFile(path, "utf8");
  expect(text.startsWith("\uFEFF{\n  // ours\n")).toBe(true);
  expect(text).toContain('"baseUrl": "https://example.com"');
});

test("reads code outside of the project in the folder that has it, also if another one has the same beginning", async () => {
  const code = new OutsideCode(pathOf("journal"));
  code.folders = ["ui", "ui-kit"].map((name) => ({
    uri: uriOf(name),
    path: `../${name}`,
  }));
  await mkdir(pathOf("ui-kit"));
  await writeFile(pathOf("ui-kit", "a.js"), "kit");
  expect(code.pathOf(uriOf("ui-kit", "a.js"))).toBe("../ui-kit/a.js");
  const read = await code.read("../ui-kit/a.js", undefined);
  expect(read?.kind === "read" && new TextDecoder().decode(read.bytes)).toBe("kit");
  expect(code.read("../other/a.js", undefined)).toBeUndefined();
});

test("uses the cache on disk once the workspace is trusted, and stores what is typed before, too", async () => {
  const log = recordingLog() as unknown as LogChannel;
  const databases = new ProjectDatabases(uriOf("storage"), log, () => undefined);
  const open = () => databases.open(uriOf("app"), "https://example.com", null);
  workspace.isTrusted = false;
  const untrusted = await open();
  expect([untrusted.database.isOnDisk, untrusted.personal.database.isOnDisk]).toEqual([false, true]);
  workspace.isTrusted = true;
  const trusted = await open();
  expect([trusted.database.isOnDisk, trusted.personal.database === untrusted.personal.database]).toEqual([
    true,
    true,
  ]);
  databases.dispose();
});

/** Which project a file belongs to, how projects are called, and edits of a project file that cannot be read. */
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  editProjectFile,
  requireEditableProjectFile,
} from "../../../src/vscode/projects/edit-project-file.ts";
import {
  findRoots,
  labelOf,
  nearestProject,
  notRecognisedError,
  workspaceFolders,
} from "../../../src/vscode/projects/find-project-files.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { projectFiles, temporaryFolder } from "../support/node-platform.ts";
import { Range, Uri, window, workspace } from "../support/vscode-stub.ts";

const NAME = "project-translations.json";
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  workspace.workspaceFolders = undefined;
  vi.restoreAllMocks();
  await folder.remove();
});
const uri = (path: string) => Uri.file(path) as never;

test("a file belongs to the project with the nearest root, or code folder, above it", () => {
  const project = (root: string, ...code: readonly string[]) => ({
    root: uri(root),
    code: { folders: code.map((each) => ({ uri: uri(each) })) },
  });
  const outer = project("/projects");
  const inner = project("/projects/packages/shop", "/projects/tools");
  const other = project("/projects/packages/shop-admin");
  const named = new Map<unknown, string>([
    [outer, "outer"],
    [inner, "inner"],
    [other, "other"],
    [undefined, "none"],
  ]);
  // Of two with the same code the first one.
  const second = project("/projects/packages/web", "/projects/tools");
  expect(nearestProject([inner, second], uri("/projects/tools/a.ts"))).toBe(inner);
  for (const all of [
    [outer, inner, other],
    [other, inner, outer],
  ]) {
    const of = (path: string) => named.get(nearestProject(all, uri(path)));
    expect(
      [
        "/projects/a.ts",
        "/projects/packages/shop/a.ts",
        "/projects/packages/shop",
        "/projects/tools/a.ts",
      ].map(of),
    ).toEqual(["outer", "inner", "inner", "inner"]);
    expect(
      ["/projects/packages/shop-admin/a.ts", "/projects/packages/shop-ad", "/elsewhere/a.ts"].map(of),
    ).toEqual(["other", "outer", "none"]);
  }
});

test("a project is called after its folder, and in a window of several folders after that, too", () => {
  workspace.workspaceFolders = [{ uri: Uri.file("/projects/shop"), name: "shop" }];
  expect([labelOf(uri("/projects/shop")), labelOf(uri("/projects/shop/packages/web"))]).toEqual([
    "shop",
    "packages/web",
  ]);
  workspace.workspaceFolders = ["shop", "blog"].map((name) => ({ uri: Uri.file(`/projects/${name}`), name }));
  expect([labelOf(uri("/projects/blog")), labelOf(uri("/projects/shop/packages/web"))]).toEqual([
    "blog",
    "shop/packages/web",
  ]);
  expect(notRecognisedError(uri("/projects/blog"))).toMatchObject({
    code: "no_project",
    message: "No translation files were recognised in /projects/blog.",
  });
});

test("only folders on the local disk are searched", () => {
  const remote = Uri.from({ scheme: "vscode-vfs", authority: "github", path: "/shop" });
  workspace.workspaceFolders = [remote, Uri.file("/projects/shop")].map((each) => ({ uri: each, name: "" }));
  expect(workspaceFolders().map(({ path }) => path)).toEqual(["/projects/shop"]);
});

test("the roots of a window are those of its project files, and of the apps of folders without one", async () => {
  const asked: string[] = [];
  const at = (path: string) => ({ path, uri: uri(path), isSignedIn: false, isOpen: false });
  const apps = new Map([["packages/web", [{ path: "locales/{locale}.json", format: "json_js" }]]]);
  const roots = await findRoots([at("/one"), at("/two")] as never, [`/one/app/${NAME}`], (async (
    each: Uri,
  ) => {
    asked.push(each.path);
    return each.path === "/two" ? apps : new Map();
  }) as never);
  expect([...roots.values()].map(({ path }) => path).sort()).toEqual(["/one/app", "/two/packages/web"]);
  expect([...roots.keys()].sort()).toEqual(["file:///one/app", "file:///two/packages/web"]);
  expect(asked).toContain("/two");
  // That of a folder keeps its own URI, which may end with a slash.
  const whole = new Map([["", apps.get("packages/web")]]);
  const slashed = { ...at("/three"), uri: uri("/three/") };
  const ofWhole = await findRoots([slashed] as never, [], (async () => whole) as never);
  expect([...ofWhole.keys()]).toEqual(["file:///three/"]);
  // An app is looked for where no project file says what there is.
  asked.length = 0;
  await findRoots([at("/one")] as never, [`/one/${NAME}`], (async ({ path }: Uri) => {
    asked.push(path);
    return new Map();
  }) as never);
  expect(asked).toEqual([]);
});

/** A project in the folder, whose project file has this content; `null`: there is none. */
async function openWith(content: string | Uint8Array | null): Promise<OpenProject> {
  if (content !== null) await writeFile(join(folder.path, NAME), content);
  return {
    files: projectFiles(folder.path),
    fileUri: Uri.file(join(folder.path, NAME)),
  } as unknown as OpenProject;
}

test("a project file that is damaged is not written, and is opened where it is", async () => {
  const open = await openWith('{\n  "files": [\n    { "path": }\n  ]\n}\n');
  const show = vi.spyOn(window, "showTextDocument").mockResolvedValue(undefined as never);
  for (const edit of [
    () => editProjectFile(open, ["baseUrl"], "a"),
    () => requireEditableProjectFile(open),
  ]) {
    const error = (await edit().catch((thrown: unknown) => thrown)) as {
      readonly code: string;
      readonly message: string;
      readonly step: { readonly label: string; act(): unknown };
    };
    expect([error.code, error.message, error.step.label]).toEqual([
      "invalid",
      `${NAME}:3:15: an error, so nothing was written. Correct it there, then try again.`,
      "Open File",
    ]);
    await error.step.act();
    expect(show.mock.calls.at(-1)).toEqual([open.fileUri, { selection: new Range(2, 14, 2, 14) }]);
  }
});

test("one that is no text, a folder, or a link out of the project is not written either; without one it is made", async () => {
  await expect(
    editProjectFile(await openWith(Uint8Array.of(0xff, 0xfe, 0x00)), ["a"], 1),
  ).rejects.toMatchObject({
    code: "invalid",
  });
  await folder.remove();
  await mkdir(join(folder.path, NAME), { recursive: true });
  const refused = { code: "invalid", message: `${NAME}: not a regular file. Rename or remove it.` };
  await expect(editProjectFile(await openWith(null), ["a"], 1)).rejects.toMatchObject(refused);
  await expect(requireEditableProjectFile(await openWith(null))).rejects.toMatchObject(refused);
  await rm(join(folder.path, NAME), { recursive: true });
  await symlink(import.meta.filename, join(folder.path, NAME));
  await expect(requireEditableProjectFile(await openWith(null))).rejects.toMatchObject({
    code: "unsafe_file",
    message: `${NAME}: a link out of the project, which is not followed. Put the file into the project.`,
    details: { reason: "unreadable_file" },
  });
  await folder.remove();
  await mkdir(folder.path);
  // Nor is a file added where another value stands in place of the list.
  await expect(requireEditableProjectFile(await openWith('{ "files": "en.json" }'))).rejects.toMatchObject({
    code: "invalid",
  });
  await rm(join(folder.path, NAME));
  const open = await openWith(null);
  await requireEditableProjectFile(open);
  const write = await editProjectFile(open, ["sourceLocale"], "nl");
  expect([write.path, write.before]).toEqual([NAME, undefined]);
  expect(JSON.parse(new TextDecoder().decode(write.after))).toEqual({ sourceLocale: "nl" });
  // Then it is edited as it is: with its byte order mark and comments.
  const marked = "\ufeff// Of the app\n{}\n";
  await editProjectFile(await openWith(marked), ["sourceLocale"], "de");
  expect(await readFile(join(folder.path, NAME), "utf8")).toBe(
    '\ufeff// Of the app\n{\n  "sourceLocale": "de"\n}\n',
  );
});

/** Which folders of a window are projects. */
import { expect, test } from "vitest";
import type { AppLayouts } from "../../../../src/workspace/file-layout/detect-layouts.ts";
import {
  areAppsRecognised,
  MAX_PROJECTS,
  projectRoots,
  type WorkspaceFolder,
} from "../../../../src/workspace/project-detection/project-roots.ts";

const folder = (path: string, state: Partial<WorkspaceFolder> = {}): WorkspaceFolder => ({
  path,
  isSignedIn: false,
  isOpen: false,
  ...state,
});
const appsIn =
  (...roots: readonly string[]) =>
  (): AppLayouts =>
    new Map(roots.map((root) => [root, [{ path: "locales/{locale}.json", format: "json_js" as const }]]));
const appsOf = appsIn("web", "app");

test("each project file makes its folder a project, and no app is recognised below it", () => {
  const files = ["/w/a/project-translations.json", "/w/a/deep/er/project-translations.json"];
  expect(projectRoots([folder("/w/a"), folder("/w/b")], files, appsOf)).toEqual([
    ...["/w/a", "/w/a/deep/er", "/w/b/web", "/w/b/app"],
  ]);
});

test("the apps of a folder with a project file, or with a sign-in, are not looked for", () => {
  const files = ["/w/a/project-translations.json"];
  expect(areAppsRecognised({ path: "/w/a", isSignedIn: false }, files)).toBe(false);
  expect(areAppsRecognised({ path: "/w/b", isSignedIn: false }, files)).toBe(true);
  expect(areAppsRecognised({ path: "/w/b", isSignedIn: true }, files)).toBe(false);
});

test("a project file in one app leaves the others recognised, but none in that app", () => {
  const apps = appsIn("web", "web/packages/ui", "web-two", "app");
  expect(projectRoots([folder("/w/a")], ["/w/a/web/project-translations.json"], apps)).toEqual([
    ...["/w/a/web", "/w/a/web-two", "/w/a/app"],
  ]);
  // The folder is an app itself, with another one in it.
  expect(projectRoots([folder("/w/a")], ["/w/a/web/project-translations.json"], appsIn(""))).toEqual([
    ...["/w/a/web", "/w/a"],
  ]);
});

test("a folder all of whose texts are below project files is no project of its own", () => {
  const files = ["/w/a/packages/texts/project-translations.json"];
  const texts =
    (...paths: readonly string[]) =>
    () =>
      new Map([["", paths.map((path) => ({ path: `${path}/{locale}.json`, format: "json_js" as const }))]]);
  expect(projectRoots([folder("/w/a")], files, texts("packages/texts/locales"))).toEqual([
    "/w/a/packages/texts",
  ]);
  expect(projectRoots([folder("/w/a")], files, texts("packages/texts/a", "packages/texts-two"))).toEqual([
    ...["/w/a/packages/texts", "/w/a"],
  ]);
});

test("a folder whose name begins with that of another one is not inside of it", () => {
  const files = ["/w/app-two/project-translations.json"];
  expect(areAppsRecognised({ path: "/w/app", isSignedIn: false }, files)).toBe(true);
  expect(projectRoots([folder("/w/app"), folder("/w/app-two")], files, appsOf)).toEqual([
    ...["/w/app-two", "/w/app/web", "/w/app/app"],
  ]);
});

test("a folder that somebody signed in to is the project, and none of its apps", () => {
  expect(projectRoots([folder("/w/a", { isSignedIn: true })], [], appsOf)).toEqual(["/w/a"]);
});

test("an open folder stays open, beside its apps or project files", () => {
  const open = folder("/w/a", { isOpen: true });
  expect(projectRoots([open], [], appsOf)).toEqual(["/w/a", "/w/a/web", "/w/a/app"]);
  expect(projectRoots([open], ["/w/a/web/project-translations.json"], appsOf)).toEqual([
    ...["/w/a/web", "/w/a", "/w/a/app"],
  ]);
});

test("the folder itself may be the only app", () => {
  expect(projectRoots([folder("/w/a", { isOpen: true })], [], appsIn(""))).toEqual(["/w/a"]);
});

test("apps are limited, and nothing is found without files", () => {
  const many = Array.from({ length: MAX_PROJECTS + 20 }, (_, number) => String(number));
  expect(projectRoots([folder("/w/a")], [], appsIn(...many))).toHaveLength(MAX_PROJECTS);
  expect(projectRoots([folder("/w/a")], [], appsIn())).toEqual([]);
  expect(projectRoots([], [], appsOf)).toEqual([]);
});

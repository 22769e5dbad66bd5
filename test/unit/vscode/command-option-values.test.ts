/** What options of commands mean: files, texts and keys. */
import { expect, test } from "vitest";
import {
  invalidOptionError,
  parseFilesOption,
  parseTextOption,
  parseUriOption,
  parseUrisOption,
} from "../../../src/vscode/commands/command-options.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { keyFromOptions, keyOptions } from "../../../src/vscode/ui/input/pick-key.ts";
import { Uri } from "../support/vscode-stub.ts";

const ROOT = Uri.file("/app");
const open = {
  root: ROOT,
  relative: ({ path }: Uri) => (path.startsWith("/app/") ? path.slice("/app/".length) : null),
} as unknown as OpenProject;
const shown = (option: Parameters<typeof parseUriOption>[0], base?: Uri) =>
  parseUriOption(option, base).toString();

test("a file is a URI, its JSON form, a path, or one relative to the project", () => {
  const uri = Uri.file("/a b/c.php");
  expect(parseUriOption(uri)).toBe(uri);
  expect(shown(JSON.parse(JSON.stringify(uri)) as { scheme: string; path: string })).toBe(
    "file:///a%20b/c.php",
  );
  expect(shown({ scheme: "vscode-remote", authority: "ssh", path: "/a" } as never)).toBe(
    "vscode-remote://ssh/a",
  );
  expect(shown({ scheme: "file", authority: 3, path: "/a" } as never)).toBe("file:///a");
  expect(shown("file:///a/b.php")).toBe("file:///a/b.php");
  expect(shown("vscode-remote://ssh/a", ROOT)).toBe("vscode-remote://ssh/a");
  expect(shown("/a/b.php", ROOT)).toBe("file:///a/b.php");
  expect(shown("lang/nl.json", ROOT)).toBe("file:///app/lang/nl.json");
  // A drive, also before two slashes, and a path that is relative to nothing.
  for (const path of ["C:\\app", "C://app", "c:/app", "\\\\server\\app"])
    expect(() => parseUriOption(path, ROOT as never)).toThrow("not absolute");
  expect(() => parseUriOption("lang/nl.json")).toThrow("not absolute");
});

test("one or several files are of the project, others are left out", () => {
  expect(parseUrisOption(open, "lang/nl.json").map(String)).toEqual(["file:///app/lang/nl.json"]);
  expect(parseUrisOption(open, ["a.php", "/b.php"]).map(String)).toEqual([
    "file:///app/a.php",
    "file:///b.php",
  ]);
  expect([...parseFilesOption(open, ["a.php", "/elsewhere/b.php", "/app/c.php"])]).toEqual([
    "a.php",
    "c.php",
  ]);
});

test("a text has one value, or forms, or is not given", () => {
  expect(parseTextOption({})).toBeUndefined();
  expect(parseTextOption({ value: "" })).toEqual({ value: "" });
  expect(parseTextOption({ forms: { one: "a" } })).toEqual({ forms: { one: "a" } });
});

test("an option that is not valid is named", () => {
  expect(invalidOptionError("locale", "No such language.")).toMatchObject({
    code: "invalid",
    message: "No such language.",
    details: { errors: { locale: ["No such language."] } },
  });
});

test("a key has the default namespace and no context unless they are given", () => {
  expect(keyFromOptions({})).toBeUndefined();
  expect(keyFromOptions({ key: "", namespace: "cart" })).toBeUndefined();
  expect(keyFromOptions({ key: "title" })).toEqual({ namespace: "*", key: "title", context: null });
  expect(keyFromOptions({ key: "title", namespace: "cart", context: "" })).toMatchObject({ context: null });
  const name = { namespace: "cart", key: "title", context: "menu" };
  expect(keyFromOptions(name)).toEqual(name);
  expect(keyOptions(open, name)).toEqual({ folder: ROOT, ...name });
  expect(keyOptions(open, name, "nl")).toEqual({ folder: ROOT, ...name, locale: "nl" });
});

/** What usages mean of which the code has only a part, and those of code without a known framework. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import {
  isGettextOnly,
  type KeyReference,
  type KeyResolutionOptions,
  resolveKey,
  writesNamespaces,
} from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import { createKeyNames } from "../../support/key-database.ts";
import { keyOf } from "../../support/source-folder.ts";
import { referenceTo } from "./key-references.ts";

const under = (...frameworks: readonly FrameworkName[]): KeyResolutionOptions => ({
  frameworks: new Set(frameworks),
});

/** The key, or those that a part may mean. */
function found(usage: KeyReference, keys: readonly string[], options = under("i18next")): unknown {
  const resolution = resolveKey(usage, createKeyNames(keys.map(keyOf)), options);
  if (resolution.kind === "pattern") return resolution.matches.map(({ hash }) => hash);
  return resolution.kind === "known" ? resolution.key.hash : resolution.kind;
}

test("a part of a key in a known namespace means no keys of others, but any where that is unknown", () => {
  const keys = ["cart|x.a", "menu|y.a"];
  expect(found(referenceTo("x.…", { namespaces: ["shop"] }), keys)).toEqual([]);
  expect(found(referenceTo("x.…", { namespaces: "unknown" }), keys)).toEqual(["cart|x.a"]);
});

test("the name of a group in an unknown namespace means the group", () => {
  const group = referenceTo("menu", { namespaces: "unknown" });
  expect(found(group, ["*|menu.a", "*|menu.b"])).toBe("intermediate");
  expect(found(group, ["*|menus.a"])).toEqual([]);
});

test("a name with any namespace needs the separator that the project has", () => {
  expect(found(referenceTo("…:title"), ["a|title"])).toEqual(["a|title"]);
  const options = { ...under("i18next"), namespaceSeparator: false as const };
  expect(found(referenceTo("…:title"), ["a|title"], options)).toEqual([]);
});

test("without a framework, code follows the usual conventions", () => {
  expect(found(referenceTo("menu.title"), ["*|menu.title"], under())).toBe("*|menu.title");
  expect([isGettextOnly(under()), isGettextOnly(under("gettext"))]).toEqual([false, true]);
});

test("code always writes the namespace of a key where all of its frameworks have groups", () => {
  const frameworks = [["laravel"], ["i18next"], ["laravel", "i18next"]] as const;
  expect(frameworks.map((names) => writesNamespaces(under(...names)))).toEqual([true, false, false]);
});

/** Labels of keys tell apart all that the code tells apart. */
import { expect, test } from "vitest";
import { languageLabel, projectKeyLabel } from "../../../src/messages/labels.ts";
import { NO_NAMESPACE } from "../../../src/model/key-hash.ts";

const NAMESPACES = [
  [NO_NAMESPACE, ""],
  ["shop", "shop:"],
  ["default", ""],
] as const;

test.each(NAMESPACES)("a key of the namespace %s, without and with a context", (namespace, prefix) => {
  const project = { namespaceSeparator: ":", unwrittenNamespaces: new Set(["default"]) };
  const label = (context: string | null): string =>
    projectKeyLabel(project, { namespace, key: "pay", context });
  expect(label(null)).toBe(`${prefix}pay`);
  expect(label("menu")).toBe(`${prefix}pay (menu)`);
  const unwritten = { ...project, unwrittenNamespaces: "all" } as const;
  expect(projectKeyLabel(unwritten, { namespace, key: "pay", context: "menu" })).toBe("pay (menu)");
  const usual = prefix === "" && namespace === NO_NAMESPACE ? "pay" : `${namespace}.pay`;
  expect(projectKeyLabel(undefined, { namespace, key: "pay", context: null })).toBe(usual);
});

test.each([
  [{ name: "Dutch of the service", locale: "nl" }, "Dutch of the service (nl)"],
  [{ name: "", locale: "nl" }, "Nederlands (nl)"],
  [{ name: "nl", locale: "nl" }, "nl"],
])("the language %j is %s", (language, label) => {
  expect(languageLabel(language)).toBe(label);
});

/** Keys are shown as the code of the project says them. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { projectKeyLabel } from "../../../../src/messages/labels.ts";
import { unwrittenNamespaces } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";

const shown = (
  frameworks: readonly FrameworkName[],
  namespace: string,
  key: string,
  more: { readonly separator?: string; readonly defaultNamespaces?: readonly string[] } = {},
): string => {
  const { separator = ".", ...conventions } = more;
  const options = { frameworks: new Set(frameworks), ...conventions };
  const project = { namespaceSeparator: separator, unwrittenNamespaces: unwrittenNamespaces(options) };
  return projectKeyLabel(project, { namespace, key, context: null });
};

test("keys have the namespaces that the code writes", () => {
  expect(shown(["laravel"], "booking", "old_banner")).toBe("booking.old_banner");
  expect(shown(["laravel"], "*", "Log out")).toBe("Log out");
  expect(shown(["i18next"], "common", "save", { separator: ":" })).toBe("common:save");
});

test("texts have none, and keys of a default namespace neither", () => {
  expect(shown(["django"], "django", "Pay", { separator: " › " })).toBe("Pay");
  expect(shown(["wordpress"], "shop", "Cart", { separator: " › " })).toBe("Cart");
  expect(shown(["i18next"], "translation", "nav.account", { separator: ":" })).toBe("nav.account");
  const app = { separator: ":", defaultNamespaces: ["app"] };
  expect(shown(["i18next"], "app", "nav.account", app)).toBe("nav.account");
  expect(shown(["i18next"], "translation", "nav.account", app)).toBe("translation:nav.account");
});

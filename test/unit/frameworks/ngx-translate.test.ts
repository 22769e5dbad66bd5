/** Names of ngx-translate: its loaders may merge several files, whose names are no part of a key. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import { NO_NAMESPACE } from "../../../src/model/key-hash.ts";
import { resolveKey } from "../../../src/workspace/usages/resolve-usage-to-key.ts";
import { createKeyNames } from "../support/key-database.ts";

const FRAMEWORKS: ReadonlySet<FrameworkName> = new Set(["ngx-translate"]);

/** Keys as `namespace|key`. */
const KEYS = ["|home.title", "|Save it", "global|global.menu.home", "login|form.title"];

test.each([
  ["home.title", "|home.title"],
  ["Save it", "|Save it"],
  ["global.menu.home", "global|global.menu.home"],
  ["form.title", "login|form.title"],
  ["login.form.title", "login|form.title"],
  ["home.no", "unknown"],
])("%s is %s", (key, expected) => {
  const names = createKeyNames(
    KEYS.map((hash) => {
      const [namespace = "", name = ""] = hash.split("|");
      return { hash, namespace: namespace || NO_NAMESPACE, key: name, context: null };
    }),
  );
  const usage = {
    expression: { kind: "static", key } as const,
    namespaces: null,
    keyPrefix: "",
    context: null,
  };
  const found = resolveKey(usage, names, { frameworks: FRAMEWORKS });
  expect(found.kind === "known" ? found.key.hash : found.kind).toBe(expected);
});

/** Ids and names of Lingui: a text is found in catalogs with texts, and in those with the ids that Lingui generates. */
import { expect, test } from "vitest";
import { generatedId } from "../../../src/frameworks/lingui.ts";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import { NO_NAMESPACE } from "../../../src/model/key-hash.ts";
import { resolveKey } from "../../../src/workspace/usages/resolve-usage-to-key.ts";
import {
  resolveStoredReference,
  serializeKeyReference,
} from "../../../src/workspace/usages/stored-key-references.ts";
import { createKeyNames } from "../support/key-database.ts";

const FRAMEWORKS: ReadonlySet<FrameworkName> = new Set(["lingui"]);

// Of the tests of @lingui/message-utils and @lingui/babel-plugin-lingui-macro.
test.each([
  ["my message", null, "vQhkQx"],
  ["my message", "custom context", "gGUeZH"],
  ["Hello World", "my context", "SO_WB8"],
  ["Hello World", null, "mY42CM"],
  ["Text", null, "xeiujy"],
  ["Hello", "my context", "WMU_Op"],
  ["World", "second", "ovKD_8"],
  ["{count, plural, one {# book} other {# books}}", null, "esnaQO"],
  ["{gender, select, other {they}}", "my context", "vfcacx"],
])("the id of %s in the context %s", (message, context, id) => {
  expect(generatedId(message, context)).toBe(id);
});

/** Resolves a text in a catalog with these keys: `context|key`. */
function resolved(
  keys: readonly string[],
  key: string,
  context: string | null = null,
  namespace = "messages",
  keyPrefix = "",
) {
  const names = createKeyNames(
    keys.map((hash) => {
      const [name = "", own = null] = hash.split("|").reverse();
      return { hash, namespace, key: name, context: own };
    }),
  );
  const usage = { expression: { kind: "static", key } as const, namespaces: null, keyPrefix, context };
  const found = resolveKey(usage, names, { frameworks: FRAMEWORKS });
  const stored = resolveStoredReference(serializeKeyReference(usage), names, { frameworks: FRAMEWORKS });
  expect(stored.kind === "keys" ? stored.hashes : []).toEqual(found.kind === "known" ? [found.key.hash] : []);
  return found.kind === "known" ? found.key.hash : found.kind;
}

test.each(["messages", "web", NO_NAMESPACE])("a catalog of texts, in the namespace %s", (namespace) => {
  const keys = ["Hello {name}", "Open", "menu|Open", "msg.id"];
  expect(resolved(keys, "Hello {name}", null, namespace)).toBe("Hello {name}");
  expect(resolved(keys, "Open", null, namespace)).toBe("Open");
  expect(resolved(keys, "Open", "menu", namespace)).toBe("menu|Open");
  expect(resolved(keys, "msg.id", null, namespace)).toBe("msg.id");
  expect(resolved(keys, "Close", null, namespace)).toBe("unknown");
});

test("a catalog of ids", () => {
  const keys = ["mY42CM", "WMU_Op", "msg.id"];
  expect(resolved(keys, "Hello World")).toBe("mY42CM");
  expect(resolved(keys, "Hello", "my context")).toBe("WMU_Op");
  expect(resolved(keys, "Hello")).toBe("unknown");
  expect(resolved(keys, "msg.id", "menu")).toBe("msg.id");
});

test("an explicit id with the prefix that a comment sets", () => {
  expect(resolved(["page.title"], "title", null, "messages", "page.")).toBe("page.title");
  expect(resolved(["title"], "title", null, "messages", "page.")).toBe("unknown");
});

test("gettext's plural forms are named by the first one", () => {
  const keys = ["# book", "No books of {name}"];
  expect(resolved(keys, "{count, plural, one {# book} other {# books}}")).toBe("# book");
  expect(resolved(keys, "{n, plural, offset:1 =0 {No books of {name}} other {# books}}")).toBe(
    "No books of {name}",
  );
});

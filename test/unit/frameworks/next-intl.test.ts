/** next-intl's extracted messages. The ids are those that next-intl itself wrote for these messages. */
import { expect, test } from "vitest";
import { resolveKey } from "../../../src/workspace/usages/resolve-usage-to-key.ts";
import {
  parseKeyReference,
  serializeKeyReference,
} from "../../../src/workspace/usages/stored-key-references.ts";
import { extract } from "../workspace/extract-text/extracted.ts";
import { find, options } from "../scanners/marked.ts";
import { createKeyNames } from "../support/key-database.ts";

/** Keys as `key|context`. */
const names = createKeyNames(
  [
    "NhX4DJ",
    "-YJVTi",
    "tQLRmz",
    "vlslj0",
    "lNLCAE",
    "rbrahO|design-system",
    "shop.tQLRmz",
    "menu.next",
    "Courses|R85gsW",
  ].map((hash) => {
    const [key = "", context = null] = hash.split("|");
    return { hash, namespace: "*", key, context };
  }),
);
const before = createKeyNames([{ hash: "+YJVTi", namespace: "*", key: "+YJVTi", context: null }]);

function keysIn(code: string, known = names) {
  const given = options(["next-intl"]);
  return find("typescriptreact", code, given).map((use) => {
    const stored = parseKeyReference(serializeKeyReference(use));
    const found = resolveKey(stored, known, { frameworks: given.frameworks });
    return found.kind === "known" ? found.key.hash : found.kind;
  });
}

test.each<readonly [title: string, code: string, keys: readonly string[]]>([
  ["a message", 'const t = useExtracted(); t("Hello")', ["NhX4DJ"]],
  ["a template and values", "const t = useExtracted(); t(`Hey {name}!`, { name })", ["vlslj0"]],
  ["escapes", String.raw`const t = await getExtracted(); t("Incr\u0065ment")`, ["tQLRmz"]],
  ["rich text", 'const t = useExtracted(); t.rich("Hello", {}); t.has("Hello")', ["NhX4DJ", "NhX4DJ"]],
  ["a description", 'const t = useExtracted(); t({ message: "Hello", description: "Greeting" })', ["NhX4DJ"]],
  ["an own id", 'const t = useExtracted(); t({ id: "menu.next", message: "Hello" })', ["menu.next"]],
  ["a namespace", 'const t = useExtracted("shop"); t("Increment")', ["shop.tQLRmz"]],
  ["a namespace in PO", 'const t = useExtracted("design-system"); t("Close")', ["rbrahO|design-system"]],
  ["a PO file with messages as keys", 'const t = useExtracted(); t("Courses")', ["Courses|R85gsW"]],
  ["an option", 'const t = await getExtracted({ namespace: "shop" }); t("Increment")', ["shop.tQLRmz"]],
  [
    "another name",
    'import { useExtracted as use } from "next-intl"; const m = use(); m("Hello")',
    ["NhX4DJ"],
  ],
  ["no literal", 'const t = useExtracted(); t(name); t("Hello " + name)', []],
  ["a new message", 'const t = useExtracted(); t("Never extracted")', ["unknown"]],
  ["both", 'const t = useTranslations(), m = useExtracted(); t("Hello"); m("Hello")', ["unknown", "NhX4DJ"]],
  ["keys in PO", 'const t = useTranslations("design-system"); t("rbrahO")', ["rbrahO|design-system"]],
])("finds the key of %s", (_, code, keys) => {
  expect(keysIn(code)).toEqual(keys);
});

test("ids are base64 for URLs, and in earlier versions plain base64", () => {
  const code = 'const t = useExtracted(); t("Hey!")';
  expect(keysIn(code)).toEqual(["-YJVTi"]);
  expect(keysIn(code, before)).toEqual(["+YJVTi"]);
});

test("a text is extracted as a message", async () => {
  const start = 'function A() { const t = useExtracted(); t("Save"); return ';
  expect(await extract(`${start}<p>«Hello {user.name}!»</p> }`, "tsx", "next-intl", null)).toEqual([
    "Hello {name}!",
    `${start}<p>{t("Hello {name}!", { name: user.name })}</p> }`,
  ]);
});

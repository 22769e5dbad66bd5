/** FormatJS's computed ids. `dI+HS6` is what its Babel plugin writes for the message and description "foo". */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { resolveKey } from "../../../src/workspace/usages/resolve-usage-to-key.ts";
import {
  parseKeyReference,
  serializeKeyReference,
} from "../../../src/workspace/usages/stored-key-references.ts";
import { find, options } from "../scanners/marked.ts";
import { createKeyNames } from "../support/key-database.ts";

const names = createKeyNames(
  // sha512 with 6 and 10 characters, and sha1 with 6.
  ["dI+HS6", "9/u6bgY2+J", "C+7Hte", "menu.save"].map((hash) => {
    return { hash, namespace: "*", key: hash, context: null };
  }),
);

function keysIn(code: string, language = "typescriptreact") {
  const given = options(["formatjs"]);
  return find(language, code, given).map((use) => {
    const stored = parseKeyReference(serializeKeyReference(use));
    const found = resolveKey(stored, names, { frameworks: given.frameworks });
    return found.kind === "known" ? found.key.hash : found.kind;
  });
}

test.each<readonly [title: string, code: string, keys: readonly string[]]>([
  ["a description", `intl.formatMessage({ defaultMessage: "foo", description: 'foo' })`, ["dI+HS6"]],
  ["no description", `intl.formatMessage({ defaultMessage: "foo" }, { a })`, ["9/u6bgY2+J"]],
  ["whitespace", "defineMessage({ defaultMessage: ` foo\n `, description: `foo` })", ["dI+HS6"]],
  [
    "a component",
    `<><FormattedMessage defaultMessage="foo" description="foo" values={{ a }} /><FormattedMessage id="menu.save" defaultMessage="foo" /></>`,
    ["dI+HS6", "menu.save"],
  ],
  [
    "several messages with a type",
    `defineMessages({ a: { id: "menu.save", defaultMessage: "x" }, b: { defaultMessage: "foo" } as const } as const)`,
    ["menu.save", "9/u6bgY2+J"],
  ],
  ["type arguments", `intl.formatMessage<Node>?.({ defaultMessage: "foo" })`, ["9/u6bgY2+J"]],
  [
    "another rule of ids, which is never a missing key",
    `formatMessage({ defaultMessage: "bar" })`,
    ["pattern"],
  ],
  ["a text that is another key's end", `formatMessage({ defaultMessage: "save" })`, ["pattern"]],
  [
    "no literal",
    `formatMessage({ defaultMessage: x }); formatMessage({ defaultMessage: "foo", description: x })`,
    [],
  ],
  ["a description that is an object", `formatMessage({ defaultMessage: "foo", description: { a: 1 } })`, []],
])("finds the key of %s", (_, code, keys) => {
  expect(keysIn(code)).toEqual(keys);
});

test("white space within a message is one space in its id", () => {
  const hash = createHash("sha512").update("foo bar").digest("base64").slice(0, 6);
  const own = createKeyNames([{ hash, namespace: "*", key: hash, context: null }]);
  const [use] = find("typescript", "formatMessage({ defaultMessage: `foo\n  bar ` })", options(["formatjs"]));
  expect(use && resolveKey(use, own, { frameworks: new Set(["formatjs"]) })).toMatchObject({
    kind: "known",
    key: { hash },
  });
});

test("finds the key of an earlier version", () => {
  const older = createKeyNames([{ hash: "C+7Hte", namespace: "*", key: "C+7Hte", context: null }]);
  const [use] = find("typescript", `formatMessage({ defaultMessage: "foo" })`, options(["formatjs"]));
  expect(use && resolveKey(use, older, { frameworks: new Set(["formatjs"]) })).toMatchObject({
    kind: "known",
    key: { hash: "C+7Hte" },
  });
});

test("finds the keys of messages in Vue and Svelte", () => {
  const call = `$formatMessage({ defaultMessage: 'foo', description: 'foo' })`;
  expect(keysIn(`<template><p :title="${call}">{{ ${call} }}</p></template>`, "vue")).toEqual([
    "dI+HS6",
    "dI+HS6",
  ]);
  expect(keysIn(`<p title={${call}}>{${call}}</p>`, "svelte")).toEqual(["dI+HS6", "dI+HS6"]);
});

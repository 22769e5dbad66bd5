/** The request that restores an archived key, for all ways of reporting missing forms or texts. */
import * as v from "valibot";
import { expect, test } from "vitest";
import { KeySchema } from "../../../src/api/response-schemas.ts";
import { restoredKey, syncKey } from "../../../src/sync/sync-request-items.ts";

const restored = (source: unknown, isPlural = false) =>
  restoredKey(
    v.parse(KeySchema, {
      hash: "0".repeat(40),
      namespace: "cart",
      key: "title",
      context: null,
      isPlural,
      description: "Above the list",
      maxLength: 40,
      sourceHash: null,
      source,
      tags: ["web"],
      archived: true,
      updatedAt: null,
    }),
  );

const details = {
  namespace: "cart",
  key: "title",
  description: "Above the list",
  maxLength: 40,
  tags: ["web"],
};

test.for([
  { value: "Cart" },
  { value: "Cart", forms: null },
  { value: "Cart", forms: [] },
  { value: "Cart", forms: {} },
])("sends the value of a singular key: %j", (source) => {
  expect(restored(source)).toEqual({ ...details, value: "Cart" });
});

test.for([
  { forms: { other: "Carts" } },
  { value: null, forms: { other: "Carts" } },
  { value: "", forms: { other: "Carts" } },
])("sends the forms of a plural key: %j", (source) => {
  expect(restored(source, true)).toEqual({ ...details, forms: { other: "Carts" } });
});

test.for([{}, null, { value: "" }, { value: null, forms: null }, { value: "", forms: [] }])(
  "sends no singular key without a source text: %j",
  (source) => {
    expect(restored(source)).toBeNull();
  },
);

test.for([{}, { forms: [] }, { value: null, forms: {} }])(
  "sends no plural key without a source text: %j",
  (source) => {
    expect(restored(source, true)).toBeNull();
  },
);

test("sends no key whose source is an empty list", () => {
  expect(restored([])).toBeNull();
});

test("sends of a key what it has, and nothing that is absent or empty", () => {
  const text = { forms: { one: "Cart", other: "Carts" } };
  const name = { namespace: "cart", key: "title", context: "menu" };
  const details = { description: "Above the list", maxLength: 40, tags: ["web"] };
  expect(syncKey(name, text, details)).toEqual({ ...name, ...text, ...details });
  const none = { description: null, maxLength: null, tags: [] };
  for (const context of [null, ""]) {
    const bare = { namespace: "*", key: "title", context };
    expect(syncKey(bare, { value: "Cart" }, none)).toEqual({ key: "title", value: "Cart" });
    expect(syncKey(bare, { value: "Cart" }, { description: null })).toEqual({ key: "title", value: "Cart" });
  }
});

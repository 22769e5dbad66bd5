/** Which changes a model may push after the user agreed, also with several calls at once. */
import { expect, test } from "vitest";
import { ConfirmedPushes } from "../../../src/features/language-model-tools/confirmed-pushes.ts";

const item = (hash: string, value = hash) => ({ hash, text: { value } });
const title = { keys: [{ namespace: "cart", key: "title" }] };
const total = { keys: [{ namespace: "cart", key: "total" }] };

test("takes what was shown, with the same text, once", () => {
  const pushes = new ConfirmedPushes();
  expect(pushes.take({})).toBeUndefined();
  pushes.show({}, [item("a"), item("b")]);
  const isConfirmed = pushes.take({});
  expect([item("a"), item("b", "changed since"), item("c")].map((each) => isConfirmed?.(each))).toEqual([
    true,
    false,
    false,
  ]);
  expect(pushes.take({})).toBeUndefined();
});

test("keeps what was shown for each of several calls apart", () => {
  const pushes = new ConfirmedPushes();
  pushes.show(title, [item("a")]);
  pushes.show(total, [item("b")]);
  pushes.show({}, [item("a"), item("b"), item("c")]);
  for (const [input, expected] of [
    [title, [true, false, false]],
    [total, [false, true, false]],
    [{}, [true, true, true]],
  ] as const) {
    const isConfirmed = pushes.take(input);
    expect(["a", "b", "c"].map((hash) => isConfirmed?.(item(hash)))).toEqual(expected);
  }
});

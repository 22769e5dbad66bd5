/** A preview of keys that are about to be archived or removed: which are checked, and what its title says. */
import { beforeEach, expect, test } from "vitest";
import type { App } from "../../../src/vscode/app.ts";
import { pickKeys } from "../../../src/vscode/ui/input/pick-keys.ts";
import { answerNextList, type QuickPick } from "../support/vscode-stub.ts";

const app = { virtualDocuments: { closeDifferences: async () => undefined } } as unknown as App;
const project = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() } as never;
const key = (name: string, text: string | null) => ({
  namespace: "cart",
  key: name,
  context: null,
  hash: name,
  text: text === null ? null : { value: text },
});
const KEYS = [key("a", "Text of a"), key("b", null), key("c", "Text of c")];

const pick = (more: object, answer: (list: QuickPick) => void) => {
  answerNextList(answer);
  return pickKeys(app, project, KEYS, {
    titleOf: (count) => `Archive ${count}?`,
    emptyTitle: "Select keys",
    placeholder: "Which?",
    icon: "archive",
    ...more,
  });
};
let shown: unknown[];
beforeEach(() => {
  shown = [];
});
const look = (list: QuickPick): void =>
  void shown.push(
    list.title,
    list.checked,
    list.items.map(({ label, description }) => [label, description]),
  );

test("all are checked, unless they are of the other group", async () => {
  const chosen = await pick({ unchecked: { heading: "May be used", hashes: new Set(["c"]) } }, (list) => {
    look(list);
    list.toggle("cart.a");
    list.toggle("cart.b");
    look(list);
    list.toggle("cart.c");
    list.accept();
  });
  expect(chosen).toEqual([KEYS[2]]);
  expect(shown.slice(0, 5)).toEqual([
    "Archive 2 keys?",
    ["$(archive) cart.a", "$(archive) cart.b"],
    [
      ["2 keys", undefined],
      ["$(archive) cart.a", "Text of a"],
      ["$(archive) cart.b", ""],
      ["May be used", undefined],
      ["$(archive) cart.c", "Text of c"],
    ],
    "Select keys",
    [],
  ]);
});

test("keys with the same name are each checked for themselves", async () => {
  const [first, second] = [key("a", "A"), { ...key("a", "B"), namespace: "shop", hash: "other" }];
  answerNextList((list) => {
    list.toggle("shop.a");
    list.accept();
  });
  const question = { titleOf: String, emptyTitle: "", placeholder: "", icon: "archive" };
  expect(await pickKeys(app, project, [first, second], question)).toEqual([first]);
});

test("none are checked if that is said; without the other group there is one heading", async () => {
  const chosen = await pick({ isChecked: false }, (list) => {
    look(list);
    list.toggle("cart.b");
    list.accept();
  });
  expect([chosen, shown[0], (shown[2] as unknown[]).length]).toEqual([[KEYS[1]], "Select keys", 4]);
  await expect(pick({}, (list) => list.hide())).rejects.toMatchObject({ name: "Canceled" });
});

/** Lists with one answer, and with several. */
import { afterEach, expect, test, vi } from "vitest";
import { pickMany, pickOne, pickOneOrNone, showList } from "../../../src/vscode/ui/input/quick-pick.ts";
import { answerNextList, closeEditors, pickInNextList, QuickPick, window } from "../support/vscode-stub.ts";

afterEach(() => {
  vi.restoreAllMocks();
  closeEditors();
});

const CHOICES = [
  { label: "One", value: 1 },
  { label: "Two", value: 2 },
  { label: "Three", value: 3 },
];

test("one choice is picked; without an answer the command is cancelled, or there is none", async () => {
  const show = vi.spyOn(window, "showQuickPick");
  pickInNextList("Two");
  expect(await pickOne("Title", "Which?", CHOICES)).toBe(2);
  expect(show.mock.calls[0]?.[1]).toMatchObject({
    title: "Title",
    placeHolder: "Which?",
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  pickInNextList("Three");
  expect(await pickOneOrNone("Title", "Which?", CHOICES)).toBe(3);
  pickInNextList(() => undefined);
  expect(await pickOneOrNone("Title", "Which?", CHOICES)).toBeUndefined();
  pickInNextList(() => undefined);
  await expect(pickOne("Title", "Which?", CHOICES)).rejects.toMatchObject({ name: "Canceled" });
});

test("several choices are checked, or none; without an answer the command is cancelled", async () => {
  pickInNextList((items, options) => {
    expect(options).toMatchObject({
      title: "Title",
      placeHolder: "Which?",
      canPickMany: true,
      ignoreFocusOut: true,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return items.slice(1);
  });
  expect(await pickMany("Title", "Which?", CHOICES)).toEqual([2, 3]);
  pickInNextList(() => []);
  expect(await pickMany("Title", "Which?", CHOICES)).toEqual([]);
  pickInNextList(() => undefined);
  await expect(pickMany("Title", "Which?", CHOICES)).rejects.toMatchObject({ name: "Canceled" });
});

test("a list stays open until what is selected is an answer, and then everything of it is disposed of", async () => {
  const disposed: string[] = [];
  const listener = { dispose: () => void disposed.push("listener") };
  const list = new QuickPick();
  list.items = CHOICES;
  vi.spyOn(list, "dispose").mockImplementation(() => void disposed.push("list"));
  // VS Code hides it, and keeps it.
  list.onDidHide(() => disposed.push("hidden"));
  const asked: string[] = [];
  answerNextList((pick) => {
    pick.accept();
    expect(disposed).toEqual([]);
    pick.move("Three");
    pick.accept();
  });
  const accept = (items: readonly { readonly label: string }[]): string | undefined => {
    asked.push(items[0]?.label ?? "");
    return items[0]?.label === "Three" ? "the third" : undefined;
  };
  expect(await showList(list as never, accept as never, listener)).toBe("the third");
  expect(asked).toEqual(["One", "Three"]);
  expect(disposed).toEqual(["hidden", "listener", "list", "list"]);
  answerNextList((pick) => pick.hide());
  expect(await showList(new QuickPick() as never, () => "never")).toBeUndefined();
});

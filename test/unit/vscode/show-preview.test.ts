/** A preview as a user sees it: what is listed, its buttons and differences, and what is chosen in the end. */
import { beforeEach, expect, test } from "vitest";
import type { PreviewRow, PreviewSection } from "../../../src/messages/preview-rows.ts";
import type { App } from "../../../src/vscode/app.ts";
import { type Preview, showPreview, textDifference } from "../../../src/vscode/ui/preview/show-preview.ts";
import { answerNextList, type QuickPick, QuickPickItemKind } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

/** The differences that were shown, and the titles of editors that were closed. */
let differences: unknown[];
let closedTitles: (string | undefined)[];
beforeEach(() => {
  [differences, closedTitles] = [[], []];
});
const app = {
  virtualDocuments: {
    diffBelowList: async (...difference: readonly unknown[]) => void differences.push(difference),
    closeDifferences: async (title?: string) => void closedTitles.push(title),
  },
} as unknown as App;

const row = (name: string, more: Partial<PreviewRow<string>> = {}): PreviewRow<string> => ({
  icon: "edit",
  label: name,
  description: `about ${name}`,
  changes: [name],
  isChecked: true,
  ...more,
});
const section = (heading: string, ...rows: readonly PreviewRow<string>[]): PreviewSection<string> => ({
  heading,
  rows,
});

function show(
  sections: readonly PreviewSection<string>[],
  answer: (pick: QuickPick) => unknown,
  more: Partial<Preview<string>> = {},
) {
  answerNextList(answer);
  return showPreview<string>(app, {
    idOf: (change) => change,
    sections,
    titleOf: (checked) => `Push ${checked.join(", ")}`,
    placeholder: "Which?",
    ...more,
  });
}
const tooltips = (pick: QuickPick, words: string) =>
  pick.items.find(({ label }) => label.endsWith(` ${words}`))?.buttons?.map(({ tooltip }) => tooltip);

test("lists notes and rows below their headings, without empty sections", async () => {
  const sections = [
    section("New", row("a", { detail: "A" })),
    section("Nothing"),
    section("Changed", row("b", { isChecked: false })),
  ];
  const chosen = await show(
    sections,
    (pick) => {
      const all = pick.items.map(({ label, kind, description, detail }) => [
        label,
        kind === QuickPickItemKind.Separator ? "heading" : description,
        detail,
      ]);
      expect(all).toEqual([
        ["Some were skipped", "heading", undefined],
        ["New", "heading", undefined],
        ["$(edit) a", "about a", "A"],
        ["Changed", "heading", undefined],
        ["$(edit) b", "about b", undefined],
      ]);
      expect([pick.title, pick.placeholder, pick.canSelectMany, pick.checked]).toEqual([
        "Push a",
        "Which?",
        true,
        ["$(edit) a"],
      ]);
      // It stays while something else has the focus, and is searched as a whole.
      expect(pick).toMatchObject({ ignoreFocusOut: true, matchOnDescription: true, matchOnDetail: true });
      pick.accept();
    },
    { notes: ["Some were skipped"] },
  );
  expect(chosen).toEqual({ checked: ["a"], kept: [] });
  expect(closedTitles).toEqual([undefined]);
});

test("a row has a difference if there is one, and it is of that row", async () => {
  await show(
    [section("All", row("a"), row("b", { hasDifference: false }), row("c"))],
    async (pick) => {
      expect([tooltips(pick, "a"), tooltips(pick, "b")]).toEqual([["Show Difference"], []]);
      pick.press("Show Difference", "c");
      await waitUntil(() => differences.length > 0);
      pick.accept();
    },
    {
      differenceOf: ({ label }) => textDifference(`Difference of ${label}`, label, { value: "before" }, null),
      differencesTitle: "All files",
    },
  );
  expect(differences).toEqual([
    [{ name: "c.txt", text: "before" }, { name: "c.txt", text: "" }, "Difference of c"],
  ]);
  expect(closedTitles).toEqual(["All files"]);
  await show([section("All", row("a"))], (pick) => {
    expect(tooltips(pick, "a")).toEqual([]);
    pick.accept();
  });
});

/** Conflicts, of which those that were kept are listed otherwise. */
const conflicts = (kept: readonly string[]): readonly PreviewSection<string>[] => [
  section(
    "Conflicts",
    ...["a", "b", "c"].flatMap((name) =>
      kept.includes(name) ? [] : [row(name, { canKeep: true, isChecked: false })],
    ),
  ),
  section("Other", row("x")),
];

test("a conflict is kept, and then the others that are not checked; nothing of them is applied", async () => {
  const chosen = await show(
    conflicts([]),
    (pick) => {
      expect(tooltips(pick, "x")).toEqual([]);
      pick.toggle("a");
      pick.press("Keep Mine", "b");
      expect(pick.rows).toEqual(["$(edit) a", "$(edit) c", "$(edit) x"]);
      expect(pick.title).toBe("Push a, x");
      expect(pick.items.map((item) => (item as { readonly picked?: boolean }).picked)).toEqual([
        ...[undefined, true, false],
        ...[undefined, true],
      ]);
      // What is no conflict cannot be kept.
      pick.toggle("x");
      pick.press("Keep Mine for All Unselected Conflicts");
      expect(pick.rows).toEqual(["$(edit) a", "$(edit) x"]);
      pick.toggle("x");
      expect(pick.checked).toEqual(["$(edit) a", "$(edit) x"]);
      pick.press("Keep Mine", "a");
      expect(pick.buttons).toEqual([]);
      pick.toggle("x");
      expect(pick.title).toBe("Push ");
      // What was kept is a choice, too.
      pick.accept();
    },
    { keepMine: conflicts },
  );
  expect(chosen).toEqual({ checked: [], kept: ["b", "c", "a"] });
});

test("what is only listed once a conflict was kept is checked by rule", async () => {
  const chosen = await show(
    conflicts([]),
    (pick) => {
      pick.press("Keep Mine", "a");
      expect(pick.checked).toEqual(["$(edit) x", "$(edit) y"]);
      pick.accept();
    },
    { keepMine: (kept) => [...conflicts(kept), section("More", row("y"))] },
  );
  expect(chosen).toEqual({ checked: ["x", "y"], kept: ["a"] });
});

test("without anything checked or kept the list stays open", async () => {
  const chosen = await show([section("All", row("a"), row("b"))], (pick) => {
    pick.toggle("a");
    pick.toggle("b");
    pick.accept();
    pick.toggle("b");
    pick.accept();
  });
  expect(chosen).toEqual({ checked: ["b"], kept: [] });
});

test("is cancelled when it is dismissed, whatever was checked", async () => {
  await expect(show([section("All", row("a"))], (pick) => pick.hide())).rejects.toMatchObject({
    name: "Canceled",
  });
  expect(closedTitles).toEqual([undefined]);
});

test("a button lists more once, and leaves what was toggled", async () => {
  const counted: unknown[] = [];
  const more = [section("All", row("a"), row("b")), section("More", row("c", { isChecked: false }))];
  const chosen = await show(
    more.slice(0, 1),
    async (pick) => {
      pick.toggle("a");
      pick.press("More");
      expect([pick.busy, pick.buttons.map(({ tooltip }) => tooltip)]).toEqual([true, ["Count"]]);
      await waitUntil(() => !pick.busy);
      expect(pick.rows).toHaveLength(3);
      expect([pick.checked, pick.buttons.map(({ tooltip }) => tooltip)]).toEqual([["$(edit) b"], ["Count"]]);
      pick.toggle("c");
      // The other buttons stay.
      pick.press("Count");
      pick.accept();
    },
    {
      buttons: () => [
        {
          icon: "add",
          tooltip: "More",
          kind: "list",
          act: async ({ checked }) => {
            counted.push(...checked);
            return more;
          },
        },
        {
          icon: "list",
          tooltip: "Count",
          kind: "act",
          act: async ({ checked }) => void counted.push(checked.length),
        },
      ],
    },
  );
  expect(counted).toEqual(["b", 2]);
  expect(chosen).toEqual({ checked: ["b", "c"], kept: [] });
});

test("a button that has nothing else to list leaves the list as it is", async () => {
  await show(
    [section("All", row("a"))],
    async (pick) => {
      pick.press("More");
      await waitUntil(() => !pick.busy);
      expect(pick.rows).toEqual(["$(edit) a"]);
      pick.accept();
    },
    { buttons: () => [{ icon: "add", tooltip: "More", kind: "list", act: () => Promise.resolve() }] },
  );
});

test("a button whose list cannot be made closes the preview, and its error is that of the command", async () => {
  const failing = show([section("All", row("a"))], (pick) => pick.press("More"), {
    buttons: () => [
      { icon: "add", tooltip: "More", kind: "list", act: () => Promise.reject(new Error("offline")) },
    ],
  });
  await expect(failing).rejects.toThrow("offline");
});

test("a button that leaves gets what was chosen by then, and nothing is applied", async () => {
  const given: unknown[] = [];
  const leaving = show(
    conflicts([]),
    (pick) => {
      pick.toggle("b");
      pick.press("Keep Mine", "c");
      pick.press("Save");
    },
    {
      keepMine: conflicts,
      buttons: (kept) => [
        {
          icon: "save",
          tooltip: "Save",
          kind: "leave",
          act: async (choice) => void given.push([[...choice.checked], [...choice.kept], [...kept]]),
        },
      ],
    },
  );
  await expect(leaving).rejects.toMatchObject({ name: "Canceled" });
  expect(given).toEqual([[["b", "x"], ["c"], ["c"]]]);
  // What fails there is the error of the command.
  const failing = show([section("All", row("a"))], (pick) => pick.press("Save"), {
    buttons: () => [
      { icon: "save", tooltip: "Save", kind: "leave", act: () => Promise.reject(new Error("full disk")) },
    ],
  });
  await expect(failing).rejects.toThrow("full disk");
});

test("a button that acts leaves the preview open", async () => {
  let acted: readonly string[] = [];
  const chosen = await show(
    [section("All", row("a"), row("b"))],
    (pick) => {
      pick.toggle("b");
      pick.press("Show All");
      expect(acted).toEqual(["a"]);
      pick.accept();
    },
    {
      buttons: () => [
        {
          icon: "diff",
          tooltip: "Show All",
          kind: "act",
          act: async ({ checked }) => {
            acted = [...checked];
          },
        },
      ],
    },
  );
  expect(chosen).toEqual({ checked: ["a"], kept: [] });
});

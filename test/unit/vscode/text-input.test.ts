/** Prompts for a text: its plural forms one after the other, and back. */
import { expect, test } from "vitest";
import { supportedFrameworks } from "../../../src/frameworks/supported-frameworks.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { isOneLine, promptForText, type TextPrompt } from "../../../src/vscode/ui/input/text-input.ts";
import { answerNextInput, type InputBox } from "../support/vscode-stub.ts";

/** What each box showed: its title, and what it started from. */
let boxes: [title: string, value: string][];

/** Prompts for a text; each answer is what a user does in the next box. */
async function prompt(
  current: Text | null,
  answers: readonly ((box: InputBox) => void)[],
  more: Partial<TextPrompt> = {},
): Promise<Text | undefined> {
  boxes = [];
  for (const answer of answers)
    answerNextInput((box) => {
      boxes.push([box.title, box.value]);
      answer(box);
    });
  return promptForText({
    title: "T",
    isPlural: true,
    current,
    maxLength: null,
    families: [],
    source: null,
    locale: "nl",
    ...more,
  });
}

const type = (value: string) => (box: InputBox) => {
  box.value = value;
  box.accept();
};
const back = (box: InputBox): void => box.press("Back");
const dismiss = (box: InputBox): void => box.hide();

test("a text without forms has one box, which starts from it", async () => {
  let selection: unknown;
  const replace = (box: InputBox): void => {
    selection = (box as { readonly valueSelection?: unknown }).valueSelection;
    // It stays while the source text is looked up elsewhere.
    expect(box).toMatchObject({ ignoreFocusOut: true });
    type("after")(box);
  };
  expect(await prompt({ value: "before" }, [replace], { isPlural: false })).toEqual({ value: "after" });
  // What is typed follows what is there.
  expect(selection).toEqual([6, 6]);
  expect(boxes).toEqual([["T", "before"]]);
  expect(await prompt({ value: "before" }, [type("")], { isPlural: false })).toEqual({ value: "" });
  expect(await prompt(null, [dismiss], { isPlural: false })).toBeUndefined();
});

test("keeps forms that the language does not need", async () => {
  const current = { forms: { one: "a", few: "b", other: "c" } };
  expect(await prompt(current, [type("1"), type("2"), type("3")])).toEqual({
    forms: { one: "1", other: "2", few: "3" },
  });
  expect(boxes).toEqual([
    ["T · one", "a"],
    ["T · other", "c"],
    ["T · few", "b"],
  ]);
});

test("a new plural text has the forms that the language needs", async () => {
  expect(await prompt(null, [type("1"), type("2")])).toEqual({ forms: { one: "1", other: "2" } });
});

test("goes back by one form, which starts from what was typed, and the first has no way back", async () => {
  const current = { forms: { one: "a", other: "c", many: "d" } };
  const hasBack: boolean[] = [];
  const noting = (answer: (box: InputBox) => void) => (box: InputBox) => {
    hasBack.push(box.buttons.length > 0);
    answer(box);
  };
  const answers = [type("1"), type("2"), back, type("2b"), back, back, type("1b"), type("2c"), type("3")];
  expect(await prompt(current, answers.map(noting))).toEqual({
    forms: { one: "1b", other: "2c", many: "3" },
  });
  expect(boxes.map(([title, value]) => `${title.slice(4)} ${value}`)).toEqual([
    "one a",
    "other c",
    "many d",
    "other 2",
    "many d",
    "other 2b",
    "one 1",
    "other 2b",
    "many d",
  ]);
  expect(hasBack).toEqual(boxes.map(([title]) => title !== "T · one"));
});

test("writes nothing if one of the boxes is dismissed", async () => {
  const current: Text = { forms: { one: "a", other: "b" } };
  expect(await prompt(current, [type("1"), dismiss])).toBeUndefined();
  expect(current).toEqual({ forms: { one: "a", other: "b" } });
});

test("says how much of the maximum length a text has", async () => {
  const messages: unknown[] = [];
  const look = (box: InputBox): void => {
    messages.push(box.validationMessage);
    box.accept();
  };
  await prompt({ value: "1234" }, [look], { isPlural: false, maxLength: 3 });
  await prompt({ value: "123" }, [look], { isPlural: false, maxLength: 3 });
  expect(messages).toMatchObject([
    { message: "4 of at most 3 characters · ", severity: 2 },
    { message: "3 of at most 3 characters · ", severity: 1 },
  ]);
});

test("says of a form that the app never shows it", async () => {
  const { placeholders } = supportedFrameworks.get("laravel") ?? expect.fail("it is supported");
  const messages: unknown[] = [];
  const look = (box: InputBox): void => {
    messages.push(box.validationMessage);
    box.accept();
  };
  await prompt(null, [look, look], { locale: "tr", families: [placeholders] });
  expect(messages[0]).toMatchObject({ message: "The app shows “other” instead of this form. · " });
  expect(messages[1]).toBe("");
});

test("compares each form with that of the source text, and says what is wrong before how long it is", async () => {
  const { placeholders } = supportedFrameworks.get("laravel") ?? expect.fail("it is supported");
  const messages: unknown[] = [];
  const look = (value: string) => (box: InputBox) => {
    box.type(value);
    messages.push(box.validationMessage);
    box.accept();
  };
  const source: Text = { forms: { one: "One of :name", other: ":count of :name" } };
  const more = { families: [placeholders], source };
  await prompt(null, [look("Een van :name"), look("Veel van :name")], more);
  expect(messages[0]).toBe("");
  expect(messages[1]).toMatchObject({ message: expect.stringMatching(/^:count is/u) as string, severity: 2 });
  messages.length = 0;
  const single = { ...more, isPlural: false, source: { value: "Of :name" }, maxLength: 4 };
  for (const value of ["Van ", "Van wie", "🛒🛒🛒🛒", "", "V :name"])
    await prompt(null, [look(value)], single);
  const [start, end] = [":name is missing", " · Source: Of :name"];
  const severities = messages.map((each) => (each as { readonly severity: number }).severity);
  expect([messages, severities]).toMatchObject([
    [
      { message: `${start}${end}` },
      { message: `${start} · 7 of at most 4 characters${end}` },
      { message: `${start}${end}` },
      { message: `0 of at most 4 characters${end}` },
      { message: `7 of at most 4 characters${end}` },
    ],
    [2, 2, 2, 1, 2],
  ]);
});

test("only texts without line breaks fit into a box", () => {
  expect(isOneLine({ value: "a" }, null, { forms: { one: "a", other: "b" } })).toBe(true);
  expect(isOneLine({ value: "a" }, { forms: { one: "a", other: "b\nc" } })).toBe(false);
  expect(isOneLine({ value: "a\rb" })).toBe(false);
});

test("is checked again with each change, and the message repeats the source text and the hint", async () => {
  const messages: unknown[] = [];
  const say = (box: InputBox): void =>
    void messages.push((box.validationMessage as { readonly message?: string }).message ?? "");
  const typeAll = (box: InputBox): void => {
    expect(box.prompt).toBe("Source: Save · as a button");
    for (const text of ["Bewa", "Bewaren"]) {
      say(box);
      box.type(text);
    }
    say(box);
    box.accept();
  };
  const more = { isPlural: false, maxLength: 6, source: { value: "Save" }, hint: "as a button" };
  expect(await prompt(null, [typeAll], more)).toEqual({ value: "Bewaren" });
  expect(messages).toEqual(
    [0, 4, 7].map((length) => `${length} of at most 6 characters · Source: Save · as a button`),
  );
});

test("shows the form of the source text, or its last one, and which form of how many it is", async () => {
  const shown: unknown[] = [];
  const look = (box: InputBox): void => {
    shown.push([box.prompt, box.step, box.totalSteps]);
    box.accept();
  };
  await prompt(null, [look, look], { source: { forms: { one: "item", other: "items" } } });
  await prompt(null, [look, look], { source: { forms: { many: "items" } } });
  await prompt(null, [look], { isPlural: false, source: { forms: { one: "item", other: "items" } } });
  expect(shown).toEqual([
    ["Source: item", 1, 2],
    ["Source: items", 2, 2],
    ["Source: items", 1, 2],
    ["Source: items", 2, 2],
    ["Source: items", undefined, undefined],
  ]);
});

/** What a language model is sent, and how its answer is read. */
import { describe, expect, test } from "vitest";
import {
  readAnswer,
  translationRequest,
  type TextToTranslate,
} from "../../../src/machine-translation/request.ts";
import { answerOf, itemsOf, rightAnswer, textToTranslate } from "./support.ts";

const CONTEXT = { sourceLocale: "en", locale: "nl", instructions: null };

function request(texts: readonly TextToTranslate[], context = CONTEXT) {
  return translationRequest(
    context,
    texts.map((text) => ({ text, problem: null })),
  );
}

describe("a request", () => {
  test("ends with one JSON object of the locale and the items", () => {
    const { messages } = request([textToTranslate("Save")]);
    const { locale, items } = itemsOf(messages);
    expect(locale).toBe("nl");
    expect(items).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{6}$/u) as string, source: "Save" }]);
  });

  test("has no placeholder, tag or syntax as it is written", () => {
    const sources = [
      "Hi :name, {{user}} and {total}",
      "%1$s of %d%%",
      '<a href="/x">Go</a> to %{path}',
      "{n, plural, one {# file} other {# files}}",
      "{0} None|[1,*] :count",
      "a ⟦1⟧ b",
    ];
    const { items } = itemsOf(request(sources.map((source) => textToTranslate(source))).messages);
    const masked = items.map(({ source }) => source ?? "");
    expect(masked.map((source) => source.replaceAll(/⟦\d+⟧/gu, "_"))).toEqual([
      "Hi _, _ and _",
      "_ of __",
      "_Go_ to _",
      "__ file__ files_",
      "_None__",
      "a _1_ b",
    ]);
    const marks = masked.flatMap((source) => source.match(/⟦\d+⟧/gu) ?? []);
    expect(new Set(marks).size).toBe(marks.length - 1);
  });

  test("has plural forms by the categories of the language, each with the source form that fits it", () => {
    const text = textToTranslate({ forms: { one: "One file", other: ":count files" } });
    const forms = (locale: string) =>
      itemsOf(request([text], { ...CONTEXT, locale }).messages).items[0]?.forms;
    expect(forms("nl")).toEqual({ one: "One file", other: "⟦1⟧ files" });
    expect(forms("ru")).toEqual({ one: "⟦1⟧ files", few: "⟦1⟧ files", many: "⟦1⟧ files" });
    expect(forms("ja")).toEqual({ other: "⟦1⟧ files" });
  });

  test("has an ICU message with the branches of the language", () => {
    const text = textToTranslate("{n, plural, =0 {No files} one {# file} other {# files}}");
    const made = request([text], { ...CONTEXT, locale: "pl" });
    const answer = answerOf(itemsOf(made.messages).items.map(rightAnswer));
    expect(readAnswer(made, answer)?.[0]?.answer).toEqual({
      kind: "text",
      text: {
        value: "x {n, plural, =0 {No files} one {# file} few {# files} many {# files} other {# files}}",
      },
    });
  });

  test("has what helps to translate, and the project's instructions", () => {
    const text = textToTranslate("Save the cart", {
      description: "A button",
      maxLength: 12,
      usages: ["src/cart.ts:3"],
      similar: [{ source: "Save :name", translation: ":name opslaan" }],
      glossary: { cart: "winkelwagen" },
    });
    const { messages } = request([text], {
      ...CONTEXT,
      instructions: "Address the reader informally.",
    } as never);
    expect(itemsOf(messages).items[0]).toMatchObject({
      source: "Save the cart",
      description: "A button",
      maxLength: 12,
      usedAt: ["src/cart.ts:3"],
      similar: [{ source: "Save …", translation: "… opslaan" }],
      glossary: { cart: "winkelwagen" },
    });
    expect(messages[0]).toContain("Address the reader informally.");
  });
});

describe("an answer", () => {
  const texts = [textToTranslate("Hi :name"), textToTranslate("Save"), textToTranslate("%s of %s")];
  const made = request(texts);
  const { items } = itemsOf(made.messages);
  const right = answerOf(items.map(rightAnswer));
  const read = (answer: string) => readAnswer(made, answer)?.map(({ answer: one }) => one);
  const all = [
    { kind: "text", text: { value: "x Hi :name" } },
    { kind: "text", text: { value: "x Save" } },
    { kind: "text", text: { value: "x %s of %s" } },
  ];

  test.each([
    ["alone", right],
    ["in a fence", `\`\`\`json\n${right}\n\`\`\``],
    ["with words and braces around it", `Of course {smile}! Here: ${right} Ask me {anything}.`],
    ["in any order", answerOf(items.map(rightAnswer).toReversed())],
    ["with items of nobody", answerOf([{ id: "zzzzzz", text: "?" }, ...items.map(rightAnswer)])],
    [
      "with more members",
      JSON.stringify({ note: "{", items: items.map((item) => ({ ...rightAnswer(item), ok: 1 })) }),
    ],
    ["said twice alike", `${right}\n${right}`],
    ["after the request itself", `${JSON.stringify({ items })}\n${right}`],
  ])("is read: %s", (_, answer) => {
    expect(read(answer)).toEqual(all);
  });

  test.each([
    ["no JSON", "I cannot do that."],
    ["half of it", right.slice(0, -20)],
    ["a list", JSON.stringify(items.map(rightAnswer))],
    ["nothing", ""],
    ["braces alone", "{".repeat(100_000)],
  ])("is not read: %s", (_, answer) => {
    expect(readAnswer(made, answer)).toBeNull();
  });

  const [first, second, third] = items;
  test.each([
    ["an item is left out", [rightAnswer(first!)], ["text", "missing", "missing"]],
    [
      "two items have one id",
      [rightAnswer(first!), { id: first!.id, text: "y" }],
      ["ambiguous", "missing", "missing"],
    ],
    [
      "ids are counted anew",
      items.map((item, index) => ({ ...rightAnswer(item), id: String(index) })),
      ["missing", "missing", "missing"],
    ],
    [
      "a mark is another's",
      [{ id: second!.id, text: `x ${first!.source ?? ""}` }],
      ["missing", "marks", "missing"],
    ],
    ["a mark is invented", [{ id: first!.id, text: "x ⟦77⟧" }], ["marks", "missing", "missing"]],
    ["a mark is translated", [{ id: first!.id, text: "x ⟦een⟧" }], ["marks", "missing", "missing"]],
    ["half a mark is left", [{ id: first!.id, text: "x ⟦1" }], ["marks", "missing", "missing"]],
    [
      "marks whose order counts are swapped",
      [{ id: third!.id, text: third!.source!.split(" ").toReversed().join(" ") }],
      ["missing", "missing", "marks"],
    ],
    ["a text is no text", [{ id: first!.id, text: 5 as never }], ["missing", "missing", "missing"]],
  ])("leaves out what cannot be told: %s", (_, answered, kinds) => {
    expect(read(answerOf(answered))?.map(({ kind }) => kind)).toEqual(kinds);
  });

  test("has the blanks at both ends that the source text has", () => {
    const one = request([textToTranslate(" Total: ")]);
    const [item] = itemsOf(one.messages).items;
    expect(item?.source).toBe("Total:");
    expect(readAnswer(one, answerOf([{ id: item!.id, text: "Totaal:\n" }]))?.[0]?.answer).toEqual({
      kind: "text",
      text: { value: " Totaal: " },
    });
  });
});

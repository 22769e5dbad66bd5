/** What a person reads before a tool of a language model proposes or pushes. */
import { expect, test } from "vitest";
import {
  pushConfirmation,
  stageConfirmation,
} from "../../../src/features/language-model-tools/confirmations.ts";

/** What Markdown shows of its character references. */
const shown = (markdown: string): string =>
  markdown.replaceAll(/&#(\d+);/gu, (_, code: string) => String.fromCharCode(Number(code)));

test("of proposals: the language, the count and the texts", () => {
  const { title, message } = stageConfirmation({
    locale: "nl",
    translations: [
      { namespace: "cart", key: "title", text: "Winkelwagen" },
      { key: "items", forms: { one: ":count artikel", other: ":count artikelen" } },
    ],
  });
  expect(title).toBe("Propose 2 translations (nl)?");
  expect(shown(message).split("\n").slice(2)).toEqual([
    "- cart.title: Winkelwagen",
    "- items: one: :count artikel · other: :count artikelen",
  ]);
});

test("of many the first, and how many more", () => {
  const translations = Array.from({ length: 25 }, (_, index) => ({ key: `key${index}`, text: "x" }));
  const lines = shown(stageConfirmation({ locale: "nl", translations }).message).split("\n");
  expect(lines.at(2)).toBe("- key0: x");
  expect(lines.at(-1)).toBe("- and 15 more");
  expect(lines).toHaveLength(13);
});

test("of a push: the project, the counts and the texts", () => {
  const name = (key: string) => ({ namespace: "*", key, context: null });
  const items = [
    { name: name("a"), text: { value: "New one" }, change: "new" },
    { name: name("b"), text: { value: "Other" }, change: "changed" },
  ] as const;
  const { title, message } = pushConfirmation("Webshop", items, { new: 1, changed: 1, restored: 0 });
  expect(title).toBe("Push to Webshop?");
  expect(shown(message)).toBe("1 new, 1 changed, 0 restored\n\n- a (new): New one\n- b (changed): Other");
});

test("shows texts as they are, not as Markdown", () => {
  const text = "[click](command:x) ![i](https://example.com/i.png) <b>\n- and 0 more";
  const { message } = stageConfirmation({ locale: "nl", translations: [{ key: "`a`", text }] });
  expect(message).not.toMatch(/[[\]<>`!]/u);
  expect(message.split("\n")).toHaveLength(3);
});

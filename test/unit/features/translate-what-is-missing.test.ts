/** What a language model is asked for, with what it is told of each text, and why what it answered is not saved. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { translateCommand } from "../../../src/commands/declarations/text-commands.ts";
import { openEditorCommand } from "../../../src/commands/declarations/window-commands.ts";
import { SearchIndex } from "../../../src/database/update-search-index.ts";
import { registerTranslate } from "../../../src/features/translate/translate-command.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import type { App } from "../../../src/vscode/app.ts";
import {
  answerOf,
  itemsOf,
  type ModelItem,
  rightAnswer,
  translateWhile,
} from "../machine-translation/support.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { FIXTURE_PROJECT_FILE, type FixtureProject } from "../support/fixture-project.ts";
import { cart, openShop, typeText } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { pickInNextList, provideModel } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
/** Why the service refuses the first text of the next request; `null`: it does not. */
let refusal: string | null;
/** How often the translation editor was opened. */
let opened: number;
beforeEach(async () => {
  opened = 0;
  refusal = null;
  const countEditors = (app: App): void =>
    app.command(openEditorCommand, async () => {
      opened += 1;
      return { outcome: "done" };
    });
  ({ shop, window, commands, refuse } = await openShop([registerTranslate, countEditors], {
    intercept: async (request, forward) => {
      if (refusal === null || !request.startsWith("PUT")) return forward();
      const errors = { "translations.0.value": [refusal] };
      refusal = null;
      return Response.json({ message: "Invalid.", errors }, { status: 422 });
    },
  }));
});
afterEach(() => shop.close());

const type = (key: string, value: string): void => typeText(window, key, value);

/** Writes translations at the service, and changes source texts of keys, as somebody else does. */
async function writeElsewhere(
  translations: Readonly<Record<string, string>>,
  sources: Readonly<Record<string, string>> = {},
): Promise<void> {
  const edits = Object.entries(translations).map(([key, value]) => ({ name: cart(key), text: { value } }));
  if (edits.length > 0) await setTranslations(window, "nl", edits, "overwrite");
  const changed = Object.entries(sources).map(([key, value]) => ({ namespace: "cart", key, value }));
  if (changed.length > 0) await window.client.sync({ keys: changed, archive: [] }, {});
}

test("all that is missing is what is untranslated or outdated by now, but not what was typed or proposed", async () => {
  await writeElsewhere({ title: "Mandje", "voucher.label": "Code" }, { title: "Our cart" });
  await window.refresher.refresh({ priority: "person" });
  type("total", "typed");
  const asked: string[] = [];
  provideModel(async (sent) => {
    const { items } = itemsOf(sent);
    asked.push(...items.map(({ key }) => key));
    return answerOf(items.map(rightAnswer));
  });
  // Somebody else pushes a key, which this window has not read yet.
  const colleague = await shop.open("two");
  await colleague.client.sync({ keys: [{ namespace: "cart", key: "new", value: "New" }], archive: [] }, {});
  expect(await commands.run(translateCommand, { locale: "nl" })).toMatchObject({ staged: 5, refused: [] });
  const missing = ["Log out", "Save & close", "cart.items", "cart.new", "cart.title"];
  expect(asked.toSorted()).toEqual(missing);
  // One key that is named: no other one, and not over what was typed there.
  asked.length = 0;
  expect(await commands.run(translateCommand, { locale: "nl", ...cart("new") })).toMatchObject({ staged: 1 });
  expect(await commands.run(translateCommand, { locale: "nl", ...cart("total") })).toMatchObject({
    outcome: "unchanged",
    requests: 0,
    refused: [{ key: "total", reason: "What you typed there is not saved yet." }],
  });
  expect(await commands.run(translateCommand, { locale: "nl", ...cart("none") })).toMatchObject({
    outcome: "unchanged",
    refused: [{ key: "none", reason: "The service does not know the key." }],
  });
  expect(asked).toEqual(["cart.new"]);
  expect(window.project.drafts.get("nl", keyHash(cart("total")))).toMatchObject({ origin: "person" });
  // Proposals of other keys, and typed texts, are not what was proposed for this one.
  const one = { locale: "nl", keys: [cart("voucher.label")], missingOnly: true };
  expect(await commands.ask(translateCommand, one)).toMatchObject({ outcome: "unchanged" });
  expect(await commands.ask(translateCommand, { ...one, keys: [cart("total")] })).toMatchObject({
    requests: 0,
  });
  expect(opened).toBe(0);
  // Languages that are only outdated are checked, too.
  await commands.run(translateCommand, {
    locale: "nl",
    save: true,
    keys: missing.slice(2).map((key) => cart(key.slice(5))),
  });
  pickInNextList((items) => {
    expect(items.map(({ label, description }) => [label, description])).toEqual([
      ["Nederlands (nl)", "3 untranslated"],
      ["Français (fr)", "7 untranslated"],
    ]);
    return undefined;
  });
  expect(await commands.ask(translateCommand, {})).toEqual({ outcome: "cancelled" });
});

test("a rejection is of the translation that it was to replace", async () => {
  await writeElsewhere({ total: "Totaal: :amount" }, { total: "Sum: :amount" });
  await window.refresher.refresh({ priority: "person" });
  provideModel(async (sent) =>
    answerOf(itemsOf(sent).items.map((item) => ({ ...rightAnswer(item), text: "Som" }))),
  );
  pickInNextList((items) => {
    expect(items.map(({ description }) => description)).toEqual([
      "5 untranslated · 1 outdated",
      "6 untranslated",
    ]);
    return items.slice(0, 1);
  });
  pickInNextList((items) => {
    // There is no other model.
    expect(items.map(({ label }) => label)).toEqual(["$(sparkle) Translate"]);
    return items[0];
  });
  const options = { keys: [cart("total")], showsEditor: false };
  expect(await commands.ask(translateCommand, options)).toMatchObject({ refused: [{ key: "total" }] });
  const { rejectedTranslations } = window.project;
  expect(rejectedTranslations.reason("nl", keyHash(cart("total")))).toContain("“Som”");
  // Somebody translates it.
  await writeElsewhere({ total: "Som: :amount" });
  await window.refresher.refresh({ priority: "person" });
  expect(rejectedTranslations.count()).toBe(0);
});

test("what is not saved says why, and is not counted as left", async () => {
  // The first language is staged; then its texts change, of which one is refused as well.
  translateWhile(async (locale) => {
    if (locale !== "fr") return;
    await writeElsewhere({ title: "theirs" }, { "voucher.label": "Coupon" });
    await window.refresher.refresh({ priority: "person" });
    refusal = "Too rude.";
  });
  const names = ["title", "total", "voucher.label", "items"].map(cart);
  const both = { locales: ["nl", "fr"], keys: names, save: true };
  refuse("PUT /translations/fr");
  expect(await commands.run(translateCommand, both)).toMatchObject({
    outcome: "failed",
    error: { message: expect.stringContaining("1 translation written. Not done: 3.") },
    saved: 1,
    refused: [
      // Made of the source text as it was.
      { key: "voucher.label", locale: "fr", reason: expect.stringContaining("source text was changed") },
      { key: "title", locale: "nl", reason: "Someone else changed the translation in the meantime." },
      { key: "voucher.label", locale: "nl", reason: "The source text was changed in the meantime." },
      { key: "total", locale: "nl", reason: "The service did not write it: Too rude." },
    ],
  });
});

test("a token that may only read sends nothing to a model", async () => {
  const sent: string[] = [];
  translateWhile((locale) => sent.push(locale));
  const { session } = window.project;
  window.project.setSession({ ...session, canWrite: false } as typeof session);
  expect(await commands.run(translateCommand, { locale: "nl", keys: [cart("title")] })).toMatchObject({
    error: { code: "forbidden" },
  });
  expect(sent).toEqual([]);
});

test("a text is sent with what helps to translate it: style, terms, and right translations of similar texts", async () => {
  await shop.write(
    "glossary.json",
    JSON.stringify({ cart: { nl: "mandje", fr: "panier" }, voucher: { nl: "bon" } }),
  );
  const long = `Your cart ${"x".repeat(300)}`;
  const similar = {
    one: "Your one cart",
    two: "Your two cart",
    three: "Your three cart",
    four: "Your four cart",
  };
  const wrong = { old: "Your old cart", issue: "Your :amount cart", long, none: "Your other cart" };
  const dutch = Object.keys(similar).map((key) => [key, `x ${key}`] as const);
  await writeElsewhere({}, { ...similar, ...wrong });
  await writeElsewhere({
    ...Object.fromEntries(dutch),
    old: "x old",
    issue: "x",
    long: "x long",
    title: "x own",
  });
  await writeElsewhere({}, { old: "Your older cart" });
  const file = {
    ...FIXTURE_PROJECT_FILE,
    translate: { glossary: "glossary.json", instructions: "Be brief." },
  };
  const named = await shop.open("two", { file });
  await named.refresher.refresh();
  await named.refresher.ensureLocale("nl", { priority: "person" });
  await new SearchIndex(named.database).update();
  const others = createCommandRunner(named, rootOf(shop), [registerTranslate]);
  const all: { readonly rules: string; readonly item: ModelItem }[] = [];
  provideModel(async (sent) => {
    const { items } = itemsOf(sent);
    all.push(...items.map((item) => ({ rules: sent[0] ?? "", item })));
    return answerOf(items.map(rightAnswer));
  });
  await others.run(translateCommand, { locale: "nl", keys: [cart("title")] });
  const [{ rules, item } = expect.fail("nothing was sent")] = all;
  expect(rules).toContain("Be brief.");
  expect(item["glossary"]).toEqual({ cart: "mandje" });
  const pairs = item["similar"] as readonly { readonly source: string; readonly translation: string }[];
  expect(pairs).toHaveLength(3);
  for (const { source, translation } of pairs)
    expect(Object.entries(similar).map(([key, text]) => `${text}: x ${key}`)).toContain(
      `${source}: ${translation}`,
    );
});

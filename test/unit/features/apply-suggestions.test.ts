/** Suggestions as a user applies them: those that stay checked, over the translations that were shown. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  applySuggestionCommand,
  applySuggestionsCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { registerApplySuggestions } from "../../../src/features/apply-suggestions/apply-suggestions-command.ts";
import { registerEditTranslation } from "../../../src/features/edit-translation/edit-translation-command.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import { hasSuggestion, projectIssues } from "../../../src/sync/qa-issues.ts";
import { definedFields } from "../../../src/util/defined-fields.ts";
import { type CommandRunner, createCommandRunner, rootOf } from "../support/command-runner.ts";
import { FEW_ITEMS, type FixtureProject } from "../support/fixture-project.ts";
import { cart, hashOf, openShop, translate, translatedTexts } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { answerNextList, messages, pickInNextList, window as shown } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
beforeEach(async () => {
  ({ shop, window, commands, refuse } = await openShop([registerApplySuggestions, registerEditTranslation]));
  await window.client.sync(
    { keys: [{ namespace: "cart", key: "title", value: "Cart of :name" }], archive: [] },
    {},
  );
  await window.refresher.refresh({ priority: "person" });
  await translate(window, { total: "Totaal: :amont", title: "Mandje van :nam" });
  const french = [{ name: cart("total"), text: { value: "Total : :amont" } }];
  await setTranslations(window, "fr", french, "overwrite");
  await window.refresher.refresh({ priority: "person" });
  messages.length = 0;
});
afterEach(() => shop.close());

const theirs = (key: string, value: string) =>
  window.client.writeTranslations("nl", [{ ...cart(key), hash: hashOf(key), value }], "overwrite");

test("only what stays checked is written, of the languages that have suggestions", async () => {
  answerNextList((list) => {
    expect(list.title).toBe("Apply 3 suggestions?");
    expect(list.items.map(({ label, description }) => [label, description])).toEqual([
      ["nl", undefined],
      ["$(lightbulb) cart.title", "nl"],
      ["$(lightbulb) cart.total", "nl"],
      ["fr", undefined],
      ["$(lightbulb) cart.total", "fr"],
    ]);
    list.toggle("cart.total");
    expect(list.title).toBe("Apply 2 suggestions?");
    list.accept();
  });
  expect(await commands.ask(applySuggestionsCommand, {})).toEqual({
    outcome: "done",
    written: 2,
    skipped: [],
  });
  expect(await translatedTexts(window)).toEqual({ total: "Totaal: :amont", title: "Mandje van :name" });
  expect(await translatedTexts(window, "fr")).toEqual({ total: "Total : :amount" });
  expect(messages).toMatchObject([{ kind: "information", text: "2 translations written." }]);
  answerNextList((list) => {
    expect(list.title).toBe("Apply 1 suggestion?");
    list.hide();
  });
  expect(await commands.ask(applySuggestionsCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await translatedTexts(window)).toMatchObject({ total: "Totaal: :amont" });
});

test("what somebody changed while the list was open is not written over, and is said to be skipped", async () => {
  answerNextList(async (list) => {
    await theirs("title", "Hun mandje van :name");
    list.accept();
  });
  expect(await commands.ask(applySuggestionsCommand, { locale: "nl" })).toEqual({
    outcome: "done",
    written: 1,
    skipped: [{ locale: "nl", key: "title", reason: expect.any(String) }],
  });
  expect(await translatedTexts(window)).toEqual({ total: "Totaal: :amount", title: "Hun mandje van :name" });
  expect(messages).toMatchObject([
    {
      kind: "warning",
      text: expect.stringMatching(/^1 translation written\. The service did not write 1 translation: /u),
    },
  ]);
});

test("suggestions that are all skipped change nothing, and those for all forms of a plural text are one change", async () => {
  answerNextList(async (list) => {
    list.toggle("cart.title");
    list.toggle("cart.total");
    expect(list.title).toBe("Apply suggestions: nothing selected");
    list.toggle("cart.total");
    await theirs("total", "Samen: :amount");
    list.accept();
  });
  expect(await commands.ask(applySuggestionsCommand, { locale: "nl" })).toMatchObject({
    outcome: "unchanged",
    written: 0,
    skipped: [{ locale: "nl", key: "total" }],
  });
  expect(commands.results.at(-1)?.kind).toBe("partly");
  const source = { one: ":count item of :name", other: ":count items of :name" };
  const key = { namespace: "cart", key: "items", forms: source };
  await window.client.sync({ keys: [key], archive: [] }, {});
  const forms = { one: ":count ding van :nam", other: ":count dingen van :nam" };
  await setTranslations(window, "nl", [{ name: cart("items"), text: { forms } }], "overwrite");
  await window.refresher.refresh({ priority: "person" });
  const hashes = [hashOf("items")];
  // No keys are not all keys.
  expect(await commands.run(applySuggestionsCommand, { hashes: [] })).toMatchObject({ written: 0 });
  expect(await commands.run(applySuggestionsCommand, { locale: "nl", hashes })).toMatchObject({ written: 1 });
  const { data } = await window.client.translations("nl", {});
  expect(data.find(({ key }) => key === "items")).toMatchObject({
    forms: { one: ":count ding van :name", other: ":count dingen van :name" },
  });
});

test("where a later language fails, what was written before is counted, and the rest is not", async () => {
  refuse("PUT /translations/fr");
  answerNextList((list) => list.accept());
  expect(await commands.ask(applySuggestionsCommand, {})).toMatchObject({
    outcome: "failed",
    error: { code: "forbidden", message: expect.stringMatching(/^2 translations written\. Not done: 1\./u) },
    written: 2,
    skipped: [],
  });
  expect(commands.results.at(-1)).toEqual({ message: "2 translations written.", kind: "partly" });
  refuse("PUT");
  answerNextList((list) => list.accept());
  const failed = await commands.ask(applySuggestionsCommand, {});
  expect(failed).toMatchObject({
    outcome: "failed",
    error: { message: expect.not.stringContaining("written.") },
  });
  expect(commands.results.at(-1)).toEqual({ message: "2 translations written.", kind: "partly" });
  refuse(null);
  answerNextList((list) => list.accept());
  expect(await commands.ask(applySuggestionsCommand, {})).toMatchObject({ written: 1 });
  expect(await commands.ask(applySuggestionsCommand, {})).toMatchObject({ outcome: "unchanged", written: 0 });
  expect(messages.at(-1)?.text).toBe("The service has no suggestions there.");
});

test("where a later request of a language fails, all that it did not send counts as not done", async () => {
  let writes = 0;
  const few = await shop.open("few", {
    maxItems: { ...FEW_ITEMS, write: 1 },
    intercept: (request, forward) =>
      request.startsWith("PUT") && ++writes > 1
        ? Promise.resolve(Response.json({ message: "No." }, { status: 403 }))
        : forward(),
  });
  await few.refresher.refresh();
  const other = createCommandRunner(few, rootOf(shop), [registerApplySuggestions]);
  expect(await other.run(applySuggestionsCommand, {})).toMatchObject({
    error: { message: expect.stringMatching(/^1 translation written\. Not done: 2\./u) },
    written: 1,
  });
});

test("one suggestion is written at once; if the translation was changed meanwhile, the user decides", async () => {
  const issueOf = async (wanted: string) =>
    (await projectIssues(window.project, "nl", ({ key }) => key === wanted))[0] ?? expect.fail("no issue");
  const issue = await issueOf("total");
  const run = vi.spyOn(commands.app, "run");
  const said = vi.spyOn(shown, "setStatusBarMessage");
  const folder = rootOf(shop);
  expect(await commands.ask(applySuggestionCommand, { folder, issue })).toMatchObject({ outcome: "done" });
  // Of the same project, if there are several.
  expect(run.mock.lastCall?.[1]).toMatchObject({ folder, locale: "nl", version: issue.row.version });
  expect(await translatedTexts(window)).toMatchObject({ total: "Totaal: :amount" });
  const other = await issueOf("title");
  await theirs("title", "Hun mandje");
  pickInNextList("Take Theirs");
  expect(await commands.ask(applySuggestionCommand, { issue: other })).toMatchObject({
    outcome: "unchanged",
  });
  expect(await translatedTexts(window)).toMatchObject({ title: "Hun mandje" });
  // Only the first one was applied.
  expect(said.mock.calls.map(([text]) => text)).toEqual([
    "$(check) Saved: nl · cart.total",
    "cart.total (nl): suggestion applied",
  ]);
  expect(await commands.ask(applySuggestionCommand, {})).toMatchObject({ error: { code: "not_found" } });
  // Without prompts it is written, too, and nothing is said.
  await window.refresher.ensureLocale("fr");
  const [french] = await projectIssues(window.project, "fr", hasSuggestion);
  const shownBefore = [said.mock.calls.length, messages.length];
  const applied = await commands.run(applySuggestionCommand, definedFields({ issue: french }));
  expect(applied).toMatchObject({ outcome: "done" });
  expect(run.mock.lastCall?.[1]).toMatchObject({ locale: "fr", confirm: false });
  expect(await translatedTexts(window, "fr")).toEqual({ total: "Total : :amount" });
  expect([said.mock.calls.length, messages.length]).toEqual(shownBefore);
});

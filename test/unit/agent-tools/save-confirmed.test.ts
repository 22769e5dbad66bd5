/** Staged translations that are sent without a window: those that were asked for, and what could not be saved stays staged. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { saveStaged, saveStagedInFiles } from "../../../src/agent-tools/save-confirmed.ts";
import { toolCalls } from "../../../src/agent-tools/tool-calls.ts";
import type { TranslationDraft } from "../../../src/database/personal/translation-draft-repository.ts";
import { toToolProject } from "../../../src/vscode/window-tool-host.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import type { PushItem } from "../../../src/sync/push/push-plan.ts";
import {
  cart,
  DUTCH,
  ENGLISH,
  hashOf,
  openShop,
  sourceTexts,
  translate,
  translatedTexts,
} from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
beforeEach(async () => {
  ({ shop, window, commands, refuse } = await openShop([]));
  for (const locale of ["nl", "fr"]) await window.refresher.ensureLocale(locale, { priority: "person" });
});
afterEach(() => shop.close());

const draft = (locale: string, key: string): TranslationDraft => ({
  locale,
  hash: hashOf(key),
  text: { value: `${locale} ${key} :amount` },
  base: null,
  baseVersion: null,
  origin: "machine",
  model: null,
  source: null,
});
const save = () => {
  const drafts = [...window.project.drafts.all()];
  return saveStaged(toToolProject(commands.app, commands.open), drafts, new AbortController().signal);
};
const staged = () => Array.from(window.project.drafts.all(), ({ locale, hash }) => `${locale} ${hash}`);

test("a translation that somebody else wrote meanwhile, and a language that is refused", async () => {
  window.project.drafts.put([draft("nl", "title"), draft("nl", "total"), draft("fr", "title")]);
  const theirs = { ...cart("title"), hash: hashOf("title"), value: "Hun mandje" };
  await window.client.writeTranslations("nl", [theirs], "overwrite");
  refuse("PUT /translations/fr");
  expect(await save()).toMatchObject({
    saved: 1,
    notSaved: expect.arrayContaining([
      expect.objectContaining({ locale: "nl", key: "title" }),
      expect.objectContaining({ locale: "fr" }),
    ]),
  });
  expect(await translatedTexts(window)).toEqual({ title: "Hun mandje", total: "nl total :amount" });
  expect(staged().toSorted()).toEqual([`fr ${hashOf("title")}`, `nl ${hashOf("title")}`]);
  // And then the language is not refused.
  refuse(null);
  expect(await save()).toMatchObject({ saved: 1 });
  expect(await translatedTexts(window, "fr")).toEqual({ title: "fr title :amount" });
  expect(staged()).toEqual([`nl ${hashOf("title")}`]);
});

test("those of the keys that a push names, once they were agreed to, and then all others", async () => {
  window.project.drafts.put([draft("nl", "title"), draft("nl", "total"), draft("fr", "total")]);
  const open = Object.assign(toToolProject(commands.app, commands.open), { window: null });
  const callTool = toolCalls({ project: () => Promise.resolve(open), advice: {} });
  const { signal } = new AbortController();
  const results: unknown[] = [];
  const push = async (input: object): Promise<string> => {
    const question = await callTool("push_changes", input, { signal });
    if (typeof question === "string") throw new Error(question);
    const result = await callTool("push_changes", input, { signal, agreed: question.basis });
    results.push(JSON.parse(typeof result === "string" ? result : ""));
    return question.text;
  };
  const question = await push({ keys: [cart("title")] });
  expect([question.includes("nl title"), question.includes("nl total")]).toEqual([true, false]);
  expect(await translatedTexts(window)).toEqual({ title: "nl title :amount" });
  expect(staged().toSorted()).toEqual([`fr ${hashOf("total")}`, `nl ${hashOf("total")}`]);
  await push({});
  expect(await translatedTexts(window)).toMatchObject({ total: "nl total :amount" });
  expect(await translatedTexts(window, "fr")).toEqual({ total: "fr total :amount" });
  expect(staged()).toEqual([]);
  expect(results.map((result) => (result as { readonly translations: object }).translations)).toEqual([
    { saved: 1 },
    { saved: 2 },
  ]);
});

test("what a push sends is only what was agreed to, and then it is known what the service made of it", async () => {
  const mine = await shop.read(ENGLISH);
  await window.client.writeTranslations(
    "nl",
    [{ ...cart("title"), hash: hashOf("title"), value: "Mandje", version: null }],
    "overwrite",
  );
  await window.client.sync({ keys: [{ namespace: "cart", key: "total", value: "Theirs" }] });
  await window.refresher.refresh({ priority: "person" });
  await shop.write(ENGLISH, mine.replace("Your cart", "Our cart"));
  const sent: unknown[] = [];
  const push = async (inWindow: boolean): Promise<object> => {
    const open = Object.assign(toToolProject(commands.app, commands.open), {
      window: inWindow
        ? {
            push: (items: readonly PushItem[]) => {
              sent.push(...items.map(({ name }) => name.key));
              return Promise.resolve({ outcome: "done" });
            },
          }
        : null,
    });
    const callTool = toolCalls({ project: () => Promise.resolve(open), advice: {} });
    const { signal } = new AbortController();
    const question = await callTool("push_changes", {}, { signal });
    if (typeof question === "string") throw new Error(question);
    const result = await callTool("push_changes", {}, { signal, agreed: question.basis });
    if (typeof result !== "string") throw new Error("asked again");
    return JSON.parse(result) as object;
  };
  expect(await push(true)).toMatchObject({ outcome: "done", left: [{ key: "total" }] });
  expect(sent).toEqual(["title"]);
  expect(window.project.translations.get("nl", hashOf("title"))?.isOutdated).toBe(false);
  expect(await push(false)).toMatchObject({ outcome: "done", result: { updated: 1 } });
  expect(window.project.translations.get("nl", hashOf("title"))?.isOutdated).toBe(true);
});

test("a translation of a source text that has changed since is kept, and says so; one of a key that is gone is not sent", async () => {
  const stale = { ...draft("nl", "title"), source: { value: "Their cart" } };
  window.project.drafts.put([stale, { ...draft("nl", "total"), hash: "0".repeat(40) }]);
  expect(await save()).toEqual({
    saved: 0,
    notSaved: [
      expect.objectContaining({
        locale: "nl",
        key: "title",
        problem: expect.stringContaining("source text was changed"),
      }),
    ],
  });
  expect(staged()).toHaveLength(2);
  expect(await translatedTexts(window)).toEqual({});
  window.project.drafts.put([{ ...stale, source: { value: "Your cart" } }]);
  expect(await save()).toMatchObject({ saved: 1 });
});

test("a push that was agreed to does nothing once a text has changed that it would replace", async () => {
  window.project.drafts.put([draft("nl", "title")]);
  const open = Object.assign(toToolProject(commands.app, commands.open), { window: null });
  const callTool = toolCalls({ project: () => Promise.resolve(open), advice: {} });
  const { signal } = new AbortController();
  const ask = async () => {
    const question = await callTool("push_changes", {}, { signal });
    if (typeof question === "string") throw new Error(question);
    return question;
  };
  const before = await ask();
  await translate(window, { title: "Hun mandje" });
  await expect(callTool("push_changes", {}, { signal, agreed: before.basis })).rejects.toThrow(
    "changed since this was planned",
  );
  expect(await translatedTexts(window)).toEqual({ title: "Hun mandje" });
  // The next question shows it.
  expect((await ask()).text).toContain("Hun mandje → nl title :amount");
  window.project.drafts.put([{ ...draft("nl", "title"), text: { value: "Mijn mandje" } }]);
  await expect(callTool("push_changes", {}, { signal, agreed: before.basis })).rejects.toThrow(
    "changed since this was planned",
  );
});

test("says how many source texts were sent before a failure, and then sends the others", async () => {
  const mine = await shop.read(ENGLISH);
  await shop.write(ENGLISH, mine.replace("Your cart", "Our cart").replace("Voucher code", "Our code"));
  const one = { ...window.client, maxItems: { ...window.client.maxItems, sync: 1 } };
  const client: typeof one = {
    ...one,
    sync: async (...request) => {
      const answer = await one.sync(...request);
      refuse("POST /keys/sync");
      return answer;
    },
  };
  const open = Object.assign(toToolProject(commands.app, commands.open), {
    window: null,
    client: () => client,
  });
  const callTool = toolCalls({ project: () => Promise.resolve(open), advice: {} });
  const { signal } = new AbortController();
  const push = async () => {
    const question = await callTool("push_changes", {}, { signal });
    if (typeof question === "string") throw new Error(question);
    const result = await callTool("push_changes", {}, { signal, agreed: question.basis });
    return JSON.parse(typeof result === "string" ? result : "") as object;
  };
  await expect(push()).rejects.toThrow(/^1 of 2 keys were sent\. The others were not: ./u);
  // What was sent is known at once.
  const known = ["title", "voucher.label"].map((key) => window.project.keys.text(hashOf(key)));
  expect(known).toEqual([{ value: "Our cart" }, { value: "Voucher code" }]);
  refuse(null);
  expect(await push()).toMatchObject({ outcome: "done", result: { updated: 1 } });
  expect(Object.values(await sourceTexts(window))).toEqual(expect.arrayContaining(["Our cart", "Our code"]));
});

test("writes no file that changed after it was read, and then says which texts it cannot contain", async () => {
  await window.client.sync({ keys: [{ namespace: "cart", key: "title.below", value: "Below a text" }] });
  await window.refresher.refresh({ priority: "person" });
  const open = toToolProject(commands.app, commands.open);
  const { signal } = new AbortController();
  await open.local.load(signal);
  const base = open.local.find(hashOf("title"), "nl")?.text ?? null;
  const drafts = [{ ...draft("nl", "title"), base }, draft("nl", "title.below")];
  const theirs = `${await shop.read(DUTCH)}\n`;
  const planEdit = open.local.planEdit.bind(open.local);
  vi.spyOn(open.local, "planEdit").mockImplementationOnce(async (...given) => {
    const plan = await planEdit(...given);
    await shop.write(DUTCH, theirs);
    return plan;
  });
  await expect(saveStagedInFiles(open, drafts, signal)).rejects.toThrow(`files changed meanwhile: ${DUTCH}.`);
  expect(await shop.read(DUTCH)).toBe(theirs);
  expect(await saveStagedInFiles(open, drafts, signal)).toEqual({
    saved: 1,
    notSaved: [
      { locale: "nl", namespace: "cart", key: "title.below", problem: expect.stringContaining("title") },
    ],
  });
  expect(await shop.read(DUTCH)).toContain("nl title :amount");
});

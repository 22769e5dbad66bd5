/** Confirmations before a language model tool proposes or pushes changes, and what may be pushed after them. */
import { expect, test } from "vitest";
import {
  ConfirmedPushes,
  pushChanges,
  pushConfirmation,
  stageConfirmation,
  stageTranslations,
} from "../../../src/features/language-model-tools/write-tools.ts";
import { Database } from "../../../src/database/database.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { PERSONAL_SCHEMA } from "../../../src/database/personal/personal-schema.ts";
import type { ProjectKey } from "../../../src/database/records.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { openStoredProject, TITLE } from "../support/stored-project.ts";

/** What Markdown shows of its character references. */
const shown = (markdown: string): string =>
  markdown.replaceAll(/&#(\d+);/gu, (_, code: string) => String.fromCharCode(Number(code)));

test("shows language, count, keys, and each proposal after the text it replaces", () => {
  const now: Readonly<Record<string, Text>> = {
    "cart title": { value: "Mand" },
    "* items": { forms: { one: ":count ding", other: ":count dingen" } },
    "* empty": { value: "" },
    "* same": { value: "Zelfde" },
  };
  const { title, message } = stageConfirmation(
    {
      locale: "nl",
      translations: [
        { namespace: "cart", key: "title", text: "Winkelwagen" },
        { key: "items", forms: { one: ":count artikel", other: ":count artikelen" } },
        { key: "new", context: "menu", text: "Nieuw" },
        { key: "empty", context: "", text: "Leeg" },
        { key: "same", text: "Zelfde" },
      ],
    },
    ({ namespace, key, context }) => (context === null ? (now[`${namespace} ${key}`] ?? null) : null),
  );
  expect(title).toBe("Propose 5 translations (nl)?");
  expect(shown(message).split("\n").slice(2)).toEqual([
    "- cart.title: Mand → Winkelwagen",
    "- items: one: :count ding · other: :count dingen → one: :count artikel · other: :count artikelen",
    "- new (menu): Nieuw",
    "- empty: Leeg",
    "- same: Zelfde",
  ]);
});

test("shows the first of many and the number of the others", () => {
  const translations = Array.from({ length: 25 }, (_, index) => ({ key: `key${index}`, text: "x" }));
  const lines = shown(stageConfirmation({ locale: "nl", translations }, () => null).message).split("\n");
  expect(lines.at(2)).toBe("- key0: x");
  expect(lines.at(-1)).toBe("- and 15 more");
  expect(lines).toHaveLength(13);
});

test("shows project, counts, keys, and each pushed text after the one it replaces", () => {
  const name = (key: string) => ({ namespace: "*", key, context: null });
  const key = (text: Text | null) => ({ text }) as ProjectKey;
  const items = [
    { name: name("a"), text: { value: "New one" }, change: "new", service: null, side: "none" },
    {
      name: name("b"),
      text: { value: "Other" },
      change: "changed",
      service: key({ value: "Before" }),
      side: "file",
    },
    { name: name("c"), text: { value: "Back" }, change: "restored", service: key(null), side: "none" },
    {
      name: name("d"),
      text: { value: "Mine" },
      change: "changed",
      service: key({ value: "Theirs" }),
      side: "both",
    },
  ] as const;
  const { title, message } = pushConfirmation("Webshop", items, { new: 1, changed: 2, restored: 1 });
  expect(title).toBe("Push to Webshop?");
  expect(shown(message)).toBe(
    "1 new, 2 changed, 1 restored\n\n- a (new): New one\n- b (changed): Before → Other\n- c (restored): Back\n- d (changed on the service): Theirs → Mine",
  );
});

test("shows texts as they are, not as Markdown", () => {
  const text = "[click](command:x) ![i](https://example.com/i.png) <b>\n- and 0 more";
  const { message } = stageConfirmation({ locale: "nl", translations: [{ key: "`a`", text }] }, () => ({
    value: text.toUpperCase(),
  }));
  expect(message).not.toMatch(/[[\]<>`!]/u);
  expect(message.split("\n")).toHaveLength(3);
});

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

test("tells the model to call again after a push that was not confirmed", async () => {
  await expect(pushChanges.run({ open: {}, input: {} } as never)).rejects.toThrow(
    "The user was not asked. Call the tool again.",
  );
});

const dutch = { locale: "nl", translations: [{ ...TITLE, context: "", text: "Je mandje" }] };

/** A call of `stage_translations` by a project. */
function stageCall(open: OpenProject): Parameters<typeof stageTranslations.run>[0] {
  const app = { documentUsages: { lookupOptions: () => ({ frameworks: new Set() }) } };
  const page = (_rows: unknown, head: object): Promise<string> => Promise.resolve(JSON.stringify(head));
  return { app, open, input: dutch, signal: new AbortController().signal, page } as never;
}

/** Two projects of the service in one folder, one after the other. */
function twoProjects(): readonly [first: OpenProject, second: OpenProject] {
  const database = new Database(undefined, undefined, undefined, PERSONAL_SCHEMA);
  return [
    openStoredProject(new PersonalData(database, "first")),
    openStoredProject(new PersonalData(database, "second")),
  ];
}

test("stages the texts that the user confirmed for the project", async () => {
  const [first] = twoProjects();
  await stageTranslations.confirmation?.(stageCall(first));
  expect(JSON.parse(await stageTranslations.run(stageCall(first)))).toMatchObject({ staged: 1, refused: 0 });
  expect(first.drafts.get("nl", keyHash(TITLE))?.text).toEqual({ value: "Je mandje" });
});

test("stages nothing in a project that was signed in to after the user confirmed the texts", async () => {
  const [first, second] = twoProjects();
  await stageTranslations.confirmation?.(stageCall(first));
  await expect(stageTranslations.run(stageCall(second))).rejects.toThrow("Nothing was staged.");
  expect(second.drafts.get("nl", keyHash(TITLE))).toBeUndefined();
});

test("stages nothing in a project that was signed out of meanwhile", async () => {
  const [first] = twoProjects();
  await stageTranslations.confirmation?.(stageCall(first));
  const ended = Object.assign(first, { hasEnded: true });
  await expect(stageTranslations.run(stageCall(ended))).rejects.toThrow("Nothing was staged.");
  expect(first.drafts.get("nl", keyHash(TITLE))).toBeUndefined();
});

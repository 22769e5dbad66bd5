/** Confirmations before a language model tool proposes or pushes changes, and what may be pushed after them. */
import { expect, test } from "vitest";
import {
  ConfirmedPushes,
  pushChanges,
  pushConfirmation,
  stageConfirmation,
  stageTranslations,
} from "../../../src/agent-tools/write-tools.ts";
import { Database } from "../../../src/database/database.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { PERSONAL_SCHEMA } from "../../../src/database/personal/personal-schema.ts";
import type { ProjectKey } from "../../../src/database/records.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import type { Confirmation, ToolProject } from "../../../src/agent-tools/tool.ts";
import { confirmationMarkdown } from "../../../src/agent-tools/confirmation-text.ts";
import { openStoredToolProject, TITLE } from "../support/stored-project.ts";

/** What Markdown shows of its character references. */
const shown = (confirmation: Pick<Confirmation, "note" | "lines">): string =>
  confirmationMarkdown(confirmation).replaceAll(/&#(\d+);/gu, (_, code: string) =>
    String.fromCharCode(Number(code)),
  );

/** How the code of a project writes its keys. */
const spelling = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };

test("shows language, count, keys, and each proposal after the text it replaces", () => {
  const now: Readonly<Record<string, Text>> = {
    "cart title": { value: "Mand" },
    "* items": { forms: { one: ":count ding", other: ":count dingen" } },
    "* empty": { value: "" },
    "* same": { value: "Zelfde" },
  };
  const confirmation = stageConfirmation(
    spelling,
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
  expect(confirmation.title).toBe("Propose 5 translations (nl)?");
  expect(shown(confirmation).split("\n").slice(2)).toEqual([
    "- cart.title: Mand → Winkelwagen",
    "- items: one: :count ding · other: :count dingen → one: :count artikel · other: :count artikelen",
    "- new (menu): Nieuw",
    "- empty: Leeg",
    "- same: Zelfde",
  ]);
});

test("shows the first of many and the number of the others", () => {
  const translations = Array.from({ length: 25 }, (_, index) => ({ key: `key${index}`, text: "x" }));
  const lines = shown(stageConfirmation(spelling, { locale: "nl", translations }, () => null)).split("\n");
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
  const session = { kind: "signed-out" } as const;
  const project = { ...spelling, session, label: "Webshop" };
  const confirmation = pushConfirmation(project, items, { new: 1, changed: 2, restored: 1 });
  expect(confirmation.title).toBe("Push to Webshop?");
  expect(shown(confirmation)).toBe(
    "1 new, 2 changed, 1 restored\n\n- a (new): New one\n- b (changed): Before → Other\n- c (restored): Back\n- d (changed on the service): Theirs → Mine",
  );
});

test("spells keys as the code of the project does", () => {
  const translations = [{ namespace: "cart", key: "title", text: "Mandje" }];
  const code = { namespaceSeparator: ":", unwrittenNamespaces: new Set<string>() };
  expect(stageConfirmation(code, { locale: "nl", translations }, () => null).lines).toEqual([
    "cart:title: Mandje",
  ]);
});

test("shows texts as they are, not as Markdown", () => {
  const text = "[click](command:x) ![i](https://example.com/i.png) <b>\n- and 0 more";
  const translations = [{ key: "`a`", text }];
  const confirmation = stageConfirmation(spelling, { locale: "nl", translations }, () => ({
    value: text.toUpperCase(),
  }));
  const message = confirmationMarkdown(confirmation);
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
  await expect(pushChanges.run({ open: { project: {} }, input: {} } as never)).rejects.toThrow(
    "The user was not asked. Call the tool again.",
  );
});

const dutch = { locale: "nl", translations: [{ ...TITLE, context: "", text: "Je mandje" }] };

/** A call of `stage_translations` by a project. */
function stageCall(open: ToolProject): Parameters<typeof stageTranslations.run>[0] {
  const page = (_rows: unknown, head: object): Promise<string> => Promise.resolve(JSON.stringify(head));
  return { open, input: dutch, signal: new AbortController().signal, page } as never;
}

/** Two projects of the service in one folder, one after the other. */
function twoProjects(): readonly [first: ToolProject, second: ToolProject] {
  const database = new Database(undefined, undefined, undefined, PERSONAL_SCHEMA);
  return [
    openStoredToolProject(new PersonalData(database, "first")),
    openStoredToolProject(new PersonalData(database, "second")),
  ];
}

test("stages the texts that the user confirmed for the project", async () => {
  const [first] = twoProjects();
  await stageTranslations.confirmation?.(stageCall(first));
  expect(JSON.parse(await stageTranslations.run(stageCall(first)))).toMatchObject({ staged: 1, refused: 0 });
  expect(first.project.drafts.get("nl", keyHash(TITLE))?.text).toEqual({ value: "Je mandje" });
});

test("stages nothing in a project that was signed in to after the user confirmed the texts", async () => {
  const [first, second] = twoProjects();
  await stageTranslations.confirmation?.(stageCall(first));
  await expect(stageTranslations.run(stageCall(second))).rejects.toThrow("Nothing was staged.");
  expect(second.project.drafts.get("nl", keyHash(TITLE))).toBeUndefined();
});

test("stages nothing in a project that was signed out of meanwhile", async () => {
  const [first] = twoProjects();
  await stageTranslations.confirmation?.(stageCall(first));
  const ended = Object.assign(first, { hasEnded: true });
  await expect(stageTranslations.run(stageCall(ended))).rejects.toThrow("Nothing was staged.");
  expect(first.project.drafts.get("nl", keyHash(TITLE))).toBeUndefined();
});

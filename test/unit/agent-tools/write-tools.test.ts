/** What a person is asked before an agent writes, and that nothing else is carried out. */
import { describe, expect, test } from "vitest";
import { ALL_TOOLS } from "../../../src/agent-tools/all-tools.ts";
import { carryOut, toolCalls, type ToolQuestion } from "../../../src/agent-tools/tool-calls.ts";
import { TOOL_DESCRIPTIONS } from "../../../src/agent-tools/tool-descriptions.ts";
import type { ToolName } from "../../../src/agent-tools/tool-inputs.ts";
import {
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
import {
  type Confirmation,
  runTool,
  type ToolPlan,
  type ToolProject,
} from "../../../src/agent-tools/tool.ts";
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
  expect(confirmationMarkdown({ note: "It is in `a` <b>.", lines: [] })).not.toMatch(/[<>`]/u);
  expect(message.split("\n")).toHaveLength(3);
});

const dutch = { locale: "nl", translations: [{ ...TITLE, context: "", text: "Je mandje" }] };

/** Calls `stage_translations` at a project. */
function stage(open: ToolProject, agreed?: string): Promise<string | ToolQuestion> {
  const callTool = toolCalls({ project: () => Promise.resolve(open), advice: {} });
  return callTool("stage_translations", dutch, { signal: new AbortController().signal, agreed });
}

/** Returns what a person is asked about a call, and agrees to. */
async function basisOf(open: ToolProject): Promise<string> {
  const signal = new AbortController().signal;
  const host = { project: () => Promise.resolve(open), advice: {} };
  return (await runTool(host, stageTranslations, dutch, signal, stageTranslations.plan)).basis;
}

/** Two projects of the service in one folder, one after the other. */
function twoProjects(): readonly [first: ToolProject, second: ToolProject] {
  const database = new Database(undefined, undefined, undefined, PERSONAL_SCHEMA);
  return [
    openStoredToolProject(new PersonalData(database, "first")),
    openStoredToolProject(new PersonalData(database, "second")),
  ];
}

/** Stores a translation of the only key. */
function translate({ project }: ToolProject, value: string, version: number): void {
  const row = { hash: keyHash(TITLE), text: { value }, isTranslated: true, isOutdated: false, issues: [] };
  project.translations.put("nl", [{ ...row, version, updatedAt: null }], version);
}

const staged = ({ project }: ToolProject) => project.drafts.get("nl", keyHash(TITLE))?.text;

test("stages the texts that a person agreed to", async () => {
  const [first] = twoProjects();
  const result = await stage(first, await basisOf(first));
  expect(JSON.parse(result as string)).toMatchObject({ staged: 1, refused: 0 });
  const { drafts } = first.project;
  expect(drafts.get("nl", keyHash(TITLE))).toEqual({
    locale: "nl",
    hash: keyHash(TITLE),
    text: { value: "Je mandje" },
    base: null,
    baseVersion: null,
    origin: "machine",
    model: null,
    source: { value: "Your cart" },
  });
  // And over a translation, with what it replaces.
  translate(first, "Mandje", 4);
  await stage(first, await basisOf(first));
  expect(drafts.get("nl", keyHash(TITLE))).toMatchObject({ base: { value: "Mandje" }, baseVersion: 4 });
});

test("stages no text that is longer than its key allows", async () => {
  const [first] = twoProjects();
  await basisOf(first);
  const { keys } = first.project;
  const key = keys.get(keyHash(TITLE));
  if (key !== undefined) keys.put([{ ...key, maxLength: 8 }], 2);
  const result = JSON.parse((await stage(first, await basisOf(first))) as string) as object;
  expect(result).toMatchObject({
    staged: 0,
    refused: 1,
    items: [{ problem: "The translation has 9 characters; 8 are allowed. Make it shorter." }],
  });
  expect(staged(first)).toBeUndefined();
});

test("a result has no more than the tokens that its caller can take", async () => {
  const [open] = twoProjects();
  const callTool = toolCalls({ project: () => Promise.resolve(open), advice: {} });
  const input = { keys: Array.from({ length: 100 }, () => TITLE) };
  const count = async (maxTokens?: number): Promise<number> => {
    const { signal } = new AbortController();
    const page = await callTool("get_translations", input, { signal, maxTokens });
    return (JSON.parse(page as string) as { readonly items: readonly object[] }).items.length;
  };
  expect(await count(200)).toBeLessThan(await count());
});

test("stages nothing in a project that was signed in to after a person agreed", async () => {
  const [first, second] = twoProjects();
  await expect(stage(second, await basisOf(first))).rejects.toThrow("Nothing was changed");
  expect(staged(second)).toBeUndefined();
});

test("stages nothing in a project that was signed out of meanwhile", async () => {
  const [first] = twoProjects();
  const basis = await basisOf(first);
  await expect(stage(Object.assign(first, { hasEnded: true }), basis)).rejects.toThrow("Nothing was staged.");
  expect(staged(first)).toBeUndefined();
});

test("stages nothing after a text changed that a person was shown", async () => {
  const [first] = twoProjects();
  const basis = await basisOf(first);
  const { keys } = first.project;
  const key = keys.get(keyHash(TITLE));
  if (key !== undefined) keys.put([{ ...key, text: { value: "Our cart" } }], 2);
  await expect(stage(first, basis)).rejects.toThrow("changed since this was planned");
  expect(staged(first)).toBeUndefined();
  const again = await basisOf(first);
  translate(first, "Hun mandje", 3);
  await expect(stage(first, again)).rejects.toThrow("changed since this was planned");
});

test("stages nothing over what a person typed, and then over what a model proposed", async () => {
  const [first] = twoProjects();
  const draft = { locale: "nl", hash: keyHash(TITLE), base: null, baseVersion: null, source: null };
  const { drafts } = first.project;
  drafts.put([{ ...draft, text: { value: "typed" }, origin: "person", model: null }]);
  const refused = JSON.parse((await stage(first, await basisOf(first))) as string) as object;
  expect(refused).toMatchObject({ staged: 0, refused: 1 });
  expect(staged(first)).toEqual({ value: "typed" });
  drafts.put([{ ...draft, text: { value: "proposed" }, origin: "machine", model: "m" }]);
  await stage(first, await basisOf(first));
  expect(staged(first)).toEqual({ value: "Je mandje" });
});

describe("a call", () => {
  const plan = (lines: readonly string[], writes = true): ToolPlan => ({
    title: "Write?",
    note: "Files.",
    lines,
    writes,
    basis: "now",
    run: () => Promise.resolve("done"),
  });

  test("that writes is only carried out after a person agreed to what it does now", async () => {
    expect(await carryOut(plan(["a: b"]), undefined)).toEqual({
      text: "Write?\nFiles.\n- a: b",
      basis: "now",
    });
    expect(await carryOut(plan(["a: b"]), "now")).toBe("done");
    await expect(carryOut(plan(["a: b"]), "before")).rejects.toThrow(
      "Nothing was changed: call the tool again.",
    );
    await expect(carryOut(plan([]), "before")).rejects.toThrow("Nothing was changed");
  });

  test("that writes nothing is carried out", async () => {
    expect(await carryOut(plan([]), undefined)).toBe("done");
    expect(await carryOut(plan(["a: b"], false), undefined)).toBe("done");
  });
});

test("the tools that are described as reading are those without a plan", () => {
  for (const [name, tool] of Object.entries(ALL_TOOLS))
    expect(["run" in tool, "plan" in tool], name).toEqual([
      TOOL_DESCRIPTIONS[name as ToolName].isReadOnly,
      !TOOL_DESCRIPTIONS[name as ToolName].isReadOnly,
    ]);
});

/** Which project a call means, and what a model is told of failures. */
import { expect, test } from "vitest";
import { inputSchema } from "../../../src/agent-tools/input-schema.ts";
import {
  ADVICE,
  chooseByLabel,
  runTool,
  type ToolCall,
  type ToolHost,
} from "../../../src/agent-tools/tool.ts";
import { parseToolInput, toKeyName } from "../../../src/agent-tools/tool-inputs.ts";
import { confirmationText } from "../../../src/agent-tools/confirmation-text.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { CommandError } from "../../../src/commands/command-types.ts";

const shop = { label: "shop" };
const blog = { label: "blog" };

test("a call means the project that it names, else the active one, and none where that is not clear", () => {
  expect(chooseByLabel([shop, blog], blog, "shop")).toBe(shop);
  expect(chooseByLabel([shop, blog], blog, undefined)).toBe(blog);
  const which = 'Say which project is meant, as "project": "shop", "blog".';
  expect(() => chooseByLabel([shop, blog], undefined, undefined)).toThrow(which);
  expect(() => chooseByLabel([shop, blog], blog, "other")).toThrow(which);
  expect(() => chooseByLabel([shop, { label: "shop" }], shop, "shop")).toThrow("Say which project");
  expect(() => chooseByLabel([], undefined, undefined)).toThrow(
    "There is no project with translation files here.",
  );
});

test("a failure is told with what can be done about it there; an own error as it is; an abort as its reason", async () => {
  const fail = (error: Error, signal = new AbortController().signal): Promise<unknown> => {
    const host: ToolHost = {
      project: () => Promise.reject(error),
      advice: { busy: "Wait.", no_project: "Open it." },
    };
    return runTool(host, { name: "list_keys" }, {}, signal, () => Promise.resolve()).catch(
      (thrown: unknown) => thrown,
    );
  };
  const own = new Error("mine");
  expect(await fail(own)).toBe(own);
  expect(await fail(new ApiError("busy", "words"))).toEqual(
    new Error("Someone else is changing the project. Try again in a moment. Wait."),
  );
  expect(await fail(new CommandError("no_project", "None."))).toEqual(new Error("None. Open it."));
  expect(await fail(new ApiError("timeout", "words"))).toEqual(
    new Error("The service did not answer in time. Try again."),
  );
  const busy = new ApiError("busy", "words");
  expect(await fail(busy, AbortSignal.abort())).toBe(busy);
  for (const code of ["untrusted", "forbidden", "offline", "timeout", "rate_limited", "busy"] as const)
    expect(ADVICE[code]).toMatch(/\.$/u);
});

test("a call gets its input, the project that it names, and pages from its cursor on within its limit", async () => {
  const asked: unknown[] = [];
  const host: ToolHost = {
    project: (label) => {
      asked.push(label);
      return Promise.resolve({} as never);
    },
    advice: {},
  };
  const { signal } = new AbortController();
  const rows = Array.from({ length: 300 }, (_, n) => ({ n, text: "x".repeat(20) }));
  const work = (call: ToolCall<"list_keys">) => call.page(rows, { head: 1 });
  const page = async (input: object, maxTokens?: number) =>
    JSON.parse(await runTool(host, { name: "list_keys" }, input, signal, work, maxTokens)) as {
      readonly head: number;
      readonly items: readonly { readonly n: number }[];
      readonly next: string;
    };
  const first = await page({ project: "shop" });
  expect([asked, first.head, first.items[0]?.n]).toEqual([["shop"], 1, 0]);
  const second = await page({ cursor: first.next });
  expect([second.items[0]?.n, asked.at(-1)]).toEqual([first.items.length, undefined]);
  expect((await page({}, 500)).items.length).toBeLessThan(first.items.length);
  await expect(page({ odd: 1 })).rejects.toThrow("The input is wrong");
});

test("a key without a namespace or a context, or with an empty one, is the same", () => {
  const plain = { namespace: "*", key: "a", context: null };
  for (const input of [{ key: "a" }, { key: "a", context: null }, { key: "a", context: "" }])
    expect(toKeyName(input)).toEqual(plain);
  expect(toKeyName({ key: "a", namespace: "b", context: "c" })).toEqual({
    namespace: "b",
    key: "a",
    context: "c",
  });
});

test("inputs have their bounds", () => {
  const isValid = (name: Parameters<typeof parseToolInput>[0], input: object): boolean => {
    try {
      parseToolInput(name, input);
      return true;
    } catch {
      return false;
    }
  };
  const keys = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `k${n}` }));
  expect([100, 101].map((count) => isValid("get_translations", { keys: keys(count) }))).toEqual([
    true,
    false,
  ]);
  expect(
    [0, 1, 100, 101].map((count) =>
      isValid("stage_translations", { locale: "nl", translations: keys(count) }),
    ),
  ).toEqual([false, true, true, false]);
  // A push may name any number of keys, but not none.
  expect([0, 1, 500].map((count) => isValid("push_changes", { keys: keys(count) }))).toEqual([
    false,
    true,
    true,
  ]);
  const add = (more: object): boolean => isValid("add_key", { key: "a", text: "a", ...more });
  expect([{ maxLength: 0 }, { maxLength: 1 }, { maxLength: 1.5 }, { maxLength: 1_000_001 }].map(add)).toEqual(
    [false, true, false, false],
  );
  const tags = (count: number) => ({ tags: Array.from({ length: count }, () => "a") });
  expect(
    [tags(20), tags(21), { description: "x".repeat(4_000) }, { description: "x".repeat(4_001) }].map(add),
  ).toEqual([true, false, true, false]);
  expect(["123456789", "1234567890", "-1", ""].map((cursor) => isValid("list_keys", { cursor }))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(
    ["x".repeat(4_000), "x".repeat(4_001), ""].map((query) => isValid("search_texts", { query })),
  ).toEqual([true, false, false]);
});

test("schemas for models are short, and keep what is needed and described", () => {
  const schema = JSON.stringify(inputSchema("add_key"));
  expect(schema).not.toMatch(/minLength|\$schema|propertyNames|"null"|"maximum"/u);
  // A member that has the name of a word for validators.
  expect(inputSchema("add_key")).toMatchObject({
    required: ["key"],
    properties: {
      maxLength: { description: expect.stringContaining("Most characters") },
      context: { type: "string" },
    },
  });
});

test("a question says ten lines, and how many more there are", () => {
  const lines = Array.from({ length: 1_011 }, (_, n) => `line ${n}`);
  const text = (count: number) =>
    confirmationText({ title: "Write?", note: "Files.", lines: lines.slice(0, count) }).split("\n");
  expect(text(10)).toHaveLength(12);
  expect(text(11).slice(-2)).toEqual(["- line 9", "- and 1 more"]);
  expect(text(1_011).at(-1)).toBe("- and 1,001 more");
});

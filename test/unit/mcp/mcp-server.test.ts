/** The server over a pair of streams: which tools it lists, whom it asks, and what it carries out. */
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import type { CallTool } from "../../../src/agent-tools/tool-calls.ts";
import { TOOL_DESCRIPTIONS } from "../../../src/agent-tools/tool-descriptions.ts";
import { serveMcp } from "../../../src/mcp/mcp-server.ts";

const CHAT = join(import.meta.dirname, "../../../media/chat");

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Those that were opened by a test. */
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Made {
  readonly elicitation?: object | undefined;
  readonly hasWindow?: boolean;
  readonly callTool?: CallTool;
  /** How a person answers. */
  readonly answer?: object;
  /** Whether the client is of an earlier revision, which says what it can do once. */
  readonly isLegacy?: boolean;
}

/** Connects a client of an earlier revision, which can ask a person if `elicitation` says so. */
async function connect({
  elicitation,
  hasWindow = false,
  callTool = never,
  answer = {},
  isLegacy = true,
}: Made = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const errors: Error[] = [];
  const onError = (error: Error) => errors.push(error);
  const served = serveMcp({
    callTool,
    hasWindow,
    version: "1.2.3",
    chatFolder: CHAT,
    input,
    output,
    onError,
  });
  const waiting = new Map<number, (message: Message) => void>();
  const questions: string[] = [];
  const send = (message: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  createInterface({ input: output }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) waiting.get(message.id ?? -1)?.(message);
    else if (message.method === "elicitation/create") {
      questions.push(String(message.params?.["message"]));
      send({ id: message.id, result: answer });
    }
  });
  let last = 0;
  const request = (method: string, params: object = {}): Promise<Message> => {
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<Message>();
    waiting.set(id, resolve);
    send({ id, method, params });
    return promise;
  };
  open.push(async () => {
    input.end();
    await served;
  });
  const capabilities = elicitation === undefined ? {} : { elicitation };
  const clientInfo = { name: "test", version: "1" };
  const initialize = async () => {
    const { result } = await request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities,
      clientInfo,
    });
    send({ method: "notifications/initialized" });
    return result;
  };
  const result = isLegacy ? await initialize() : undefined;
  const call = async (name: string, args: object = {}) => {
    const { result: called, error } = await request("tools/call", { name, arguments: args });
    const content = (called?.["content"] ?? []) as readonly { readonly text: string }[];
    return {
      text: content[0]?.text ?? error?.message ?? "",
      isError: called?.["isError"] === true,
      code: error?.code,
    };
  };
  return { request, call, questions, errors, server: result, input };
}

const never: CallTool = () => Promise.reject(new Error("called"));
/** A tool that asks before it writes, and then says what it was agreed to. */
const writing: CallTool = (name, input, { agreed }) =>
  Promise.resolve(
    agreed === undefined
      ? { text: `Write ${JSON.stringify(input)}?`, basis: "now" }
      : `${name} ${JSON.stringify(input)} ${agreed}`,
  );

type ListedTool = Readonly<Record<"name" | "title" | "description", string>> & {
  readonly inputSchema: {
    readonly required?: readonly string[];
    readonly properties: object;
    readonly additionalProperties?: boolean;
  };
  readonly annotations: Readonly<Record<string, unknown>>;
};

test("says what it is, and lists each tool with what a person and a model have to know", async () => {
  const { server, request } = await connect();
  expect(server?.["serverInfo"]).toMatchObject({
    name: "project-translations",
    title: "Project Translations",
    version: "1.2.3",
  });
  const { result } = await request("tools/list");
  const tools = result?.["tools"] as readonly ListedTool[];
  const by = new Map(tools.map((tool) => [tool.name, tool]));
  const search = by.get("search_texts");
  expect(search?.inputSchema.required).toEqual(["query"]);
  expect(search?.annotations).toEqual({
    title: TOOL_DESCRIPTIONS.search_texts.title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  const add = by.get("add_key");
  // With a plan, nothing else is needed.
  expect([add?.inputSchema.required, add?.inputSchema.additionalProperties]).toEqual([undefined, false]);
  expect(add?.description).toMatch(/ Needed without a plan: key\.$/u);
  expect(by.get("push_changes")?.description).not.toContain("Needed without a plan");
  expect(by.get("push_changes")?.annotations).toMatchObject({
    openWorldHint: true,
    idempotentHint: false,
    readOnlyHint: false,
  });
});

test("describes what happens to proposals where they are: in a window, or without one", async () => {
  const { description, withoutWindow } = TOOL_DESCRIPTIONS.stage_translations;
  for (const [hasWindow, text] of [
    [true, description],
    [false, withoutWindow ?? ""],
  ] as const) {
    const { request } = await connect({ hasWindow });
    const { result } = await request("tools/list");
    const stage = ((result?.["tools"] ?? []) as readonly ListedTool[]).find(
      ({ name }) => name === "stage_translations",
    );
    expect(stage?.description.startsWith(text)).toBe(true);
  }
});

test("prompts have their descriptions and texts; a prompt or a tool that there is not is an error", async () => {
  const { request, call } = await connect();
  const { result } = await request("prompts/list");
  const prompts = result?.["prompts"] as readonly { readonly name: string; readonly description: string }[];
  for (const { name, description } of prompts) {
    const got = (await request("prompts/get", { name })).result;
    expect([got?.["description"], description.length > 10]).toEqual([description, true]);
  }
  expect((await request("prompts/get", { name: "other" })).error).toEqual({
    code: -32_602,
    message: expect.stringContaining("There is no prompt other."),
  });
  expect(await call("delete_all")).toMatchObject({
    code: -32_602,
    text: expect.stringContaining("There is no tool delete_all."),
  });
});

test("what a tool throws is told to the model as an error, what it returns as text", async () => {
  const failing = await connect({ callTool: () => Promise.reject(new Error("Not now.")) });
  expect(await failing.call("list_keys")).toMatchObject({ text: "Not now.", isError: true });
  const reading = await connect({
    callTool: (name, input) => Promise.resolve(`${name} ${JSON.stringify(input)}`),
  });
  expect(await reading.call("project_translations_list_keys", { tag: "ui" })).toMatchObject({
    text: 'list_keys {"tag":"ui"}',
    isError: false,
  });
});

describe("a call that writes", () => {
  test.each([
    ["a form", { form: {} }, true],
    ["anything, as clients of an earlier revision say it", {}, true],
    ["an address only", { url: {} }, false],
    ["nothing", undefined, false],
  ])("is asked about by a client that can show %s", async (_, elicitation, canAsk) => {
    const { call, questions } = await connect({
      elicitation,
      callTool: writing,
      answer: { action: "accept", content: {} },
    });
    const { text } = await call("add_key", { key: "a" });
    expect(questions).toEqual(canAsk ? ['Write {"key":"a"}?'] : []);
    if (canAsk) expect(text).toBe('add_key {"key":"a"} now');
    else
      expect(JSON.parse(text)).toMatchObject({
        question: 'Write {"key":"a"}?',
        next: expect.stringContaining("call add_key again"),
      });
  });

  test.each(["decline", "cancel"])("is not carried out after %s", async (action) => {
    const { call } = await connect({ elicitation: {}, callTool: writing, answer: { action } });
    expect(await call("add_key", { key: "a" })).toMatchObject({
      text: "The user did not agree. Nothing was changed.",
      isError: false,
    });
  });

  test("is carried out with the plan alone, with the input of the plan", async () => {
    const { call } = await connect({ callTool: writing });
    const { plan } = JSON.parse((await call("add_key", { key: "a" })).text) as { readonly plan: string };
    expect(await call("push_changes", { plan })).toMatchObject({ isError: true });
    expect(await call("add_key", { plan })).toMatchObject({
      text: 'add_key {"key":"a"} now',
      isError: false,
    });
    expect(await call("add_key", { plan })).toMatchObject({ isError: true });
  });

  test("cannot be confirmed by an agent where its client asks the person", async () => {
    const { request } = await connect({ callTool: writing, isLegacy: false });
    const of = (name: string): string => `io.modelcontextprotocol/${name}`;
    const meta = {
      [of("protocolVersion")]: "2026-07-28",
      [of("clientInfo")]: { name: "test", version: "1" },
      [of("clientCapabilities")]: { elicitation: { form: {} } },
    };
    const call = (params: object) => request("tools/call", { name: "add_key", ["_meta"]: meta, ...params });
    const { result } = await call({ arguments: { key: "a" } });
    expect(result).toMatchObject({
      inputRequests: { consent: { params: { message: 'Write {"key":"a"}?' } } },
    });
    const plan = result?.["requestState"];
    expect(plan).toMatch(/^[0-9a-f-]{36}$/u);
    const byAgent = (await call({ arguments: { plan } })).result;
    expect([byAgent?.["isError"], JSON.stringify(byAgent)]).toEqual([
      true,
      expect.stringContaining("There is no such plan of add_key."),
    ]);
    const inputResponses = { consent: { action: "accept", content: {} } };
    const byPerson = await call({ arguments: { key: "a" }, requestState: plan, inputResponses });
    expect(byPerson.result).toMatchObject({ content: [{ text: 'add_key {"key":"a"} now' }] });
  });
});

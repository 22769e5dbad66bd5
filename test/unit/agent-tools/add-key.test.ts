/** Keys that an agent adds: beside their neighbours in the files, and never over another key. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addKey } from "../../../src/agent-tools/add-key.ts";
import { runTool } from "../../../src/agent-tools/tool.ts";
import { toolCalls } from "../../../src/agent-tools/tool-calls.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { toToolProject } from "../../../src/vscode/window-tool-host.ts";
import type { CommandRunner } from "../support/command-runner.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { cart, ENGLISH, openShop, sourceTexts } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
beforeEach(async () => {
  ({ shop, window, commands, refuse } = await openShop([]));
});
afterEach(() => shop.close());

const SIGNED_IN = {
  kind: "signed-in",
  baseUrl: "https://service.example",
  slug: "shop",
  name: "Shop",
  canWrite: true,
} as const;

const { signal } = new AbortController();
const callHere = () => {
  const open = toToolProject(commands.app, commands.open);
  return toolCalls({ project: () => Promise.resolve(open), advice: {} });
};

/** Calls the tool, and agrees to what it asks. */
async function add(input: object): Promise<string> {
  const callTool = callHere();
  const asked = await callTool("add_key", input, { signal });
  if (typeof asked === "string") return asked;
  const result = await callTool("add_key", input, { signal, agreed: asked.basis });
  return typeof result === "string" ? result : result.text;
}

test("writes a key to the file of its neighbours, and then does not change it", async () => {
  const hello = { namespace: "cart", key: "hello", text: "Hello" };
  expect(JSON.parse(await add(hello))).toMatchObject({ added: { key: "hello" }, files: [ENGLISH] });
  expect(await shop.read(ENGLISH)).toContain("Hello");
  // Without a maximum length and tags, a push sends it.
  expect(await sourceTexts(window)).not.toHaveProperty("hello");
  await expect(add({ ...hello, text: "Hi" })).rejects.toThrow('with the text {"value":"Hello"}');
  expect(await shop.read(ENGLISH)).not.toContain("Hi");
});

test("adds no key that only the service has", async () => {
  await window.client.sync({ keys: [{ namespace: "cart", key: "theirs", value: "Of somebody else" }] });
  await window.refresher.refresh({ priority: "person" });
  const before = await shop.read(ENGLISH);
  await expect(add({ namespace: "cart", key: "theirs", text: "Mine", tags: ["a"] })).rejects.toThrow(
    "Of somebody else",
  );
  expect(await shop.read(ENGLISH)).toBe(before);
  expect(await sourceTexts(window)).toMatchObject({ theirs: "Of somebody else" });
});

test("sends a key with its maximum length and tags, and then it is known with them", async () => {
  const input = { namespace: "cart", key: "short", text: "Short", maxLength: 10, tags: ["ui"] };
  expect(JSON.parse(await add({ ...input, description: "A button" }))).toMatchObject({ sent: true });
  const { data } = await window.client.keys({ namespace: "cart" });
  expect(data.find(({ key }) => key === "short")).toMatchObject({
    maxLength: 10,
    tags: ["ui"],
    description: "A button",
  });
  await expect(add({ ...cart("short"), text: "Other" })).rejects.toThrow("There is a key");
});

test.each([
  [{ text: "much too long", maxLength: 3 }, "longer than the 3 characters"],
  [{ text: "one", forms: { one: "a", other: "b" } }, 'either "text" or'],
  [{}, 'either "text" or'],
  [{ forms: { one: "a" } }, "needs exactly these categories: one, other"],
  [{ forms: { one: "a", other: "b", many: "c" } }, "needs exactly these categories: one, other"],
  [{ forms: { one: "", other: "" } }, "is empty"],
  [{ forms: { one: "a", other: "too long" }, maxLength: 3 }, "longer than the 3 characters"],
  [{ text: "half \ud83d" }, "half a character"],
])("writes nothing of %j", async (text, message) => {
  const before = await shop.read(ENGLISH);
  await expect(add({ namespace: "cart", key: "hello", ...text })).rejects.toThrow(message);
  expect(await shop.read(ENGLISH)).toBe(before);
});

test("adds no maximum length or tags with a token that may only read, and nothing else then", async () => {
  window.project.setSession({ ...SIGNED_IN, canWrite: false });
  const input = { namespace: "cart", key: "hello", text: "Hello" };
  for (const more of [{ maxLength: 9 }, { tags: ["a"] }])
    await expect(add({ ...input, ...more })).rejects.toThrow("The token may only read");
  expect(await shop.read(ENGLISH)).not.toContain("Hello");
  // What is only in the files needs none.
  expect(JSON.parse(await add({ ...input, tags: [] }))).toMatchObject({ files: [ENGLISH] });
});

test("writes nothing to a file that changed since the plan", async () => {
  const host = {
    project: () => Promise.resolve(toToolProject(commands.app, commands.open)),
    advice: {},
  };
  const input = { namespace: "cart", key: "hello", text: "Hello" };
  const planned = await runTool(host, addKey, input, signal, addKey.plan);
  const theirs = `${await shop.read(ENGLISH)}\n`;
  await shop.write(ENGLISH, theirs);
  await expect(planned.run()).rejects.toThrow(`Nothing was written: ${ENGLISH} changed meanwhile.`);
  expect(await shop.read(ENGLISH)).toBe(theirs);
});

test("says that a key is only in the files if the service does not take it", async () => {
  const input = { namespace: "cart", key: "hello", text: "Hello", tags: ["a"] };
  refuse("POST /keys/sync");
  await expect(add(input)).rejects.toThrow(
    new RegExp(
      `^The key is in ${ENGLISH}, but was not sent to the service: .* push_changes sends it without`,
      "u",
    ),
  );
  expect(await shop.read(ENGLISH)).toContain("Hello");
  refuse(null);
  expect(await sourceTexts(window)).not.toHaveProperty("hello");
});

test("names the namespaces of the files where none has that of a key, and only then", async () => {
  await expect(add({ namespace: "../../etc", key: "hello", text: "Hello" })).rejects.toThrow(
    / Namespaces of the files: [^.]*\bcart\b/u,
  );
  const refusal = add({ namespace: "cart", key: "title.sub", text: "Hello" });
  await expect(refusal).rejects.toThrow(/title/u);
  await expect(refusal).rejects.not.toThrow("Namespaces of the files");
});

test("says that a key is only in the files if the service rejects it alone", async () => {
  await window.client.sync({ keys: [{ namespace: "cart", key: "gone", value: "Gone" }] });
  await window.client.sync({ keys: [], archive: [keyHash(cart("gone"))] });
  // What the window may have read between the two.
  await window.refresher.refresh({ priority: "person" });
  const input = { namespace: "cart", key: "gone", forms: { one: "One", other: "More" }, tags: ["a"] };
  const adding = add(input);
  await expect(adding).rejects.toThrow(`The key is in ${ENGLISH}, but was not sent to the service: `);
  // In words, not as the service's code.
  await expect(adding).rejects.not.toThrow("plural_changed");
  expect(await shop.read(ENGLISH)).toContain("One");
});

test("sends nothing without a service, and says what is not stored then", async () => {
  window.signOut();
  const sent = vi.spyOn(window.client, "sync");
  expect(JSON.parse(await add({ namespace: "cart", key: "plain", text: "Plain" }))).not.toHaveProperty(
    "note",
  );
  // Ten characters, of which three take two places.
  const input = { namespace: "cart", key: "short", text: "Shorts 😀😀😀", maxLength: 10, tags: ["ui"] };
  const result: unknown = JSON.parse(await add(input));
  expect(result).toMatchObject({ files: [ENGLISH], note: expect.stringContaining("were not stored") });
  expect(result).not.toHaveProperty("sent");
  expect(await shop.read(ENGLISH)).toContain("'short' => 'Shorts 😀😀😀'");
  // Each of both alone.
  for (const [key, more] of [
    ["tagged", { tags: ["ui"] }],
    ["limited", { maxLength: 9 }],
  ] as const)
    expect(JSON.parse(await add({ namespace: "cart", key, text: "Text", ...more }))).toHaveProperty("note");
  expect(sent).not.toHaveBeenCalled();
});

test("sends nothing that was agreed to when nobody was signed in", async () => {
  const input = { namespace: "cart", key: "hello", text: "Hello", tags: ["ui"] };
  window.signOut();
  const asked = await callHere()("add_key", input, { signal });
  window.project.setSession(SIGNED_IN);
  const agreed = typeof asked === "string" ? asked : asked.basis;
  await expect(callHere()("add_key", input, { signal, agreed })).rejects.toThrow("Nothing was changed");
  expect(await shop.read(ENGLISH)).not.toContain("Hello");
});

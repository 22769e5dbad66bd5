/** What agents get in a window that is signed in: the tools of the editor, and the server of their protocol. */
import { on, once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { type Editor, NOT_CANCELLED, openEditor, selectionIn } from "../support/open-editor.ts";
import {
  CancellationTokenSource,
  loseFileEvents,
  mcpProviders,
  tools,
  trustGranted,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";
import manifest from "../../../package.json" with { type: "json" };

const ENGLISH = "lang/en/cart.php";
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  [ENGLISH]: `<?php

return [
    'title' => 'Your cart',
    'total' => 'Total: :amount',
];
`,
  "lang/nl/cart.php": "<?php\n\nreturn [\n    'title' => 'Je mandje',\n];\n",
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES, service: DUTCH_SHOP });
  expect(await editor.run(pushCommand, {})).toMatchObject({ result: { created: 2 } });
});
afterAll(() => editor.close());

type Json = Readonly<Record<string, unknown>>;
const toolOf = (name: string) =>
  tools.get(`project_translations_${name}`) ?? expect.fail(`there is no tool ${name}`);
const prepare = (name: string, input: object) => toolOf(name).prepareInvocation({ input }, NOT_CANCELLED);
const invoke = async (name: string, input: object, more: object = {}): Promise<Json> => {
  const { content } = await toolOf(name).invoke({ input, ...more }, NOT_CANCELLED);
  return JSON.parse(content[0]?.value ?? "") as Json;
};
const edit = async (before: string, text: string): Promise<void> =>
  editor.write(ENGLISH, (await editor.read(ENGLISH)).replace(before, text));
const sourceTexts = async (): Promise<readonly unknown[]> =>
  (
    await editor.request<{ readonly data: readonly { readonly source: object }[] }>("GET", "/keys")
  ).data.flatMap(({ source }) => Object.values(source));

describe("the tools of the editor", () => {
  test("read without asking, also what is not saved", async () => {
    const { document } = await editor.show(ENGLISH);
    document.type(selectionIn(document, "|Your cart|"), "Our cart");
    expect(await prepare("search_texts", { query: "cart" })).toEqual({
      invocationMessage: expect.any(String),
    });
    const { items } = await invoke("get_translations", {
      keys: [{ namespace: "cart", key: "title" }],
      locales: ["nl"],
    });
    expect(items).toMatchObject([{ source: "Your cart" }, { locale: "nl" }]);
    document.type(selectionIn(document, "|Our cart|"), "Your cart");
    await document.save();
  });

  test("give no more than the model has room for", async () => {
    const all = await invoke("list_keys", {});
    expect(all).toMatchObject({ items: [{ key: "title" }, { key: "total" }] });
    expect("next" in all).toBe(false);
    const some = await invoke("list_keys", {}, { tokenizationOptions: { tokenBudget: 60 } });
    expect(some).toMatchObject({ items: [{ key: "title" }], next: "1" });
  });

  test("push only after a person agreed, and once", async () => {
    await edit("Your cart", "Our cart");
    const input = { keys: [{ namespace: "cart", key: "title" }] };
    await expect(invoke("push_changes", input)).rejects.toThrow("The user was not asked.");
    expect(await sourceTexts()).toContain("Your cart");
    const { confirmationMessages } = await prepare("push_changes", input);
    expect([confirmationMessages?.title, confirmationMessages?.message.value]).toMatchInlineSnapshot(`
      [
        "Push to Shop?",
        "0 new&#44; 1 changed&#44; 0 restored

      - cart&#46;title &#40;changed&#41;&#58; Your cart → Our cart",
      ]
    `);
    expect(await sourceTexts()).toContain("Your cart");
    expect(await invoke("push_changes", input)).toMatchObject({ outcome: "done", result: { updated: 1 } });
    expect(await sourceTexts()).toContain("Our cart");
    // What was agreed to was that one call.
    await edit("Our cart", "A cart");
    await expect(invoke("push_changes", input)).rejects.toThrow("The user was not asked.");
    expect(await sourceTexts()).toContain("Our cart");
  });

  test("push nothing that a person did not see", async () => {
    await prepare("push_changes", {});
    await edit("A cart", "No cart");
    await expect(invoke("push_changes", {})).rejects.toThrow("changed since this was planned");
    expect(await sourceTexts()).toContain("Our cart");
    // Of several calls, each has its own answer.
    const title = { keys: [{ namespace: "cart", key: "title" }] };
    const total = { keys: [{ namespace: "cart", key: "total" }] };
    await edit("Total: :amount", "Sum: :amount");
    await prepare("push_changes", title);
    await prepare("push_changes", total);
    expect(await invoke("push_changes", title)).toMatchObject({ outcome: "done" });
    expect((await sourceTexts()).map(String).toSorted()).toEqual(["No cart", "Total: :amount"]);
    expect(await invoke("push_changes", total)).toMatchObject({ outcome: "done" });
    // With nothing to send, nobody is asked.
    expect(await prepare("push_changes", {})).toEqual({ invocationMessage: expect.any(String) });
    expect(await invoke("push_changes", {})).toMatchObject({ outcome: "unchanged" });
  });

  test("are those of the manifest", () => {
    expect([...tools.keys()].toSorted()).toEqual(
      manifest.contributes.languageModelTools.map(({ name }) => name).toSorted(),
    );
  });

  test("push nothing that came after there was nothing to push", async () => {
    await prepare("push_changes", {});
    await edit("No cart", "One cart");
    await expect(invoke("push_changes", {})).rejects.toThrow("changed since this was planned");
    await edit("One cart", "No cart");
    expect(await sourceTexts()).toContain("No cart");
  });

  test("end when the call is cancelled", async () => {
    const cancellation = new CancellationTokenSource();
    const search = toolOf("push_changes").invoke({ input: {} }, cancellation.token);
    cancellation.cancel();
    await expect(search).rejects.toMatchObject({ name: "AbortError" });
    const planning = toolOf("push_changes").prepareInvocation({ input: {} }, cancellation.token);
    await expect(planning).rejects.toMatchObject({ name: "AbortError" });
  });
});

/** A program that talks to the window, as the one does that the editor starts. */
async function connectAgent(path: string) {
  const socket = connect(path);
  await once(socket, "connect");
  // Keeps lines that arrive together.
  const lines = on(createInterface({ input: socket }), "line");
  let id = 0;
  const request = async (method: string, params: object): Promise<Json> => {
    const sent = ++id;
    socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: sent, method, params })}\n`);
    for (;;) {
      const [line] = (await lines.next()).value as [string];
      const answer = JSON.parse(line) as { readonly id?: number; readonly result?: Json };
      if (answer.id === sent) return answer.result ?? answer;
    }
  };
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  });
  socket.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  const call = async (name: string, input: object): Promise<Json> => {
    const { content } = await request("tools/call", { name, arguments: input });
    const [{ text }] = content as [{ readonly text: string }];
    return JSON.parse(text) as Json;
  };
  return { socket, call };
}

describe("the server for agents", () => {
  const provider = () => [...mcpProviders].at(-1) ?? expect.fail("there is no server");
  const started = async (): Promise<readonly string[]> => {
    const [definition] = await provider().provideMcpServerDefinitions();
    return (await provider().resolveMcpServerDefinition(definition ?? {})).args;
  };

  test("is only there in a trusted window", async () => {
    expect(await provider().provideMcpServerDefinitions()).toMatchObject([
      {
        label: "Project Translations",
        command: process.execPath,
        args: [expect.stringMatching(/cli\.mjs$/u), "mcp"],
        env: { ELECTRON_RUN_AS_NODE: "1" },
        version: manifest.version,
      },
    ]);
    workspace.isTrusted = false;
    expect(await provider().provideMcpServerDefinitions()).toEqual([]);
    workspace.isTrusted = true;
    let changes = 0;
    provider().onDidChangeMcpServerDefinitions(() => (changes += 1));
    trustGranted.fire();
    expect(changes).toBe(1);
  });

  test("begins again where it could not begin before", async () => {
    vi.stubEnv("TMPDIR", editor.uri("nowhere").fsPath);
    await expect(started()).rejects.toThrow("ENOENT");
    vi.unstubAllEnvs();
    expect(await started()).toEqual([expect.any(String), "mcp", "--window", expect.any(String)]);
  });

  test("serves several programs at one place, with the session of the window, until that is closed", async () => {
    const [program, ...args] = await started();
    expect(program).toMatch(/cli\.mjs$/u);
    expect(args).toEqual(["mcp", "--window", expect.any(String)]);
    expect(await started()).toEqual([program, ...args]);
    const path = args.at(-1) ?? "";
    const [first, second] = [await connectAgent(path), await connectAgent(path)];
    for (const { call } of [first, second])
      expect(await call("list_keys", {})).toMatchObject({ items: [{ key: "title" }, { key: "total" }] });
    first.socket.destroy();
    expect(await second.call("list_keys", { namespace: "cart" })).toMatchObject({ items: [{}, {}] });
    const ended = once(second.socket, "close");
    await editor.close();
    await ended;
    await waitUntil(() => !existsSync(dirname(path)));
    expect([tools.size, mcpProviders.size]).toEqual([0, 0]);
    editor = await openEditor({ files: FILES });
    // Another window has a place of its own.
    const other = (await started()).at(-1) ?? "";
    expect(other).not.toBe(path);
    const third = await connectAgent(other);
    expect(await third.call("list_keys", {})).toMatchObject({ items: [{ key: "title" }, { key: "total" }] });
    // What is no message, or an answer that nobody waits for, ends nothing but that connection.
    third.socket.write("nothing\n");
    void third.call("list_keys", {}).catch(() => undefined);
    third.socket.destroy();
    const fourth = await connectAgent(other);
    expect(await fourth.call("list_keys", { namespace: "cart" })).toMatchObject({ items: [{}, {}] });
    fourth.socket.destroy();
    // An editor that asks before the projects are found waits for them.
    const opening = editor.reload();
    while (mcpProviders.size === 0) await Promise.resolve();
    expect(await provider().provideMcpServerDefinitions()).toHaveLength(1);
    await opening;
  });

  test("is there as soon as there is a project", async () => {
    await editor.close();
    editor = await openEditor({ files: { "a/notes.txt": "", "b/notes.txt": "" }, folders: ["a", "b"] });
    expect(await provider().provideMcpServerDefinitions()).toEqual([]);
    const told = new Promise((resolve) => void provider().onDidChangeMcpServerDefinitions(() => resolve(0)));
    await editor.write("b/project-translations.json", "{}");
    await told;
    expect(await provider().provideMcpServerDefinitions()).toHaveLength(1);
  });
});

describe("without a service, the tools of the editor", () => {
  const other = (path: string, title: string) => ({
    [`${path}/composer.json`]: FILES["composer.json"],
    [`${path}/lang/en/cart.php`]: `<?php\n\nreturn ['title' => '${title}'];\n`,
    [`${path}/lang/nl/cart.php`]: "<?php\n\nreturn [];\n",
  });
  const titles = async (project: string): Promise<readonly unknown[]> => {
    const { items } = await invoke("search_texts", { query: "cart", project });
    return (items as readonly Json[]).map(({ source }) => source);
  };

  test("read what is on disk now, of the project that is named, in a trusted window", async () => {
    await editor.close();
    editor = await openEditor({ files: { ...other("shop", "Shop cart"), ...other("blog", "Blog cart") } });
    await waitUntil(async () => (await editor.rows("languages")).length === 3);
    expect([await titles("shop"), await titles("blog")]).toEqual([["Shop cart"], ["Blog cart"]]);
    loseFileEvents();
    await editor.write("blog/lang/en/cart.php", `<?php\n\nreturn ['title' => 'New cart'];\n`);
    expect([await titles("shop"), await titles("blog")]).toEqual([["Shop cart"], ["New cart"]]);
    workspace.isTrusted = false;
    await expect(titles("shop")).rejects.toThrow(/trust/iu);
    workspace.isTrusted = true;
    // Nobody is signed in.
    await expect(invoke("push_changes", { project: "shop" })).rejects.toThrow("Sign In");
  });
});

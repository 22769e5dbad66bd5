/** Webhooks in a window: their secret and port, deliveries, another window, and signing out. */
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  refreshCommand,
  signInCommand,
  signOutCommand,
  stopListeningCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { listenForWebhooksCommand } from "../../../src/features/webhooks/webhook-commands.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { contextKeyIs, type Editor, openEditor } from "../support/open-editor.ts";
import {
  answerNextInput,
  clickInNextMessage,
  env,
  logged,
  messages,
  openFolders,
  Uri,
  views,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const SECRET = "a-secret-of-the-webhook";
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "lang/en/cart.php": "<?php\n\nreturn ['title' => 'Your cart'];\n",
  "../other/notes.txt": "",
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES, service: DUTCH_SHOP });
});
afterAll(() => editor.close());

interface Listening {
  readonly url: string;
  readonly port: number;
}
const listen = async (options: object = {}): Promise<Listening> =>
  (await editor.run(listenForWebhooksCommand, options)) as Listening;
const isListening = ({ url }: Listening): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status === 405,
    () => false,
  );
/** Of the folders that listen. */
const ports = (): readonly string[] =>
  editor.stored.workspaceState.keys().filter((name) => name.startsWith("webhooks."));
let sent = 0;
/** Sends what the service would send. */
async function deliver(
  { url }: Listening,
  event: string,
  data: object,
  { id = `d${++sent}`, slug = "shop", secret = SECRET } = {},
): Promise<number> {
  const body = JSON.stringify({ id, event, createdAt: "2026-01-01T00:00:00Z", project: { slug }, data });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const headers = { "X-Service-Timestamp": timestamp, "X-Service-Signature": `sha256=${signature}` };
  return (await fetch(url, { method: "POST", body, headers })).status;
}
/** The rows of Activity without the times. */
const rows = async (): Promise<readonly string[]> =>
  (await editor.rows("activity")).map((row) => row.replace(/ \| (?:just now|.* ago)$/u, ""));
const isShown = async ({ url }: Listening): Promise<boolean> =>
  (await rows()).includes(`Listening for webhooks | ${url}`);
const rowsWith = async (words: string) => (await rows()).filter((row) => row.includes(words));

/** What arrives while the secret cannot be read is refused, so that the service repeats it; the log does not have the secret. */
async function expectRefusedWithoutSecret(listening: Listening): Promise<void> {
  const get = vi.spyOn(editor.stored.secrets, "get");
  get.mockResolvedValueOnce(undefined);
  expect(await deliver(listening, "something.new", {})).toBe(401);
  get.mockRejectedValueOnce(new Error(`no access to ${SECRET}`));
  expect(await deliver(listening, "something.new", {})).toBe(500);
  get.mockRestore();
  const refusals = logged.filter((line) => line.includes("A webhook delivery was refused"));
  expect(refusals.slice(-2)).toEqual([
    "warn: A webhook delivery was refused: no secret is known",
    "warn: A webhook delivery was refused: Error: no access to [token]",
  ]);
}

test("the secret is asked for once the URL is known, and nothing listens if that is dismissed", async () => {
  let shown = "";
  answerNextInput((input) => {
    expect([input.password, input.ignoreFocusOut]).toEqual([true, true]);
    shown = /http:\S+/u.exec(input.prompt)?.[0] ?? "";
    input.type(" ");
    input.accept();
    expect(input.validationMessage).toBe("Enter the secret, or press Escape to cancel.");
    input.type("a");
    expect(input.validationMessage).toBe("");
    input.press("Copy URL");
    input.hide();
  });
  expect(await editor.ask(listenForWebhooksCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await env.clipboard.readText()).toBe(shown);
  expect(await isListening({ url: shown, port: 0 })).toBe(false);
  expect(await editor.run(listenForWebhooksCommand, {})).toMatchObject({ error: { code: "invalid" } });
  // Somebody stops it while the secret is asked for.
  answerNextInput(async (input) => {
    expect(await editor.run(stopListeningCommand, {})).toEqual({ outcome: "done" });
    input.type(SECRET);
    input.accept();
  });
  expect(await editor.ask(listenForWebhooksCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await editor.run(listenForWebhooksCommand, {})).toMatchObject({ error: { code: "invalid" } });
  answerNextInput((input) => {
    input.type(` ${SECRET} `);
    input.accept();
  });
  clickInNextMessage("Copy URL");
  const started = (await editor.ask(listenForWebhooksCommand, {})) as unknown as Listening;
  expect(started).toMatchObject({ outcome: "done" });
  expect(messages.at(-1)?.text).toContain(`Listening for webhooks at ${started.url}.`);
  await waitUntil(async () => (await env.clipboard.readText()) === started.url);
  expect(await deliver(started, "something.new", {})).toBe(204);
  await contextKeyIs("listening", true);
  // The secret of an earlier version is found under its name: that of the service, the folder and the project.
  const { secrets } = editor.stored;
  const token = (await secrets.get(secrets.keys().find((name) => name.startsWith("token.")) ?? "")) ?? "";
  const { projectId } = JSON.parse(token) as { readonly projectId: string };
  const parts = [editor.service?.baseUrl, Uri.file(editor.folder).toString(), projectId];
  const digest = createHash("sha1").update(parts.join("\u001f")).digest("hex");
  expect(await secrets.get(`webhook.${digest}`)).toBe(SECRET);
  // Only this machine can connect, by this address.
  expect(await isListening({ ...started, url: started.url.replace("127.0.0.1", "127.0.0.2") })).toBe(false);
  await expectRefusedWithoutSecret(started);
});

test("another port takes the place of the one before, and the same one changes nothing", async () => {
  const before = await listen();
  expect(before).toMatchObject({ outcome: "unchanged" });
  expect(await listen({ port: before.port })).toMatchObject({ outcome: "unchanged", port: before.port });
  // A secret that was given again is stored.
  expect(await listen({ secret: "another" })).toMatchObject({ outcome: "done", port: before.port });
  expect(await deliver(before, "something.new", {})).toBe(401);
  expect(logged.some((line) => line.includes("A webhook delivery was refused: unsigned"))).toBe(true);
  await listen({ secret: ` ${SECRET}\n` });
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port: other } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, "close");
  const moved = await listen({ port: other });
  expect(moved).toMatchObject({ outcome: "done", port: other });
  expect([await isListening(before), await isListening(moved)]).toEqual([false, true]);
  await waitUntil(() => isShown(moved));
  // Where the editor forwards the port.
  const forwarded = { ...moved, url: "https://forwarded.example.com/hook?port=1&from=a" };
  vi.spyOn(env, "asExternalUri").mockResolvedValueOnce(Uri.parse(forwarded.url));
  expect(await listen()).toMatchObject({ outcome: "unchanged", url: forwarded.url });
  await waitUntil(() => isShown(forwarded));
  // Any free port will do.
  expect(await listen({ port: 0 })).toMatchObject({ outcome: "unchanged", port: other });
});

test("what changed at the service is read, and what it says of jobs and languages is shown once", async () => {
  const listening = await listen();
  await editor.request("POST", "/keys/sync", {
    keys: [{ namespace: "cart", key: "title", value: "Your cart" }],
  });
  const { data } = await editor.request<{ readonly data: { readonly contentVersion: number } }>(
    "GET",
    "/stats",
  );
  expect(await deliver(listening, "keys.synced", { contentVersion: data.contentVersion })).toBe(204);
  await waitUntil(async () =>
    (await editor.rows("languages"))[0]?.startsWith("English (en) | source, 1 key"),
  );
  const job = {
    id: 3,
    locale: "nl",
    totalItems: 1_200,
    translatedItems: 1_100,
    flaggedItems: 0,
    failedItems: 0,
  };
  const jobs = [
    { ...job, status: "completed", flaggedItems: 2 },
    { ...job, status: "failed", failedItems: 100 },
    { ...job, status: "cancelled" },
    { ...job, status: "budget_exceeded" },
    { ...job, status: "vanished", locale: "de" },
  ];
  const shown = messages.length;
  for (const each of jobs) {
    const id = `job ${each.status}`;
    for (let time = 0; time < 2; time += 1)
      expect(await deliver(listening, "ai_job.finished", { job: each }, { id })).toBe(204);
  }
  await waitUntil(() => messages.length >= shown + jobs.length);
  expect(messages.slice(shown).map(({ kind, text }) => `${kind}: ${text}`)).toMatchInlineSnapshot(`
    [
      "information: AI translation into Nederlands is ready: 1,100 of 1,200 texts translated, 2 to check",
      "warning: AI translation into Nederlands failed: 1,100 of 1,200 texts translated, 100 failed",
      "warning: AI translation into Nederlands was cancelled: 1,100 of 1,200 texts translated",
      "warning: AI translation into Nederlands stopped at the project’s budget: 1,100 of 1,200 texts translated",
      "warning: AI translation into de ended: 1,100 of 1,200 texts translated",
    ]
  `);
  for (const language of [
    { locale: "nl", name: "Nederlands" },
    { locale: "fr", name: "" },
  ])
    await deliver(listening, "language.completed", { language });
  await waitUntil(async () => (await rowsWith("is completely translated")).length === 2);
  expect((await rowsWith("is completely translated")).toSorted()).toEqual([
    "Nederlands is completely translated",
    "fr is completely translated",
  ]);
});

test("what is too large, or signed and no delivery, is refused", async () => {
  const { url } = await listen();
  const post = async (body: string, size?: number): Promise<number> => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex");
    const headers = { "X-Service-Timestamp": timestamp, "X-Service-Signature": `sha256=${signature}` };
    return (await fetch(url, { method: "POST", body: body.padEnd(size ?? 0), headers })).status;
  };
  expect(await post("{")).toBe(422);
  expect(await post("{}", 1024 * 1024)).toBe(401);
  expect(await post("{}", 1024 * 1024 + 1)).toBe(413);
  const refused = () => logged.filter((line) => line.includes("A webhook delivery was refused: too large"));
  expect(refused()).toHaveLength(1);
  // Also where the size is not said.
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n");
  socket.write(`${" ".repeat(1024 * 1024 + 1)}\r\n0\r\n\r\n`);
  await waitUntil(() => refused().length === 2);
  socket.destroy();
});

test("deliveries of another project are left, which is said once for each", async () => {
  const listening = await listen();
  const shown = messages.length;
  const job = { id: 4, locale: "nl", status: "completed" };
  for (const slug of ["blog", "blog", "wiki"])
    expect(await deliver(listening, "ai_job.finished", { job }, { slug })).toBe(204);
  await waitUntil(async () => (await rowsWith("(wiki)")).length > 0);
  expect((await rowsWith("of another project (blog)")).length).toBe(1);
  expect(await editor.row("activity", "Webhook deliveries")).toMatchObject({ iconPath: { id: "warning" } });
  expect(messages.length).toBe(shown);
});

test("a project that was renamed has its new name", async () => {
  const listening = await listen();
  const { fetch: send } = globalThis;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const answer = await send(input, init);
    if (!(input instanceof Request ? input.url : input.toString()).endsWith("/project")) return answer;
    const { data } = (await answer.json()) as { readonly data: object };
    return Response.json({ data: { ...data, slug: "store", name: "Store" } });
  });
  const before = (await rowsWith("of another project")).length;
  expect(await deliver(listening, "something.new", {}, { slug: "store" })).toBe(204);
  const view = () => views.get("projectTranslations.languages");
  await waitUntil(() => view()?.description === "Store");
  expect(await rowsWith("of another project")).toHaveLength(before);
  spy.mockRestore();
  expect(await deliver(listening, "something.new", {}, { slug: "shop" })).toBe(204);
  await waitUntil(() => view()?.description === "Shop");
});

test("a token that is refused for a while ends it for so long, and keeps the secret", async () => {
  const listening = await listen();
  const spy = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(() => Promise.resolve(Response.json({ message: "No." }, { status: 401 })));
  expect(await editor.run(refreshCommand, {})).toMatchObject({ error: { code: "unauthorized" } });
  spy.mockRestore();
  await waitUntil(async () => !(await isListening(listening)));
  await waitUntil(async () => !(await isShown(listening)));
  await contextKeyIs("listening", false);
  await editor.run(refreshCommand, {});
  await waitUntil(() => isListening(listening));
  expect(await deliver(listening, "something.new", {})).toBe(204);
  // And after it was stopped by hand, it begins at the same port.
  await editor.run(stopListeningCommand, {});
  expect(await listen()).toMatchObject({ outcome: "done" });
});

test("another window of the folder goes on listening at the same port, unless that was stopped", async () => {
  const before = await listen();
  await editor.reload();
  await waitUntil(() => isListening(before));
  await waitUntil(() => isShown(before));
  await contextKeyIs("listening", true);
  await expectRefusedWithoutSecret(before);
  expect(await deliver(before, "something.new", {})).toBe(204);
  expect(await listen()).toMatchObject({ outcome: "unchanged", port: before.port });
  expect(await editor.run(stopListeningCommand, {})).toEqual({ outcome: "done" });
  expect(await isListening(before)).toBe(false);
  await contextKeyIs("listening", false);
  await editor.reload();
  await waitUntil(async () => (await rows()).includes("Checked for changes"));
  expect(await isListening(before)).toBe(false);
  // The secret is known still.
  expect(await listen()).toMatchObject({ outcome: "done" });
});

test("a folder that is closed, or signed in to another project, is not listened for until it is back", async () => {
  const before = await listen();
  const { baseUrl = "", token = "" } = editor.service ?? {};
  const folder = join(editor.folder, "../other");
  openFolders([folder]);
  await waitUntil(async () => !(await isListening(before)));
  await contextKeyIs("listening", false);
  // Each folder has a secret and a port of its own.
  expect(await editor.run(signInCommand, { baseUrl, token })).toMatchObject({ outcome: "done" });
  expect(await editor.run(listenForWebhooksCommand, {})).toMatchObject({ error: { code: "invalid" } });
  expect(await listen({ secret: "another-secret" })).toMatchObject({ outcome: "done" });
  expect(ports()).toHaveLength(2);
  await editor.run(stopListeningCommand, {});
  expect(ports()).toHaveLength(1);
  // Of two folders, one listens; then both do.
  openFolders([editor.folder, folder]);
  await waitUntil(() => isListening(before));
  await contextKeyIs("listening", true);
  const there = await listen({ folder });
  expect(there).toMatchObject({ outcome: "done" });
  const deliverThere = (): Promise<number> =>
    deliver(there, "something.new", {}, { secret: "another-secret" });
  expect([await deliver(before, "something.new", {}), await deliverThere()]).toEqual([204, 204]);
  openFolders([editor.folder]);
  await waitUntil(async () => !(await isListening(there)));
  expect(await isListening(before)).toBe(true);
  openFolders([editor.folder, folder]);
  await waitUntil(() => isListening(there));
  expect(await deliverThere()).toBe(204);
  expect(await editor.run(signOutCommand, { folder })).toEqual({ outcome: "done" });
  await waitUntil(async () => !(await isListening(there)));
  await waitUntil(() => ports().length === 1);
  expect(await deliver(before, "something.new", {})).toBe(204);
  openFolders([editor.folder]);
  // Another project of the same service.
  const { fetch: send } = globalThis;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get("authorization") !== "Bearer token-of-blog") return send(input, init);
    headers.set("authorization", `Bearer ${token}`);
    const answer = await send(input, { ...init, headers });
    if (!(input instanceof Request ? input.url : input.toString()).endsWith("/project")) return answer;
    const { data } = (await answer.json()) as { readonly data: object };
    return Response.json({ data: { ...data, slug: "blog", name: "Blog" } });
  });
  expect(await editor.run(signInCommand, { baseUrl, token: "token-of-blog" })).toMatchObject({
    outcome: "done",
  });
  await waitUntil(async () => !(await isListening(before)));
  // The secret is that of the other project's webhook.
  expect(await editor.run(listenForWebhooksCommand, {})).toMatchObject({ error: { code: "invalid" } });
  spy.mockRestore();
  expect(await editor.run(signInCommand, { baseUrl, token })).toMatchObject({ outcome: "done" });
  await waitUntil(() => isListening(before));
  expect(await deliver(before, "something.new", {})).toBe(204);
});

test("the secret and the port go when somebody signs out", async () => {
  const before = await listen();
  const { secrets } = editor.stored;
  expect(ports()).toHaveLength(1);
  const { delete: remove } = secrets;
  const held = Promise.withResolvers<void>();
  vi.spyOn(secrets, "delete").mockImplementation(async (name) => {
    if (name.startsWith("webhook.")) await held.promise;
    await remove(name);
  });
  expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "done" });
  await waitUntil(async () => !(await isListening(before)));
  const { baseUrl = "", token = "" } = editor.service ?? {};
  expect(await editor.run(signInCommand, { baseUrl, token })).toMatchObject({ outcome: "done" });
  // While the secret of the session that has ended is still there, it is not used.
  const again = editor.run(listenForWebhooksCommand, {});
  for (let turn = 0; turn < 2_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  held.resolve();
  expect(await again).toMatchObject({ error: { code: "invalid" } });
  expect(ports()).toEqual([]);
  expect(await isListening(before)).toBe(false);
  // Nor is one stored that is entered after the next sign-out.
  answerNextInput(async (input) => {
    expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "done" });
    input.type(SECRET);
    input.accept();
  });
  expect(await editor.ask(listenForWebhooksCommand, {})).toMatchObject({ error: { code: "not_signed_in" } });
  expect(secrets.keys().filter((name) => name.startsWith("webhook."))).toEqual([]);
  expect(ports()).toEqual([]);
});

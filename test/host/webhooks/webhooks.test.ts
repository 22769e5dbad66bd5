/** Webhooks in a window: deliveries of the local service, invalid senders, reloads, signing out. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { commands, workspace } from "vscode";
import { call, onPage, reloadWindow, screenshot, stage, startService } from "../harness/bridge-client.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import {
  pickItem,
  submitInput,
  waitForInput,
  notifications,
  waitForNotification,
} from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";

const SECRET = "a-secret-of-the-webhook";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly errors?: Readonly<Record<string, readonly string[]>> };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

let service: RunningService;
let port: number;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const found = (server.address() as AddressInfo).port;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return found;
}

const rows = async (view: string): Promise<string> => {
  await commands.executeCommand(`projectTranslations.${view}.focus`);
  const all = await onPage((page) => page.locator(".pane-body .monaco-list-row:visible").allInnerTexts());
  return all.join("\n").replaceAll("\u00a0", " ");
};

async function sync(...keys: readonly string[]): Promise<void> {
  const response = await fetch(`${service.baseUrl}/keys/sync`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
    body: JSON.stringify({ keys: keys.map((key) => ({ key, value: key })) }),
  });
  assert.equal(response.status, 200);
}

interface Sent {
  readonly id?: string;
  readonly event: string;
  readonly data?: unknown;
  readonly slug?: string;
}

const bodyOf = ({ id = "d1", event, data = {}, slug = "shop" }: Sent): string =>
  JSON.stringify({ id, event, createdAt: "2026-01-01T00:00:00Z", project: { slug, name: "Shop" }, data });

function signed(body: string, { secret = SECRET, late = 0 } = {}): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) - late);
  return {
    "X-Service-Timestamp": timestamp,
    "X-Service-Signature": `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
  };
}

const post = async (body: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers })).status;

/** Sends raw bytes; resolves with all that comes back when the other side has closed. */
function raw(send: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => send(socket));
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(heard));
  });
}

const AI_JOB = {
  event: "ai_job.finished",
  data: {
    job: { id: 3, locale: "nl", status: "completed", totalItems: 12, translatedItems: 11, flaggedItems: 1 },
  },
};

describe("webhooks", () => {
  before(async () => {
    const { resume } = await call("getInstructions", null);
    if (resume !== null) {
      ({ port, service } = JSON.parse(resume.stage) as { port: number; service: RunningService });
      return;
    }
    await workspace.getConfiguration("projectTranslations").update("refreshInterval", 0, true);
    port = await freePort();
    const webhook = {
      url: `http://127.0.0.1:${port}/`,
      secret: SECRET,
      events: ["keys.synced", "import.finished"],
    };
    service = await startService({
      project: {
        slug: "shop",
        name: "Shop",
        languages: [{ locale: "nl", name: "Dutch" }],
        webhooks: [webhook],
      },
    });
    const { baseUrl, token } = service;
    assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
  });

  it("require the secret and a valid port", async () => {
    assert.deepEqual(Object.keys((await run("listenForWebhooks")).error?.errors ?? {}), ["secret"]);
    assert.deepEqual(Object.keys((await run("listenForWebhooks", { port: -1 })).error?.errors ?? {}), [
      "port",
    ]);
    assert.equal((await run("stopListening")).outcome, "unchanged");
  });

  it("listen on the loopback address and show in the activity view", async () => {
    const first = await run("listenForWebhooks", { secret: SECRET, port });
    assert.equal(first.outcome, "done", JSON.stringify(first));
    assert.equal(first["port"], port);
    assert.match(String(first["url"]), /^https?:\/\//);
    assert.equal((await run("listenForWebhooks")).outcome, "unchanged");
    await waitFor("the view shows it", async () =>
      (await rows("activity")).includes("Listening for webhooks"),
    );
  });

  it("refresh what the service changed", async () => {
    await sync("one", "two");
    await waitFor("the new keys are counted", async () => (await rows("languages")).includes("2 keys"));
    await sync("three");
    await waitFor("the third is too", async () => (await rows("languages")).includes("3 keys"));
  });

  it("respond according to the validity of the delivery", async () => {
    const body = bodyOf({ event: "something.new", id: "answers" });
    assert.equal(await post(body, signed(body)), 204);
    assert.equal(await post(body, signed(body)), 204);
    assert.equal(await post(body, signed(body, { secret: "another" })), 401);
    assert.equal(await post(`${body} `, signed(body)), 401);
    assert.equal(await post(body, signed(body, { late: 400 })), 401);
    assert.equal(await post("[]", signed("[]")), 422);
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 405);
  });

  it("report an AI job once", async () => {
    const body = bodyOf({ ...AI_JOB, id: "ai" });
    for (const _ of [1, 2, 3]) assert.equal(await post(body, signed(body)), 204);
    const other = bodyOf({ ...AI_JOB, id: "ai-other", slug: "another-project" });
    assert.equal(await post(other, signed(other)), 204);
    const words = "AI translation into Dutch is ready: 11 of 12 texts translated, 1 to check";
    await waitFor("the view tells it", async () => (await rows("activity")).includes(words));
    assert.equal((await rows("activity")).split(words).length, 2);
    await waitForNotification(words);
    const told = await notifications();
    assert.equal(told.filter((text) => text.includes(words)).length, 1, JSON.stringify(told));
    await screenshot("ai-job");
    await commands.executeCommand("notifications.clearAll");
  });

  it("limit the size of a delivery", async () => {
    const large = 50 * 1024 * 1024;
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${large}\r\n\r\n`;
    assert.match(await raw((socket) => socket.write(head)), /^HTTP\/1\.1 413/);
    const chunk = Buffer.alloc(65_536, "x");
    let sent = 0;
    await raw((socket) => {
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
      const more = (): void => {
        while (!socket.destroyed && sent < large) {
          sent += chunk.length;
          socket.write(`${chunk.length.toString(16)}\r\n`);
          socket.write(chunk);
          if (!socket.write("\r\n")) {
            socket.once("drain", more);
            return;
          }
        }
      };
      more();
    });
    assert.ok(sent < large, `${sent} bytes were taken`);
  });

  it("accept deliveries while other connections are slow, which are closed", async () => {
    const slow = raw((socket) =>
      socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nlittle"),
    );
    const silent = raw(() => {});
    const body = bodyOf({ event: "something.new", id: "meanwhile" });
    assert.equal(await post(body, signed(body)), 204);
    await Promise.all([slow, silent]);
  });

  it("listen on the same port after a reload", async function () {
    if ((await stage(this)) === undefined) await reloadWindow(this, JSON.stringify({ port, service }));
    const body = bodyOf({ event: "something.new", id: "after" });
    await waitFor("the new window listens", () =>
      post(body, signed(body)).then(
        (status) => status === 204,
        () => false,
      ),
    );
  });

  it("stop listening after signing out and delete the secret", async () => {
    await waitFor("the window is back", async () =>
      (await rows("activity")).includes("Listening for webhooks"),
    );
    assert.equal((await run("signOut")).outcome, "done");
    const body = bodyOf({ event: "something.new", id: "out" });
    await waitFor("nobody listens", () =>
      post(body, signed(body)).then(
        () => false,
        () => true,
      ),
    );
    const { baseUrl, token } = service;
    assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
    assert.deepEqual(Object.keys((await run("listenForWebhooks")).error?.errors ?? {}), ["secret"]);
  });

  it("do not listen and store no secret if the user signs out during the prompt", async () => {
    const listening = run("listenForWebhooks", { port, confirm: true });
    await waitForInput("Listen for Webhooks");
    assert.equal((await run("signOut")).outcome, "done");
    await submitInput(SECRET);
    const { outcome, error } = await listening;
    assert.deepEqual([outcome, error?.code], ["failed", "not_signed_in"]);
    const { baseUrl, token } = service;
    assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
    assert.deepEqual(Object.keys((await run("listenForWebhooks")).error?.errors ?? {}), ["secret"]);
  });

  it("offer another port if the previous one was taken", async () => {
    assert.equal((await run("listenForWebhooks", { port, secret: SECRET })).outcome, "done");
    // Signing in to another service ends listening, and the port stays remembered.
    const other = await startService({
      project: { slug: "other", name: "Other", languages: [{ locale: "nl", name: "Dutch" }] },
    });
    assert.equal((await run("signIn", { baseUrl: other.baseUrl, token: other.token })).outcome, "done");
    const taking = createServer();
    await waitFor(
      "the port is free",
      () =>
        new Promise<boolean>((resolve) => {
          taking.once("error", () => resolve(false));
          taking.listen(port, "127.0.0.1", () => resolve(true));
        }),
    );
    try {
      const listening = run("listenForWebhooks", { confirm: true });
      await waitForInput("Listen for Webhooks");
      await pickItem("Use Another Port");
      await waitFor("the secret is asked for", () =>
        onPage(async (page) => (await page.locator(".quick-input-box input[type=password]").count()) > 0),
      );
      await submitInput(SECRET);
      const result = await listening;
      assert.equal(result.outcome, "done", JSON.stringify(result));
      assert.notEqual(result["port"], port);
    } finally {
      taking.close();
    }
  });
});

/** The process of the local service: what it is started with, what is said if it does not start, and how it ends. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startProcess, type StartRequest } from "../../../src/features/local-service/service-process.ts";
import type { LogChannel } from "../../../src/vscode/log.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import { waitUntil } from "../support/wait-until.ts";

const HELLO = { baseUrl: "http://127.0.0.1:1/v1", token: "write token", readToken: "read token" };
/** Says what it was started with, and when it is told to end. */
const SERVICE = `process.on("disconnect", () => { console.error("told to end"); process.exit(); });
const { NODE_OPTIONS, ELECTRON_RUN_AS_NODE } = process.env;
console.error(JSON.stringify([...process.argv.slice(2), NODE_OPTIONS ?? null, ELECTRON_RUN_AS_NODE]));`;

let folder: string;
let remove: () => Promise<unknown>;
let said: string[];
let secrets: string[];
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  said = [];
  secrets = [];
});
afterEach(() => remove());

/** Starts a program in place of the service. */
async function start(program: string, request: StartRequest, signal = new AbortController().signal) {
  const bundle = join(folder, "service.mjs");
  await writeFile(bundle, program);
  const log = { info: (text: string) => said.push(text), redact: (secret: string) => secrets.push(secret) };
  return startProcess(bundle, request, log as unknown as LogChannel, signal);
}

test("gets its database, settings and port, and keeps its tokens out of the log, until it is told to end", async () => {
  vi.stubEnv("NODE_OPTIONS", "--no-warnings");
  const request = { data: "a.db", project: "a.json", port: 4, demo: true };
  const service = await start(`${SERVICE}\nconsole.log(${JSON.stringify(JSON.stringify(HELLO))});`, request);
  expect(service).toMatchObject({ baseUrl: HELLO.baseUrl, token: HELLO.token });
  expect(secrets).toEqual(["write token", "read token"]);
  await service.stop();
  await service.ended;
  await waitUntil(() => said.length === 2);
  expect(said).toEqual([
    'local service: ["--data","a.db","--project","a.json","--port","4","--demo",null,"1"]',
    "local service: told to end",
  ]);
  // It may be stopped again.
  await service.stop();
});

test("says why it did not start: the first thing that it said, or that it said nothing", async () => {
  const request = { data: "a.db", demo: false };
  await expect(start("", request)).rejects.toMatchObject({
    code: "offline",
    message: "The local service did not start: it exited immediately",
  });
  await expect(start('console.error("No port.\\nMore.")', request)).rejects.toMatchObject({
    message: "The local service did not start: No port.",
  });
  said = [];
  await expect(start(`${SERVICE}\nconsole.log("Hello");`, request)).rejects.toMatchObject({
    message: "The local service returned something unexpected: Hello. See the log for details.",
  });
  // It does not stay.
  await waitUntil(() => said.length === 2);
  expect(said).toEqual(['local service: ["--data","a.db",null,"1"]', "local service: told to end"]);
});

test("ends if nobody waits any more until it has started", async () => {
  const stop = new AbortController();
  const started = start(SERVICE, { data: "a.db", demo: false }, stop.signal);
  await waitUntil(() => said.length === 1);
  stop.abort(new Error("given up"));
  await expect(started).rejects.toThrow("given up");
  await waitUntil(() => said.includes("local service: told to end"));
});

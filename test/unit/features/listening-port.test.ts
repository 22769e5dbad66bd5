/** On which port webhooks are received, how the local service is stopped, and what a restart of it keeps. */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defaultData, writeSettings } from "../../../src/features/local-service/service-data.ts";
import { startProcess, type StartRequest } from "../../../src/features/local-service/service-process.ts";
import { startListener } from "../../../src/features/webhooks/webhook-commands.ts";
import type { App } from "../../../src/vscode/app.ts";
import type { LogChannel } from "../../../src/vscode/log.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { recordingLog, temporaryFolder } from "../support/node-platform.ts";
import { pickInNextList, Uri } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Another program listens on every port but a free one. */
const listener = {
  start: (port: number | undefined): Promise<number> =>
    port === 0
      ? Promise.resolve(50_123)
      : Promise.reject(Object.assign(new Error("taken"), { code: "EADDRINUSE" })),
};
const run = (quiet: boolean) => ({ quiet, pause: () => undefined });

test("webhooks are received on another port only if a person agrees", async () => {
  pickInNextList("Use Another Port");
  await expect(startListener(listener, undefined, run(false))).resolves.toBe(50_123);
  await expect(startListener(listener, undefined, run(true))).rejects.toMatchObject({ code: "invalid" });
});

test("a port that was given is not replaced by another one", async () => {
  await expect(startListener(listener, 8080, run(false))).rejects.toMatchObject({ code: "invalid" });
});

test("a port that may not be used is like one that is taken, and another failure is none of the port", async () => {
  const failing = (code: string) => ({
    start: (): Promise<number> => Promise.reject(Object.assign(new Error(code), { code })),
  });
  const started = (code: string) => startListener(failing(code), undefined, run(true));
  await expect(started("EACCES")).rejects.toMatchObject({ code: "invalid" });
  await expect(started("EMFILE")).rejects.toThrow("EMFILE");
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

test("the local service keeps the languages and the source language of an earlier start", async () => {
  const data = join(folder.path, "app.db");
  const app = { name: "App", frameworks: ["laravel"], files: [], sourceLocale: "en", locales: ["en", "nl"] };
  const path = await writeSettings(data, app);
  await writeSettings(data, { ...app, sourceLocale: "fr", locales: ["fr"] });
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({
    sourceLocale: "en",
    languages: [{ locale: "nl" }, { locale: "fr" }],
  });
  // Damaged settings are written anew.
  await writeFile(path, "{");
  await writeSettings(data, { ...app, locales: ["de"] });
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ languages: [{ locale: "de" }] });
});

/** Starts a program in the place of the service. */
async function start(program: string, options: Partial<StartRequest> = {}, signal = NEVER) {
  const bundle = join(folder.path, "service.cjs");
  await writeFile(bundle, program);
  const secrets: string[] = [];
  const redact = (secret: string) => secrets.push(secret);
  const log = { ...recordingLog(), redact } as unknown as LogChannel;
  const request = { data: "app.db", demo: false, ...options };
  return { secrets, service: await startProcess(bundle, request, log, signal) };
}
const NEVER = new AbortController().signal;
const done = (): string => join(folder.path, "done");
/** Says that it was told to stop. */
const onStop = (): string =>
  `process.once("disconnect", () => require("node:fs").writeFileSync(${JSON.stringify(done())}, ""));\n`;

test("the local service is told to stop, so that it can end what it does; no token of it is logged", async () => {
  vi.stubEnv("NODE_OPTIONS", "--no-warnings");
  const hello = `{ baseUrl: [process.env.NODE_OPTIONS, ...process.argv.slice(2)].join(" "), token: "token", readToken: "reading" }`;
  const { secrets, service } = await start(`console.log(JSON.stringify(${hello}));\n${onStop()}`, {
    project: "app.json",
    port: 50_123,
    demo: true,
  });
  expect(service.baseUrl).toBe(" --data app.db --project app.json --port 50123 --demo");
  expect([existsSync(done()), secrets]).toEqual([false, ["token", "reading"]]);
  await service.stop();
  expect(existsSync(done())).toBe(true);
});

test("a local service that does not start says why, and one that nobody waits for any more is stopped", async () => {
  const failed = start(`console.error("The disk is full."); console.error("More."); process.exit(1);`);
  await expect(failed).rejects.toThrow("The local service did not start: The disk is full.");
  const unexpected = start(`console.log("Hello"); ${onStop()}`);
  await expect(unexpected).rejects.toThrow("The local service returned something unexpected: Hello.");
  await waitUntil(() => existsSync(done()));
  await rm(done());
  const cancelled = new AbortController();
  const ready = join(folder.path, "ready");
  const waiting = start(
    `${onStop()}require("node:fs").writeFileSync(${JSON.stringify(ready)}, "");`,
    {},
    cancelled.signal,
  );
  const settled = expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  await waitUntil(() => existsSync(ready));
  cancelled.abort();
  await settled;
  await waitUntil(() => existsSync(done()));
});

test("each folder has a database of its own, and another one for the demo", async () => {
  const context = { globalStorageUri: Uri.file(folder.path) };
  const dataOf = (root: string | null, kind: "own" | "demo"): Promise<string> =>
    defaultData(
      { context } as unknown as App,
      root === null ? undefined : ({ root: Uri.file(root) } as unknown as OpenProject),
      kind,
    );
  const all: string[] = [];
  for (const root of ["/one", "/two", null])
    for (const kind of ["own", "demo"] as const) all.push(await dataOf(root, kind));
  expect(new Set(all).size).toBe(6);
  expect(await dataOf("/one", "own")).toBe(all[0]);
});

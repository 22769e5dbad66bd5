/** On which port webhooks are received, how the local service is stopped, and what a restart of it keeps. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeSettings } from "../../../src/features/local-service/service-data.ts";
import { startProcess } from "../../../src/features/local-service/service-process.ts";
import { startListener } from "../../../src/features/webhooks/webhook-commands.ts";
import type { LogChannel } from "../../../src/vscode/log.ts";
import { recordingLog, temporaryFolder } from "../support/node-platform.ts";
import { pickInNextList } from "../support/vscode-stub.ts";

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

test("the local service is told to stop, so that it can end what it does; no token of it is logged", async () => {
  const bundle = join(folder.path, "service.cjs");
  const done = join(folder.path, "done");
  const hello = JSON.stringify({ baseUrl: "http://127.0.0.1:1/", token: "token", readToken: "reading" });
  await writeFile(
    bundle,
    `console.log(${JSON.stringify(hello)});
process.once("disconnect", () => require("node:fs").writeFileSync(${JSON.stringify(done)}, ""));
`,
  );
  const secrets: string[] = [];
  const redact = (secret: string) => secrets.push(secret);
  const log = { ...recordingLog(), redact } as unknown as LogChannel;
  const data = join(folder.path, "app.db");
  const service = await startProcess(bundle, { data, demo: false }, log, new AbortController().signal);
  expect([existsSync(done), secrets]).toEqual([false, ["token", "reading"]]);
  await service.stop();
  expect(existsSync(done)).toBe(true);
});

/** The local service as a process: its first output line, how it ends, and that a kill loses no data. */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { api } from "../support/http.ts";
import { NO_LIMITS, startLocal, type LocalService } from "../support/local-service.ts";
import { ended, upload, Walk, type Job } from "../support/keys.ts";
import { startTemporary, temporaryFolder } from "../support/temporary.ts";

const main = join(import.meta.dirname, "../../../src/local-service/cli.ts");
test.each(["SIGINT", "SIGTERM"] as const)("ends cleanly on %s", async (signal) => {
  const local = await startTemporary();
  expect((await api(local).request("GET", "/stats")).status).toBe(200);
  expect(await local.stop(signal)).toBe(0);
});

test("stores nothing without a data file", async () => {
  const temporary = temporaryFolder();
  const child = spawn(process.execPath, [main], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).once("line", resolve),
  );
  const said = JSON.parse(line) as Record<string, string>;
  expect(Object.keys(said).toSorted()).toEqual(["baseUrl", "readToken", "token"]);
  expect(said["baseUrl"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/u);
  expect(readdirSync(temporary).length).toBe(1);
  child.kill("SIGTERM");
  expect(await gone).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});

test("serves without an input, and takes commands of one, also after an empty line", async () => {
  const child = spawn(process.execPath, [main], { stdio: ["pipe", "pipe", "pipe"] });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const lineOf = (stream: NodeJS.ReadableStream): Promise<string> =>
    new Promise((resolve) => createInterface({ input: stream }).once("line", resolve));
  const said = JSON.parse(await lineOf(child.stdout)) as Omit<LocalService, "stop">;
  const command = lineOf(child.stderr);
  child.stdin.end('\n{"aiJob":{"locale":"xx"}}\n{"cancelAiJob":1}\n');
  expect(await command).toBe("AI job 1");
  expect((await api(said).request("GET", "/stats")).status).toBe(200);
  child.kill("SIGTERM");
  expect(await gone).toBe(0);
});

test("says why it cannot start, which is no success", () => {
  const folder = temporaryFolder();
  const start = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
    return [status, stdout, stderr.split("\n")[0]];
  };
  const missing = join(folder, "missing.json");
  expect(start("--project", missing)).toEqual([1, "", `There is no project file at ${missing}.`]);
  expect(start("--port", "65536")).toEqual([1, "", "65536 is not a port number."]);
});

/** The counters of every language against what the rows say. */
function miscounted(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(
        `SELECT l.locale FROM languages l LEFT JOIN (
           SELECT t.language_id, sum(t.translated) AS translated, sum(t.outdated) AS outdated, sum(t.errors) AS errors
           FROM translations t JOIN keys k ON k.id = t.key_id AND k.archived = 0 GROUP BY t.language_id
         ) c ON c.language_id = l.id
         WHERE l.translated <> coalesce(c.translated, 0) OR l.outdated <> coalesce(c.outdated, 0)
           OR l.errors <> coalesce(c.errors, 0)
         UNION ALL SELECT 'totals' FROM totals
         WHERE active <> (SELECT count(*) FROM keys WHERE archived = 0)
           OR with_source <> (SELECT count(*) FROM keys WHERE archived = 0 AND source_hash IS NOT NULL)`,
      )
      .all();
  } finally {
    database.close();
  }
}

describe("SIGKILL", () => {
  const project = {
    type: "laravel",
    languages: [{ locale: "nl" }],
    limits: NO_LIMITS,
  };

  test("loses no acknowledged writes and no tokens, and leaves others complete or absent", async () => {
    const data = temporaryFolder();
    const tokens = new Set<string>();
    const start = async (): Promise<LocalService> => {
      const local = await startTemporary({ folder: data, project });
      tokens.add(`${local.token} ${local.readToken}`);
      return local;
    };
    const answered: number[] = [];
    let sent = 0;
    for (const killAfter of [30, 160, 300, 5]) {
      const local = await start();
      const service = api(local);
      let killed: Promise<unknown> | undefined;
      try {
        for (;;) {
          const first = sent;
          sent += 50;
          const keys = Array.from({ length: 50 }, (_, i) => ({ key: `k${first + i}`, value: `:n ${first}` }));
          const synced = await service.request("POST", "/keys/sync", { body: { keys } });
          expect(synced.status).toBe(200);
          const translations = keys.map(({ key }) => ({ key, value: `${key} :m` }));
          const written = await service.request("PUT", "/translations/nl", { body: { translations } });
          expect(written.status).toBe(200);
          answered.push(first);
          // Milliseconds after the first answer: however busy the machine is, something was answered.
          killed ??= setTimeout(killAfter).then(() => local.stop("SIGKILL"));
        }
      } catch (error) {
        // The kill cuts the connection.
        if (killed === undefined) throw error;
      }
      await killed;
    }
    const last = await start();
    expect(tokens.size).toBe(1);
    const walk = new Walk(api(last));
    const rows = await walk.rows("nl", { namespace: "*" });
    const values = new Map(rows.map((row) => [row.key, row.value]));
    expect(answered.length).toBeGreaterThan(3);
    for (let number = 0; number < sent; number += 50) {
      const block = Array.from({ length: 50 }, (_, i) => values.get(`k${number + i}`));
      // A request is one: all of its keys or none, all of their translations or none.
      expect(new Set(block.map((value) => value === undefined)).size).toBe(1);
      expect(new Set(block.map((value) => typeof value)).size).toBe(1);
      if (answered.includes(number)) expect(typeof block[0]).toBe("string");
    }
    const [, nl] = await walk.languages();
    expect(nl).toMatchObject({
      totalKeys: rows.length,
      qaErrors: rows.filter((row) => row.value !== null).length,
    });
    expect(await last.stop()).toBe(0);
    expect(miscounted(join(data, "data.sqlite"))).toEqual([]);
  });

  test("during large syncs leaves each complete or absent", async () => {
    const data = temporaryFolder();
    const first = await startTemporary({ folder: data });
    const service = api(first);
    const rounds = Array.from({ length: 4 }, (_, round) =>
      service
        .once("POST", "/keys/sync", {
          body: {
            keys: Array.from({ length: 3_000 }, (_, i) => ({
              namespace: `n${round}`,
              key: `k${i}`,
              value: "x",
            })),
          },
        })
        .then(
          (answer) => answer.status === 200,
          () => false,
        ),
    );
    // The moment is whatever it is; what counts holds at any.
    await Promise.race(rounds);
    await first.stop("SIGKILL");
    const answered = await Promise.all(rounds);
    const second = await startTemporary({ folder: data });
    for (const [round, wasAnswered] of answered.entries()) {
      const keys = await new Walk(api(second)).keys({ namespace: `n${round}` });
      expect(wasAnswered ? [3_000] : [0, 3_000]).toContain(keys.length);
    }
  });

  test("during an import: the job runs again at the next start", async () => {
    const data = temporaryFolder();
    const first = await startTemporary({ folder: data, project });
    const texts = JSON.stringify(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, "x"])),
    );
    const answer = await upload(api(first), { "en.json": texts, "nl.json": texts });
    expect(answer.status).toBe(202);
    await setTimeout(300);
    await first.stop("SIGKILL");
    const second = await startTemporary({ folder: data, project });
    expect(await ended(api(second), answer.data<Job>().id, 50)).toMatchObject({
      status: "succeeded",
      result: { newKeys: 20_000, newTranslations: 40_000 },
    });
    expect(await second.stop("SIGINT")).toBe(0);
    expect(miscounted(join(data, "data.sqlite"))).toEqual([]);
  });
});

test("the demo has keys, and a second start adds nothing", async () => {
  const data = temporaryFolder();
  const first = await startTemporary({ folder: data, args: ["--demo"] });
  const before = await new Walk(api(first)).stats();
  await first.stop();
  expect(before.languages[0]?.totalKeys).toBeGreaterThan(0);
  const second = await startTemporary({ folder: data, args: ["--demo"] });
  expect(await new Walk(api(second)).stats()).toEqual(before);
});

test("reports invalid arguments and exits", async () => {
  const run = (...args: string[]): Promise<LocalService> => startLocal({ args });
  await expect(run("--port", "http")).rejects.toThrow(/not a port/u);
  await expect(run("--what")).rejects.toThrow(/Usage/u);
  await expect(run("--project", "/nowhere.json")).rejects.toThrow(/no project file/u);
  await expect(startLocal({ project: { languages: [{ locale: 5 }] } })).rejects.toThrow(
    /languages\.0\.locale/u,
  );
});

test("refuses a data file that another process uses", async () => {
  const data = temporaryFolder();
  await startTemporary({ folder: data });
  await expect(startLocal({ folder: data })).rejects.toThrow(/in use by another service/u);
});

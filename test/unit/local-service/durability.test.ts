/** The store after kills, stops, restarts and concurrent opens. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { calls, projectFile, start, temporaryFolder } from "./harness.ts";

const MAIN = join(import.meta.dirname, "../../../src/local-service/main.ts");

interface Spawned {
  readonly baseUrl: string;
  readonly token: string;
  readonly readToken: string;
  readonly child: ChildProcess;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
}

/** The service as a process of its own. */
async function spawned(...args: string[]): Promise<Spawned> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve)),
    exited.then(() => Promise.reject(new Error(errors.join("")))),
  ]);
  return { ...(JSON.parse(line) as { baseUrl: string; token: string; readToken: string }), child, exited };
}

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

describe("a killed service", () => {
  test("keeps acknowledged writes, and other ones completely or not at all", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "store.sqlite");
    const args = [
      "--data",
      file,
      "--project",
      projectFile(folder, { type: "laravel", languages: [{ locale: "nl" }] }),
    ];
    const answered: number[] = [];
    let sent = 0;
    for (const killAfter of [30, 160, 300, 5]) {
      const service = await spawned(...args);
      const { data } = calls(service);
      let killed: Promise<unknown> | undefined;
      try {
        for (;;) {
          const first = sent;
          sent += 50;
          const keys = Array.from({ length: 50 }, (_, index) => ({
            key: `k${first + index}`,
            value: `:n ${first}`,
          }));
          await data("POST", "/keys/sync", { keys });
          const translations = keys.map(({ key }) => ({ key, value: `${key} :m` }));
          await data("PUT", "/translations/nl", { translations });
          answered.push(first);
          // Milliseconds after the first answer: however busy the machine is, something was answered.
          killed ??= setTimeout(killAfter).then(() => service.child.kill("SIGKILL"));
        }
      } catch (error) {
        // The kill cuts the connection.
        if (killed === undefined) throw error;
      }
      await killed;
      await service.exited;
    }
    const service = await spawned(...args);
    const { data } = calls(service);
    const rows: { key: string; value: string | null }[] = [];
    let page: { data: typeof rows; meta: { nextCursor: string | null } };
    let cursor = "";
    do {
      page = (await calls(service).call<typeof page>("GET", `/translations/nl?limit=1000${cursor}`)).body;
      rows.push(...page.data);
      cursor = `&cursor=${page.meta.nextCursor}`;
    } while (page.meta.nextCursor !== null);
    const values = new Map(rows.map((row) => [row.key, row.value]));
    expect(answered.length).toBeGreaterThan(3);
    for (let number = 0; number < sent; number += 50) {
      const block = Array.from({ length: 50 }, (_, index) => values.get(`k${number + index}`));
      // A request is one: all of its keys or none, all of their translations or none.
      expect(new Set(block.map((value) => value === undefined)).size).toBe(1);
      expect(new Set(block.map((value) => typeof value)).size).toBe(1);
      if (answered.includes(number)) expect(typeof block[0]).toBe("string");
    }
    const stats = await data<{ languages: { totalKeys: number; qaErrors: number }[] }>("GET", "/stats");
    expect(stats.languages[1]?.totalKeys).toBe(rows.length);
    expect(stats.languages[1]?.qaErrors).toBe(rows.filter((row) => row.value !== null).length);
    service.child.kill("SIGTERM");
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(miscounted(file)).toEqual([]);
  });

  test("completes an accepted import after a restart", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "store.sqlite");
    const args = ["--data", file, "--project", projectFile(folder, { languages: [{ locale: "nl" }] })];
    const first = await spawned(...args);
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, `value ${index}`]),
    );
    const answer = await calls(first).upload({
      "en.json": JSON.stringify(many),
      "nl.json": JSON.stringify(many),
    });
    expect(answer.status).toBe(202);
    const { id } = answer.body["data"] as { id: number };
    await setTimeout(300);
    first.child.kill("SIGKILL");
    await first.exited;
    const second = await spawned(...args);
    expect(second.token).toBe(first.token);
    const job = await calls(second).ended(id);
    expect(job).toMatchObject({ status: "succeeded", result: { newKeys: 20_000, newTranslations: 40_000 } });
    second.child.kill("SIGINT");
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect(miscounted(file)).toEqual([]);
  });
});

describe("the data file", () => {
  test("keeps tokens and settings, and is readable by its owner only", async () => {
    const folder = temporaryFolder();
    const data = join(folder, "store.sqlite");
    const first = await start({ slug: "mine", languages: [{ locale: "sv" }] }, { data });
    await first.stop();
    const { startService } = await import("../../../src/local-service/start-service.ts");
    const second = await startService({ data });
    onTestFinished(() => second.stop());
    expect([second.token, second.readToken]).toEqual([first.token, first.readToken]);
    const project = await calls(second).data<{ slug: string; languages: object[] }>("GET", "/project");
    expect(project).toMatchObject({ slug: "mine", languages: [{ locale: "en" }, { locale: "sv" }] });
    if (process.platform !== "win32") expect(statSync(data).mode & 0o777).toBe(0o600);
  });

  test("is migrated from the first schema", async () => {
    const data = join(temporaryFolder(), "store.sqlite");
    const old = await start({}, { data });
    const keys = ["b", "a", "c"].map((key) => ({ key, value: key }));
    await old.data("POST", "/keys/sync", { keys });
    await old.stop();
    const database = new DatabaseSync(data);
    database.exec("DROP INDEX keys_by_name; DROP INDEX keys_by_namespace_name; PRAGMA user_version = 1");
    database.close();
    const service = await start({}, { data });
    const listed = await service.data<{ key: string }[]>("GET", "/keys");
    expect(listed.map(({ key }) => key)).toEqual(["a", "b", "c"]);
  });

  test.each([
    ["of a newer program", "CREATE TABLE a (b); PRAGMA user_version = 99", /newer version/u],
    ["of another program", "CREATE TABLE a (b)", /another program/u],
  ])("is rejected with a clear message: %s", async (_, sql, words) => {
    const data = join(temporaryFolder(), "store.sqlite");
    const database = new DatabaseSync(data);
    database.exec(sql);
    database.close();
    await expect(start({}, { data })).rejects.toThrow(words);
  });

  test("is rejected with a clear message if it is no database or in use", async () => {
    const folder = temporaryFolder();
    const broken = join(folder, "broken.sqlite");
    writeFileSync(broken, "x".repeat(5000));
    chmodSync(broken, 0o600);
    await expect(start({}, { data: broken })).rejects.toThrow(/cannot be opened/u);
    const data = join(folder, "store.sqlite");
    await start({}, { data });
    await expect(start({}, { data })).rejects.toThrow(/in use/u);
    await expect(spawned("--data", data)).rejects.toThrow(/in use by another service/u);
  });
});

test("reports invalid arguments and exits", async () => {
  await expect(spawned("--port", "http")).rejects.toThrow(/not a port/u);
  await expect(spawned("--what")).rejects.toThrow(/Usage/u);
  await expect(spawned("--project", "/nowhere.json")).rejects.toThrow(/no project file/u);
  const folder = temporaryFolder();
  writeFileSync(join(folder, "project.json"), '{"languages": [{"locale": 5}]}');
  await expect(spawned("--project", join(folder, "project.json"))).rejects.toThrow(/languages\.0\.locale/u);
});

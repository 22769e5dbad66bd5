/** The data file: what it keeps, its migration, and files that cannot be used. */
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { startService } from "../../../src/local-service/start-service.ts";
import { calls, start, temporaryFolder } from "./harness.ts";
import { waitUntil } from "../support/wait-until.ts";

describe("the data file", () => {
  test("keeps tokens and settings, and is readable by its owner only", async () => {
    const folder = temporaryFolder();
    const data = join(folder, "store.sqlite");
    const first = await start({ slug: "mine", languages: [{ locale: "sv" }] }, { data });
    // Whoever asks again waits for the same end.
    await Promise.all([first.stop(), first.stop()]);
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

  test("is rejected with a clear message if it is no database", async () => {
    const broken = join(temporaryFolder(), "broken.sqlite");
    writeFileSync(broken, "x".repeat(5000));
    chmodSync(broken, 0o600);
    await expect(start({}, { data: broken })).rejects.toThrow(/cannot be opened/u);
  });

  test("runs a job again whose end could not be written", async () => {
    const data = join(temporaryFolder(), "store.sqlite");
    const service = await start({}, { data });
    const disk = new DatabaseSync(data);
    disk.exec("CREATE TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT RAISE(FAIL, 'disk is full'); END");
    const { body } = await service.upload({ "en.json": '{"a": "A"}' });
    await waitUntil(() => service.logged.some((line) => line.includes("disk is full")));
    disk.exec("DROP TRIGGER full");
    disk.close();
    await service.data("POST", "/keys/sync", { keys: [{ key: "b", value: "B" }] });
    const job = await service.ended((body["data"] as { id: number }).id);
    expect(job.status).toBe("succeeded");
  });
});

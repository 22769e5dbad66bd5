/** The local service as a process: its first output line, how it ends, and that a kill loses no data. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { api } from "../support/http.ts";
import { scratch, startLocal } from "../support/local-service.ts";
import { Walk } from "../support/keys.ts";

const main = join(import.meta.dirname, "../../../src/local-service/main.ts");
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});
function folder(): string {
  const one = scratch();
  ends.push(one.remove);
  return one.path;
}

test.each(["SIGINT", "SIGTERM"] as const)("ends cleanly on %s", async (signal) => {
  const local = await startLocal();
  expect((await api(local).request("GET", "/stats")).status).toBe(200);
  expect(await local.stop(signal)).toBe(0);
});

test("stores nothing without a data file", async () => {
  const temporary = folder();
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

describe("SIGKILL", () => {
  test("loses no acknowledged writes and no tokens", async () => {
    const data = folder();
    const first = await startLocal({ folder: data, project: { languages: [{ locale: "nl" }] } });
    const walk = new Walk(api(first));
    const answered: number[] = [];
    const writing = (async () => {
      for (let round = 0; ; round += 1) {
        await walk.sync([{ key: `k${round}`, value: `Text ${round}` }]);
        await walk.write("nl", [{ key: `k${round}`, value: `Tekst ${round}` }]);
        answered.push(round);
      }
    })().catch(() => undefined);
    while (answered.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    await first.stop("SIGKILL");
    await writing;

    const second = await startLocal({ folder: data });
    ends.push(() => second.stop());
    expect([second.token, second.readToken]).toEqual([first.token, first.readToken]);
    const again = new Walk(api(second));
    const rows = (
      await api(second).request("GET", "/translations/nl", {
        query: { namespace: walk.namespace, limit: 1000 },
      })
    ).json<{
      data: { key: string; value: string | null }[];
    }>().data;
    for (let round = 0; round < answered.length; round += 1)
      expect(rows.find((row) => row.key === `k${round}`)?.value).toBe(`Tekst ${round}`);
    // Whole or not at all: at most the one that was under way is more.
    expect(rows.length - answered.length).toBeLessThanOrEqual(1);
    expect((await again.languages())[0]?.totalKeys).toBe(rows.length);
  });

  test("during large syncs leaves each complete or absent", async () => {
    const data = folder();
    const first = await startLocal({ folder: data });
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
    const second = await startLocal({ folder: data });
    ends.push(() => second.stop());
    for (const [round, wasAnswered] of answered.entries()) {
      let count = 0;
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: { data: unknown[]; meta: { nextCursor: string | null } } = (
          await api(second).request("GET", "/keys", {
            query: { namespace: `n${round}`, limit: 1000, ...(cursor === "" ? {} : { cursor }) },
          })
        ).json();
        count += page.data.length;
        cursor = page.meta.nextCursor;
      }
      expect(wasAnswered ? [3_000] : [0, 3_000]).toContain(count);
    }
  });

  test("during an import: the job continues at the next start", async () => {
    const data = folder();
    const project = { languages: [{ locale: "nl" }] };
    const first = await startLocal({ folder: data, project });
    const raw = new FormData();
    raw.append("locale", "nl");
    raw.append("format", "json_js");
    raw.append("namespace", "import");
    const texts = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, "x"]));
    raw.append("files[]", new Blob([JSON.stringify(texts)]), "x.json");
    const answer = await api(first).request("POST", "/imports", { raw });
    expect(answer.status).toBe(202);
    await first.stop("SIGKILL");
    const second = await startLocal({ folder: data, project });
    ends.push(() => second.stop());
    const id = answer.data<{ id: number }>().id;
    let status = "";
    while (status !== "succeeded" && status !== "failed") {
      status = (await api(second).request("GET", `/jobs/${id}`)).data<{ status: string }>().status;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(status).toBe("succeeded");
    expect((await new Walk(api(second)).languages())[1]).toMatchObject({
      totalKeys: 20_000,
      translated: 20_000,
    });
  });
});

test("the demo has content for each view, and a second start adds nothing", async () => {
  const data = folder();
  const first = await startLocal({ folder: data, args: ["--demo"] });
  const before = await new Walk(api(first)).stats();
  await first.stop();
  const [source, ...targets] = before.languages;
  expect(source?.totalKeys).toBeGreaterThan(0);
  for (const field of ["translated", "outdated", "qaErrors"] as const)
    expect(
      targets.some((language) => language[field] > 0),
      field,
    ).toBe(true);
  expect(targets.some((language) => language.translated < language.totalKeys)).toBe(true);
  const second = await startLocal({ folder: data, args: ["--demo"] });
  ends.push(() => second.stop());
  expect(await new Walk(api(second)).stats()).toEqual(before);
});

test("reports an invalid project file in one sentence", async () => {
  const data = folder();
  await expect(startLocal({ folder: data, project: { languages: [{ locale: 5 }] } })).rejects.toThrow(
    /languages/u,
  );
});

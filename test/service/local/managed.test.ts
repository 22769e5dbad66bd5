/**
 * Project settings: key limit, archived project, another source language, presets, placeholder rules, large exports.
 */
import { describe, expect, test } from "vitest";
import type { RunningService } from "../../../src/local-service/start-service.ts";
import { api, fieldsOf, sha1, type Api } from "../support/http.ts";
import { imported, Walk } from "../support/keys.ts";
import { NO_LIMITS } from "../support/local-service.ts";
import { startHere, temporaryFolder } from "../support/temporary.ts";

async function start(
  project: object,
  folder?: string,
): Promise<{ service: Api; local: RunningService; walk: Walk }> {
  const local = await startHere({ limits: NO_LIMITS, ...project }, folder);
  const service = api(local);
  return { service, local, walk: new Walk(service) };
}

describe("the key limit (§ Sync rule 4)", () => {
  const sync = (service: Api, keys: string[], archive: string[] = []) =>
    service.request("POST", "/keys/sync", {
      body: {
        keys: keys.map((key) => ({ key, value: key })),
        archive: archive.map((key) => sha1(`*\u001f${key}\u001f`)),
      },
    });

  test("is checked before anything is written, and reported with numbers", async () => {
    const { service, walk } = await start({ keyLimit: 3 });
    expect((await sync(service, ["a", "b"])).status).toBe(200);
    const before = await walk.stats();
    const refused = await sync(service, ["c", "d"]);
    expect(refused.status).toBe(422);
    expect(refused.json()).toMatchObject({ reason: "key_limit_reached", limit: 3, used: 2, requested: 2 });
    expect(fieldsOf(refused)).toEqual(["keys"]);
    expect(await walk.stats()).toEqual(before);
    expect((await sync(service, ["c"])).status).toBe(200);
    expect((await sync(service, ["a", "b", "c"])).status).toBe(200);
    // Reading and comparing keep working.
    expect((await service.request("GET", "/keys")).status).toBe(200);
    expect(
      (
        await service.request("POST", "/keys/diff", {
          body: { keys: [{ hash: sha1("x"), sourceHash: null }] },
        })
      ).status,
    ).toBe(200);
  });

  test("counts active keys plus added minus archived ones", async () => {
    const { service } = await start({ keyLimit: 3 });
    const over = async (used: number, requested: number, ...body: [keys: string[], archive?: string[]]) =>
      expect((await sync(service, ...body)).json(), JSON.stringify(body)).toMatchObject({
        reason: "key_limit_reached",
        limit: 3,
        used,
        requested,
      });
    await over(0, 4, ["a", "b", "c", "d"]);
    await sync(service, ["a", "b", "c"]);
    await over(3, 1, ["d"]);
    // Neither an unknown key nor one that is sent too makes room.
    await over(3, 1, ["d"], ["x"]);
    await over(3, 1, ["a", "d"], ["a"]);
    await over(3, 1, ["d", "e"], ["a", "a"]);
    expect((await sync(service, ["d"], ["a"])).data()).toMatchObject({ created: 1, archived: 1 });
    // An archived key makes no room, and needs some when it comes back.
    await over(3, 1, ["e"], ["a"]);
    await over(3, 1, ["a"]);
    const plural = { keys: [{ key: "a", forms: { other: "x" } }] };
    expect((await service.request("POST", "/keys/sync", { body: plural })).status).toBe(200);
    expect((await sync(service, ["a"], ["b"])).data()).toMatchObject({ restored: 1, archived: 1 });
  });

  test("makes an import that exceeds it fail as a whole", async () => {
    const { service, walk } = await start({ keyLimit: 2, languages: [{ locale: "nl" }] });
    const before = await walk.stats();
    const job = await imported(
      service,
      { "en.json": '{"a":"1","b":"2","c":"3"}' },
      { locale: "en", format: "json_js" },
    );
    expect([job.status, job.error?.code]).toEqual(["failed", "key_limit_reached"]);
    expect(await walk.stats()).toEqual(before);
  });
});

describe("an archived project", () => {
  test("refuses every request with 403, and after restoring accepts the same tokens", async () => {
    const data = temporaryFolder();
    const first = await start({}, data);
    await first.walk.sync([{ key: "kept", value: "1" }]);
    await first.local.stop();

    const archived = await start({ archived: true }, data);
    expect([archived.local.token, archived.local.readToken]).toEqual([
      first.local.token,
      first.local.readToken,
    ]);
    for (const token of [first.local.token, first.local.readToken])
      for (const path of ["/project", "/stats", "/keys", "/jobs/1", "/exports/json"])
        expect((await archived.service.request("GET", path, { token })).status, path).toBe(403);
    expect((await archived.service.request("POST", "/keys/sync", { body: { keys: [] } })).status).toBe(403);
    expect((await archived.service.request("GET", "/stats", { token: "wrong" })).status).toBe(401);
    await archived.local.stop();

    const restored = await start({ archived: false }, data);
    const key = (await restored.service.request("GET", "/keys", { token: first.local.readToken })).json<{
      data: unknown[];
    }>();
    expect(key.data.length).toBe(1);
  });
});

describe("a concurrent writer", () => {
  test("is refused while the project is busy, and succeeds when repeated", async () => {
    const service = api(await startHere({ limits: NO_LIMITS }, temporaryFolder(), { lockWaitMs: 0 }));
    // Enough for a write to be done in several slices, between which others come.
    const keys = Array.from({ length: 5_000 }, (_, i) => ({ key: `k${i}`, value: `Text ${i}`, tags: ["a"] }));
    const write = (writer: number) => {
      const body = { keys: keys.map((key) => ({ ...key, namespace: `n${writer}` })) };
      return service.once("POST", "/keys/sync", { body });
    };
    const answers = await Promise.all([0, 1, 2].map(write));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const refused = answers.flatMap((answer, writer) => (answer.status === 200 ? [] : [{ answer, writer }]));
    expect(refused.length).toBeGreaterThan(0);
    for (const { answer, writer } of refused) {
      expect([answer.status, answer.json()["reason"]]).toEqual([409, "busy"]);
      expect((await write(writer)).status).toBe(200);
    }
    expect((await new Walk(service).languages())[0]?.totalKeys).toBe(15_000);
  });
});

describe("spreadsheets with a preset (§ POST /imports rules 4 and 5)", () => {
  const project = {
    sourceLocale: "en",
    languages: [{ locale: "nl" }],
    spreadsheetPresets: [
      { header: ["key", "en", "nl"], key: "key", languages: { en: "en", nl: "nl" } },
      { header: ["name"], key: "name" },
    ],
  };

  test("are read by their header row", async () => {
    const { service } = await start(project);
    const job = await imported(service, { "sheet.csv": 'key,en,nl\r\nhello,"Hello, you",Hallo\r\n' });
    expect(job).toMatchObject({ status: "succeeded" });
    const rows = (await service.request("GET", "/translations/nl")).json<{ data: object[] }>().data;
    expect(rows).toMatchObject([{ key: "hello", value: "Hallo" }]);
    expect((await service.request("GET", "/keys")).json<{ data: object[] }>().data).toMatchObject([
      { source: { value: "Hello, you" } },
    ]);
    expect((await imported(service, { "other.csv": "key,nl,en\r\na,b,c\r\n" })).error?.code).toBe(
      "needs_mapping",
    );
  });

  test("create only keys without a language column, and cannot be combined with other files", async () => {
    const { service } = await start(project);
    const mixed = await imported(service, { "names.csv": "name\r\nalone\r\n", "lang/nl.json": '{"a":"b"}' });
    expect(mixed.error?.code).toBe("keys_only_mixed");
    expect((await service.request("GET", "/keys")).json<{ data: object[] }>().data).toEqual([]);
    expect((await imported(service, { "names.csv": "name\r\nalone\r\n" })).status).toBe("succeeded");
    expect((await service.request("GET", "/keys")).json<{ data: object[] }>().data).toMatchObject([
      { key: "alone", sourceHash: null },
    ]);
  });
});

describe("placeholder rules", () => {
  const cases: [type: string, source: string, bad: string, good: string, placeholder: string][] = [
    ["laravel", "Hello :name", "Hallo", "Hallo :name", ":name"],
    ["i18next", "Hello {{name}}", "Hallo", "Hallo {{name}}", "{{name}}"],
    ["vue-i18n", "Hello {name}", "Hallo", "Hallo {name}", "{name}"],
    ["gettext", "%s of %d", "%s", "%s van %d", "%d"],
  ];
  test.each(cases)("%s: %s", async (type, source, bad, good, placeholder) => {
    const { walk } = await start({ type, sourceLocale: "en", languages: [{ locale: "nl" }] });
    await walk.sync([{ key: "p", value: source }]);
    await walk.write("nl", [{ key: "p", value: bad }]);
    const row = await walk.row("nl", "p");
    expect(row.issues).toMatchObject([{ level: "error", placeholder }]);
    for (const field of ["rule", "level", "placeholder", "form", "suggestion"] as const)
      expect(typeof row.issues[0]?.[field], field).toBe("string");
    expect((await walk.languages()).find((one) => one.locale === "nl")?.qaErrors).toBe(1);
    await walk.write("nl", [{ key: "p", value: good }]);
    expect((await walk.row("nl", "p")).issues).toEqual([]);
    expect((await walk.languages()).find((one) => one.locale === "nl")?.qaErrors).toBe(0);
  });

  test("issues of plurals name the form, and the documented rule its name", async () => {
    const { walk } = await start({ type: "laravel", sourceLocale: "en", languages: [{ locale: "nl" }] });
    await walk.sync([{ key: "p", forms: { one: ":count apple", other: ":count apples" } }]);
    await walk.write("nl", [{ key: "p", forms: { one: ":count appel", other: "appels" } }]);
    expect((await walk.row("nl", "p")).issues).toMatchObject([
      { rule: "laravel.missing", form: "other", placeholder: ":count" },
    ]);
  });

  test("a changed source text is checked against existing translations", async () => {
    const { walk } = await start({ type: "laravel", sourceLocale: "en", languages: [{ locale: "nl" }] });
    await walk.sync([{ key: "p", value: "Hello" }]);
    await walk.write("nl", [{ key: "p", value: "Hallo" }]);
    await walk.sync([{ key: "p", value: "Hello :name" }]);
    expect(await walk.row("nl", "p")).toMatchObject({ isOutdated: true, issues: [{ placeholder: ":name" }] });
  });
});

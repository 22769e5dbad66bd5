/** Authorization, rate limits and key limits. */
import { describe, expect, test } from "vitest";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { start } from "../harness.ts";

const LANGUAGES = [{ locale: "nl" }];

const ask = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Response> => fetch(url, { method, headers });
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const rateOf = ({ status, headers }: Response): unknown[] => [
  status,
  headers.get("x-ratelimit-limit"),
  headers.get("x-ratelimit-remaining"),
];

describe("rate limits", () => {
  test("count requests per token and send Retry-After", async () => {
    const service = await start({ languages: LANGUAGES, limits: { perToken: 2, perAddress: 50 } });
    const url = `${service.baseUrl}/project`;
    expect(rateOf(await ask(url, bearer(service.token)))).toEqual([200, "2", "1"]);
    expect(rateOf(await ask(url, bearer(service.token)))).toEqual([200, "2", "0"]);
    const refused = await ask(url, bearer(service.token));
    expect(rateOf(refused)).toEqual([429, "2", "0"]);
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    // Another token of the same address has requests of its own.
    expect(rateOf(await ask(url, bearer(service.readToken)))).toEqual([200, "2", "1"]);
  });

  test("count all requests per address", async () => {
    const service = await start({ languages: LANGUAGES, limits: { perToken: 50, perAddress: 3 } });
    const url = `${service.baseUrl}/project`;
    expect(rateOf(await ask(url))).toEqual([401, "3", "2"]);
    expect(rateOf(await ask(`${service.baseUrl}/nothing`))).toEqual([404, "3", "1"]);
    expect(rateOf(await ask(url, bearer(service.token)))).toEqual([200, "50", "49"]);
    const refused = await ask(url, bearer(service.token));
    expect(rateOf(refused)).toEqual([429, "3", "0"]);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

describe("authorization", () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ["nobody", {}],
    ["a token that is none", bearer("wrong")],
    ["a token without its scheme", { authorization: "TOKEN" }],
    ["another scheme", { authorization: "Basic TOKEN" }],
  ])("not %s", async (_, headers) => {
    const service = await start({ languages: LANGUAGES });
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("TOKEN", service.token)]),
    );
    const response = await ask(`${service.baseUrl}/project`, given);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test("rejects writes of a read-only token", async () => {
    const service = await start({ languages: LANGUAGES });
    const statuses = await Promise.all(
      [
        ["GET", "/keys"],
        ["GET", "/translations/nl"],
        ["GET", "/stats"],
        ["POST", "/keys/sync"],
        ["POST", "/keys/diff"],
        ["PUT", "/translations/nl"],
        ["PATCH", `/keys/${"a".repeat(40)}`],
        ["POST", "/imports"],
      ].map(async ([method, path]) => {
        const { status } = await ask(`${service.baseUrl}${path}`, bearer(service.readToken), method);
        return status;
      }),
    );
    expect(statuses).toEqual([200, 200, 200, 403, 403, 403, 403, 403]);
  });

  test("rejects requests of an archived project", async () => {
    const service = await start({ languages: LANGUAGES, archived: true });
    const response = await ask(`${service.baseUrl}/project`, bearer(service.token));
    expect(response.status).toBe(403);
    expect(((await response.json()) as { message: string }).message).toBe("Het project is gearchiveerd.");
  });

  test("returns 404 for unknown paths and methods, with or without a token", async () => {
    const service = await start({ languages: LANGUAGES });
    for (const headers of [{}, bearer(service.token)]) {
      expect((await ask(`${service.baseUrl}/nothing`, headers)).status).toBe(404);
      expect((await ask(`${service.baseUrl}/project`, headers, "DELETE")).status).toBe(404);
    }
  });
});

describe("key limit", () => {
  const hash = (key: string): string => keyHash({ key, namespace: "*", context: null });
  const keys = (...names: readonly string[]) => names.map((key) => ({ key, value: key }));

  test("counts active keys plus added minus archived ones", async () => {
    const service = await start({ languages: LANGUAGES, keyLimit: 3 });
    const sync = async (body: object): Promise<unknown> => {
      const { status, body: answered } = await service.call<Record<string, unknown>>(
        "POST",
        "/keys/sync",
        body,
      );
      if (status === 200) return 200;
      const { reason, limit, used, requested } = answered;
      expect(Object.keys(answered["errors"] as object)).toEqual(["keys"]);
      return [status, reason, limit, used, requested];
    };
    const over = (used: number, requested: number) => [422, "key_limit_reached", 3, used, requested];
    expect(await sync({ keys: keys("a", "b", "c", "d") })).toEqual(over(0, 4));
    expect(await sync({ keys: keys("a", "b", "c") })).toBe(200);
    // What is there already needs no room.
    expect(await sync({ keys: keys("a", "b") })).toBe(200);
    expect(await sync({ keys: keys("d") })).toEqual(over(3, 1));
    // Neither an unknown key nor one that is sent too makes room.
    expect(await sync({ keys: keys("d"), archive: [hash("x")] })).toEqual(over(3, 1));
    expect(await sync({ keys: keys("a", "d"), archive: [hash("a")] })).toEqual(over(3, 1));
    expect(await sync({ keys: keys("d", "e"), archive: [hash("a"), hash("a")] })).toEqual(over(3, 1));
    expect(await sync({ keys: keys("d"), archive: [hash("a")] })).toBe(200);
    // An archived key makes no room, and needs some when it comes back.
    expect(await sync({ keys: keys("e"), archive: [hash("a")] })).toEqual(over(3, 1));
    expect(await sync({ keys: keys("a") })).toEqual(over(3, 1));
    expect(await sync({ keys: [{ key: "a", forms: { other: "x" } }] })).toBe(200);
    expect(await sync({ keys: keys("a"), archive: [hash("b")] })).toBe(200);
    const { status, body } = await service.call<{ data: readonly { key: string }[] }>("GET", "/keys");
    expect([status, body.data.map(({ key }) => key)]).toEqual([200, ["a", "c", "d"]]);
  });
});

test("rejects an upload without a file", async () => {
  const service = await start({ languages: LANGUAGES });
  const { status, body } = await service.upload({});
  expect([status, body["errors"]]).toEqual([422, { files: ["files is required."] }]);
});

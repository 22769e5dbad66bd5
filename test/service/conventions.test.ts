/** § General conventions and § Authentication, for every endpoint. */
import { describe, expect, inject, test } from "vitest";
import { api, fieldsOf, type RequestOptions } from "./support/http.ts";
import { Walk } from "./support/keys.ts";

const service = api();
const walk = new Walk(service);

/** Every endpoint of the document with a request that is good enough to be let in. */
const READ: [string, string][] = [
  ["GET", "/project"],
  ["GET", "/stats"],
  ["GET", "/keys?limit=1"],
  ["GET", "/translations/LOCALE?limit=1"],
  ["GET", "/exports/no-such-profile"],
  ["GET", "/jobs/999999999"],
];
const WRITE: [string, string, RequestOptions][] = [
  ["POST", "/keys/diff", { body: { keys: [] } }],
  ["POST", "/keys/sync", { body: { keys: [] } }],
  ["PATCH", `/keys/${"0".repeat(40)}`, { body: {} }],
  ["PUT", "/translations/LOCALE", { body: { mode: "overwrite", translations: [] } }],
  ["POST", "/imports", { raw: new FormData() }],
];

const at = async (path: string): Promise<string> =>
  path.includes("LOCALE") ? path.replace("LOCALE", (await walk.locales()).target) : path;

describe("authorization", () => {
  const malformed: [string, string | undefined][] = [
    ["no token", undefined],
    ["an unknown token", "Bearer ptw_unknown0123456789"],
    ["a malformed header", "Bearer"],
    ["another scheme", `Basic ${Buffer.from(`x:${service.token}`).toString("base64")}`],
    ["the token without a scheme", service.token],
    ["the token with one letter more", `Bearer ${service.token}x`],
    ["the token with one letter less", `Bearer ${service.token.slice(0, -1)}`],
    ["the token in other letters", `Bearer ${service.token.toUpperCase()}`],
  ];
  test.each(malformed)("%s: 401", async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await service.request("GET", "/stats", { token: null, headers });
    expect(answer.status).toBe(401);
    // Not in the document, but in RFC 9110.
    if (inject("target").isLocal) expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("401 at every endpoint", async () => {
    for (const [method, path, options] of [
      ...READ.map(([m, p]): [string, string, RequestOptions] => [m, p, {}]),
      ...WRITE,
    ])
      expect((await service.request(method, await at(path), { ...options, token: null })).status, path).toBe(
        401,
      );
  });

  test.each(WRITE)("%s %s requires a token that may write", async (method, path, options) => {
    expect(
      (await service.request(method, await at(path), { ...options, token: service.readToken })).status,
    ).toBe(403);
    expect((await service.request(method, await at(path), options)).status).not.toBe(403);
  });

  test.each(READ)("%s %s accepts a read-only token", async (method, path) => {
    const answer = await service.request(method, await at(path), { token: service.readToken });
    expect([200, 404]).toContain(answer.status);
  });

  test("determines the project by the token: a parameter `project` is ignored", async () => {
    const [plain, other] = [
      await service.request("GET", "/project"),
      await service.request("GET", "/project", { query: { project: "another" } }),
    ];
    expect(other.data()).toEqual(plain.data());
  });
});

describe("responses", () => {
  test.each([
    ["GET", "/nothing-here"],
    ["GET", "/"],
    ["GET", "/jobs"],
    ["DELETE", "/stats"],
    ["POST", "/project"],
    ["GET", "/keys/sync/more"],
  ])("%s %s is unknown, and JSON", async (method, path) => {
    expect((await service.request(method, path)).status).toBe(404);
    // What is said to nobody about it, is not shown. Ours says the same.
    if (inject("target").isLocal)
      expect((await service.request(method, path, { token: null })).status).toBe(404);
  });

  test("are JSON for a URL that is too long", async () => {
    const answer = await service.request("GET", "/keys", { query: { namespace: "x".repeat(20_000) } });
    expect(fieldsOf(answer)).toEqual(["namespace"]);
  });

  test("are JSON regardless of Accept", async () => {
    for (const accept of ["text/html", "*/*", "application/xml;q=0.9"])
      expect((await service.request("GET", "/stats", { headers: { accept } })).status).toBe(200);
  });

  test("report the remaining rate limit", async () => {
    const remaining = async (): Promise<number> =>
      Number((await service.request("GET", "/stats")).headers.get("x-ratelimit-remaining"));
    // A minute may end in between, so one of three pairs has to go down.
    const pairs = [];
    for (let i = 0; i < 3; i += 1) pairs.push([await remaining(), await remaining()] as const);
    expect(pairs.some(([first, second]) => second < first)).toBe(true);
  });
});

describe("the language of messages", () => {
  const message = async (language?: string): Promise<unknown> => {
    const headers = language === undefined ? {} : { "accept-language": language };
    return (await service.request("GET", "/stats", { token: null, headers })).json()["message"];
  };

  test("is Dutch unless English is requested", async () => {
    const dutch = await message("nl");
    const english = await message("en");
    expect(english).not.toBe(dutch);
    expect(await message("")).toBe(dutch);
    expect(await message("de")).toBe(dutch);
    for (const asked of ["en-GB,en;q=0.9,nl;q=0.8", "de, en;q=0.5, nl;q=0.4", "EN-us"])
      expect(await message(asked), asked).toBe(english);
    for (const asked of ["nl-BE, en;q=0.5", "fr", "nl, en", "en;q=0.1, nl;q=0.8", "en;q=0"])
      expect(await message(asked), asked).toBe(dutch);
    expect(await message()).toBe(dutch);
  });

  test("applies to field messages", async () => {
    const messages = async (language: string): Promise<string> => {
      const headers = { "accept-language": language };
      const answer = await service.request("GET", "/keys", { query: { limit: 0 }, headers });
      return JSON.stringify(answer.json()["errors"]);
    };
    expect(await messages("en")).not.toBe(await messages("nl"));
  });
});

describe("request bodies", () => {
  test.each(["", "{", "[]", '"text"', "null"])("%j is not a valid sync body: 422", async (raw) => {
    const headers = { "content-type": "application/json" };
    expect((await service.request("POST", "/keys/diff", { raw, headers })).status).toBe(422);
  });
});

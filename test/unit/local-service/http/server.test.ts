/** What the tests of `test/service` do not ask: answers to nobody, key limits at the edge, an upload without a file. */
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

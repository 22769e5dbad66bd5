/** Verifies tokens with a real local service. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Client, RequestOptions } from "../../../../src/api/client.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import { readProjectAccess } from "../../../../src/sync/session/verify-token.ts";
import { openFixtureProject, type FixtureProject } from "../../support/fixture-project.ts";
import { openWindow, type Interceptor } from "../../support/test-window.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

const busyProbe: Interceptor = (asked, pass) =>
  asked === "POST /keys/diff"
    ? Promise.resolve(Response.json({ message: "Busy", reason: "busy" }, { status: 409 }))
    : pass();

test("distinguishes read-only tokens", async () => {
  const { baseUrl, token, readToken } = shop.service;
  const { folder } = shop;
  const mayWrite = async (used: string): Promise<boolean> => {
    const window = await openWindow({ baseUrl, token: used, folder });
    return (await readProjectAccess(window.client)).canWrite;
  };
  expect([await mayWrite(token), await mayWrite(readToken)]).toEqual([true, false]);
});

test("asks for a person, and waits five seconds at most for a busy project, which may be written", async () => {
  const given: RequestOptions[] = [];
  const answering = (probe: boolean | ApiError): Client => {
    const answer = (value: unknown) => (options: RequestOptions) => {
      given.push(options);
      return value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
    };
    return { project: answer({}), stats: answer({}), probeWriteScope: answer(probe) } as unknown as Client;
  };
  const { signal } = new AbortController();
  const mayWrite = async (probe: boolean | ApiError): Promise<boolean> =>
    (await readProjectAccess(answering(probe), { signal })).canWrite;
  expect([await mayWrite(true), await mayWrite(false)]).toEqual([true, false]);
  expect(await mayWrite(new ApiError("busy", "x"))).toBe(true);
  const person = { priority: "person", signal };
  expect(given.slice(0, 3)).toEqual([person, person, { ...person, busyTimeoutMs: 5_000 }]);
  const offline = new ApiError("offline", "x");
  await expect(mayWrite(offline)).rejects.toBe(offline);
});

test("signs in to a project that stays busy", async () => {
  const window = await shop.open("one", { intercept: busyProbe });
  const waits: (string | null)[] = [];
  const { record, stats, canWrite } = await readProjectAccess(window.client, {
    onWait: (wait) => waits.push(wait?.kind ?? null),
  });
  expect([record.slug, stats.languages.length, canWrite]).toEqual(["shop", 3, true]);
  // It was waited for, and told so.
  expect(waits.slice(0, 2)).toEqual(["busy", null]);
});

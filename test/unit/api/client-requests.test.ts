/** What the client asks for and accepts, with a service in memory: exports, refused forms of a request, uncertain writes. */
import { describe, expect, test } from "vitest";
import { createClient, type ClientSettings } from "../../../src/api/client.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { recordingLog } from "../support/node-platform.ts";
import { STATS, SYNCED } from "./client-harness.ts";

const ORIGIN = "http://127.0.0.1:1/v1";

interface Asked {
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

function open(answer: (asked: Asked) => Response, settings: Partial<ClientSettings> = {}) {
  const seen: Asked[] = [];
  const client = createClient({
    baseUrl: ORIGIN,
    token: "token-12345678",
    log: recordingLog(),
    locale: () => "en",
    clock: new FakeClock(),
    fetch: async (input, init) => {
      const body = typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : undefined;
      const path = String(input instanceof Request ? input.url : input).slice(ORIGIN.length);
      const asked = { path, headers: new Headers(init?.headers), body };
      seen.push(asked);
      return answer(asked);
    },
    ...settings,
  });
  return { client, seen, paths: () => seen.map(({ path }) => path) };
}

const refused = (errors: object, status = 422): Response =>
  Response.json({ message: "No.", errors }, { status });

describe("an export", () => {
  const file = (size = 9): Response => new Response("x".repeat(size), { headers: { etag: '"new"' } });

  test("is asked for in all languages of the caller, or in those of the profile", async () => {
    const { client, seen, paths } = open(() => file());
    await client.export("web", { locales: ["nl", "fr"], missing: "omit", etag: '"old"' });
    await client.export("web", { locales: [] });
    await client.export("a/b");
    expect(paths()).toEqual(["/exports/web?locales=nl%2Cfr&missing=omit", "/exports/web", "/exports/a%2Fb"]);
    expect(seen.map(({ headers }) => headers.get("if-none-match"))).toEqual(['"old"', null, null]);
  });

  test("is the one that the caller has if the service says so, and no other kind of success", async () => {
    const answers = [304, 206, 204];
    const { client } = open(() => new Response(null, { status: answers.shift() ?? 500 }));
    const etag = '"old"';
    expect(await client.export("web", { etag })).toEqual({ kind: "not_modified", etag });
    for (const status of [206, 204])
      await expect(client.export("web", { etag })).rejects.toMatchObject({ kind: "bad_response", status });
  });

  test("may be larger than other answers", async () => {
    const maxBytes = { json: 10, export: 100 };
    const exporting = (size: number) => open(() => file(size), { maxBytes }).client.export("web");
    expect(await exporting(100)).toMatchObject({ kind: "file", etag: '"new"' });
    await expect(exporting(101)).rejects.toMatchObject({ kind: "bad_response", field: "body" });
    const { client } = open(() => Response.json(STATS), { maxBytes });
    await expect(client.stats()).rejects.toMatchObject({ kind: "bad_response", field: "body" });
  });
});

test("a write that may have been executed is told, no refused one and nothing that was only read", async () => {
  const told: string[] = [];
  for (const status of [500, 403]) {
    const { client } = open(() => refused({}, status), {
      onUncertainWrite: () => told.push(`${status}`),
    });
    for (const work of [() => client.keys(), () => client.diff([]), () => client.sync({ keys: [] })])
      await expect(work()).rejects.toMatchObject({ status });
  }
  expect(told).toEqual(["500"]);
});

test("a form of a filter that is refused, too, is not remembered", async () => {
  const { client, paths } = open(() => refused({ archived: ["No."] }));
  for (const _ of [1, 2])
    await expect(client.keys({ archived: true })).rejects.toMatchObject({ kind: "invalid" });
  const forms = ["1", "true"].map((form) => `/keys?limit=1000&archived=${form}`);
  expect(paths()).toEqual([...forms, ...forms]);
});

describe("an empty list of keys", () => {
  test("is left out if the service refuses it, and something else is to be archived", async () => {
    const { client, seen } = open(({ body }) =>
      Object.hasOwn(body as object, "keys")
        ? refused({ keys: ["Required."] })
        : Response.json({ data: SYNCED }),
    );
    const answers: unknown[] = [];
    const onResponse = (): void => void answers.push("answered");
    expect(await client.sync({ keys: [], archive: ["a"] }, { onResponse })).toMatchObject(SYNCED);
    expect(seen.map(({ body }) => body)).toEqual([{ keys: [], archive: ["a"] }, { archive: ["a"] }]);
    expect(answers).toEqual(["answered"]);
    for (const body of [
      { keys: [] },
      { keys: [], archive: [] },
      { keys: [{ key: "a", value: "A" }], archive: ["a"] },
    ])
      await expect(client.sync(body)).rejects.toMatchObject({ kind: "invalid" });
    expect(seen).toHaveLength(5);
  });

  test("is no reason to ask again if something else is refused", async () => {
    const { client, seen } = open(() => refused({ archive: ["No."] }));
    await expect(client.sync({ keys: [], archive: ["a"] })).rejects.toMatchObject({ kind: "invalid" });
    expect(seen).toHaveLength(1);
  });
});

test("a name with half a character is sent as one that cannot be read, since a URL has no such thing", async () => {
  const { client, paths } = open(() => Response.json({ data: [], meta: { nextCursor: null, limit: 5 } }));
  await client.translations("n\ud83d");
  expect(paths()).toEqual(["/translations/n%EF%BF%BD?limit=1000"]);
});

test("what one value of a query says is sent, also if it is empty", async () => {
  const { client, paths } = open(() => Response.json({ data: [], meta: { nextCursor: null, limit: 5 } }));
  await client.keys({ namespace: "", limit: 5 });
  await client.translations("nl", { namespace: "a&b" });
  expect(paths()).toEqual(["/keys?limit=5&namespace=", "/translations/nl?limit=1000&namespace=a%26b"]);
});

/** Responses to bodies and fields that do not follow the document. */
import { expect, test } from "vitest";
import type { ProjectFile } from "../../../src/local-service/service-settings.ts";
import { start } from "./harness.ts";

const PROJECT: ProjectFile = { type: "laravel", sourceLocale: "en", languages: [{ locale: "nl" }] };

interface Refusal {
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

test("requires a JSON object as body", async () => {
  const { baseUrl, token } = await start(PROJECT);
  const send = async (
    body: string | Uint8Array<ArrayBuffer>,
    type = "application/json",
  ): Promise<unknown[]> => {
    const response = await fetch(`${baseUrl}/keys/sync`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${token}`, "content-type": type, "accept-language": "en" },
    });
    const { errors = {} } = (await response.json()) as Refusal;
    return [response.status, ...Object.entries(errors).map(([field, [words]]) => `${field}: ${words}`)];
  };
  const good = '{"keys":[]}';
  for (const type of [
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/vnd.x+json",
  ])
    expect(await send(good, type)).toEqual([200]);
  for (const type of ["text/plain", "application/jsonx", "application/x-www-form-urlencoded"])
    expect(await send(good, type)).toEqual([422, expect.stringMatching(/^body: .*JSON/u)]);
  for (const body of ["{'keys':[]}", Uint8Array.of(0x7b, 0xff, 0x7d)])
    expect(await send(body)).toEqual([422, expect.stringMatching(/^body: .*JSON/u)]);
  for (const body of ["null", '[{"keys":[]}]'])
    expect(await send(body)).toEqual([422, expect.stringMatching(/^body: .*object/u)]);
});

test("reports problems by field and item", async () => {
  const service = await start(PROJECT);
  const fields = async (keys: unknown): Promise<unknown[]> => {
    const { status, body } = await service.call<Refusal>("POST", "/keys/sync", { keys });
    return [status, ...Object.keys(body.errors ?? {})];
  };
  expect(await fields([{ key: "" }, { key: 5 }])).toEqual([422, "keys.0.key", "keys.1.key"]);
  const both = { key: "b", value: "x", forms: { other: "y" } };
  expect(await fields([{ key: "a", value: "x" }, both])).toEqual([422, "keys.1.value"]);
  for (const maxLength of [-1, 1.5, 2 ** 53, 1e300])
    expect(await fields([{ key: "a", maxLength }])).toEqual([422, "keys.0.maxLength"]);
  expect(await fields([{ key: "a", maxLength: 2 ** 53 - 1 }])).toEqual([200]);
  expect((await service.call("GET", "/keys")).status).toBe(200);
});

test("reports problems of translations by item", async () => {
  const service = await start(PROJECT);
  const fields = async (...translations: readonly unknown[]): Promise<unknown> => {
    const { status, body } = await service.call<Refusal>("PUT", "/translations/nl", { translations });
    return [status, body.errors];
  };
  expect(await fields({ key: "a", value: null }, { key: "a", forms: null, version: null })).toEqual([
    200,
    undefined,
  ]);
  expect(await fields({}, { key: "a", value: "x", forms: { other: "y" } })).toEqual([
    422,
    {
      "translations.0.hash": ["Give hash or key."],
      "translations.0.value": ["Give value or forms."],
      "translations.1.value": ["Give either value or forms, not both."],
    },
  ]);
});

test("uses the first of duplicate keys and reports the others", async () => {
  const service = await start(PROJECT);
  interface Synced {
    readonly created: number;
    readonly rejected: readonly { readonly hash: string; readonly reason: string }[];
  }
  const synced = await service.data<Synced>("POST", "/keys/sync", {
    keys: [
      { key: "a", value: "First" },
      { key: "a", namespace: "*", value: "Second" },
      { key: "a", namespace: "", context: "", value: "Third" },
      { key: "a", context: "menu", value: "Another key" },
      { key: "a", namespace: "shop", value: "One more" },
    ],
  });
  expect(synced.created).toBe(3);
  expect(synced.rejected.map(({ reason }) => reason)).toEqual(["duplicate", "duplicate"]);
  const rows = await service.data<readonly { namespace: string; context: string | null; value: string }[]>(
    "GET",
    "/translations/en",
  );
  expect(rows.map(({ namespace, context, value }) => [namespace, context, value])).toEqual([
    ["*", null, "First"],
    ["*", "menu", "Another key"],
    ["shop", null, "One more"],
  ]);
});

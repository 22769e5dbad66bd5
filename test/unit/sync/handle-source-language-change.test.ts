/** Waiting for a change of the source language at the service. */
import { expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import type { Client, RequestOptions } from "../../../src/api/client.ts";
import {
  requireSourceLocale,
  retrySourceLanguageChange,
} from "../../../src/sync/handle-source-language-change.ts";
import { FakeClock } from "../support/fake-clock.ts";

const stopped = (retryAfter?: number) =>
  new ApiError("busy", "x", {
    reason: "source_language_change",
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });

test.each<[string, number | undefined, readonly number[]]>([
  ["", undefined, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000, 15_000, 15_000, 15_000]],
  [" that names a pause", 3, [3_000, 3_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000, 15_000, 15_000]],
  [" that names a long pause", 60, [60_000, 60_000]],
  [" that names too long a pause", 121, []],
])("fails after two minutes if the change does not end at a service%s", async (_, retryAfter, expected) => {
  const pauses: number[] = [];
  const manual = {
    now: () => 0,
    monotonic: () => 1_000_000,
    sleep: (wait: number) => Promise.resolve(void pauses.push(wait)),
  };
  const error = stopped(retryAfter);
  const waits: unknown[] = [];
  const failing = retrySourceLanguageChange(() => Promise.reject(error), {
    clock: manual,
    onWait: (wait) => waits.push(wait),
  });
  await expect(failing).rejects.toBe(error);
  expect(pauses).toEqual(expected);
  const told = (pause: number) => ({
    kind: "busy",
    reason: "source_language_change",
    until: 1_000_000 + pause,
  });
  expect(waits).toEqual(pauses.flatMap((pause) => [told(pause), null]));
});

test.each([
  ["another writer", new ApiError("busy", "x", { reason: "import" })],
  ["another failure", new ApiError("offline", "x")],
])("does not wait for %s", async (_, error) => {
  const sleep = (): Promise<void> => Promise.reject(new Error("waited"));
  const failing = retrySourceLanguageChange(() => Promise.reject(error), {
    clock: { now: () => 0, monotonic: () => 0, sleep },
  });
  await expect(failing).rejects.toBe(error);
});

test("asks as its caller does which language is the source, and says which one is now", async () => {
  const asked: unknown[] = [];
  const answering = (locales: readonly string[]): Client => {
    const languages = locales.map((locale) => ({ locale, isSource: locale !== "nl" }));
    const stats = (options?: RequestOptions) => {
      asked.push(options);
      return Promise.resolve({ contentVersion: 1, languages });
    };
    return { stats } as unknown as Client;
  };
  const options: RequestOptions = { priority: "person" };
  await requireSourceLocale(answering(["nl", "en"]), "en", options);
  await expect(requireSourceLocale(answering(["nl", "de"]), "en", options)).rejects.toMatchObject({
    kind: "busy",
    reason: "source_language_change",
    message: "the source language is de and no longer en",
  });
  await expect(requireSourceLocale(answering(["nl"]), "en", options)).rejects.toMatchObject({
    kind: "bad_response",
    field: "data.languages",
  });
  expect(asked).toEqual([options, options, options]);
});

test("waits for a change until aborted", async () => {
  const leaving = new AbortController();
  const waits: unknown[] = [];
  const failing = retrySourceLanguageChange(() => Promise.reject(stopped()), {
    clock: new FakeClock(),
    signal: leaving.signal,
    onWait: (wait) => {
      waits.push(wait?.kind ?? null);
      leaving.abort(new Error("left"));
    },
  });
  await expect(failing).rejects.toThrow("left");
  expect(waits).toEqual(["busy", null]);
});

/** What is known when one of several requests fails, or a language cannot be read. */
import { expect, test } from "vitest";
import { withPartialResult } from "../../../src/api/batches.ts";
import { ensureTranslations } from "../../../src/sync/refresh/ensure-translations.ts";

const error = new Error("refused");
const noName = () => undefined;

test("counts all requests that were executed before the one that failed", async () => {
  const sent = await withPartialResult<string>((onProgress) => {
    onProgress(500, 1200, "first");
    onProgress(1000, 1200, "first and second");
    return Promise.reject(error);
  }, noName);
  expect(sent).toEqual({ result: "first and second", failure: { error, sent: 1000, total: 1200 } });
});

test("fails if the first request fails", async () => {
  await expect(withPartialResult(() => Promise.reject(error), noName)).rejects.toBe(error);
});

test("needs all translations of a language that cannot be read now", async () => {
  const refresher = { ensureLocale: () => Promise.reject(error) };
  const ensure = (isComplete: boolean) =>
    ensureTranslations({ project: { isComplete: () => isComplete }, refresher }, "nl");
  await expect(ensure(false)).rejects.toBe(error);
  await expect(ensure(true)).resolves.toBeUndefined();
});

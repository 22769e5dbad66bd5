/**
 * A change of the source language in the project file: its effect on keys and translations, and requests meanwhile.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENT_KINDS, type ProjectFile } from "../../../src/local-service/service-settings.ts";
import { temporaryReceiver } from "../../service/support/temporary.ts";
import { start, temporaryFolder, type Harness } from "./harness.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Row {
  readonly key: string;
  readonly value: string | null;
  readonly isOutdated: boolean;
  readonly issues: { readonly rule: string }[];
}

const english: ProjectFile = {
  type: "laravel",
  sourceLocale: "en",
  languages: [{ locale: "nl" }, { locale: "de" }],
};
const dutch: ProjectFile = {
  ...english,
  sourceLocale: "nl",
  languages: [{ locale: "en" }, { locale: "de" }],
};

test("turns the new language's texts into the source, and the old source into a translation", async () => {
  const data = join(temporaryFolder(), "store.sqlite");
  const first = await start(english, { data });
  await first.data("POST", "/keys/sync", {
    keys: [
      { key: "a", value: "Hello :name" },
      { key: "b", value: "Only English" },
    ],
  });
  await first.data("PUT", "/translations/nl", { translations: [{ key: "a", value: "Dag :naam" }] });
  await first.data("PUT", "/translations/de", { translations: [{ key: "a", value: "Hallo :name" }] });
  const lastTranslated = async (service: typeof first): Promise<Record<string, string>> => {
    const { languages } = await service.data<{ languages: { locale: string; lastTranslatedAt: string }[] }>(
      "GET",
      "/stats",
    );
    return Object.fromEntries(languages.map(({ locale, lastTranslatedAt }) => [locale, lastTranslatedAt]));
  };
  const before = await lastTranslated(first);
  await first.stop();

  const second = await start(dutch, { data });
  await waitUntil(
    async () => (await second.data<{ sourceLocale: string }>("GET", "/project")).sourceLocale === "nl",
  );
  const rows = async (locale: string): Promise<unknown[]> =>
    (await second.data<Row[]>("GET", `/translations/${locale}`)).map((row) => [
      row.key,
      row.value,
      row.isOutdated,
      row.issues.map((issue) => issue.rule),
    ]);
  expect(await rows("nl")).toEqual([
    ["a", "Dag :naam", false, []],
    ["b", null, false, []],
  ]);
  expect(await rows("en")).toEqual([
    ["a", "Hello :name", false, ["laravel.missing"]],
    ["b", "Only English", false, []],
  ]);
  expect(await rows("de")).toEqual([
    ["a", "Hallo :name", false, ["laravel.missing"]],
    ["b", null, false, []],
  ]);
  const after = await lastTranslated(second);
  expect(after).toMatchObject({ nl: before["nl"], de: before["de"] });
  expect(after["en"]).not.toBe(before["en"]);
  const { languages } = await second.data<{ languages: unknown[] }>("GET", "/stats");
  expect(languages).toMatchObject([
    { locale: "nl", isSource: true, translated: 1, percent: 50 },
    { locale: "en", isSource: false, translated: 2, qaErrors: 1, percent: 100 },
    { locale: "de", isSource: false, translated: 1, qaErrors: 1, percent: 50 },
  ]);
});

test("increments the versions of the texts and the content, even without keys", async () => {
  const data = join(temporaryFolder(), "store.sqlite");
  const versions = async (service: Harness): Promise<unknown> =>
    (await service.data<{ key: string; version: number }[]>("GET", "/translations/nl")).map((row) => [
      row.key,
      row.version,
    ]);
  const contentVersion = async (service: Harness): Promise<number> =>
    (await service.data<{ contentVersion: number }>("GET", "/stats")).contentVersion;
  const changed = async (project: ProjectFile, store: string): Promise<Harness> => {
    const service = await start(project, { data: store });
    await waitUntil(async () => {
      const { sourceLocale } = await service.data<{ sourceLocale: string }>("GET", "/project");
      return sourceLocale === project.sourceLocale;
    });
    return service;
  };
  const first = await start(english, { data });
  const keys = ["a", "b"].map((key) => ({ key, value: key }));
  await first.data("POST", "/keys/sync", { keys });
  for (const value of ["1", "2"])
    await first.data("PUT", "/translations/nl", { translations: [{ key: "a", value }] });
  expect(await versions(first)).toEqual([
    ["a", 2],
    ["b", null],
  ]);
  await first.stop();
  const second = await changed(dutch, data);
  expect(await versions(second)).toEqual([
    ["a", 3],
    ["b", null],
  ]);

  const empty = join(temporaryFolder(), "store.sqlite");
  const third = await start(english, { data: empty });
  const before = await contentVersion(third);
  await third.stop();
  expect(await contentVersion(await changed(dutch, empty))).toBe(before + 1);
});

test("rejects writes and serves reads during the change", async () => {
  const data = join(temporaryFolder(), "store.sqlite");
  const first = await start(english, { data });
  for (let block = 0; block < 6; block++) {
    const keys = Array.from({ length: 2_000 }, (_, index) => ({
      key: `k${block * 2_000 + index}`,
      value: ":a",
    }));
    await first.data("POST", "/keys/sync", { keys });
  }
  await first.stop();

  const second = await start(dutch, { data });
  const during = await second.call<{ reason: string }>("POST", "/keys/sync", { keys: [] });
  expect(during.status).toBe(409);
  expect(during.body.reason).toBe("source_language_change");
  expect((await second.call("POST", "/keys/diff", { keys: [] })).status).toBe(409);
  expect((await second.call("GET", "/stats")).status).toBe(200);
  await waitUntil(async () => (await second.call("POST", "/keys/diff", { keys: [] })).status === 200);
  expect((await second.call("POST", "/keys/sync", { keys: [{ key: "new", value: "x" }] })).status).toBe(200);
});

test("reports the old source language as changed, but not as completed", async () => {
  const data = join(temporaryFolder(), "store.sqlite");
  const { url, deliveries } = await temporaryReceiver("secret");
  const webhooks = [{ url, secret: "secret", events: [...EVENT_KINDS] }];
  const first = await start(english, { data });
  await first.data("POST", "/keys/sync", { keys: [{ key: "a", value: "A" }] });
  await first.stop();
  const second = await start({ ...dutch, webhooks }, { data });
  await waitUntil(() => deliveries.length > 0);
  await second.data("PUT", "/translations/de", { translations: [{ key: "a", value: "A" }] });
  const completed = () => deliveries.filter(({ event }) => event === "language.completed");
  await waitUntil(() => completed().length > 0);
  expect(completed().map(({ data: { language } }) => language)).toMatchObject([{ locale: "de" }]);
  expect(deliveries).toHaveLength(2);
});

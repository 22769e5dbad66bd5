/** The demo's store matches the sample shop, except for the differences that a first push shows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { laravelJson } from "../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../src/formats/php/laravel-php-format.ts";
import { isForms } from "../../../src/model/translation-text.ts";
import { start, temporaryFolder } from "./harness.ts";

const SAMPLE = join(import.meta.dirname, "../../demo/sample/webshop/lang/en");

interface Key {
  readonly namespace: string;
  readonly key: string;
  readonly source: { readonly value?: string; readonly forms?: Record<string, string> };
}

/** `namespace key` to text of the sample's source files. */
function local(): Map<string, string> {
  const files = ["auth", "cart", "checkout", "mail", "admin/products"].map(
    (name) => [name, `${name}.php`, laravelPhp] as const,
  );
  const texts = new Map<string, string>();
  for (const [namespace, file, format] of [...files, ["*", "../en.json", laravelJson] as const]) {
    const text = readFileSync(join(SAMPLE, file), "utf8");
    const entries = format.read(text, { locale: "en", sourceLocale: "en" }).entries;
    for (const entry of entries) {
      texts.set(
        `${namespace} ${entry.key}`,
        JSON.stringify(isForms(entry.text) ? entry.text.forms : entry.text.value),
      );
    }
  }
  return texts;
}

test("shows every kind of change in a first push of the sample", async () => {
  const service = await start({}, { demo: true });
  const keys = await service.data<Key[]>("GET", "/keys");
  const there = new Map(
    keys.map((key) => [`${key.namespace} ${key.key}`, JSON.stringify(key.source.forms ?? key.source.value)]),
  );
  const here = local();
  const missing = [...here.keys()].filter((name) => !there.has(name));
  expect(missing).toEqual(["cart continue", "mail back_in_stock.subject", "mail back_in_stock.action"]);
  expect([...there.keys()].filter((name) => !here.has(name))).toEqual(["auth two_factor"]);
  const changed = [...here].filter(([name, text]) => there.has(name) && there.get(name) !== text);
  expect(changed.map(([name]) => name)).toEqual(["cart free_delivery", "checkout payment.choose"]);
  const archived = await service.data<Key[]>("GET", "/keys?archived=true");
  expect(archived.map((key) => key.key)).toContain("continue");
});

test("has work in every language, some of it with quick fixes", async () => {
  const service = await start({}, { demo: true });
  const { languages } = await service.data<{ languages: Record<string, number>[] }>("GET", "/stats");
  for (const language of languages.slice(1)) {
    expect(language["translated"]).toBeGreaterThan(0);
    expect(language["translated"]).toBeLessThan(language["totalKeys"] ?? 0);
    expect(language["outdated"]).toBeGreaterThan(0);
    expect(language["qaErrors"]).toBeGreaterThan(0);
    const rows = await service.data<{ issues: { suggestion: string }[] }[]>(
      "GET",
      `/translations/${language["locale"]}`,
    );
    expect(rows.flatMap((row) => row.issues).some((issue) => issue.suggestion !== "")).toBe(true);
  }
});

test("has different times of the last translation", async () => {
  const service = await start({}, { demo: true });
  const { languages } = await service.data<{ languages: { locale: string; lastTranslatedAt: string }[] }>(
    "GET",
    "/stats",
  );
  const days = languages.map(({ locale, lastTranslatedAt }) => {
    return [locale, Math.round((Date.now() - Date.parse(lastTranslatedAt)) / 86_400_000)];
  });
  expect(days).toEqual([
    ["en", 1],
    ["nl", 3],
    ["fr", 6],
    ["de", 12],
    ["pl", 21],
  ]);
});

test("does not fill a store with keys, and remembers a demo store", async () => {
  const folder = temporaryFolder();
  const own = join(folder, "own.sqlite");
  const first = await start({ languages: [{ locale: "nl" }] }, { data: own });
  await first.data("POST", "/keys/sync", { keys: [{ key: "mine", value: "Mine" }] });
  await first.stop();
  const again = await start({ languages: [{ locale: "nl" }] }, { data: own, demo: true });
  expect(await again.data<object[]>("GET", "/keys")).toHaveLength(1);

  const demo = join(folder, "demo.sqlite");
  const seeded = await start({}, { data: demo, demo: true });
  const before = await seeded.data("GET", "/stats");
  await seeded.stop();
  const reopened = await start({}, { data: demo });
  expect(await reopened.data("GET", "/stats")).toEqual(before);
  expect(await reopened.data("GET", "/project")).toMatchObject({ slug: "webshop", type: "laravel" });
});

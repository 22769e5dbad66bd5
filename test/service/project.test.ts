/** § GET /project and § GET /stats. */
import { afterAll, describe, expect, test } from "vitest";
import { api, TIMESTAMP } from "./support/http.ts";
import { Walk } from "./support/keys.ts";

const service = api();
const walk = new Walk(service);
afterAll(() => walk.cleanUp());

test("the project record contains the documented data under any names", async () => {
  const project = (await service.request("GET", "/project")).data();
  const { contentVersion, languages } = await walk.stats();
  const text = JSON.stringify(project);
  expect(Object.values(project)).toContain(contentVersion);
  for (const language of languages) expect(text).toContain(JSON.stringify(language.locale));
  expect(Object.hasOwn(project, "exportProfiles")).toBe(true);
});

describe("stats", () => {
  test("have all fields of each language, source first", async () => {
    const { contentVersion, languages } = await walk.stats();
    expect(Number.isInteger(contentVersion)).toBe(true);
    expect(languages.map((language) => language.isSource)).toEqual(languages.map((_, index) => index === 0));
    for (const language of languages) {
      expect(language).toEqual({
        locale: expect.any(String),
        name: expect.any(String),
        isSource: expect.any(Boolean),
        totalKeys: expect.any(Number),
        translated: expect.any(Number),
        outdated: expect.any(Number),
        qaErrors: expect.any(Number),
        percent: expect.any(Number),
        lastTranslatedAt: language.lastTranslatedAt === null ? null : expect.stringMatching(TIMESTAMP),
      });
      for (const value of Object.values(language))
        if (typeof value === "number") expect(Number.isInteger(value) && value >= 0).toBe(true);
      expect(language.percent).toBeLessThanOrEqual(100);
    }
  });

  test("count created, translated, outdated, cleared and archived keys", async () => {
    const own = new Walk(service);
    const { target } = await walk.locales();
    const of = async () => {
      const language = (await walk.languages()).find((one) => one.locale === target);
      if (language === undefined) throw new Error("the language is gone");
      return language;
    };
    const before = await of();
    await own.sync([
      { key: "a", value: "One" },
      { key: "b", value: "Two" },
    ]);
    const created = await of();
    expect(created.totalKeys - before.totalKeys).toBe(2);
    expect(created.translated).toBe(before.translated);
    expect(await own.write(target, [{ key: "a", value: "Een" }])).toEqual([]);
    const translated = await of();
    expect(translated.translated - before.translated).toBe(1);
    expect(translated.lastTranslatedAt).toMatch(TIMESTAMP);
    const exact = (100 * translated.translated) / translated.totalKeys;
    expect(Math.abs(translated.percent - exact)).toBeLessThanOrEqual(1);
    await own.sync([{ key: "a", value: "One, changed" }]);
    expect((await of()).outdated - before.outdated).toBe(1);
    await own.write(target, [{ key: "a", value: "" }]);
    const cleared = await of();
    expect([cleared.translated, cleared.outdated]).toEqual([before.translated, before.outdated]);
    await own.cleanUp();
    expect((await of()).totalKeys).toBe(before.totalKeys);
  });

  test("contentVersion changes with content, and only with content", async () => {
    const { target } = await walk.locales();
    const version = async (): Promise<number> => (await walk.stats()).contentVersion;
    const versions = [await version()];
    await walk.sync([{ key: "version", value: "One" }]);
    versions.push(await version());
    await walk.write(target, [{ key: "version", value: "Een" }]);
    versions.push(await version());
    await walk.sync([{ key: "version", value: "One" }]);
    expect(await version()).toBe(versions.at(-1));
    await service.request("POST", "/keys/diff", {
      body: { keys: [{ hash: walk.hash("version"), sourceHash: null }] },
    });
    expect(await version()).toBe(versions.at(-1));
    expect(new Set(versions).size).toBe(3);
  });
});

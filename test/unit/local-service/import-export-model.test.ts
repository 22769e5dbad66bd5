/** The results of imports and the exports after them, compared with a simple model. */
import * as fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { keyHash, NO_NAMESPACE } from "../../../src/model/key-hash.ts";
import { type Harness, start } from "./harness.ts";
import { runCount } from "../support/full-run.ts";

interface ModelKey {
  readonly isPlural: boolean;
  readonly archived: boolean;
  readonly tags: readonly string[];
  readonly texts: Map<string, string>;
}

const KEYS = ["Hello", "Bye", "Cart", "More", "Gone"] as const;
const LOCALES = ["en", "nl", "nl-BE", "de"] as const;
const EXISTING: Readonly<Record<string, ModelKey>> = {
  Hello: {
    isPlural: false,
    archived: false,
    tags: [],
    texts: new Map([
      ["en", "Hello"],
      ["nl", "Hallo"],
    ]),
  },
  Bye: { isPlural: false, archived: false, tags: [], texts: new Map([["en", "Bye"]]) },
  Many: { isPlural: true, archived: false, tags: [], texts: new Map() },
  Gone: { isPlural: false, archived: true, tags: [], texts: new Map([["en", "Gone"]]) },
};

const texts = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom("", "Hello", "Hallo", "one", "two"));
const upload = fc.record({
  files: fc.record({ "a/en.json": texts, "b/en.json": texts, "nl.json": texts, "nl-BE.json": texts }),
  overwrite: fc.boolean(),
  createUnknownKeys: fc.boolean(),
  tag: fc.constantFrom("", "new"),
});
type Upload = typeof upload extends fc.Arbitrary<infer Value> ? Value : never;

async function shop(): Promise<Harness> {
  const service = await start({
    type: "laravel",
    languages: [{ locale: "nl" }, { locale: "nl-BE", fallback: ["de", "nl"] }, { locale: "de" }],
    exportProfiles: [{ key: "json", format: "laravel_json", path: "{locale}.json", missing: "omit" }],
  });
  const keys = Object.entries(EXISTING).map(([key, { isPlural }]) =>
    isPlural ? { key, forms: { one: "1", other: "2" } } : { key, value: key },
  );
  await service.data("POST", "/keys/sync", { keys });
  await service.data("POST", "/keys/sync", {
    archive: [keyHash({ namespace: NO_NAMESPACE, key: "Gone", context: null })],
  });
  await service.data("PUT", "/translations/nl", { translations: [{ key: "Hello", value: "Hallo" }] });
  return service;
}

/** Changes the model as the import does; the counts of its result. */
function imported(
  model: Map<string, ModelKey>,
  { files, overwrite, createUnknownKeys, tag }: Upload,
): object {
  const result = {
    newKeys: 0,
    newTranslations: 0,
    changedTranslations: 0,
    unchanged: 0,
    skipped: 0,
    placeholderErrors: 0,
  };
  const lines = new Map<string, { key: string; locale: string; text: string }>();
  for (const [path, entries] of Object.entries(files)) {
    const locale = path.replace(/^.*\/|\.json$/g, "");
    for (const [key, text] of Object.entries(entries)) {
      const id = `${locale} ${key}`;
      const other = lines.get(id);
      if (other !== undefined) result[text !== "" && other.text === text ? "unchanged" : "skipped"]++;
      // The last one that says something.
      if (other === undefined || text !== "") lines.set(id, { key, locale, text });
    }
  }
  for (const { key: name, locale, text } of lines.values()) {
    let key = model.get(name);
    if (key === undefined) {
      if (!createUnknownKeys) {
        result.skipped++;
        continue;
      }
      key = { isPlural: false, archived: false, tags: tag === "" ? [] : [tag], texts: new Map() };
      model.set(name, key);
      result.newKeys++;
      if (locale === "en") {
        if (text !== "") {
          key.texts.set(locale, text);
          result.newTranslations++;
        }
        continue;
      }
    }
    const before = key.texts.get(locale);
    if (key.archived || key.isPlural || text === "") result.skipped++;
    else if (before === text) result.unchanged++;
    else if (before !== undefined && !overwrite) result.skipped++;
    else {
      key.texts.set(locale, text);
      result[before === undefined ? "newTranslations" : "changedTranslations"]++;
    }
  }
  return result;
}

/** The texts that an export of the language has, by key. */
function exported(
  model: ReadonlyMap<string, ModelKey>,
  locale: string,
  missing: "omit" | "empty" | "fallback",
): Record<string, string> {
  const chains: Readonly<Record<string, readonly string[]>> = { "nl-BE": ["de", "nl"] };
  const found: Record<string, string> = {};
  for (const [name, key] of model) {
    if (key.archived || key.isPlural) continue;
    const own = key.texts.get(locale);
    const fallbacks = missing === "fallback" ? [...(chains[locale] ?? []), "en"] : [];
    const other = fallbacks.map((each) => key.texts.get(each)).find((text) => text !== undefined);
    const text = own ?? other ?? (missing === "omit" ? undefined : "");
    if (text !== undefined) found[name] = text;
  }
  return found;
}

test("behaves like the model for sequences of imports and exports", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(upload, { minLength: 1, maxLength: 3 }), async (uploads) => {
      const service = await shop();
      const model = new Map(
        Object.entries(EXISTING).map(([key, is]) => [key, { ...is, texts: new Map(is.texts) }]),
      );
      for (const one of uploads) {
        const expected = imported(model, one);
        const zip = zipSync(
          Object.fromEntries(
            Object.entries(one.files).map(([path, entries]) => [path, strToU8(JSON.stringify(entries))]),
          ),
        );
        const { status, body } = await service.upload(
          { "all.zip": zip },
          {
            overwrite: one.overwrite ? "1" : "0",
            createUnknownKeys: one.createUnknownKeys ? "1" : "0",
            ...(one.tag === "" ? {} : { tag: one.tag }),
          },
        );
        expect(status).toBe(202);
        const job = await service.ended((body["data"] as { readonly id: number }).id);
        expect(job.result).toEqual(expected);
      }
      for (const locale of LOCALES)
        for (const missing of ["omit", "empty", "fallback"] as const) {
          const { text } = await service.download(`json?locales=${locale}&missing=${missing}`);
          const { Many: _, ...said } = JSON.parse(text) as Record<string, string>;
          expect(said, `${locale} ${missing}`).toEqual(exported(model, locale, missing));
        }
      const keys = await service.data<readonly { readonly key: string; readonly tags: readonly string[] }[]>(
        "GET",
        "/keys?archived=all",
      );
      expect(Object.fromEntries(keys.map(({ key, tags }) => [key, tags]))).toEqual(
        Object.fromEntries(Array.from(model, ([key, { tags }]) => [key, tags])),
      );
      await service.stop();
    }),
    { numRuns: runCount(40) },
  );
});

/** The languages that the tools for language models read, also before the stored state is loaded. */
import { expect, it } from "vitest";
import { ensureLoaded, getTranslations, listKeys } from "../../../src/agent-tools/read-tools.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { openStoredToolProject, TITLE } from "../support/stored-project.ts";

const { signal } = new AbortController();

it("knows the languages of a project that is still being loaded", async () => {
  await ensureLoaded(openStoredToolProject(), signal, "nl");
  await expect(ensureLoaded(openStoredToolProject(), signal, "de")).rejects.toThrow("It has: en, nl.");
});

it("reads all languages of a project that is still being loaded", async () => {
  const open = openStoredToolProject();
  const rows: unknown[] = [];
  const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
    for await (const row of found) rows.push(row);
    return "";
  };
  await getTranslations.run({ open, input: { keys: [TITLE] }, signal, page });
  expect(rows).toMatchObject([{ locale: "en" }, { locale: "nl", state: "untranslated" }]);
});

it("lists the keys in a state in that language, and in no other", async () => {
  const open = openStoredToolProject();
  await ensureLoaded(open, signal);
  const { project } = open;
  const list = async (input: Parameters<typeof listKeys.run>[0]["input"]): Promise<readonly unknown[]> => {
    const rows: unknown[] = [];
    const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
      for await (const row of found) rows.push(row);
      return "";
    };
    await listKeys.run({ open, input, signal, page });
    return rows;
  };
  const all = [{ namespace: "cart", key: "title", source: "Your cart" }];
  expect(await list({})).toMatchObject(all);
  expect(await list({ namespace: "cart", locale: "nl" })).toMatchObject(all);
  expect(await list({ namespace: "other" })).toEqual([]);
  expect(await list({ tag: "ui" })).toEqual([]);
  const states = ["untranslated", "outdated", "proposed"] as const;
  const inStates = async (locale: string): Promise<readonly string[]> => {
    const found = await Promise.all(
      states.map(async (state) => ((await list({ locale, state })).length > 0 ? [state] : [])),
    );
    return found.flat();
  };
  expect(await inStates("nl")).toEqual(["untranslated"]);
  project.drafts.put([
    {
      locale: "nl",
      hash: keyHash(TITLE),
      text: { value: "Mandje" },
      base: null,
      baseVersion: null,
      origin: "machine",
      model: "a model",
      source: { value: "Your cart" },
    },
  ]);
  expect(await inStates("nl")).toEqual(["untranslated", "proposed"]);
  expect(await inStates("en")).toEqual([]);
  await expect(list({ state: "proposed" })).rejects.toThrow('give "locale" too');
});

it("gives each language once, the source as such, whichever are asked for", async () => {
  const languagesOf = async (locales?: readonly string[]): Promise<readonly unknown[]> => {
    const rows: { readonly locale?: string; readonly state?: string }[] = [];
    const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
      for await (const row of found) rows.push(row as object);
      return "";
    };
    const input = { keys: [TITLE], ...(locales === undefined ? {} : { locales: [...locales] }) };
    await getTranslations.run({ open: openStoredToolProject(), input, signal, page });
    return rows.map(({ locale, state = "source" }) => `${locale} ${state}`);
  };
  const whole = ["en source", "nl untranslated"];
  for (const locales of [undefined, ["nl"], ["en", "nl"], ["nl", "en"]])
    expect(await languagesOf(locales)).toEqual(whole);
  expect(await languagesOf(["en"])).toEqual(["en source"]);
});

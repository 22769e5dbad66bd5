/** The languages that the tools for language models read, also before the stored state is loaded. */
import { expect, it, vi } from "vitest";
import { ensureLoaded, getTranslations, listKeys, requireKey } from "../../../src/agent-tools/read-tools.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { addKeys, addTranslations } from "../support/key-database.ts";
import { openStoredToolProject, TITLE } from "../support/stored-project.ts";

const { signal } = new AbortController();

it("knows the languages of a project that is still being loaded", async () => {
  await ensureLoaded(openStoredToolProject(), signal, "nl");
  await expect(ensureLoaded(openStoredToolProject(), signal, "de")).rejects.toThrow("It has: en, nl.");
});

it("knows the languages that only the first refresh tells", async () => {
  const stored = openStoredToolProject();
  const { project } = stored;
  await stored.refresher;
  const { stats } = project;
  project.setStats(null, { kind: "never" });
  const isComplete = vi.spyOn(project, "keysComplete", "get").mockReturnValue(false);
  const refresh = vi.fn(() => {
    project.setStats(stats, { kind: "never" });
    isComplete.mockReturnValue(true);
    return Promise.resolve();
  });
  const open = Object.assign(stored, { refresh });
  await ensureLoaded(open, signal, "nl");
  await ensureLoaded(open, signal, "nl");
  expect(refresh).toHaveBeenCalledTimes(1);
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

it("a text that lacks forms is untranslated, and one of an older source text outdated", async () => {
  const open = openStoredToolProject();
  await ensureLoaded(open, signal);
  const { database } = open.project;
  addTranslations(database, "nl", { [keyHash(TITLE)]: { forms: { other: "Mandjes" } } });
  const state = database.sql("UPDATE translations SET is_translated = ?, is_outdated = ?");
  const stateAfter = async (isTranslated: number, isOutdated: number): Promise<unknown> => {
    state.run(isTranslated, isOutdated);
    const rows: unknown[] = [];
    const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
      for await (const row of found) rows.push(row);
      return "";
    };
    await getTranslations.run({ open, input: { keys: [TITLE] }, signal, page });
    return rows[1];
  };
  expect(await stateAfter(0, 0)).toMatchObject({
    state: "untranslated",
    translationForms: { other: "Mandjes" },
  });
  expect(await stateAfter(0, 1)).toMatchObject({ state: "untranslated" });
  expect(await stateAfter(1, 1)).toMatchObject({ state: "outdated" });
  expect(await stateAfter(1, 0)).toMatchObject({ state: "translated" });
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
  project.database.sql("UPDATE keys SET tags = ?").run('["ui-small", "menu"]');
  for (const tag of ["ui", "small", "Menu"]) expect(await list({ tag })).toEqual([]);
  expect(await list({ tag: "menu" })).toMatchObject([{ key: "title", tags: ["ui-small", "menu"] }]);
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

it("says who proposed a text, and which issues a translation has", async () => {
  const open = openStoredToolProject();
  await ensureLoaded(open, signal);
  const { project } = open;
  const hash = keyHash(TITLE);
  const issue = { rule: "laravel.missing", level: "error", placeholder: ":a", form: "", suggestion: null };
  const row = {
    hash,
    text: { value: "Mandje" },
    isTranslated: true,
    isOutdated: false,
    version: 1,
    updatedAt: null,
  };
  const read = async (): Promise<unknown> => {
    const rows: unknown[] = [];
    const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
      for await (const each of found) rows.push(each);
      return "";
    };
    await getTranslations.run({ open, input: { keys: [TITLE], locales: ["nl"] }, signal, page });
    return rows[1];
  };
  project.translations.put(
    "nl",
    [{ ...row, issues: [issue, { ...issue, rule: "length", placeholder: null }] }],
    1,
  );
  expect(await read()).toEqual({
    namespace: "cart",
    key: "title",
    locale: "nl",
    state: "translated",
    translation: "Mandje",
    neededForms: undefined,
    issues: ["laravel.missing :a", "length"],
    proposedBy: undefined,
  });
  const draft = {
    locale: "nl",
    hash,
    text: { value: "Kar" },
    base: null,
    baseVersion: null,
    model: null,
    source: null,
  };
  project.translations.put("nl", [{ ...row, isOutdated: true, issues: [] }], 2);
  for (const [origin, proposedBy] of [
    ["person", "user"],
    ["machine", "model"],
  ] as const) {
    project.drafts.put([{ ...draft, origin }]);
    expect(await read()).toMatchObject({ state: "outdated", issues: undefined, proposed: "Kar", proposedBy });
  }
});

it("stops listing many keys once the call is cancelled", async () => {
  const open = openStoredToolProject();
  await ensureLoaded(open, signal);
  addKeys(
    open.project.database,
    Array.from({ length: 600 }, (_, index) => ({
      hash: `${index}`,
      namespace: "*",
      key: `k${index}`,
      context: null,
    })),
  );
  const stop = new AbortController();
  let count = 0;
  const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
    for await (const _ of found) if (++count === 10) stop.abort(new Error("enough"));
    return "";
  };
  await expect(listKeys.run({ open, input: {}, signal: stop.signal, page })).rejects.toThrow("enough");
  expect(count).toBeLessThan(600);
});

it("a key is that of the context, too, and one that there is not is told as it was asked for", async () => {
  const open = openStoredToolProject();
  const inMenu = { ...TITLE, context: "menu" };
  addKeys(open.project.database, [{ ...inMenu, hash: keyHash(inMenu), text: { value: "Menu" } }]);
  const textOf = (input: Parameters<typeof requireKey>[1]) => requireKey(open, input).text;
  expect([textOf(inMenu), textOf(TITLE), textOf({ ...TITLE, context: "" })]).toEqual([
    { value: "Menu" },
    { value: "Your cart" },
    { value: "Your cart" },
  ]);
  expect(() => textOf({ ...TITLE, context: "list" })).toThrow(
    'There is no key {"namespace":"cart","key":"title","context":"list"}.',
  );
  expect(() => textOf({ key: "title" })).toThrow('There is no key {"key":"title"}.');
  const rows: unknown[] = [];
  const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
    for await (const row of found) rows.push(row);
    return "";
  };
  await listKeys.run({ open, input: {}, signal, page });
  expect(rows).toMatchObject([
    { namespace: "cart", key: "title", source: "Your cart" },
    { namespace: "cart", key: "title", context: "menu", source: "Menu" },
  ]);
  expect(rows[0]).not.toHaveProperty("context");
});

/** What the tools return, ask and write in a folder on disk, with and without a service. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { toolCalls } from "../../../src/agent-tools/tool-calls.ts";
import type { ToolName } from "../../../src/agent-tools/tool-inputs.ts";
import { clock } from "../../../src/api/system-clock.ts";
import { type FolderToolHost, folderToolHost } from "../../../src/cli/mcp/folder-tool-host.ts";
import { FIXTURE_PROJECT_FILE, openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import { fastClock } from "../support/node-platform.ts";
import { cart, hashOf } from "../support/open-shop.ts";

interface Result {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly [member: string]: unknown;
}

let shop: FixtureProject;
let host: FolderToolHost;
beforeEach(async () => {
  const fast = fastClock();
  vi.spyOn(clock, "sleep").mockImplementation((...wait) => fast.sleep(...wait));
  shop = await openFixtureProject();
  const glossary = { cart: { nl: "mandje", fr: "panier" }, voucher: { fr: "bon" } };
  const file = { ...FIXTURE_PROJECT_FILE, translate: { glossary, instructions: "Informal." } };
  await shop.write("project-translations.json", JSON.stringify(file));
  host = folderToolHost(join(shop.folder, "app"));
});
afterEach(async () => {
  await host.close();
  await shop.close();
});

/** Calls a tool; returns the question if a person has to agree. */
const call = (name: ToolName, input: object, agreed?: string) =>
  toolCalls(host)(name, input, { signal: new AbortController().signal, agreed });
async function read(name: ToolName, input: object = {}): Promise<Result> {
  const result = await call(name, input);
  if (typeof result !== "string") throw new Error(result.text);
  return JSON.parse(result) as Result;
}
/** Calls a tool, agrees to what is asked, and returns both. */
async function write(
  name: ToolName,
  input: object,
): Promise<{ readonly asked: string; readonly result: Result }> {
  const asked = await call(name, input);
  if (typeof asked === "string") return { asked: "", result: JSON.parse(asked) as Result };
  const result = await call(name, input, asked.basis);
  if (typeof result !== "string") throw new Error("asked again");
  return { asked: asked.text, result: JSON.parse(result) as Result };
}
const signIn = (token = shop.service.token): void => {
  vi.stubEnv("PROJECT_TRANSLATIONS_TOKEN", token);
  vi.stubEnv("PROJECT_TRANSLATIONS_URL", shop.service.baseUrl);
};

describe("without a service", () => {
  test("the glossary has all terms with their languages, or those of one language that has them", async () => {
    const head = { sourceLanguage: "en", languages: ["nl"], instructions: "Informal." };
    expect(await read("get_glossary")).toEqual({
      ...head,
      items: [
        { term: "cart", translations: { nl: "mandje", fr: "panier" } },
        { term: "voucher", translations: { fr: "bon" } },
      ],
    });
    expect(await read("get_glossary", { locale: "nl" })).toEqual({
      ...head,
      items: [{ term: "cart", translation: "mandje" }],
    });
    // Of a later page only the rest.
    expect(await read("get_glossary", { cursor: "1" })).toEqual({
      items: [{ term: "voucher", translations: { fr: "bon" } }],
    });
    await expect(call("get_glossary", { locale: "fr" })).rejects.toThrow('no language "fr". It has: en, nl.');
  });

  test("keys are listed by namespace and state, with what matters to translate them", async () => {
    const all = await read("list_keys");
    expect([all["keysOfProject"], all.items.length]).toEqual([7, 7]);
    expect((await read("list_keys", { cursor: "6" }))["keysOfProject"]).toBeUndefined();
    const items = (await read("list_keys", { namespace: "cart" })).items;
    expect(items).toContainEqual({
      namespace: "cart",
      key: "items",
      sourceForms: { one: ":count item", other: ":count items" },
    });
    expect(items).toContainEqual({
      namespace: "cart",
      key: "title",
      source: "Your cart",
      description: "The heading.",
    });
    const inState = async (locale: string, state: string) =>
      (await read("list_keys", { locale, state })).items.map(({ key }) => String(key));
    expect((await inState("nl", "untranslated")).toSorted()).toEqual([
      "Log out",
      "Save & close",
      "items",
      "voucher.label",
    ]);
    // Only the translation exists.
    expect(await inState("en", "untranslated")).toEqual(["extra"]);
  });

  test("texts are found in any language, with where, and with translations of the language that is asked for", async () => {
    const title = { namespace: "cart", key: "title", source: "Your cart" };
    const found = { foundIn: "nl", found: "Je mandje" };
    expect((await read("search_texts", { query: " mandje  je " })).items).toEqual([{ ...title, ...found }]);
    expect((await read("search_texts", { query: "mandje", locale: "nl" })).items).toEqual([
      { ...title, ...found, translation: "Je mandje" },
    ]);
    expect((await read("search_texts", { query: "your", locale: "nl" })).items).toContainEqual(
      expect.objectContaining({ ...title, translation: "Je mandje" }),
    );
    expect((await read("search_texts", { query: "mandje nowhere" })).items).toEqual([]);
  });

  test("translations have their state, forms and issues", async () => {
    await shop.edit("lang/nl/cart.php", "Totaal: :amount", "Totaal: :bedrag");
    const keys = ["title", "total", "items"].map((key) => ({ namespace: "cart", key }));
    expect((await read("get_translations", { keys })).items).toEqual([
      { namespace: "cart", key: "title", source: "Your cart", description: "The heading.", locale: "en" },
      { namespace: "cart", key: "title", locale: "nl", state: "translated", translation: "Je mandje" },
      { namespace: "cart", key: "total", source: "Total: :amount", locale: "en" },
      expect.objectContaining({ key: "total", locale: "nl", translation: "Totaal: :bedrag" }),
      {
        namespace: "cart",
        key: "items",
        sourceForms: { one: ":count item", other: ":count items" },
        locale: "en",
      },
      { namespace: "cart", key: "items", locale: "nl", state: "untranslated", neededForms: ["one", "other"] },
    ]);
    await expect(call("get_translations", { keys: [{ key: "title" }] })).rejects.toThrow(
      'There is no key {"key":"title"}.',
    );
    const issue = {
      locale: "nl",
      namespace: "cart",
      key: "total",
      message: ":amount is missing, :bedrag is unknown",
      rule: "laravel.missing",
      level: "error",
      placeholder: ":amount",
      suggestion: "Totaal: :amount",
      source: "Total: :amount",
      translation: "Totaal: :bedrag",
    };
    expect((await read("list_issues")).items).toEqual([expect.objectContaining(issue)]);
    expect((await read("list_issues", { locale: "nl" })).items).toEqual([expect.objectContaining(issue)]);
    expect((await read("list_issues", { locale: "en" })).items).toEqual([]);
  });

  test("a plural key needs the forms of the language that it is translated to", async () => {
    await shop.write("lang/pl/cart.php", "<?php\n\nreturn ['title' => 'Koszyk'];\n");
    const keys = [{ namespace: "cart", key: "items" }];
    const { items } = await read("get_translations", { keys, locales: ["pl", "nl"] });
    expect(items.slice(1).map(({ locale, neededForms }) => [locale, neededForms])).toEqual([
      ["pl", ["one", "few", "many"]],
      ["nl", ["one", "other"]],
    ]);
    const two = { one: ":count rzecz", other: ":count rzeczy" };
    const translations = [{ ...keys[0], forms: two }];
    const { result } = await write("stage_translations", { locale: "pl", translations });
    expect(result).toMatchObject({ written: 0, refused: 1, items: [{ key: "items" }] });
  });

  test("usages have their line, and the pattern of those that may be of the key", async () => {
    await shop.write(
      "app/a.php",
      `<?php\n$a = __('cart.title');\n$b = __("cart.$name"); // ${"x".repeat(300)}\n`,
    );
    expect(await read("find_usages", { namespace: "cart", key: "title" })).toEqual({
      namespace: "cart",
      key: "title",
      items: [
        { path: "app/a.php", line: 2, code: "$a = __('cart.title');" },
        { path: "app/a.php", line: 3, code: expect.stringMatching(/^.{200}$/u), maybe: "cart.*" },
      ],
    });
  });

  test("translations are written to the files, once they were agreed to; what is refused says why", async () => {
    const translations = [
      { namespace: "cart", key: "title", text: "Jouw mandje", source: "Your cart" },
      { namespace: "cart", key: "items", forms: { one: ":count ding", other: ":count dingen" } },
      { namespace: "cart", key: "total", text: "Totaal: :amount" },
      { namespace: "cart", key: "voucher.label", text: "Code", source: "Voucher" },
      { namespace: "cart", key: "nowhere", text: "a" },
      { key: "Log out", text: "Afmelden", forms: { one: "a", other: "b" } },
      { key: "Log out" },
    ];
    const { asked, result } = await write("stage_translations", { locale: "nl", translations });
    expect(asked).toBe(
      "Write 2 translations (nl)?\nThey are written to the translation files.\n- cart.title: Je mandje → Jouw mandje\n- cart.items: one: :count ding · other: :count dingen",
    );
    const problems = result.items.map(({ key, problem }) => [key, problem]);
    expect(problems).toEqual([
      ["total", "That is the translation already."],
      ["voucher.label", expect.stringContaining("source text was changed")],
      ["nowhere", expect.stringContaining('There is no key {"namespace":"cart","key":"nowhere"}.')],
      ["Log out", 'Give either "text" or, for a plural key, "forms".'],
      ["Log out", 'Give either "text" or, for a plural key, "forms".'],
    ]);
    expect(result).toMatchObject({
      written: 2,
      refused: 5,
      note: "Correct what is refused and stage it once more. They are in the translation files.",
    });
    const file = await shop.read("lang/nl/cart.php");
    expect(file).toContain("'title'  => 'Jouw mandje', // aligned by hand");
    expect(file).toContain("'items'  => ':count ding|:count dingen'");
    const again = await write("stage_translations", {
      locale: "nl",
      translations: [{ namespace: "cart", key: "voucher.label", text: "Kortingscode" }],
    });
    expect(again.result).toMatchObject({
      written: 1,
      refused: 0,
      note: "They are in the translation files.",
    });
  });

  test("the source language is not translated to, and nothing is pushed", async () => {
    const translations = [{ namespace: "cart", key: "title", text: "Our cart" }];
    await expect(call("stage_translations", { locale: "en", translations })).rejects.toThrow(
      '"en" is the source language: change its texts in the source files.',
    );
    await expect(call("push_changes", {})).rejects.toThrow(/Sign in first\. .*PROJECT_TRANSLATIONS_TOKEN/u);
  });

  test("a key is added where its neighbours are, and one without neighbours is refused with what there is", async () => {
    const more = { maxLength: 10, tags: ["ui", "menu"], description: "A word" };
    const { asked, result } = await write("add_key", { ...cart("hello"), text: "Hello", ...more });
    expect(asked).toBe(
      "Add the key cart.hello?\nIt is written to lang/en/cart.php. Its maximum length and tags are not stored: that needs a service.\n- Hello\n- Description: A word\n- Maximum length: 10\n- Tags: ui, menu",
    );
    expect(result).toEqual({
      added: { namespace: "cart", key: "hello" },
      files: ["lang/en/cart.php"],
      note: expect.stringMatching(/^Maximum length and tags were not stored/u),
    });
    const plural = { ...cart("things"), forms: { one: ":count thing", other: ":count things" } };
    expect((await write("add_key", plural)).result).toEqual({
      added: { namespace: "cart", key: "things" },
      files: ["lang/en/cart.php"],
    });
    await expect(call("add_key", plural)).rejects.toThrow('with the text {"forms":');
    const tags = await call("add_key", { ...cart("one"), text: "a".repeat(3), maxLength: 3, tags: [] });
    expect(typeof tags === "string" ? tags : tags.text).not.toContain("Tags");
  });
});

describe("with a service", () => {
  beforeEach(() => signIn());

  /** Pushes everything, as a person agrees to. */
  const pushAll = () => write("push_changes", {});
  const translate = async (texts: Readonly<Record<string, string>>, locale = "nl"): Promise<void> => {
    const { client } = await shop.open();
    const items = Object.entries(texts).map(([key, value]) => ({
      ...cart(key),
      hash: hashOf(key),
      value,
      version: null,
    }));
    await client.writeTranslations(locale, items, "overwrite");
  };

  test("a push asks for what it sends, and then has nothing to send", async () => {
    const { asked, result } = await pushAll();
    expect(asked).toMatch(/^Push to Shop\?\n6 new, 0 changed, 0 restored\n- /u);
    expect(asked).toContain("\n- cart.title (new): Your cart\n");
    expect(result).toEqual({ outcome: "done", result: expect.objectContaining({ created: 6 }) });
    expect(await pushAll()).toEqual({
      asked: "",
      result: { outcome: "unchanged", note: "There is nothing to push." },
    });
  });

  test("leaves what somebody changed or archived at the service, unless it is named", async () => {
    await pushAll();
    const { client } = await shop.open();
    await client.sync({
      keys: [{ namespace: "cart", key: "title", value: "Their cart" }],
      archive: [hashOf("total")],
    });
    await shop.edit("lang/en/cart.php", "Voucher code", "Voucher");
    const first = await pushAll();
    expect(first.asked).toBe(
      "Push to Shop?\n0 new, 1 changed, 0 restored\n- cart.voucher.label (changed): Voucher code → Voucher",
    );
    const left = first.result["left"] as Result["items"];
    expect(
      left.map(({ key, problem }) => `${String(key)}: ${String(problem)}`.slice(0, 30)).toSorted(),
    ).toEqual(["title: Somebody changed its te", "total: It was archived on the "]);
    const named = await write("push_changes", { keys: [cart("title"), cart("total")] });
    expect(named.asked.split("\n").slice(1).toSorted()).toEqual([
      "- cart.title (changed on the service): Their cart → Your cart",
      "- cart.total (restored): Total: :amount",
      "0 new, 1 changed, 1 restored",
    ]);
    expect(named.result).not.toHaveProperty("left");
    expect(
      (await client.keys({ namespace: "cart" })).data.find(({ key }) => key === "title")?.source.value,
    ).toBe("Your cart");
  });

  test("says which source files could not be read, beside what is sent and alone", async () => {
    await shop.write("lang/en.json", '{ "Log out": "Log out", ');
    const first = await pushAll();
    expect(first.result).toMatchObject({
      outcome: "done",
      unread: [expect.stringMatching(/^lang\/en\.json:1:\d+: an error/u)],
    });
    expect(await pushAll()).toMatchObject({
      result: { outcome: "unchanged", note: "There is nothing else to push.", unread: [expect.any(String)] },
    });
    // What is named was read.
    expect(await write("push_changes", { keys: [cart("title")] })).toMatchObject({
      result: { note: "There is nothing to push." },
    });
  });

  test("translations are kept, and sent by a push with what they replace; those of others are left", async () => {
    await pushAll();
    await translate({ title: "Mijn mandje", total: "Som: :amount" });
    const texts = [
      { ...cart("title"), text: "Jouw mandje" },
      { ...cart("total"), text: "Samen: :amount" },
    ];
    const staged = await write("stage_translations", { locale: "nl", translations: texts });
    expect(staged).toEqual({
      asked: "",
      result: {
        staged: 2,
        refused: 0,
        note: "They are kept until push_changes sends them. Nothing is written yet.",
        items: [],
      },
    });
    expect(
      (await read("get_translations", { keys: [cart("title")], locales: ["nl"] })).items[1],
    ).toMatchObject({
      translation: "Mijn mandje",
      proposed: "Jouw mandje",
      proposedBy: "model",
    });
    expect((await read("list_keys", { locale: "nl", state: "proposed" })).items).toHaveLength(2);
    await translate({ total: "Hun som: :amount" });
    const { asked, result } = await pushAll();
    expect(asked).toContain("0 new, 0 changed, 0 restored, 2 translations\n");
    expect(asked).toContain("- cart.title (nl): Mijn mandje → Jouw mandje");
    expect(result).toEqual({
      outcome: "done",
      translations: {
        saved: 1,
        notSaved: [
          {
            locale: "nl",
            namespace: "cart",
            key: "total",
            problem: expect.stringContaining("Somebody changed it meanwhile."),
          },
        ],
      },
    });
  });

  test("a translation is outdated once its source text changed, and then no longer", async () => {
    await pushAll();
    await translate({ title: "Je mandje" });
    await shop.edit("lang/en/cart.php", "Your cart", "Your basket");
    await pushAll();
    const outdated = async () =>
      (await read("list_keys", { locale: "nl", state: "outdated" })).items.map(({ key }) => key);
    expect(await outdated()).toEqual(["title"]);
    const keys = [cart("title")];
    expect((await read("get_translations", { keys, locales: ["nl"] })).items[1]).toMatchObject({
      state: "outdated",
    });
    // The same text again, which says that it is still right.
    const same = { locale: "nl", translations: [{ ...cart("title"), text: "Je mandje" }] };
    expect((await write("stage_translations", same)).result).toMatchObject({ staged: 1 });
    await pushAll();
    expect(await outdated()).toEqual([]);
  });

  test("what is staged, and what the service agreed to, is kept when the folder has other projects or packages", async () => {
    const temporary = join(shop.folder, "temporary");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    await pushAll();
    await translate({ title: "Mijn mandje" });
    const texts = [{ ...cart("title"), text: "Jouw mandje" }];
    await write("stage_translations", { locale: "nl", translations: texts });
    const before = await host.project(undefined, new AbortController().signal);
    await shop.write("package.json", '{ "dependencies": { "left-pad": "1" } }');
    const { client } = await shop.open();
    await client.sync({ keys: [{ namespace: "cart", key: "total", value: "Their total: :amount" }] });
    const { asked, result } = await pushAll();
    expect((await host.project(undefined, new AbortController().signal)).project).not.toBe(before.project);
    expect(asked).toContain("\n- cart.title (nl): Mijn mandje → Jouw mandje");
    expect(result).toMatchObject({ translations: { saved: 1 }, left: [{ key: "total" }] });
    // Nothing is left behind of either.
    await host.close();
    expect(readdirSync(temporary)).toEqual([]);
    host = folderToolHost(join(shop.folder, "app"));
  });

  test("a token that may only read adds no maximum length, and pushes nothing", async () => {
    signIn(shop.service.readToken);
    await expect(call("push_changes", {})).rejects.toThrow("The token may only read.");
    await expect(call("add_key", { ...cart("a"), text: "a", tags: ["ui"] })).rejects.toThrow(
      "The token may only read, so that maximum length and tags cannot be stored. Leave them out.",
    );
    expect((await write("add_key", { ...cart("a"), text: "a" })).result).toMatchObject({
      files: ["lang/en/cart.php"],
    });
  });

  test("a key that is sent says so, and one that the service refuses is in the file all the same", async () => {
    await pushAll();
    const more = { maxLength: 10, tags: ["ui"] };
    const { asked, result } = await write("add_key", { ...cart("short"), text: "Short", ...more });
    expect(asked).toContain(
      "It is written to lang/en/cart.php. It is also sent to Shop, with its maximum length and tags.\n- Short\n",
    );
    expect(result).toEqual({
      added: { namespace: "cart", key: "short" },
      files: ["lang/en/cart.php"],
      sent: true,
    });
    expect((await read("list_keys", { tag: "ui" })).items).toEqual([
      { namespace: "cart", key: "short", source: "Short", maxLength: 10, tags: ["ui"] },
    ]);
    expect((await read("list_keys", { tag: "other" })).items).toEqual([]);
  });
});

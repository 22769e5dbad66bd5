/** Renames a key at the service: the old key is archived only after the new one was verified. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import type { RequestOptions } from "../../../src/api/client.ts";
import type { Key, Stats, TranslationRow } from "../../../src/api/response-schemas.ts";
import { renameAtService } from "../../../src/sync/rename-at-service.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import type { Interceptor, TestWindow } from "../support/test-window.ts";
import { waitUntil } from "../support/wait-until.ts";

const FROM: KeyName = { namespace: "cart", key: "title", context: null };
const TO: KeyName = { namespace: "basket", key: "heading", context: null };

let shop: FixtureProject;
let colleague: TestWindow;
beforeEach(async () => {
  shop = await openFixtureProject();
  colleague = await shop.open("colleague");
  await source("Your cart");
});
afterEach(() => shop.close());

const source = (value: string, { namespace, key } = FROM): Promise<unknown> =>
  colleague.client.sync({ keys: [{ namespace, key, value, description: "Above the list", tags: ["web"] }] });

const translate = (locale: string, value: string, name = FROM): Promise<unknown> =>
  colleague.client.writeTranslations(locale, [{ ...name, hash: keyHash(name), value }], "overwrite");

async function activeKeys(): Promise<string[]> {
  const { data } = await colleague.client.keys();
  return data.filter((key) => !key.archived).map(({ namespace, key }) => `${namespace}.${key}`);
}

async function translationOf(locale: string, name: KeyName): Promise<unknown> {
  const { data } = await colleague.client.translations(locale);
  const row = data.find(({ hash }) => hash === keyHash(name));
  return row === undefined ? undefined : { value: row.value, isOutdated: row.isOutdated };
}

test("archives the old key only after text, details and translations are copied", async () => {
  await translate("nl", "Je mandje");
  const window = await shop.open();
  const steps: unknown[] = [];
  const result = await renameAtService(window, FROM, TO, {
    onCreated: () => steps.push("created"),
    onStep: (done, total) => steps.push([done, total]),
  });
  expect(result).toEqual({ kind: "done", copied: 1 });
  expect(steps).toEqual(["created", [0, 2], [1, 2]]);
  // A new key that is in its own list of a namespace, or of which nothing is known, needs no other list.
  const lists = window.takeRequests().filter((asked) => asked.startsWith("GET /keys"));
  expect(lists.filter((asked) => !asked.includes("namespace=") && !asked.includes("updatedSince="))).toEqual(
    [],
  );
  // It is shown by a refresh.
  await waitUntil(() => window.project.keys.has(keyHash(TO)));
  expect(await activeKeys()).toEqual(["basket.heading"]);
  const [made] = (await colleague.client.keys({ namespace: "basket" })).data;
  expect(made).toMatchObject({
    source: { value: "Your cart" },
    description: "Above the list",
    tags: ["web"],
  });
  expect(await translationOf("nl", TO)).toEqual({ value: "Je mandje", isOutdated: false });
});

test.each(["namespace", "key", "context"])(
  "sends nothing of a name with half a character in its %s",
  async (part) => {
    const window = await shop.open();
    const malformed = { ...TO, [part]: "half \ud83d" };
    expect(await renameAtService(window, FROM, malformed)).toEqual({ kind: "nothing", reason: "malformed" });
    expect(window.takeRequests()).toEqual([]);
    expect(await activeKeys()).toEqual(["cart.title"]);
  },
);

test("copies what the service has now, not cached texts", async () => {
  await translate("nl", "Je mandje");
  const window = await shop.open();
  await window.refresher.refresh();
  await translate("nl", "Jouw winkelwagen");
  await translate("fr", "Votre panier");
  expect(await renameAtService(window, FROM, TO)).toEqual({ kind: "done", copied: 2 });
  expect(await translationOf("nl", TO)).toMatchObject({ value: "Jouw winkelwagen" });
  expect(await translationOf("fr", TO)).toMatchObject({ value: "Votre panier" });
});

/** A service whose filter by namespace finds nothing, or whose whole lists are empty, too. */
const withEmptyLists =
  (path: string, isWhole: boolean): Interceptor =>
  (asked, pass) =>
    asked.startsWith(`GET ${path}`) && (isWhole || asked.includes("namespace="))
      ? Promise.resolve(Response.json({ data: [], meta: { nextCursor: null, limit: 100 } }))
      : pass();

test.each(["/keys", "/translations/nl"])(
  "reads all of %s where the filter by namespace finds nothing",
  async (path) => {
    await translate("nl", "Je mandje");
    const window = await shop.open("one", { intercept: withEmptyLists(path, false) });
    await window.refresher.refresh();
    expect(await renameAtService(window, FROM, TO)).toEqual({ kind: "done", copied: 1 });
    expect(await activeKeys()).toEqual(["basket.heading"]);
    expect(await translationOf("nl", TO)).toMatchObject({ value: "Je mandje" });
  },
);

test.each<[string, Partial<Key>]>([
  ["is archived, which a service may list, too", { archived: true }],
  ["has an empty source text", { source: { value: "" } }],
])("does not rename a key that %s", async (_, state) => {
  const window = await shop.open("one", {
    intercept: async (asked, pass) => {
      if (!asked.startsWith("GET /keys")) return pass();
      const { data, ...others } = (await (await pass()).json()) as { readonly data: readonly Key[] };
      return Response.json({ ...others, data: data.map((key) => ({ ...key, ...state })) });
    },
  });
  expect(await renameAtService(window, FROM, TO)).toEqual({ kind: "nothing", reason: "unknown_key" });
});

test("sends nothing if a list of translations lacks the active key", async () => {
  await translate("nl", "Je mandje");
  const window = await shop.open("one", { intercept: withEmptyLists("/translations/nl", true) });
  await expect(renameAtService(window, FROM, TO)).rejects.toMatchObject({
    kind: "bad_response",
    field: "data",
  });
  expect(window.takeRequests().filter((request) => !request.startsWith("GET"))).toEqual([]);
  expect(await activeKeys()).toEqual(["cart.title"]);
});

test("asks for a person in every request, as long as its caller waits", async () => {
  await translate("nl", "Je mandje");
  const window = await shop.open();
  const { signal } = new AbortController();
  const given: RequestOptions[] = [];
  const client = new Proxy(window.client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        given.push(args.at(-1) as RequestOptions);
        return Reflect.apply(member, target, args);
      };
    },
  });
  expect(await renameAtService({ ...window, client }, FROM, TO, { signal })).toMatchObject({ kind: "done" });
  // Statistics twice, keys and languages before and after, the new key, a translation and the archived key.
  expect(given.length).toBeGreaterThan(10);
  for (const options of given) expect(options).toMatchObject({ priority: "person", signal });
});

test.each([null, ""])("copies no cleared translation, which a service gives as %j", async (cleared) => {
  await translate("nl", "Je mandje");
  await translate("nl", "");
  await translate("fr", "Votre panier");
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (!asked.startsWith("GET /translations/nl")) return answer;
    const { data, meta } = (await answer.json()) as { data: TranslationRow[]; meta: unknown };
    const rows = data.map((row) => ({ ...row, value: row.value ?? cleared }));
    return Response.json({ data: rows, meta });
  };
  const window = await shop.open("one", { intercept });
  expect(await renameAtService(window, FROM, TO)).toEqual({ kind: "done", copied: 1 });
  expect(await translationOf("nl", TO)).not.toMatchObject({ value: expect.any(String) });
});

test("does nothing for the same name", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  window.takeRequests();
  expect(await renameAtService(window, FROM, { ...FROM, context: "" })).toEqual({
    kind: "nothing",
    reason: "same_name",
  });
  expect(window.takeRequests()).toEqual([]);
  expect(await activeKeys()).toEqual(["cart.title"]);
});

test("keeps the old key and reports outdated translations", async () => {
  await translate("nl", "Je mandje");
  await translate("fr", "Ton panier");
  await source("Your basket");
  await translate("fr", "Votre panier");
  const window = await shop.open();
  expect(await renameAtService(window, FROM, TO)).toEqual({
    kind: "kept",
    copied: 1,
    skipped: [],
    outdated: ["nl"],
    changed: false,
  });
  expect(await activeKeys()).toEqual(expect.arrayContaining(["basket.heading", "cart.title"]));
  expect(await translationOf("nl", TO)).toEqual({ value: null, isOutdated: false });
  expect(await translationOf("nl", FROM)).toEqual({ value: "Je mandje", isOutdated: true });
  // Once it is up to date, the same rename is completed.
  await translate("nl", "Je winkelmand");
  expect(await renameAtService(window, FROM, TO)).toEqual({ kind: "done", copied: 2 });
  expect(await translationOf("nl", TO)).toEqual({ value: "Je winkelmand", isOutdated: false });
  expect(await activeKeys()).toEqual(["basket.heading"]);
});

test("keeps the old key if the new one has the same translation, but outdated", async () => {
  await translate("nl", "Je mandje");
  await source("Cart", TO);
  await translate("nl", "Je mandje", TO);
  await source("Your cart", TO);
  expect(await translationOf("nl", TO)).toEqual({ value: "Je mandje", isOutdated: true });
  const window = await shop.open();
  expect(await renameAtService(window, FROM, TO)).toEqual({
    kind: "kept",
    copied: 0,
    skipped: ["nl"],
    outdated: [],
    changed: false,
  });
  expect(await activeKeys()).toContain("cart.title");
});

const READS = [
  ["GET /stats", "GET /stats"],
  ["GET /keys", "GET /keys"],
  ["GET /translations/nl", "GET /translations/nl"],
  ["the language that is read last", "GET /translations/fr"],
] as const;

test.each(READS)("sends nothing if %s cannot be read", async (_, path) => {
  await translate("nl", "Je mandje");
  let isDown = false;
  const intercept: Interceptor = (asked, pass) =>
    isDown && asked.startsWith(path)
      ? Promise.resolve(Response.json({ message: "Down" }, { status: 403 }))
      : pass();
  const window = await shop.open("one", { intercept });
  // All of it is known here.
  await window.refresher.refresh();
  await window.refresher.ensureLocale("fr");
  isDown = true;
  window.takeRequests();
  await expect(renameAtService(window, FROM, TO)).rejects.toMatchObject({ kind: "forbidden" });
  expect(window.takeRequests().filter((asked) => !asked.startsWith("GET "))).toEqual([]);
  expect(await activeKeys()).toEqual(["cart.title"]);
});

test("keeps the old key if the copies cannot be read back", async () => {
  await translate("nl", "Je mandje");
  let written = false;
  const intercept: Interceptor = (asked, pass) => {
    written ||= asked.startsWith("PUT /translations/nl");
    return written && asked.startsWith("GET /translations/nl")
      ? Promise.resolve(Response.json({ message: "Down" }, { status: 403 }))
      : pass();
  };
  const window = await shop.open("one", { intercept });
  await expect(renameAtService(window, FROM, TO)).rejects.toMatchObject({ kind: "forbidden" });
  expect(await activeKeys()).toContain("cart.title");
});

test("keeps the old key if a language was not written despite success", async () => {
  await translate("nl", "Je mandje");
  const intercept: Interceptor = (asked, pass) =>
    asked.startsWith("PUT /translations/nl")
      ? Promise.resolve(Response.json({ data: { written: 1, skipped: [] } }))
      : pass();
  const window = await shop.open("one", { intercept });
  expect(await renameAtService(window, FROM, TO)).toMatchObject({ kind: "kept", skipped: ["nl"] });
  expect(await activeKeys()).toContain("cart.title");
});

test.each<[string, (window: TestWindow) => void]>([
  ["a sign-out", (window) => window.signOut()],
  [
    "another window signed in to another project",
    ({ project }) =>
      project.setSession({
        kind: "signed-in",
        baseUrl: shop.service.baseUrl,
        slug: "other",
        name: "Other",
        canWrite: true,
      }),
  ],
  [
    "another window signed in at another service",
    ({ project }) =>
      project.setSession({
        kind: "signed-in",
        baseUrl: "https://translations.example/v1",
        slug: "test",
        name: "Test",
        canWrite: true,
      }),
  ],
])("archives nothing after %s in between", async (_, happens) => {
  await translate("nl", "Je mandje");
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (asked.startsWith("PUT /translations/nl")) happens(window);
    return answer;
  };
  const window: TestWindow = await shop.open("one", { intercept });
  await expect(renameAtService(window, FROM, TO)).rejects.toMatchObject({ kind: "unauthorized" });
  expect(await activeKeys()).toContain("cart.title");
});

test.each([
  ["GET /translations/fr", "the translations were read", []],
  ["POST /keys/sync", "the new key was created", ["POST /keys/sync"]],
])("sends nothing more after a sign-out when %s was answered: %s", async (request, _, sent) => {
  await translate("nl", "Je mandje");
  const window: TestWindow = await shop.open("one", {
    intercept: async (asked, pass) => {
      const answer = await pass();
      if (asked.startsWith(request)) window.signOut();
      return answer;
    },
  });
  await expect(renameAtService(window, FROM, TO)).rejects.toMatchObject({ kind: "unauthorized" });
  expect(window.takeRequests().filter((asked) => !asked.startsWith("GET "))).toEqual(sent);
});

test.each([
  ["is changing", "POST /keys/sync"],
  ["has changed", "GET /stats"],
])("creates no key if the source language %s when the old one has been read", async (_, request) => {
  let answers = 0;
  const intercept: Interceptor = async (asked, pass) => {
    if (asked !== request) return pass();
    if (asked === "POST /keys/sync" && ++answers === 1)
      return Response.json({ message: "x", reason: "source_language_change" }, { status: 409 });
    const answer = await pass();
    if (asked !== "GET /stats" || ++answers === 1) return answer;
    const { data } = (await answer.json()) as { data: Stats };
    const languages = data.languages.map((each) => ({ ...each, isSource: each.locale === "nl" }));
    return Response.json({ data: { ...data, languages } });
  };
  const window = await shop.open("one", { intercept });
  await expect(renameAtService(window, FROM, TO)).rejects.toMatchObject({
    kind: "busy",
    reason: "source_language_change",
  });
  expect(await activeKeys()).not.toContain("basket.heading");
});

test("keeps the old key if its translation changes in between", async () => {
  await translate("nl", "Je mandje");
  const intercept: Interceptor = async (asked, pass) => {
    if (asked.startsWith("PUT /translations/nl")) await translate("nl", "Jouw winkelwagen");
    return pass();
  };
  const window = await shop.open("one", { intercept });
  expect(await renameAtService(window, FROM, TO)).toMatchObject({
    kind: "kept",
    skipped: ["nl"],
    changed: true,
  });
  expect(await translationOf("nl", FROM)).toMatchObject({ value: "Jouw winkelwagen" });
});

test("writes no translation of a new key that the service rejects", async () => {
  await translate("nl", "Je mandje");
  const { namespace, key } = TO;
  const plural = { namespace, key, forms: { one: "Cart", other: "Carts" } };
  await colleague.client.sync({ keys: [plural] });
  await colleague.client.sync({ keys: [], archive: [keyHash(TO)] });
  const window = await shop.open();
  let isCreated = false;
  const onCreated = (): void => void (isCreated = true);
  expect(await renameAtService(window, FROM, TO, { onCreated })).toEqual({
    kind: "rejected",
    reason: "plural_changed",
  });
  expect(isCreated).toBe(false);
  expect(window.requests.filter((asked) => asked.startsWith("PUT"))).toEqual([]);
  expect(await activeKeys()).toEqual(["cart.title"]);
});

test.each([FROM, TO])("keeps the old key if the text of %o changes in between", async (name) => {
  let isCreated = false;
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (asked === "POST /keys/sync" && !isCreated) await source("Your basket", name);
    isCreated ||= asked === "POST /keys/sync";
    return answer;
  };
  const window = await shop.open("one", { intercept });
  const kept = { kind: "kept", copied: 0, skipped: [], outdated: [], changed: true };
  expect(await renameAtService(window, FROM, TO)).toEqual(kept);
  expect(await activeKeys()).toContain("cart.title");
});

test("writes over no translation that the new key has already, and keeps the old key with its own", async () => {
  await translate("nl", "Je mandje");
  await translate("fr", "Votre panier");
  await source("Your cart", TO);
  await translate("nl", "Jouw kop", TO);
  const window = await shop.open();
  expect(await renameAtService(window, FROM, TO)).toMatchObject({ kind: "kept", copied: 1, skipped: ["nl"] });
  expect(await translationOf("nl", TO)).toMatchObject({ value: "Jouw kop" });
  expect(await translationOf("nl", FROM)).toMatchObject({ value: "Je mandje" });
  // Once both have the same, the old one is archived.
  await translate("nl", "Jouw kop");
  expect(await renameAtService(window, FROM, TO)).toEqual({ kind: "done", copied: 2 });
});

test.each([
  ["another text", false],
  ["no text", true],
])("leaves an existing key with %s alone", async (_, hasNoText) => {
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (!hasNoText || !asked.startsWith("GET /keys")) return answer;
    const { data, meta } = (await answer.json()) as { data: Key[]; meta: unknown };
    const keys = data.map((key) => (key.namespace === TO.namespace ? { ...key, source: null } : key));
    return Response.json({ data: keys, meta });
  };
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  await source("Something else", TO);
  expect(await renameAtService(window, FROM, TO)).toEqual({ kind: "nothing", reason: "taken" });
  expect(await activeKeys()).toEqual(expect.arrayContaining(["basket.heading", "cart.title"]));
});

test("what was agreed on in each language, the source too, is agreed on under the new name", async () => {
  await translate("nl", "Je mandje");
  const window = await shop.open();
  const { agreedTexts } = window.project;
  const agreed = (name: KeyName) =>
    ["en", "nl", "fr"].map((locale) => agreedTexts.get(locale, keyHash(name)));
  await agreedTexts.store(
    ["en", "nl"].map((locale) => ({ locale, hash: keyHash(FROM), fingerprint: `text in ${locale}` })),
  );
  expect(await renameAtService(window, FROM, TO)).toMatchObject({ kind: "done" });
  expect(agreed(TO)).toEqual(["text in en", "text in nl", undefined]);
});

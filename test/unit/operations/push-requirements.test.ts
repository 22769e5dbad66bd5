/** What a push requires of the local files. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import type { CommandError } from "../../../src/commands/command-types.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import {
  requireSourceTexts,
  suspiciousMapping,
  type SuspiciousMapping,
  suspiciousMappingError,
  suspiciousMappingMessage,
  unreadSourceError,
} from "../../../src/operations/push-requirements.ts";
import { agreeToMapping } from "../../../src/sync/push/key-mapping-check.ts";
import type { LocalEntries } from "../../../src/workspace/local-files/local-entries.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../support/fixture-project.ts";

const TITLE = { namespace: "cart", key: "title", context: null };
const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

test("source texts are known by their number, without reading entries", async () => {
  const { local } = await shop.open();
  await local.load();
  const read = vi.spyOn(local, "entries");
  requireSourceTexts({ ...SPELLING, local });
  expect(read).not.toHaveBeenCalled();
});

test("an empty source file is enough, none is not", async () => {
  const { local } = await shop.open();
  await shop.write("lang/en/cart.php", "<?php\n\nreturn [];\n");
  await local.reload();
  expect(() => requireSourceTexts({ ...SPELLING, local })).not.toThrow();
  local.configure({ files: [], locales: {}, sourceLocale: "en", serviceLocales: [] });
  await local.reload();
  expect(() => requireSourceTexts({ ...SPELLING, local })).toThrow(
    "No translation files of the source language",
  );
});

test("the mapping is not judged by what was read before while the service cannot be reached, and then is", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const keys = await sourceKeys(window);
  const judge = () => {
    const { project, local, refresher } = window;
    const mapped = { project, local, refresher: () => Promise.resolve(refresher), files: [] };
    return suspiciousMapping(mapped, keys, new AbortController().signal);
  };
  expect(await judge()).toBeNull();
  window.goOffline();
  await window.refresher.refresh({ priority: "person" });
  await expect(judge()).rejects.toThrow("Nothing was pushed: the keys of the service could not be read");
});

test("the mapping is judged by the keys that the service has now, not by those that an earlier window stored", async () => {
  const earlier = await shop.open("one", { machine: "here" });
  await earlier.refresher.refresh();
  const window = await shop.open("two", { machine: "here" });
  expect(window.project.keysComplete).toBe(true);
  const names = Array.from({ length: 6 }, (_, number) => ({ namespace: "other", key: `name ${number}` }));
  const keys = names.map((name) => {
    const whole = { ...name, context: null };
    return { hash: keyHash(whole), name: whole, text: { value: name.key }, description: null, path: "a.php" };
  });
  const judge = () => {
    const { project, local, refresher } = window;
    const mapped = { project, local, refresher: () => Promise.resolve(refresher), files: [] };
    return suspiciousMapping(mapped, keys, new AbortController().signal);
  };
  const others = names.map(({ key }) => ({ namespace: "web", key, value: key }));
  await earlier.client.sync({ keys: [...others, ...names.map((name) => ({ ...name, value: name.key }))] });
  expect(await judge()).toBeNull();
  await earlier.client.sync({ keys: [], archive: keys.map(({ hash }) => hash) });
  await window.refresher.refresh({ priority: "person" });
  expect(await judge()).toMatchObject({ kind: "suspicious", known: 0, local: 6 });
});

test("source texts that cannot be read are said; other languages do not count, one source file without texts does", () => {
  const local = (changes: object) => ({
    ...SPELLING,
    local: {
      sourceLocale: "en",
      sizes: [],
      locales: [],
      files: [],
      unreadableFolders: [],
      entries: () => new Map(),
      ...changes,
    } as unknown as LocalEntries,
  });
  const failureOf = (changes: object) => {
    try {
      requireSourceTexts(local(changes));
      return null;
    } catch (error) {
      const { code, message, details } = error as CommandError;
      return [code, message, details.reason];
    }
  };
  const none = [
    "invalid",
    "No translation files of the source language (en) were found. Set “files” in project-translations.json.",
    "no_source_files",
  ];
  expect(failureOf({})).toEqual(none);
  expect(failureOf({ sizes: [{ locale: "nl", texts: 9 }], locales: ["nl"] })).toEqual(none);
  expect(failureOf({ sizes: [{ locale: "en", texts: 0 }], locales: ["en"] })).toBeNull();
  expect(failureOf({ sizes: [{ locale: "en", texts: 1 }] })).toBeNull();
  // Texts that only files of other languages have.
  expect(failureOf({ entries: () => new Map([["hash", {}]]) })).toBeNull();
  const broken = { code: "syntax", path: "en.json", line: 3, column: 5, name: null };
  const files = [{ locales: new Set(["en"]), problems: [broken] }];
  const misread = [
    "invalid",
    "en.json:3:5: an error; the file may be misread from here on.",
    "unread_source",
  ];
  expect(failureOf({ files, locales: ["en"] })).toEqual(misread);
  expect(failureOf({ files, locales: ["en"], sizes: [{ locale: "en", texts: 0 }] })).toEqual(misread);
});

test("a mapping that looks wrong is said with its numbers, and without a prompt with what to do", () => {
  const mapping = { kind: "suspicious", known: 2, local: 1_200 } as SuspiciousMapping;
  const message = "The key mapping looks wrong: the service knows 2 of 1,200 local keys.";
  expect(suspiciousMappingMessage(mapping)).toBe(message);
  const error = suspiciousMappingError(mapping);
  expect([error.code, error.message, error.details]).toEqual([
    "invalid",
    `${message} Correct “files” in project-translations.json, or push once manually.`,
    { reason: "mapping" },
  ]);
  const unread = unreadSourceError("Nothing was pushed.", [{ ...TITLE, field: "value", messages: [] }]);
  expect(unread).toMatchObject({
    code: "invalid",
    message: "Nothing was pushed.",
    details: { reason: "unread_source", items: [TITLE] },
  });
});

test("keys that the service could not give are no reason to push, and the failure is why they could not be read", async () => {
  const window = await shop.open();
  const { project, local } = window;
  const { signal } = new AbortController();
  const asked: unknown[] = [];
  const judge = (freshness: object, keys: readonly { readonly hash: string }[] = []) => {
    const refresh = (options: unknown) => {
      asked.push(options);
      project.setStats(project.stats, freshness as never);
      return Promise.resolve();
    };
    const refresher = () => Promise.resolve({ refresh } as never);
    return suspiciousMapping({ project, local, refresher, files: [] }, keys, signal);
  };
  const error = new ApiError("rate_limited", "words");
  await expect(judge({ kind: "offline", at: null, error })).rejects.toMatchObject({
    code: "rate_limited",
    message:
      "Nothing was pushed: the keys of the service could not be read, so the key mapping cannot be checked. Too many requests to the service. Try again in a minute.",
  });
  await expect(judge({ kind: "stored", at: null })).rejects.toMatchObject({
    code: "bad_response",
    message: expect.stringContaining("cannot be checked. The answer could not be read."),
  });
  // The statistics alone, which a refresh reads first, say nothing of the keys.
  asked.length = 0;
  const keys = Array.from({ length: 5 }, (_, at) => ({ hash: String(at) }));
  for (const _ of [1, 2])
    await expect(judge({ kind: "fresh", at: 1 }, keys)).rejects.toMatchObject({ code: "bad_response" });
  expect(asked).toEqual([1, 2].map(() => ({ priority: "person", signal })));
});

test("a mapping that was agreed to is not judged again, one that changed since is", async () => {
  const { project, local } = await shop.open();
  const files = [{ path: "lang/{locale}.json", format: "laravel_json" }] as const;
  agreeToMapping(project, files);
  let refreshes = 0;
  const refresher = () => {
    refreshes++;
    return Promise.reject(new Error("asked"));
  };
  const { signal } = new AbortController();
  expect(await suspiciousMapping({ project, local, refresher, files }, [], signal)).toBeNull();
  expect(refreshes).toBe(0);
  const others = [{ ...files[0], path: "texts/{locale}.json" }];
  await expect(suspiciousMapping({ project, local, refresher, files: others }, [], signal)).rejects.toThrow(
    "asked",
  );
});

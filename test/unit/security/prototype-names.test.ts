/**
 * Keys named like JavaScript built-ins (`__proto__`, `constructor`) are ordinary keys in every format, at the
 * service, and in search and index.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setTranslation } from "../../../src/sync/edit/send-translations.ts";
import { FORMATS } from "../../../src/formats/supported-formats.ts";
import {
  editTranslationFile,
  isUnreadable,
  printTranslationFile,
  readTranslationFile,
} from "../../../src/formats/parse-and-edit-file.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { createLocaleMap } from "../../../src/model/locales.ts";
import { planPull } from "../../../src/sync/pull/pull-plan.ts";
import { sendPush } from "../../../src/sync/push/send-push.ts";
import { planPush } from "../../../src/sync/push/push-plan.ts";
import { renameAtService } from "../../../src/sync/rename-at-service.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../support/fixture-project.ts";
import { createKeyNames } from "../support/key-database.ts";
import { writePull } from "../../../src/sync/pull/write-pull.ts";

const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "__defineGetter__",
  "then",
  "length",
];
const OPTIONS = { locale: "nl", sourceLocale: "en" };

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(typeof {}.toString).toBe("function");
});

describe.each(FORMATS.map((format) => [format.name, format] as const))("%s", (name, format) => {
  // Of nested names the parts are members of objects too.
  const nested = ["a.__proto__.polluted", "constructor2.prototype.polluted"];
  const keys = ["laravel_php", "json_js", "js_module"].includes(name) ? [...NAMES, ...nested] : NAMES;
  // An MO file is sorted by its own rule.
  const inOrder = (given: readonly string[]) => (name === "mo" ? given.toSorted() : given);
  // A template holds no translations.
  const holds = (key: string, text: string) =>
    name === "pot" ? { key, value: undefined } : { key, value: text };

  test("prints, reads, changes and removes hostile names", async () => {
    const entries = keys.map((key) => ({
      key,
      context: null,
      namespace: null,
      locale: null,
      text: { value: `text of ${key}` },
    }));
    const printed = await printTranslationFile(format, entries, OPTIONS);
    const shown = async (bytes: Uint8Array) => {
      const read = await readTranslationFile(format, bytes, OPTIONS);
      if (isUnreadable(read)) throw new Error("no text");
      expect(read.problems).toEqual([]);
      return [...read.entries].map(({ key, text }) => holds(key, "value" in text ? text.value : ""));
    };
    expect(await shown(printed)).toEqual(inOrder(keys).map((key) => holds(key, `text of ${key}`)));

    if (format.kind !== "text") return;
    let bytes = printed;
    for (const { text: _, ...entry } of entries) {
      const edited = await editTranslationFile(
        format,
        bytes,
        [{ ...entry, text: { value: `new ${entry.key}` } }],
        OPTIONS,
      );
      if (isUnreadable(edited)) throw new Error("no text");
      if (name !== "pot") expect(edited.refused, entry.key).toEqual([]);
      bytes = edited.bytes;
    }
    expect(await shown(bytes)).toEqual(inOrder(keys).map((key) => holds(key, `new ${key}`)));

    const kept = entries.at(-1)?.key;
    for (const { text: _, ...entry } of entries.slice(0, -1)) {
      const edited = await editTranslationFile(format, bytes, [{ ...entry, text: null }], OPTIONS);
      if (isUnreadable(edited)) throw new Error("no text");
      bytes = edited.bytes;
    }
    expect((await shown(bytes)).map(({ key }) => key)).toEqual([kept]);
  });
});

test("finds them as keys, namespaces and contexts", () => {
  const all = NAMES.flatMap((key) =>
    NAMES.flatMap((namespace) =>
      [null, "__proto__"].map((context) => ({
        namespace,
        key,
        context,
        hash: keyHash({ namespace, key, context }),
      })),
    ),
  );
  const names = createKeyNames(all.map((each) => ({ ...each, isPlural: false })));
  for (const { namespace, key, context, hash } of all)
    expect(names.get(namespace, key, context)?.hash).toBe(hash);
  expect(names.get("__proto__", "polluted")).toBeUndefined();
  expect(names.get("toLocaleString", "toString")).toBeUndefined();
  expect(names.hasNamespace("toLocaleString")).toBe(false);
});

describe("at the service", () => {
  let shop: FixtureProject;
  beforeEach(async () => {
    shop = await openFixtureProject();
    const own = NAMES.map((name) => `  '${name}' => 'text of ${name}',\n`).join("");
    for (const group of ["__proto__", "constructor"])
      await shop.write(`lang/en/${group}.php`, `<?php\n\nreturn [\n${own}];\n`);
  });
  afterEach(() => shop.close());

  test("pushes, reads, translates, pulls and renames them", { timeout: 60_000 }, async () => {
    const window = await shop.open();
    await window.refresher.refresh();
    const plan = await planPush(window, await sourceKeys(window));
    const done = await sendPush(window, plan.items, []);
    expect(done.result.rejected).toEqual([]);
    await window.refresher.refresh();
    for (const namespace of ["__proto__", "constructor"]) {
      for (const key of NAMES) {
        const name = { namespace, key, context: null };
        const hash = keyHash(name);
        expect(window.project.keys.get(hash)?.text, key).toEqual({ value: `text of ${key}` });
        const outcome = await setTranslation(window, "nl", { name, text: { value: `tekst van ${key}` } });
        expect(outcome.kind, key).toBe("done");
        expect(window.project.translation("nl", hash)?.text, key).toEqual({ value: `tekst van ${key}` });
      }
    }
    const needs = {
      ...window,
      locationOptions: {
        file: window.file,
        entries: window.file.files ?? [],
        locales: new Set(["en", "nl"]),
        localeMap: createLocaleMap({}, ["en", "nl"], ["en", "nl"]),
      },
    };
    const pull = await planPull(needs, { profile: "app", locales: ["nl"], missing: undefined });
    if (pull.kind !== "planned") throw new Error(pull.kind);
    expect(await writePull(needs, pull.plan)).toEqual({ kind: "written" });
    for (const key of NAMES)
      expect(await shop.read("lang/nl/__proto__.php")).toContain(`'${key}' => 'tekst van ${key}'`);

    const from = { namespace: "__proto__", key: "toString", context: null };
    const to = { namespace: "valueOf", key: "hasOwnProperty.__proto__", context: null };
    expect((await renameAtService(window, from, to)).kind).toBe("done");
    await window.refresher.refresh();
    expect(window.project.keys.get(keyHash(to))?.text).toEqual({ value: "text of toString" });
    expect(window.project.keys.has(keyHash(from))).toBe(false);
  });
});

/** Pulls files of each format from a real local service with a given export. */
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { textFingerprint } from "../../../../src/model/agreed-text.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { createLocaleMap } from "../../../../src/model/locales.ts";
import type { FilesEntry, ProjectFile } from "../../../../src/workspace/project-file/project-file.ts";
import {
  planPull,
  problemsOf,
  type PullDependencies,
  type PullPlan,
} from "../../../../src/sync/pull/pull-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../../support/fixture-project.ts";
import type { TestWindow } from "../../support/test-window.ts";
import { AppliedExports } from "../../../../src/sync/pull/applied-exports.ts";
import { writePull } from "../../../../src/sync/pull/write-pull.ts";

const LOCALES = ["en", "nl", "fr"];
const REQUEST = { profile: "app", locales: [], missing: undefined };

let shop: FixtureProject;
let window: TestWindow;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

/** A window on these files, by the layout. */
async function open(
  files: FilesEntry[],
  texts: Readonly<Record<string, string>>,
  locales: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [path, text] of Object.entries(texts)) await shop.write(path, text);
  window = await shop.open("one", { file: { files, locales } });
  await window.refresher.refresh();
  await window.local.load();
}

/** Plans and writes a pull of that export. */
async function pull(file: ProjectFile, name: string, text: string): Promise<PullPlan> {
  const bytes = new TextEncoder().encode(text);
  const named = Object.entries(file.locales ?? {});
  const inFiles = LOCALES.map((locale) => named.find(([, service]) => service === locale)?.[0] ?? locale);
  const needs: PullDependencies = {
    ...window,
    locationOptions: {
      file,
      entries: file.files ?? [],
      locales: new Set(LOCALES),
      localeMap: createLocaleMap(file.locales ?? {}, LOCALES, inFiles),
    },
    client: {
      ...window.client,
      export: async () => ({ kind: "file", bytes, etag: '"x"', fileName: name, mediaType: "text/plain" }),
    },
  };
  const outcome = await planPull(needs, REQUEST);
  if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
  expect(await writePull(needs, outcome.plan)).toEqual({ kind: "written" });
  return outcome.plan;
}

test("gettext: clears the fuzzy flag of translated entries and keeps it for outdated ones", async () => {
  const files: FilesEntry[] = [
    { path: "po/app.pot", format: "pot" },
    { path: "po/{locale}.po", format: "po" },
  ];
  const head = `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n`;
  const message = (id: string, text: string, flags = ""): string =>
    `${flags}msgid "${id}"\nmsgstr "${text}"\n\n`;
  const all = (flags: readonly string[]): string =>
    head + ["Same", "Old", "Marked"].map((id, at) => message(id, `${id} nl`, flags[at])).join("");
  await open(files, {
    "po/app.pot": head + ["Same", "Old", "Marked"].map((id) => message(id, "")).join(""),
    "po/nl.po": all(Array<string>(3).fill("#, fuzzy\n")),
  });
  const keys = await sourceKeys(window);
  await sendPush(window, (await planPush(window, keys)).items, []);
  const names = keys.map(({ name }) => name);
  await setTranslations(
    window,
    "nl",
    names.map((name) => ({ name, text: { value: `${name.key} nl` } })),
    "overwrite",
  );
  const changed = keys.map((key) => (key.name.key === "Old" ? { ...key, text: { value: "Older" } } : key));
  await sendPush(window, (await planPush(window, changed)).items, []);
  await window.refresher.refresh();
  const old = keys.find(({ name }) => name.key === "Old")?.hash ?? "";
  expect(window.project.translation("nl", old)?.isOutdated).toBe(true);
  const { files: planned } = await pull({ files }, "nl.po", all(["", "", "#, fuzzy\n"]));
  expect(planned).toMatchObject([{ path: "po/nl.po", change: "updated", texts: 1 }]);
  expect(await shop.read("po/nl.po")).toBe(all(["", "#, fuzzy\n", "#, fuzzy\n"]));
});

test("follows the source file and then the export where a local file shows no style", async () => {
  const files: FilesEntry[] = [{ path: "l/{locale}.json", format: "json_js" }];
  const source = `{ "x.y": "1" }\n`;
  await open(files, { "l/en.json": source, "l/nl.json": `{\n  "z": "0"\n}\n` });
  const exported = `{ "z": "0", "x": { "y": "2" }, "n": "{{count}} ding", "n_plural": "{{count}} dingen" }`;
  await pull({ files }, "nl.json", exported);
  // Flat as the source, and plural in the way of the export.
  expect(await shop.read("l/nl.json")).toBe(
    `{\n  "z": "0",\n  "x.y": "2",\n  "n": "{{count}} ding",\n  "n_plural": "{{count}} dingen"\n}\n`,
  );
});

test("XLIFF: adds new keys to the existing file if the layout determines the namespace", async () => {
  const files: FilesEntry[] = [
    { path: "t/{namespace}.{locale}.xlf", format: "xliff12", namespace: "{namespace}" },
  ];
  const unit = (key: string): string =>
    `<trans-unit id="${key}"><source>${key}</source><target>${key} nl</target></trans-unit>\n`;
  const document = (original: string, ...keys: string[]): string =>
    `<xliff version="1.2"><file original="${original}" source-language="en" target-language="nl"><body>\n${keys.map(unit).join("")}</body></file></xliff>\n`;
  await open(files, { "t/messages.nl.xlf": document("file.ext", "a") });
  // As it was read before somebody changed it.
  await window.client.sync({ keys: [{ namespace: "messages", key: "b", value: "before" }] });
  await window.refresher.refresh();
  await pull({ files }, "messages.nl.xlf", document("messages", "a", "b"));
  expect(await shop.read("t/messages.nl.xlf")).toMatch(
    /^[^]*<file original="file.ext"[^]*id="b"[^]*<source>b<[^]*<\/xliff>\n$/u,
  );
  expect((await shop.read("t/messages.nl.xlf")).match(/<file /gu)).toHaveLength(1);
});

test("adds a column to a sheet for each exported language with texts, once", async () => {
  const files: FilesEntry[] = [{ path: "texts.csv", format: "csv" }];
  await open(files, { "texts.csv": "namespace,key,en\nmenu,home,Home\nmenu,help,Help\n" });
  const exported = "namespace,key,en,nl,fr\nmenu,home,Home,Thuis,\nmenu,help,Help,Hulp,\n";
  const plan = await pull({ files }, "texts.csv", exported);
  expect(problemsOf(plan)).toEqual([]);
  expect(await shop.read("texts.csv")).toBe(
    "namespace,key,en,nl\nmenu,home,Home,Thuis\nmenu,help,Help,Hulp\n",
  );
  expect(window.project.personal.get("pulls", v.unknown())).not.toBeNull();
});

test("keeps a sheet's own locale names", async () => {
  const files: FilesEntry[] = [{ path: "texts.csv", format: "csv" }];
  const locales = { nl_NL: "nl" };
  const sheet = "namespace,key,en,nl_NL\nmenu,home,Home,Thuis\nmenu,help,Help,Hulp\n";
  await open(files, { "texts.csv": sheet }, locales);
  const exported = "namespace,key,en,nl\nmenu,home,Home,Huis\nmenu,help,Help,Hulp\nmenu,new,New,Nieuw\n";
  const plan = await pull({ files, locales }, "texts.csv", exported);
  expect(problemsOf(plan)).toEqual([]);
  expect(await shop.read("texts.csv")).toBe(
    "namespace,key,en,nl_NL\nmenu,home,Home,Huis\nmenu,help,Help,Hulp\nmenu,new,New,Nieuw\n",
  );
  // What is agreed has the service's name of the language.
  const agreed = (locale: string): readonly unknown[] =>
    ["home", "help", "new"].map((key) => {
      const hash = keyHash({ namespace: "menu", key, context: null });
      return window.project.agreedTexts.get(locale, hash);
    });
  expect(agreed("nl")).toEqual(["Huis", "Hulp", "Nieuw"].map((value) => textFingerprint({ value })));
  expect(agreed("nl_NL")).toEqual([undefined, undefined, undefined]);
});

test("gettext: does not mark an unknown key as fuzzy", async () => {
  const files: FilesEntry[] = [{ path: "{locale}.po", format: "po" }];
  const head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n';
  await open(files, { "nl.po": `${head}\nmsgid "Save"\nmsgstr ""\n` });
  await pull({ files }, "nl.po", `${head}\nmsgid "Save"\nmsgstr "Opslaan"\n`);
  expect(await shop.read("nl.po")).toBe(`${head}\nmsgid "Save"\nmsgstr "Opslaan"\n`);
});

test("reports a language without a column once, and keeps no ETag of what was not applied", async () => {
  const files: FilesEntry[] = [{ path: "texts.csv", format: "csv" }];
  const sheet = "key,en\nhome,Home,a remark\nhelp,Help,another\n";
  await open(files, { "texts.csv": sheet });
  const exported = "key,en,nl\nhome,Home,Thuis\nhelp,Help,Hulp\n";
  const plan = await pull({ files }, "texts.csv", exported);
  expect(problemsOf(plan)).toEqual([{ kind: "language", path: "texts.csv", locale: "nl" }]);
  expect(await shop.read("texts.csv")).toBe(sheet);
  const place = { file: { files }, entries: files };
  const remembered = new AppliedExports(window.project.personal, place);
  expect(await remembered.findEtag(REQUEST, window.files, false)).toBeNull();
});

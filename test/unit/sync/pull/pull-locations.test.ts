/** Which local files a pull may change or create, and what it refuses, against a real local service. */
import { zipSync } from "fflate";
import { afterEach, describe, expect, test } from "vitest";
import { createLocaleMap } from "../../../../src/model/locales.ts";
import { FORMATS } from "../../../../src/formats/supported-formats.ts";
import { AppliedExports, type PullRequest } from "../../../../src/sync/pull/applied-exports.ts";
import {
  planPull,
  problemsOf,
  type PullDependencies,
  type PullPlan,
} from "../../../../src/sync/pull/pull-plan.ts";
import { undoPull, writePull } from "../../../../src/sync/pull/write-pull.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import type { FilesEntry, ProjectFile } from "../../../../src/workspace/project-file/project-file.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../../support/fixture-project.ts";
import type { TestWindow } from "../../support/test-window.ts";

const PHP: FilesEntry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" };
const REQUEST: PullRequest = { profile: "app", locales: [], missing: undefined };

let shop: FixtureProject;
let window: TestWindow;
afterEach(() => shop.close());

/** Opens the app with an export profile. */
async function open(profile: object = {}, files: readonly FilesEntry[] = [PHP]): Promise<void> {
  const app = { key: "app", name: "App", format: "laravel_php", path: PHP.path, locales: null };
  const other = { ...app, key: "other", name: "Other", locales: ["en"], missing: "omit" };
  shop = await openFixtureProject({ exportProfiles: [other, { ...app, missing: "omit", ...profile }] });
  window = await shop.open("one", { file: { files: [...files] } });
  await window.refresher.refresh();
}

async function translateTitle(locale = "nl", value = "Je winkelmandje"): Promise<void> {
  const name = { namespace: "cart", key: "title", context: null };
  await setTranslations(window, locale, [{ name, text: { value } }], "overwrite");
}

async function push(): Promise<void> {
  const plan = await planPush(window, await sourceKeys(window));
  await sendPush(window, plan.items, []);
  await window.refresher.refresh();
}

const needs = (file: ProjectFile["pull"] = {}, files: readonly FilesEntry[] = [PHP]): PullDependencies => ({
  ...window,
  locationOptions: {
    file: { pull: file },
    entries: files,
    locales: new Set(["en", "nl", "fr"]),
    localeMap: createLocaleMap({}, ["en", "nl", "fr"], ["en", "nl"]),
  },
});

async function planned(dependencies = needs(), request = REQUEST, quiet = false): Promise<PullPlan> {
  const outcome = await planPull(dependencies, request, { quiet });
  if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
  return outcome.plan;
}

const changes = (plan: PullPlan): unknown => plan.files.map(({ path, change }) => [path, change]);

/** An export of one file. */
const answering = (
  fileName: string,
  text: string | Uint8Array<ArrayBuffer>,
  ...args: Parameters<typeof needs>
): PullDependencies => ({
  ...needs(...args),
  client: {
    ...window.client,
    export: async () => ({
      kind: "file",
      bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
      etag: '"x"',
      fileName,
      mediaType: "text/html",
    }),
  },
});

const keepsEtag = async ({ locationOptions }: PullDependencies): Promise<boolean> => {
  const applied = new AppliedExports(window.project.personal, locationOptions);
  return (await applied.findEtag(REQUEST, window.files, false)) !== null;
};

describe("an export of several files", () => {
  const PHP_TEXT = "<?php return ['title' => 'Tas'];";
  const zipOf = (...paths: readonly string[]) =>
    new Uint8Array(
      zipSync(Object.fromEntries(paths.map((path) => [path, new TextEncoder().encode(PHP_TEXT)]))),
    );

  test("names the one whose place cannot be read, pulls the others, and keeps no ETag", async () => {
    await open();
    await shop.remove("lang/nl/cart.php");
    await shop.write("lang/nl/cart.php/file.txt", "");
    const dependencies = answering("lang.zip", zipOf("lang/nl/cart.php", "lang/fr/cart.php"));
    const plan = await planned(dependencies);
    expect(problemsOf(plan)).toMatchObject([
      { kind: "unreadable", path: "lang/nl/cart.php", why: "not_a_file" },
    ]);
    expect(changes(plan)).toEqual([["lang/fr/cart.php", "created"]]);
    await writePull(dependencies, plan);
    expect(await shop.read("lang/fr/cart.php")).toBe(PHP_TEXT);
    expect(await keepsEtag(dependencies)).toBe(false);
  });

  test("is planned in the order of the paths, those without a language as of the profile's only one", async () => {
    await open({ locales: ["nl"] });
    const dependencies = answering("lang.zip", zipOf("shop.php", "lang/fr/cart.php"));
    const plan = await planned(dependencies);
    expect(problemsOf(plan)).toEqual([]);
    const created = { change: "created", texts: 1, added: 1 };
    expect(plan.files).toMatchObject([
      { ...created, path: "lang/fr/cart.php", locale: "fr" },
      { ...created, path: "lang/nl/shop.php", locale: "nl" },
    ]);
    await writePull(dependencies, plan);
    // Each new file is taken away again, and what fails is said after the others.
    const tried: string[] = [];
    const remove = async (path: string): Promise<void> => {
      tried.push(path);
      if (path.includes("nl")) throw new Error("EPERM");
      await shop.remove(path);
    };
    await expect(undoPull(dependencies, plan, remove)).rejects.toThrow("EPERM");
    expect(tried).toEqual(["lang/fr/cart.php", "lang/nl/shop.php"]);
    await expect(shop.read("lang/fr/cart.php")).rejects.toThrow("ENOENT");
    expect(await shop.read("lang/nl/shop.php")).toBe(PHP_TEXT);
  });

  test("is not read any more after the pull was cancelled", async () => {
    await open();
    const leaving = new AbortController();
    const zip = answering("lang.zip", zipOf("lang/fr/cart.php"));
    const client: typeof zip.client = {
      ...zip.client,
      export: async (...given) => {
        leaving.abort(new Error("left"));
        return zip.client.export(...given);
      },
    };
    const options = { signal: leaving.signal };
    await expect(planPull({ ...zip, client }, REQUEST, options)).rejects.toThrow("left");
  });
});

describe("an export of one file", () => {
  test("belongs to the one language of the profile", async () => {
    await open({ locales: ["nl"] });
    await push();
    await translateTitle();
    const plan = await planned();
    expect(changes(plan)).toEqual([["lang/nl/cart.php", "updated"]]);
    await writePull(needs(), plan);
    expect(await shop.read("lang/nl/cart.php")).toContain("Je winkelmandje");
    await expect(shop.read("cart.php")).rejects.toThrow("ENOENT");
  });

  test.each([
    ["the profile sends", undefined, "omit"],
    ["was requested", "omit", "fallback"],
  ] as const)("belongs to the only language with texts, as %s", async (_, missing, ofProfile) => {
    await open({ missing: ofProfile });
    await push();
    await translateTitle("fr", "Votre panier");
    const plan = await planned(needs(), { ...REQUEST, locales: ["nl", "fr"], missing });
    expect(problemsOf(plan)).toEqual([]);
    expect(changes(plan)).toEqual([["lang/fr/cart.php", "created"]]);
  });

  test("is not applied if its language is unknown, nor is its ETag kept", async () => {
    await open();
    const plan = await planned(answering("cart.php", "<?php return ['title' => 'x'];"));
    expect(changes(plan)).toEqual([["lang/en/cart.php", "unchanged"]]);
    const zip = answering("cart.php", "<?php return ['title' => 'x'];");
    const differing: PullDependencies = {
      ...zip,
      client: {
        ...zip.client,
        export: async (profile, query) => {
          const answer = await zip.client.export(profile, query);
          const isAlone = query?.locales?.length === 1;
          return isAlone && answer.kind === "file" ? { ...answer, bytes: new Uint8Array([1]) } : answer;
        },
      },
    };
    const unknown = await planned(differing);
    expect(problemsOf(unknown)).toEqual([{ kind: "unmapped", path: "cart.php", why: "language" }]);
    expect(await writePull(differing, unknown)).toEqual({ kind: "written" });
    expect(await keepsEtag(differing)).toBe(false);
  });
});

describe("a file that matches no layout", () => {
  const JSON_FILES: FilesEntry = { path: "locales/{locale}/{namespace}.json", format: "json_js" };
  const MANIFEST = `{"name": "shop", "scripts": {"build": "make"}}\n`;

  test("never changes an existing file, such as the manifest of the app", async () => {
    await open({}, [JSON_FILES]);
    await shop.write("package.json", MANIFEST);
    const exported = `{"scripts": {"build": "Bouwen"}}`;
    for (const pull of [{}, { into: "." }]) {
      const dependencies = answering("package.json", exported, pull, [
        { ...JSON_FILES, path: "l/{locale}.json" },
      ]);
      const plan = await planned(dependencies);
      expect(plan.files).toEqual([]);
      expect(problemsOf(plan)).toMatchObject([{ kind: "unmapped", path: "package.json" }]);
      await writePull(dependencies, plan);
      expect(await shop.read("package.json")).toBe(MANIFEST);
      expect(await keepsEtag(dependencies)).toBe(false);
    }
  });

  test("is created only with `pull.into`", async () => {
    await open({}, [JSON_FILES]);
    const layout = [{ ...JSON_FILES, path: "l/{locale}.json" }];
    const without = await planned(answering("texts.json", `{"a": "A"}`, {}, layout));
    expect(problemsOf(without)).toEqual([{ kind: "unmapped", path: "texts.json", why: "layout" }]);
    const dependencies = answering("texts.json", `{"a": "A"}`, { into: "out" }, layout);
    const plan = await planned(dependencies);
    expect(changes(plan)).toEqual([["out/texts.json", "created"]]);
    await writePull(dependencies, plan);
    expect(await shop.read("out/texts.json")).toBe(`{"a": "A"}`);
    expect(await keepsEtag(dependencies)).toBe(true);
    const same = await planPull(dependencies, REQUEST, { ignoreEtag: true });
    if (same.kind !== "planned") throw new Error(same.kind);
    expect([problemsOf(same.plan), changes(same.plan)]).toEqual([[], [["out/texts.json", "unchanged"]]]);
    const next = answering("texts.json", `{"a": "B"}`, { into: "out" }, layout);
    const again = await planPull(next, REQUEST, { ignoreEtag: true });
    if (again.kind !== "planned") throw new Error(again.kind);
    expect(problemsOf(again.plan)).toEqual([{ kind: "unmapped", path: "out/texts.json", why: "exists" }]);
  });
});

describe("what the service sent that is no file of its format", () => {
  const HTML = `<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><p>Wi-Fi</p></body></html>\n`;

  test.each(FORMATS.map(({ name }) => name))("creates and changes no file: %s", async (format) => {
    const extension = format === "xliff12" || format === "xliff20" ? "xlf" : "txt";
    const files: FilesEntry[] = [{ path: `new/{locale}.${extension}`, format }];
    await open({}, files);
    for (const sent of [HTML, ""]) {
      const dependencies = answering(`nl.${extension}`, sent, {}, files);
      const plan = await planned(dependencies);
      expect(plan.files).toEqual([]);
      expect(problemsOf(plan)).toMatchObject([
        { kind: "unreadable", path: `new/nl.${extension}`, why: "theirs" },
      ]);
      await writePull(dependencies, plan);
      await expect(shop.read(`new/nl.${extension}`)).rejects.toThrow("ENOENT");
      expect(await keepsEtag(dependencies)).toBe(false);
    }
  });

  test("keeps no ETag either where it would change nothing", async () => {
    const files: FilesEntry[] = [{ path: "x/{locale}.xlf", format: "xliff12" }];
    await open({}, files);
    const xliff = `<xliff version="1.2"><file original="f" source-language="en" target-language="nl"><body><trans-unit id="a"><source>A</source><target>Aa</target></trans-unit></body></file></xliff>`;
    await shop.write("x/nl.xlf", xliff);
    const dependencies = answering("nl.xlf", HTML, {}, files);
    const plan = await planned(dependencies);
    expect(problemsOf(plan)).toMatchObject([{ why: "theirs" }]);
    await writePull(dependencies, plan);
    expect(await keepsEtag(dependencies)).toBe(false);
  });
});

test("without a prompt, replaces no file that cannot be read", async () => {
  await open();
  await push();
  await translateTitle();
  await shop.write("lang/nl/cart.php", "<?php return [\n<<<<<<< HEAD\n'title' => 'Mijn',\n];");
  const request = { ...REQUEST, locales: ["nl"] };
  const shown = await planned(needs({ layout: "service" }), request);
  expect(shown.files).toMatchObject([{ change: "updated", isUnparsed: true }]);
  const quiet = await planned(needs({ layout: "service" }), request, true);
  expect(quiet.files).toEqual([]);
  expect(problemsOf(quiet)).toMatchObject([{ kind: "unreadable", path: "lang/nl/cart.php", why: "syntax" }]);
});

test("undoes a pull of which a created file is gone, and one that was interrupted", async () => {
  await open();
  await push();
  await translateTitle();
  await translateTitle("fr", "Votre panier");
  const before = await shop.read("lang/nl/cart.php");
  const plan = await planned(needs(), { ...REQUEST, locales: ["nl", "fr"] });
  await writePull(needs(), plan);
  await shop.remove("lang/fr/cart.php");
  const vanished = async (path: string): Promise<void> => shop.remove(path);
  expect(await undoPull(needs(), plan, vanished)).toEqual({ kind: "written" });
  expect(await shop.read("lang/nl/cart.php")).toBe(before);

  await writePull(needs(), plan);
  const locked = (): Promise<void> => Promise.reject(new Error("EPERM"));
  await expect(undoPull(needs(), plan, locked)).rejects.toThrow("EPERM");
  expect(await shop.read("lang/nl/cart.php")).toBe(before);
  expect(await undoPull(needs(), plan, vanished)).toEqual({ kind: "written" });
  await expect(shop.read("lang/fr/cart.php")).rejects.toThrow("ENOENT");
});

test("undoes nothing while a file of the pull is being edited", async () => {
  await open();
  await push();
  await translateTitle();
  const before = await shop.read("lang/nl/cart.php");
  const plan = await planned();
  await writePull(needs(), plan);
  const pulled = await shop.read("lang/nl/cart.php");
  // An editor has the file open with the text of the disk, but not saved.
  const read: typeof window.files.read = async (path, known) => {
    const now = await window.files.read(path, known);
    return now.kind === "read" ? { ...now, dirty: true } : now;
  };
  const remove = (path: string): Promise<void> => shop.remove(path);
  const edited = { ...needs(), files: { ...window.files, read } };
  expect(await undoPull(edited, plan, remove)).toEqual({ kind: "changed", paths: ["lang/nl/cart.php"] });
  expect(await shop.read("lang/nl/cart.php")).toBe(pulled);
  expect(await undoPull(needs(), plan, remove)).toEqual({ kind: "written" });
  expect(await shop.read("lang/nl/cart.php")).toBe(before);
});

test("a text that is the source's is a translation where missing ones are left out or empty", async () => {
  await open();
  await push();
  const dependencies = answering("cart.php", "<?php return ['title' => 'Your cart'];");
  const title = async (missing: PullRequest["missing"]): Promise<string | undefined> => {
    const { files } = await planned(dependencies, { ...REQUEST, locales: ["nl"], missing });
    return /'title' *=> '(.*)'/u.exec(new TextDecoder().decode(files[0]?.after))?.[1];
  };
  expect([await title("omit"), await title("empty")]).toEqual(["Your cart", "Your cart"]);
  expect([await title("fallback"), await title(undefined)]).toEqual(["Je mandje", "Je mandje"]);
});

test("puts no text of another language, which the profile sends, over one that only the file has", async () => {
  await open({ missing: "fallback" });
  await push();
  const plan = await planned(needs(), { ...REQUEST, locales: ["nl"] });
  await writePull(needs(), plan);
  const text = await shop.read("lang/nl/cart.php");
  expect([text.includes("Je mandje"), text.includes("Your cart")]).toEqual([true, false]);
});

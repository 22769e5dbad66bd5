/** Pulls into unreadable files of every format: they stay unchanged, and the position of the error is reported. */
import { formatInfoOf, type FormatName } from "../../../../src/model/file-formats.ts";
import { zipSync } from "fflate";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NewEntry } from "../../../../src/formats/format.ts";
import { FORMATS, formatOf } from "../../../../src/formats/supported-formats.ts";
import { printTranslationFile } from "../../../../src/formats/parse-and-edit-file.ts";
import { createLocaleMap } from "../../../../src/model/locales.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import {
  planPull,
  problemsOf,
  type PullDependencies,
  type PullPlan,
} from "../../../../src/sync/pull/pull-plan.ts";
import { openFixtureProject, type FixtureProject } from "../../support/fixture-project.ts";
import type { TestWindow } from "../../support/test-window.ts";
import { writePull } from "../../../../src/sync/pull/write-pull.ts";

/** Where a file of each format lies, with a whole one beside it. */
const PATHS: Readonly<Record<FormatName, string>> = {
  laravel_php: "lang/{locale}/{}.php",
  laravel_json: "app-{}/lang/{locale}.json",
  json_js: "locales/{locale}/{}.json",
  js_module: "modules/{locale}/{}.ts",
  po: "po/{}-{locale}.po",
  pot: "pot/{}.pot",
  mo: "mo/{}-{locale}.mo",
  wordpress_php: "wp/{}-{locale}.l10n.php",
  wordpress_jed: "jed/{}-{locale}-0123456789abcdef0123456789abcdef.json",
  csv: "sheets/{}.csv",
  xlsx: "sheets/{}.xlsx",
  xliff12: "xliff/{}.{locale}.xlf",
  xliff20: "xliff2/{}.{locale}.xlf",
};
const pathOf = (format: FormatName, name: string): string =>
  PATHS[format].replace("{}", name).replace("{locale}", "nl");
const FILES: FilesEntry[] = FORMATS.flatMap(({ name: format }) =>
  ["bad", "good"].map((name) => {
    return { path: PATHS[format].replace("{}", name), format, namespace: `${format}-${name}` };
  }),
);

/** The file on disk says `a` and `b`, the service's another `b`. */
async function fileOf(format: FormatName, b: string, more: readonly string[] = []): Promise<Uint8Array> {
  const own = formatOf(format);
  if (own === undefined) throw new Error(format);
  const entry = (key: string, value: string): NewEntry => {
    const locale = formatInfoOf(format)?.ownLocales === true ? "nl" : null;
    return { key, context: null, namespace: null, locale, text: { value }, source: { value: key } };
  };
  return printTranslationFile(
    own,
    [entry("a", "een"), entry("b", b), ...more.map((key) => entry(key, key))],
    { locale: "nl", sourceLocale: "en" },
  );
}

const isText = (format: FormatName): boolean => formatOf(format)?.kind === "text";

/** Broken off in its middle; a spreadsheet inside of quotes, where the rest of a row could still be a row. */
async function brokenOff(format: FormatName): Promise<Uint8Array> {
  if (format === "csv") return new TextEncoder().encode('key,nl\na,een\nb,"twee\n');
  const whole = await fileOf(format, "twee");
  return whole.subarray(0, Math.ceil(whole.length * 0.6));
}

/** Two branches each had their own `b`. */
async function merging(format: FormatName): Promise<Uint8Array> {
  const lines = new TextDecoder().decode(await fileOf(format, "twee")).split("\n");
  const at = lines.findIndex((line) => line.includes("twee"));
  const other = (lines[at] ?? "").replace("twee", "deux");
  const both = ["<<<<<<< HEAD", lines[at], "=======", other, ">>>>>>> theirs"];
  return new TextEncoder().encode([...lines.slice(0, at), ...both, ...lines.slice(at + 1)].join("\n"));
}

let shop: FixtureProject;
let window: TestWindow;
let exported: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  shop = await openFixtureProject();
  window = await shop.open("one", { file: { files: FILES } });
  await window.refresher.refresh();
  const service = await Promise.all(
    FORMATS.flatMap(({ name }) =>
      ["bad", "good"].map(async (of) => [pathOf(name, of), await fileOf(name, "van de dienst")] as const),
    ),
  );
  exported = new Uint8Array(zipSync(Object.fromEntries(service)));
});
afterAll(() => shop.close());

const onDisk = (path: string): string => join(shop.folder, "app", path);
/** The window's files make folders themselves. */
async function put(path: string, bytes: Uint8Array): Promise<void> {
  await shop.write(path, "");
  await writeFile(onDisk(path), bytes);
}
beforeEach(async () => {
  // Otherwise the files would have changed since the last pull.
  window.project.personal.database.write("DELETE FROM agreed_texts");
  for (const { name } of FORMATS) await put(pathOf(name, "good"), await fileOf(name, "twee"));
  window.local.invalidate();
});

function needs(layout: "keep" | "service"): PullDependencies {
  return {
    ...window,
    client: {
      ...window.client,
      export: () =>
        Promise.resolve({
          kind: "file",
          bytes: exported,
          etag: '"x"',
          fileName: "all.zip",
          mediaType: "application/zip",
        }),
    },
    locationOptions: {
      file: { files: FILES, pull: { layout } },
      entries: FILES,
      locales: new Set(["en", "nl", "fr"]),
      localeMap: createLocaleMap({}, ["en", "nl", "fr"], []),
    },
  };
}

async function planned(layout: "keep" | "service" = "keep", quiet = false): Promise<PullPlan> {
  await window.local.load();
  const request = { profile: "app", locales: ["nl"], missing: undefined };
  const outcome = await planPull(needs(layout), request, { quiet });
  if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
  return outcome.plan;
}

const EDITABLE = FORMATS.filter(({ kind }) => kind === "text").map(({ name }) => name);
const TEXTS = EDITABLE.filter(isText);

test("a damaged file that other programs generate is replaced as a whole, if that is chosen", async () => {
  const generated = FORMATS.filter(({ kind }) => kind !== "text").map(({ name }) => name);
  for (const format of generated) await put(pathOf(format, "bad"), await brokenOff(format));
  const unparsed = (await planned()).files.filter(({ isUnparsed }) => isUnparsed === true);
  expect(unparsed.map(({ path }) => path)).toEqual(generated.map((format) => pathOf(format, "bad")).sort());
  const quiet = problemsOf(await planned("keep", true)).map(({ path }) => path);
  expect(quiet).toEqual(expect.arrayContaining(generated.map((format) => pathOf(format, "bad"))));
});

test("files that other programs generate are replaced as a whole, and quietly only without loss", async () => {
  const generated = FORMATS.filter(({ kind }) => kind !== "text").map(({ name }) => name);
  const paths = generated.map((format) => pathOf(format, "good")).sort();
  const isWhole = ({ isWhole: whole }: PullPlan["files"][number]): boolean => whole;
  const plan = await planned();
  expect(plan.files.filter(isWhole).map(({ path }) => path)).toEqual(paths);
  for (const format of generated)
    expect(plan.files.find(({ path }) => path === pathOf(format, "good"))?.after, format).toEqual(
      await fileOf(format, "van de dienst"),
    );
  // A key that only the files have would be lost.
  for (const format of generated) await put(pathOf(format, "good"), await fileOf(format, "twee", ["drie"]));
  const losses = (await planned()).files.filter(isWhole).map(({ path, differing }) => {
    return differing - (plan.files.find((before) => before.path === path)?.differing ?? 0);
  });
  expect(losses).toEqual(paths.map(() => 1));
  const quiet = await planned("keep", true);
  expect(quiet.files.filter(isWhole).map(({ path }) => path)).toEqual([]);
  const refused = problemsOf(quiet).filter(({ path }) => paths.includes(path));
  expect(refused.map((problem) => "refusal" in problem && problem.refusal.reason)).toEqual(
    paths.map(() => "generated"),
  );
});

describe.each([
  ["broken off", brokenOff, EDITABLE],
  ["with an unfinished merge", merging, TEXTS],
] as const)("file that is %s", (_, damaged, formats) => {
  test("keeps its bytes and is reported with its location, while the others are pulled", async () => {
    const before = new Map<FormatName, Uint8Array>();
    for (const format of formats) {
      before.set(format, await damaged(format));
      await put(pathOf(format, "bad"), before.get(format) as Uint8Array);
    }
    const plan = await planned();
    const told = new Map(
      problemsOf(plan).map((problem) => [problem.kind === "unsaved" ? "" : problem.path, problem]),
    );
    for (const format of formats) {
      const problem = told.get(pathOf(format, "bad"));
      expect(problem, format).toMatchObject({ why: "syntax" });
      const place = problem?.kind === "unreadable" ? [problem.line, problem.column] : [];
      if (!isText(format)) expect(place, format).toEqual([null, null]);
      else if (damaged === merging) {
        const text = new TextDecoder().decode(before.get(format)).split("\n");
        expect(place, format).toEqual([text.indexOf("<<<<<<< HEAD") + 1, 1]);
      } else expect(place, format).toEqual([expect.any(Number), expect.any(Number)]);
    }
    expect(await writePull(needs("keep"), plan)).toEqual({ kind: "written" });
    for (const format of formats) {
      expect(new Uint8Array(await readFile(onDisk(pathOf(format, "bad")))), format).toEqual(
        before.get(format),
      );
      const good = new Uint8Array(await readFile(onDisk(pathOf(format, "good"))));
      // A template says its texts by its keys.
      if (format !== "pot") expect(good, format).not.toEqual(await fileOf(format, "twee"));
    }
  });
});

test("names a file with undecodable bytes and the first of them", async () => {
  for (const format of TEXTS) {
    const whole = await fileOf(format, "twee");
    await put(
      pathOf(format, "bad"),
      Uint8Array.from([...whole.subarray(0, -3), 0xff, ...whole.subarray(-3)]),
    );
  }
  const problems = problemsOf(await planned());
  for (const format of TEXTS) {
    const problem = problems.find((each) => each.kind !== "unsaved" && each.path === pathOf(format, "bad"));
    expect(problem, format).toMatchObject({
      kind: "unreadable",
      why: "encoding",
      line: expect.any(Number) as number,
      column: expect.any(Number) as number,
    });
  }
  // The service's bytes take its place where that is wanted.
  const bad = new Set(TEXTS.map((format) => pathOf(format, "bad")));
  const replaced = (await planned("service")).files.filter(({ path }) => bad.has(path));
  expect(replaced.map(({ path, change }) => [path, change])).toEqual(
    [...bad].toSorted().map((path) => [path, "updated"]),
  );
});

test("replaces an unreadable file if the layout is the service's, and marks it for review", async () => {
  for (const { name } of FORMATS) await put(pathOf(name, "bad"), await brokenOff(name));
  const plan = await planned("service");
  expect(problemsOf(plan)).toEqual([]);
  const unread = plan.files.filter((file) => file.isUnparsed === true).map(({ path }) => path);
  expect(unread).toEqual(FORMATS.map(({ name }) => pathOf(name, "bad")).sort());
});

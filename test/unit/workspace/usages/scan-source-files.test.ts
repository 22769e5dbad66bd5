/** Usages in long files, which are searched in parts, and which files are scanned again. */
import { expect, test } from "vitest";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import {
  type ScannedFile,
  languageToScan,
  scanFile,
  scanFiles,
} from "../../../../src/workspace/usages/scan-source-files.ts";
import { NO_STAMP, type SourceFiles } from "../../../../src/workspace/usages/list-source-files.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";

const find = (...frameworks: FrameworkName[]) => ({ frameworks: new Set(frameworks), functions: [] });

/** What was found, and in how many parts. */
function searched(path: string, text: string): ScannedFile & { readonly parts: number } {
  const language = usageLanguageFor(path);
  if (language === undefined) throw new Error("no language");
  const search = scanFile(new TextEncoder().encode(text), language, find("laravel", "vue-i18n"));
  for (let parts = 1; ; parts++) {
    const step = search.next();
    if (step.done === true) return { ...step.value, parts };
  }
}

const FILLER = `// ${"x".repeat(96)}\n`;
const KILOBYTE = 1024;
/** Lines of comments, about so long. */
const filler = (kilobytes: number): string =>
  FILLER.repeat(Math.ceil((kilobytes * KILOBYTE) / FILLER.length));

test("skips a file in which a scanner ends with an error", () => {
  const language = {
    languageIds: [],
    extensions: [],
    find: () => {
      throw new TypeError("no number");
    },
  };
  const { value } = scanFile(new TextEncoder().encode("t('a')"), language, find("laravel")).next();
  expect(value).toEqual({ usages: [], skipReason: "failed", text: "" });
});

test("searches a file of ordinary length in one slice", () => {
  const text = `${filler(300)}t("a.b");\n`;
  const { usages, parts, skipReason } = searched("a.ts", text);
  expect([parts, skipReason, usages.map(({ expression }) => expression)]).toEqual([
    1,
    null,
    [{ kind: "static", key: "a.b" }],
  ]);
});

test("searches a long file in one slice where its parts belong together", () => {
  const text = `<?php\n${filler(500)}__("a.b");\n`;
  const { usages, parts } = searched("a.php", text);
  expect([parts, usages.map(({ keySpan }) => text.slice(keySpan.start, keySpan.end))]).toEqual([
    1,
    [`"a.b"`.slice(1, -1)],
  ]);
});

test.each([
  ["where an empty line ends a block", "\n"],
  ["where a line ends", ""],
])("splits a long file %s and keeps the offsets", (_, blank) => {
  const block = `${filler(100)}${blank}`;
  const keys = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"];
  const text = keys.map((key) => `${block}t("${key}");\n`).join("");
  const { usages, parts } = searched("a.ts", text);
  expect(parts).toBe(3);
  expect(
    usages.map(({ keySpan, expression }) => [text.slice(keySpan.start, keySpan.end), expression]),
  ).toEqual(keys.map((key) => [expect.stringContaining(key), { kind: "static", key }]));
  for (const { callSpan, expression } of usages)
    expect(text.slice(callSpan.start, callSpan.end)).toContain(
      expression.kind === "static" ? expression.key : "",
    );
  // What was bound before the cut is out of sight.
  expect([usages[0]?.namespaces, usages.at(-1)?.namespaces]).toEqual([null, "unknown"]);
});

test("keeps the offsets of constants in later parts", () => {
  const text = `${filler(500)}\nconst KEY = "a.b";\nt(KEY);\n`;
  const { usages, parts } = searched("a.ts", text);
  expect(parts).toBe(2);
  expect(usages.map(({ literalSpan }) => text.slice(literalSpan?.start, literalSpan?.end))).toEqual(["a.b"]);
});

test("skips large and binary files", () => {
  expect(searched("a.ts", filler(8 * KILOBYTE + 1))).toMatchObject({ usages: [], skipReason: "too-large" });
  expect(searched("a.ts", "t('a')\0")).toMatchObject({ usages: [], skipReason: "not-text" });
  expect(searched("a.ts", `t('a')${"x".repeat(20_000)}`)).toMatchObject({
    usages: [],
    skipReason: "minified",
  });
});

test("searches a language only in projects that use it", () => {
  expect(languageToScan("a.html", find("laravel"))).toBeUndefined();
  expect(languageToScan("a.html", find("django"))).toBeDefined();
  expect(languageToScan("a.unknown", find("laravel"))).toBeUndefined();
});

test("scans an unchanged file again only if it contains one of the names", async () => {
  const texts: Readonly<Record<string, string>> = {
    "a.ts": `translate("a")`,
    "b.ts": `other("a")`,
    "changed.ts": `other("a")`,
  };
  const stamp = { size: 14, modified: 1 };
  const files: SourceFiles = {
    list: () => ({ files: Object.keys(texts), folders: [], linksOut: [] }),
    read: (path) => ({ kind: "read", stamp, bytes: new TextEncoder().encode(texts[path]) }),
  };
  const scan = Object.keys(texts).map((path) => ({
    path,
    text: undefined,
    known: path === "changed.ts" ? { size: 13, modified: 1 } : stamp,
    names: ["translate"],
  }));
  const contents = await scanFiles(files, scan, find(), () => Promise.resolve());
  expect(contents.map(({ kind }) => kind)).toEqual(["scanned", "same", "scanned"]);
  // One that is not scanned keeps its stamp, so that it is not read again.
  const skipped: SourceFiles = {
    list: (path) => files.list(path),
    read: (path) => ({ kind: "skipped", stamp, reason: path === "a.ts" ? "too-large" : "outside" }),
  };
  expect(
    await scanFiles(
      skipped,
      ["a.ts", "b.ts"].map((path) => ({ path, text: undefined, known: undefined })),
      find(),
      () => Promise.resolve(),
    ),
  ).toMatchObject([
    { kind: "scanned", stamp, skipReason: "too-large", usages: [], calls: [] },
    { kind: "scanned", stamp, skipReason: "outside" },
  ]);
  // Of a file that was just written, nothing says that it is unchanged.
  const recent: SourceFiles = {
    list: (path) => files.list(path),
    read: () => ({ kind: "read", stamp: NO_STAMP, bytes: new TextEncoder().encode("other(1)") }),
  };
  const [again] = await scanFiles(
    recent,
    [{ path: "a.ts", text: undefined, known: NO_STAMP, names: ["translate"] }],
    find(),
    () => Promise.resolve(),
  );
  expect(again?.kind).toBe("scanned");
});

test("stores no usage without a key, and whether others may mean more than one", async () => {
  const files: SourceFiles = {
    list: () => ({ files: [], folders: [], linksOut: [] }),
    read: () => ({ kind: "missing" }),
  };
  const text = `function f({ t }) { t(""); t("a"); t("b." + x); } i18next.t("c"); i18next.t("")`;
  const pauses: number[] = [];
  const contents = await scanFiles(
    files,
    [
      { path: "a.ts", text, known: undefined },
      { path: "gone.ts", text: undefined, known: undefined },
      { path: "a.unknown", text, known: undefined },
    ],
    find("i18next"),
    () => Promise.resolve(void pauses.push(1)),
  );
  expect(contents.map(({ kind }) => kind)).toEqual(["scanned", "missing", "missing"]);
  expect(pauses.length).toBeGreaterThanOrEqual(3);
  const [content] = contents;
  expect(content?.kind === "scanned" && content).toMatchObject({ stamp: NO_STAMP, skipReason: null });
  expect(
    content?.kind === "scanned" &&
      content.usages.map(({ isDynamic, span }) => [text.slice(span.start, span.end), isDynamic]),
  ).toEqual([
    ["a", true],
    [`"b." + x`, true],
    ["c", false],
  ]);
});

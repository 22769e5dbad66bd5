/** What is known of a framework stands in its file in `src/frameworks`: no other code names one. */
import { expect, test } from "vitest";
import { supportedFrameworks } from "../../src/frameworks/supported-frameworks.ts";
import { sources } from "./tree.ts";

/** Where frameworks may be named. The local service has types of projects, as in the API document. */
const WITH_NAMES = /^src\/(?:frameworks|local-service)\//;

/** The places of literals that are names of frameworks, as `PATH: LITERAL`. */
function namedFrameworks(texts: ReadonlyMap<string, string>): readonly string[] {
  const names = [...supportedFrameworks.keys()].filter((name) => name !== "gettext");
  const literal = new RegExp(`(["'\`])(?:${names.join("|")})\\1`, "g");
  return [...texts].flatMap(([path, text]) =>
    WITH_NAMES.test(path) ? [] : Array.from(text.matchAll(literal), ([found]) => `${path}: ${found}`),
  );
}

// A family of formats is called `gettext` too.
test("no code but that of frameworks names a framework", () => {
  const texts = sources(/^/);
  expect(texts.size).toBeGreaterThan(100);
  expect(namedFrameworks(texts)).toEqual([]);
});

test("a name is found", () => {
  const texts = new Map([
    ["src/model/a.ts", 'if (frameworks.has("laravel")) return;'],
    ["src/frameworks/a.ts", '"laravel"'],
  ]);
  expect(namedFrameworks(texts)).toEqual(['src/model/a.ts: "laravel"']);
});

/** What frameworks and their functions, hooks and components are called, also as part of another name. */
const WORDS =
  /laravel|i18next|wordpress|symfony|svelte-?i18n|next-?intl|vue-?i18n|formatjs|django|jinja|transloco|ngx-?translate|lingui|react-intl|\bTFunction\b|useTranslation|useI18n|ComposerTranslation|FormattedMessage|i18nKey/i;
/** Formats of the API document and files, and language ids of VS Code, are named after frameworks. */
const FORMATS = /(?:laravel|wordpress)_(?:php|json|jed)|(?:django|jinja)-html/g;

/** Files that may mention them in code, and why. */
const MENTIONS: Readonly<Record<string, string>> = {
  "src/model/file-formats.ts": "formats are named after frameworks",
  "src/model/placeholder-checks.ts": "the API document names rules so",
  "src/scanners/django-and-jinja-scanner.ts": "two template languages, which differ in their tags",
  "src/scanners/supported-source-languages.ts": "the names of these languages",
  "src/workspace/extract-text/extract-from-django.ts": "the tags of these languages",
  "src/workspace/extract-text/extract-text.ts": "the file extension of one",
};

/** The files that mention frameworks in code, without comments and imports. */
function mentioning(texts: ReadonlyMap<string, string>): readonly string[] {
  const isMentioned = (text: string): boolean =>
    text
      .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|^import [^;]*;$/gm, "")
      .split("\n")
      .some((line) => WORDS.test(line.replace(/\s\/\/ .*$/, "").replaceAll(FORMATS, "")));
  return [...texts].flatMap(([path, text]) =>
    WITH_NAMES.test(path) || path.startsWith("src/formats/") || !isMentioned(text) ? [] : [path],
  );
}

test("no other code knows frameworks by name, or what they call their functions", () => {
  expect(mentioning(sources(/^/)).toSorted()).toEqual(Object.keys(MENTIONS).toSorted());
});

test("a mention in an expression or a name is found", () => {
  const texts = new Map([
    ["src/a.ts", "const HOOK = /\\buseTranslations\\b/;"],
    ["src/b.ts", "export function isLaravelKey() {}"],
    ["src/c.ts", '// i18next\nimport { i18next } from "./i18next.ts";\nconst format = "laravel_php";'],
  ]);
  expect(mentioning(texts)).toEqual(["src/a.ts", "src/b.ts"]);
});

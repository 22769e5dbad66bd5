/** Which language a file is read as, by its name or VS Code's id. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import { usageLanguageFor, usageLanguages } from "../../../src/scanners/supported-source-languages.ts";

const FILES: readonly (readonly [id: string, files: string])[] = [
  ["blade", "a.blade.php A.Blade.PHP"],
  ["php", "a.php a.phtml a.inc index.PHP"],
  ["typescript", "a.ts a.mts a.cts a.d.ts"],
  ["javascript", "a.js a.mjs a.cjs a.jsx a.tsx"],
  ["vue", "a.vue"],
  ["svelte", "a.svelte"],
  ["astro", "a.astro"],
  ["twig", "a.twig a.html.twig"],
  ["python", "a.py a.pyi a.pyw"],
  ["django-html", "a.djhtml a.djtxt"],
  ["jinja", "a.jinja a.jinja2 a.j2 a.html.j2"],
  ["html", "a.html a.htm a.txt"],
];

test.each(FILES)("reads as %s the files %s", (id, files) => {
  const language = usageLanguageFor(id);
  expect(language).toBeDefined();
  for (const file of files.split(" ")) {
    expect([file, usageLanguageFor(file)?.languageIds]).toEqual([file, language?.languageIds]);
    expect(usageLanguageFor(`src/b.c/${file}`)).toBe(language);
  }
});

test.each([
  ["javascript", "javascriptreact typescriptreact"],
  ["django-html", "django-txt"],
  ["jinja", "jinja-html jinja2"],
])("reads as %s VS Code's %s, too", (id, others) => {
  for (const other of others.split(" ")) expect(usageLanguageFor(other)).toBe(usageLanguageFor(id));
});

test("reads no other files, and of JSON and style sheets only those with texts", () => {
  for (const file of ["a.rb", "a.json", "a.css", "my-style.css", "xblock.json", "README.md"])
    expect([file, usageLanguageFor(file)]).toEqual([file, undefined]);
  for (const file of ["style.css", "block.json", "theme.json"])
    expect(usageLanguageFor(`a/${file}`)?.fileNames).toEqual([file]);
});

test.each([
  ["block", "blade php typescript javascript"],
  ["markup", "vue svelte astro"],
  ["template", "twig django-html jinja html"],
  ["line", "python"],
])("comments about keys are written as those of a %s in %s", (comments, ids) => {
  for (const id of ids.split(" ")) expect([id, usageLanguageFor(id)?.comments]).toEqual([id, comments]);
});

test("only scripts may be searched in parts", () => {
  const split = usageLanguages.filter(({ canSplit }) => canSplit === true);
  expect(split).toEqual([usageLanguageFor("typescript"), usageLanguageFor("javascript")]);
});

test("HTML, and files with texts of WordPress, are only searched where a framework has them", () => {
  const applies = (file: string, ...frameworks: readonly FrameworkName[]) =>
    usageLanguageFor(file)?.appliesTo?.({ frameworks: new Set(frameworks), functions: [] });
  expect([applies("a.html", "ngx-translate"), applies("a.html", "laravel"), applies("a.html")]).toEqual([
    true,
    false,
    false,
  ]);
  for (const file of ["style.css", "block.json", "theme.json"])
    expect([applies(file, "wordpress"), applies(file, "laravel")]).toEqual([true, false]);
});

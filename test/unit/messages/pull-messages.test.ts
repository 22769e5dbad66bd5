/** What is said of a pull: which texts of which files, what was left, and why something was not applied. */
import { expect, test } from "vitest";
import {
  bothTexts,
  leftItem,
  leftTextMessage,
  problemItem,
  problemMessage,
  pulledMessage,
  type PulledProject,
} from "../../../src/messages/sync/pull-messages.ts";
import { pullPlaceholder, pullSections, pullTitle } from "../../../src/messages/sync/pull-rows.ts";
import { replacedText, textRow } from "../../../src/messages/preview-rows.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import type { LeftText } from "../../../src/sync/pull/compare-with-export.ts";
import type { PullFile, PullPlan, PullProblem } from "../../../src/sync/pull/pull-plan.ts";

const PROJECT = {
  namespaceSeparator: ".",
  unwrittenNamespaces: new Set<string>(),
  sourceLocale: "en",
  stats: null,
  local: { locate: (path: string) => ({ locale: path.slice(5, 7) }) },
} as unknown as PulledProject;

const left = (key: string, changes: Partial<LeftText> = {}): LeftText => ({
  id: key,
  path: "lang/nl/cart.php",
  locale: "nl",
  name: { namespace: "cart", key, context: null },
  reason: "conflict",
  ours: { value: "Mijn" },
  theirs: { value: "Hun" },
  ...changes,
});

const file = (path: string, changes: Partial<PullFile> = {}): PullFile =>
  ({
    path,
    change: "updated",
    locale: path.slice(5, 7),
    texts: 2,
    differing: 0,
    isWhole: false,
    left: [],
    problems: [],
    ...changes,
  }) as unknown as PullFile;

const planOf = (files: readonly PullFile[], otherProblems: readonly PullProblem[] = []): PullPlan =>
  ({ files, otherProblems }) as unknown as PullPlan;

test.each<[LeftText["reason"], Text | null, string]>([
  ["conflict", { value: "Mijn" }, "was changed here and on the service. here: Mijn ↔ service: Hun"],
  ["file", { value: "Mijn\n" }, "was changed only in the file. here: Mijn↵ ↔ service: Hun"],
  ["deleted", null, "was deleted only in the file. service: Hun"],
])("a text that was left says its file, key, language, and both sides: %s", (reason, ours, message) => {
  const text = left("title", { reason, ours });
  expect(leftTextMessage(PROJECT, text)).toBe(`lang/nl/cart.php: cart.title (nl) ${message}`);
  expect(leftItem(PROJECT, text)).toEqual({
    ...text.name,
    locale: "nl",
    field: "value",
    file: "lang/nl/cart.php",
    messages: [`cart.title ${message.slice(0, message.indexOf(".") + 1)}`],
  });
});

test("a text with plural forms is left by its forms", () => {
  const theirs = { forms: { one: "een", other: "meer" } };
  expect(leftItem(PROJECT, left("items", { theirs })).field).toBe("forms");
  expect(bothTexts(left("items", { theirs }))).toBe("here: Mijn ↔ service: one: een · other: meer");
});

const path = "lang/nl/cart.php";
const unreadable = (why: string, line: number | null = null): PullProblem =>
  ({ kind: "unreadable", path, why, line, column: line === null ? null : 5 }) as PullProblem;
const refused = (reason: string, changes: object = {}): PullProblem =>
  ({
    kind: "text",
    path,
    refusal: { namespace: "cart", key: "title", context: null, locale: "nl", reason, ...changes },
  }) as unknown as PullProblem;

test.each<[PullProblem, string]>([
  [{ kind: "unsaved", path }, `${path} has unsaved changes.`],
  [
    { kind: "unmapped", path, why: "layout" },
    `${path} of the export matches no path of “files” in project-translations.json. Add its path, or set “pull.into” to create it.`,
  ],
  [
    { kind: "unmapped", path, why: "language" },
    `${path} of the export does not tell its language. Pull one language at a time, or have {locale} added to the path of the export format.`,
  ],
  [
    { kind: "unmapped", path, why: "exists" },
    `${path} was not changed because it matches no path of “files” in project-translations.json.`,
  ],
  [unreadable("encoding"), `${path} is not valid in its encoding. Save it as UTF-8, then pull again.`],
  [unreadable("format"), `${path} is in a format that cannot be edited here.`],
  [unreadable("syntax", 3), `${path}:3:5 has an error. Fix it, then pull again.`],
  [
    unreadable("syntax"),
    `${path} cannot be read: it is damaged, or not in its expected format. Fix or delete it, then pull again.`,
  ],
  [unreadable("too_large"), `${path} is larger than 50 MB, so it was not changed.`],
  [
    unreadable("outside"),
    `${path}: a link out of the project, which is not followed. Put the file into the project.`,
  ],
  [unreadable("failed"), `${path}: cannot be read. Check its permissions and the disk.`],
  [unreadable("theirs", 3), `What the service sent for ${path}:3:5 cannot be read.`],
  [
    { kind: "language", path, locale: "fr" },
    `${path} has no column for fr, and none could be added to it. Add one, then pull again.`,
  ],
  [refused("expression"), `${path}: cart.title was not changed because its value is code.`],
  [refused("interpolation"), `${path}: cart.title was not changed because its value is code.`],
  [refused("source"), `${path}: cart.title was not changed because its text is the source text itself.`],
  [
    refused("forms"),
    `${path}: cart.title was not changed because the file cannot hold all its plural forms.`,
  ],
  [
    refused("encoding"),
    `${path}: cart.title was not changed because the file’s encoding cannot represent it.`,
  ],
  [refused("syntax"), `${path}: cart.title was not changed because the file has an error near it.`],
  [refused("conflict"), `${path}: cart.title was not changed because another entry is in the way.`],
  [refused("not_found"), `${path}: cart.title was not changed because it does not exist.`],
  [
    refused("unsupported"),
    `${path}: cart.title was not changed because its value cannot be written in this format.`,
  ],
  [
    refused("generated", { namespace: null, context: "menu" }),
    `${path}: title (menu) was not changed because the file is only replaced as a whole, and other texts in it are kept.`,
  ],
])("says why something was not applied: %j", (problem, message) => {
  expect(problemMessage(PROJECT, problem)).toBe(message);
});

test("a problem of a text names its key and language, one of a file the file as a whole", () => {
  const messages = [expect.any(String)];
  expect(problemItem(PROJECT, refused("forms", { namespace: null, context: "menu" }))).toEqual({
    namespace: "*",
    key: "title",
    context: "menu",
    locale: "nl",
    field: "value",
    file: path,
    messages,
  });
  expect(problemItem(PROJECT, refused("forms", { locale: null }))).not.toHaveProperty("locale");
  expect(problemItem(PROJECT, unreadable("format"))).toEqual({
    namespace: "*",
    key: "",
    context: null,
    field: "file",
    file: path,
    messages,
  });
});

test("a pull says what it wrote and left, or that there was nothing new, or nothing at all", () => {
  const lefts = [
    left("a"),
    left("b"),
    left("c", { reason: "file" }),
    left("d", { reason: "deleted" }),
    left("e", { reason: "file", locale: "en" }),
  ];
  const note =
    "Left as they are in your files: 2 texts changed on both sides, 2 translations changed only in your files, 1 source text not pushed yet.";
  const unchanged = file("lang/nl/b.php", { change: "unchanged", left: lefts });
  const changed = [file("lang/nl/a.php"), file("lang/en/a.php", { texts: 1, change: "created" })];
  expect(pulledMessage(PROJECT, "Shop", planOf([...changed, unchanged]))).toBe(
    `Pulled from Shop: 2 translations, 1 source text in 2 files. ${note}`,
  );
  expect(pulledMessage(PROJECT, "Shop", planOf([unchanged]))).toBe(`Nothing new to pull from Shop. ${note}`);
  expect(pulledMessage(PROJECT, "Shop", planOf([file("lang/nl/a.php", { change: "unchanged" })]))).toBe(
    "Already up to date: all files match Shop.",
  );
});

test("the sections of a pull list updated files first, new ones last, and texts by what happens to them", () => {
  const lefts = [
    left("a"),
    left("b", { reason: "file" }),
    left("c", { reason: "deleted" }),
    left("d", { reason: "file", locale: "en", path: "lang/en/cart.php" }),
  ];
  const files = [
    file("lang/fr/new.php", { change: "created" }),
    file("lang/nl/a.php", { left: lefts }),
    file("lang/nl/b.php", { texts: 1 }),
    file("lang/xx/c.php", { locale: null }),
    file("lang/xx/d.php", { locale: null }),
    file("lang/nl/same.php", { change: "unchanged" }),
  ];
  const sections = pullSections(PROJECT, planOf(files));
  const shown = sections.map(({ heading, rows }) => [
    heading,
    ...rows.map(({ icon, label, description }) => `${icon} ${label} | ${description}`),
  ]);
  expect(shown).toEqual([
    [
      "Existing files: 4",
      "globe Nederlands (nl) | 3 translations in 2 files",
      "edit lang/nl/a.php | 2 texts",
      "edit lang/nl/b.php | 1 text",
      "edit lang/xx/c.php | 2 texts",
      "edit lang/xx/d.php | 2 texts",
    ],
    ["Changed here and on the service: 1", "git-compare cart.a | nl · lang/nl/cart.php"],
    [
      "Changed only in your files: 2",
      "file lang/nl/cart.php | 2 texts",
      "edit cart.b | nl · lang/nl/cart.php",
      "trash cart.c | nl · lang/nl/cart.php",
    ],
    ["Not pushed yet: 1", "edit cart.d | en · lang/en/cart.php"],
    ["New files: 1", "new-file lang/fr/new.php | 2 texts"],
  ]);
  const canKeep = sections.flatMap(({ rows }) => rows.filter((row) => row.canKeep === true));
  expect(canKeep.map(({ label }) => label)).toEqual(["cart.a"]);
  const groups = sections.flatMap(({ rows }) => rows.filter((row) => row.hasDifference === false));
  expect(groups.map(({ changes, isChecked }) => [changes.length, isChecked])).toEqual([
    [2, false],
    [2, false],
  ]);
  expect(pullTitle(PROJECT, "Shop", [...files.slice(0, 2), left("a")])).toBe(
    "Pull from Shop: 5 translations in 3 files",
  );
});

test("the preview says what happens to what is selected", () => {
  const created = file("lang/fr/a.php", { change: "created" });
  const updated = file("lang/nl/a.php");
  const placeholderOf = (...files: readonly PullFile[]) => pullPlaceholder(planOf(files));
  expect(placeholderOf(created)).toBe("Nothing to update: select the new files you want");
  expect(placeholderOf(created, updated)).toBe("Selected files are written");
  const deleted = file("lang/nl/b.php", { change: "unchanged", left: [left("a", { reason: "deleted" })] });
  expect(placeholderOf(updated, deleted)).toBe("Selected texts are pulled; the others stay as they are");
  const conflict = file("lang/nl/c.php", { left: [left("b")] });
  expect(placeholderOf(deleted, conflict)).toBe(
    "Selected texts are pulled; where both changed, you can also keep yours",
  );
});

test("a row says its notes and texts so that none becomes an icon or a link", () => {
  const name = { namespace: "*", key: "$(x)", context: null };
  const row = textRow(PROJECT, 1, {
    icon: "edit",
    isChecked: true,
    name,
    notes: ["nl", "$(a).php"],
    detail: "[a](b)",
  });
  expect(row).toEqual({
    icon: "edit",
    isChecked: true,
    label: "$\u2060(x)",
    description: "nl · $\u2060(a).php",
    detail: "[a]\u2060(b)",
    changes: [1],
  });
  expect(textRow(PROJECT, 1, { icon: "edit", isChecked: true, name })).not.toHaveProperty("detail");
  expect(replacedText({ value: "" }, { value: "after" })).toBe(" → after");
  expect(replacedText(null, { value: "after" })).toBe("after");
});

/** What is asked before an import: which files are sent, and whether they replace translations of others. */
import { expect, test } from "vitest";
import type { ImportFields } from "../../../src/api/endpoints.ts";
import { promptForFields } from "../../../src/features/import/choose-import-files.ts";
import type { FoundFile } from "../../../src/operations/find-import-files.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { answerNextInput, pickInNextList } from "../support/vscode-stub.ts";

const fileOf = (path: string, text: string, target: FoundFile["target"] = null): FoundFile => ({
  path,
  file: `/app/${path}`,
  target,
  bytes: new TextEncoder().encode(text),
});
const targetOf = (keyPrefix: string): FoundFile["target"] => ({
  format: "json_js",
  namespace: null,
  locale: null,
  keyPrefix,
});
const known = fileOf("locales/nl.json", '{"title": "Mandje"}', targetOf(""));
const prefixed = fileOf("locales/de.json", '{"title": "Korb"}', targetOf("app."));
const withoutLanguage = fileOf("words.json", '{"title": "Mandje"}', targetOf(""));
const withoutFormat = fileOf("nl/words.txt", "Mandje");

/** Each answer is what is picked in the next list; another one dismisses it. */
async function prompt(
  found: readonly FoundFile[],
  answers: readonly string[],
  {
    given = {},
    quiet = false,
    locales = ["nl", "fr"],
  }: {
    readonly given?: ImportFields;
    readonly quiet?: boolean;
    readonly locales?: readonly string[];
  } = {},
): Promise<{ readonly paths: readonly string[]; readonly fields: ImportFields }> {
  const languages = locales.map((locale) => ({ locale, name: "" }));
  const open = { label: "Shop", session: { kind: "signed-out" }, stats: { languages } };
  for (const answer of answers) pickInNextList(answer);
  const { files, fields } = await promptForFields(open as unknown as OpenProject, found, given, quiet);
  return { paths: files.map(({ path }) => path), fields };
}

const KEEP = "Keep Existing Translations";
const DISMISS = "no such answer";
const cancelled = { name: "Canceled" };

test("replaces the translations of others only if the user says so", async () => {
  const paths = ["locales/nl.json"];
  expect(await prompt([known], [KEEP])).toEqual({ paths, fields: { overwrite: false } });
  expect(await prompt([known], ["Overwrite"])).toEqual({ paths, fields: { overwrite: true } });
  await expect(prompt([known], [DISMISS])).rejects.toMatchObject(cancelled);
  // What the options say is not asked.
  const given = { overwrite: true };
  expect(await prompt([known], [], { given })).toEqual({ paths, fields: given });
  // Without prompts, the service decides.
  expect(await prompt([known], [], { quiet: true })).toEqual({ paths, fields: {} });
});

test("sends no file whose keys get a prefix", async () => {
  expect((await prompt([known, prefixed], ["Skip These", KEEP])).paths).toEqual(["locales/nl.json"]);
  await expect(prompt([known, prefixed], [DISMISS])).rejects.toMatchObject(cancelled);
  await expect(prompt([prefixed], [])).rejects.toThrow("before the keys of locales/de.json");
  await expect(prompt([known, prefixed], [], { quiet: true })).rejects.toThrow("before the keys of");
});

test("a language that is chosen is sent only with files that have none", async () => {
  expect(await prompt([known, withoutLanguage], ["Skip These", KEEP])).toEqual({
    paths: ["locales/nl.json"],
    fields: { overwrite: false },
  });
  expect(await prompt([known, withoutLanguage], ["Import Only These", "fr", KEEP])).toEqual({
    paths: ["words.json"],
    fields: { locale: "fr", overwrite: false },
  });
  expect(await prompt([withoutLanguage], ["nl", KEEP])).toMatchObject({ fields: { locale: "nl" } });
  const given = { locale: "fr", overwrite: false };
  expect(await prompt([withoutLanguage], [], { given })).toEqual({ paths: ["words.json"], fields: given });
  await expect(prompt([withoutLanguage], [], { quiet: true })).rejects.toThrow(
    "What language is words.json?",
  );
});

test("a language is typed if those of the project are not known, and is not empty", async () => {
  const type = (value: string): void =>
    answerNextInput((box) => {
      box.value = value;
      box.accept();
    });
  type(" fr ");
  expect(await prompt([withoutLanguage], [KEEP], { locales: [] })).toMatchObject({
    fields: { locale: "fr" },
  });
  type(" ");
  await expect(prompt([withoutLanguage], [], { locales: [] })).rejects.toMatchObject(cancelled);
});

test("a format that is chosen is sent only with files that show none", async () => {
  expect((await prompt([known, withoutFormat], ["Skip These", KEEP])).paths).toEqual(["locales/nl.json"]);
  const { paths, fields } = await prompt([known, withoutFormat], ["Import Only These", "CSV", KEEP]);
  expect([paths, fields.format]).toEqual([["nl/words.txt"], "csv"]);
  await expect(prompt([withoutFormat], [], { quiet: true })).rejects.toThrow("What format is nl/words.txt?");
});

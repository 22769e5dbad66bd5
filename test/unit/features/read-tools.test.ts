/** The languages that the tools for language models read, before the stored state is loaded. */
import { expect, it } from "vitest";
import { ensureLoaded, getTranslations } from "../../../src/features/language-model-tools/read-tools.ts";
import type { App } from "../../../src/vscode/app.ts";
import { openStoredProject, TITLE } from "../support/stored-project.ts";

const { signal } = new AbortController();

it("knows the languages of a project that is still being loaded", async () => {
  await ensureLoaded(openStoredProject(), signal, "nl");
  await expect(ensureLoaded(openStoredProject(), signal, "de")).rejects.toThrow("It has: en, nl.");
});

it("reads all languages of a project that is still being loaded", async () => {
  const open = openStoredProject();
  const rows: unknown[] = [];
  const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
    for await (const row of found) rows.push(row);
    return "";
  };
  await getTranslations.run({ app: {} as App, open, input: { keys: [TITLE] }, signal, page });
  expect(rows).toMatchObject([{ locale: "en" }, { locale: "nl", state: "untranslated" }]);
});

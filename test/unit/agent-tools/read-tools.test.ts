/** The languages that the tools for language models read, before the stored state is loaded. */
import { expect, it } from "vitest";
import { ensureLoaded, getTranslations } from "../../../src/agent-tools/read-tools.ts";
import { openStoredToolProject, TITLE } from "../support/stored-project.ts";

const { signal } = new AbortController();

it("knows the languages of a project that is still being loaded", async () => {
  await ensureLoaded(openStoredToolProject(), signal, "nl");
  await expect(ensureLoaded(openStoredToolProject(), signal, "de")).rejects.toThrow("It has: en, nl.");
});

it("reads all languages of a project that is still being loaded", async () => {
  const open = openStoredToolProject();
  const rows: unknown[] = [];
  const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
    for await (const row of found) rows.push(row);
    return "";
  };
  await getTranslations.run({ open, input: { keys: [TITLE] }, signal, page });
  expect(rows).toMatchObject([{ locale: "en" }, { locale: "nl", state: "untranslated" }]);
});

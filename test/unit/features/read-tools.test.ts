/** The languages that the tools for language models read, before the stored state is loaded. */
import { expect, it } from "vitest";
import type { Language } from "../../../src/api/response-schemas.ts";
import { Project } from "../../../src/database/project-state.ts";
import { ensureLoaded, getTranslations } from "../../../src/features/language-model-tools/read-tools.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import type { App } from "../../../src/vscode/app.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { createKeyDatabase } from "../support/key-database.ts";

const name = { namespace: "cart", key: "title", context: null };
const title = { ...name, hash: keyHash(name), text: { value: "Your cart" } };

/** A project whose keys are complete in the database, and whose languages are known when its refresher is there. */
function storedProject(): OpenProject {
  const database = createKeyDatabase([title]);
  const project = new Project("id", "shop", database);
  project.syncMetadata.setCursor({
    contentVersion: 1,
    counts: [],
    since: null,
    keysSince: null,
    fullReadAt: 0,
    differences: [],
  });
  const languages = ["en", "nl"].map((locale) => ({ locale, isSource: locale === "en" }) as Language);
  const refresher = Promise.resolve().then(() => {
    project.setStats({ contentVersion: 1, languages }, { kind: "never" });
    return { ensureLocale: async () => {} };
  });
  return { project, database, refresher } as unknown as OpenProject;
}

const { signal } = new AbortController();

it("knows the languages of a project that is still being loaded", async () => {
  await ensureLoaded(storedProject(), signal, "nl");
  await expect(ensureLoaded(storedProject(), signal, "de")).rejects.toThrow("It has: en, nl.");
});

it("reads all languages of a project that is still being loaded", async () => {
  const open = storedProject();
  const rows: unknown[] = [];
  const page = async (found: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> => {
    for await (const row of found) rows.push(row);
    return "";
  };
  await getTranslations.run({ app: {} as App, open, input: { keys: [name] }, signal, page });
  expect(rows).toMatchObject([{ locale: "en" }, { locale: "nl", state: "untranslated" }]);
});

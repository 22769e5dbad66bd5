/** Queries of the translation editor in a large project run in the indexing process, with the results of this one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Database, type Statement } from "../../../src/database/database.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { RejectedTranslationRepository } from "../../../src/database/personal/rejected-machine-translation-repository.ts";
import { TranslationDraftRepository } from "../../../src/database/personal/translation-draft-repository.ts";
import {
  DatabaseQueries,
  TranslationEditorQueries,
  type WholeProjectQueries,
} from "../../../src/database/translation-editor-queries.ts";
import { SearchIndex } from "../../../src/database/update-search-index.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { ALL_ROWS, ROW_FILTERS } from "../../../src/model/translation-editor-filters.ts";
import { addKeys, addTranslations } from "../support/key-database.ts";
import { sha1 } from "../support/node-platform.ts";

const KEYS = 6_000;

/** Records the queries of all keys that run in this process. */
class RecordingDatabase extends Database {
  readonly queries: string[] = [];

  override sql(text: string): Statement {
    if (text.includes("group_concat")) this.queries.push(text);
    return super.sql(text);
  }
}

test("finds the same rows without reading all keys in this process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "project-translations-test-"));
  const database = new RecordingDatabase(join(folder, "project.db"));
  const program = new URL("../../../dist/indexer-process.mjs", import.meta.url).pathname;
  const client = new IndexerClient({ program, log: { warn: () => undefined } });
  try {
    const names = Array.from({ length: KEYS }, (_, index) => ({
      hash: sha1(`${index}`),
      namespace: `part${index % 7}`,
      key: `key_${index}`,
      context: null,
      text: { value: `Text ${index}` },
    }));
    addKeys(database, names);
    const translated = names.filter((_, index) => index % 2 === 0);
    addTranslations(
      database,
      "nl",
      Object.fromEntries(translated.map(({ hash, key }) => [hash, { value: `Tekst van ${key}` }])),
    );
    await new SearchIndex(database).update();
    const personal = new PersonalData();
    const drafts = new TranslationDraftRepository(personal, database);
    const rejected = new RejectedTranslationRepository(personal, database);
    const context = {
      sourceLocale: "en",
      locales: ["en", "nl"],
      isServiceKnown: true,
      localSource: () => undefined,
      agreedSource: () => undefined,
      conflicts: () => [],
      unused: async () => [],
    };
    const findAll = async (where: WholeProjectQueries): Promise<readonly (readonly string[])[]> => {
      const queries = new TranslationEditorQueries(database, where, drafts, rejected);
      const found = [await queries.find(ALL_ROWS, context)];
      for (const filter of ROW_FILTERS)
        found.push(await queries.find({ ...ALL_ROWS, filters: [filter] }, context));
      for (const search of ["Text 12", "tekst key_100", "nothing"])
        found.push(await queries.find({ ...ALL_ROWS, search }, context));
      return found;
    };
    const here = await findAll(new DatabaseQueries(database));
    expect(database.queries.length).toBeGreaterThan(5);
    database.queries.length = 0;
    expect(await findAll(client.forProject(database, folder).queries)).toEqual(here);
    expect(database.queries).toEqual([]);
    expect(here.map((rows) => rows.length)).toContain(KEYS);
  } finally {
    client.dispose();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

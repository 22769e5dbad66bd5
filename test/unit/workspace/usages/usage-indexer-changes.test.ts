/** The index after changes of files and keys equals a new index. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { UsageRepository } from "../../../../src/database/key-usage-repository.ts";
import { sourceFilesOf } from "../../../../src/workspace/usages/list-source-files.ts";
import { UsageIndexer } from "../../../../src/workspace/usages/usage-indexer.ts";
import { runCount } from "../../support/full-run.ts";
import { addKeys } from "../../support/key-database.ts";
import { keyOf, NO_TEXTS, usageOptions } from "../../support/source-folder.ts";

const OPTIONS = usageOptions("i18next");
const KEYS = ["a", "a_male", "b.c", "b.d", "menu.x", "menu.y", "menu.z"].map((key) => keyOf(`*|${key}`));
const CALLS = [
  ...["a", "b.c", "b.d", "menu", "b", "nope", "b.e"].map((key) => `t("${key}");`),
  ...["menu.", "b.", "", "q"].map((prefix) => `t("${prefix}" + x);`),
  `t("a", { context: x });`,
];
const TABLES = ["key_references", "usages", "reference_keys", "reference_names", "source_files"];

class Project {
  readonly #database = new Database();
  readonly #usages = new UsageRepository(this.#database);
  readonly #indexer = new UsageIndexer(this.#database, sourceFilesOf("/nowhere/at/all"));

  setKeys(numbers: ReadonlySet<number>): Promise<void> {
    this.#database.sql("DELETE FROM keys").run();
    addKeys(
      this.#database,
      KEYS.filter((_, index) => numbers.has(index)),
    );
    return this.#indexer.resolve(OPTIONS.lookup);
  }

  /** `null`: the file is gone. */
  setFile(path: string, text: string | null): Promise<void> {
    const texts = text === null ? NO_TEXTS : new Map([[path, text]]);
    return this.#indexer.updateFiles([path], OPTIONS, texts);
  }

  answers(): unknown {
    const usages = this.#usages;
    const written = [...usages.unmatchedPatterns(), ...KEYS.flatMap(({ hash }) => usages.patternsOf(hash))];
    return {
      usages: KEYS.map(({ hash }) => usages.usagesOf(hash)),
      counts: KEYS.map(({ hash }) => usages.countUsages(hash)),
      patterns: written.map((each) => JSON.stringify([each.pattern, usages.usagesOfPattern(each)])).sort(),
      unknown: ["nope", "b.e", "a"].map((key) => usages.usagesOfName(keyOf(`*|${key}`))),
      rows: TABLES.map(
        (table) => this.#database.sql(`SELECT count(*) AS count FROM ${table}`).get()?.["count"],
      ),
    };
  }

  close(): void {
    this.#database.close();
  }
}

const numbers = fc.uniqueArray(fc.nat(KEYS.length - 1)).map((each) => new Set(each));
const file = fc.record({
  path: fc.constantFrom("1.ts", "2.ts", "3.ts"),
  text: fc.option(fc.array(fc.constantFrom(...CALLS), { maxLength: 4 }).map((calls) => calls.join("\n"))),
});

test("answers like freshly built tables after every change", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(file, numbers), { maxLength: 20 }), async (changes) => {
      const [changed, anew] = [new Project(), new Project()];
      let keys: ReadonlySet<number> = new Set();
      const texts = new Map<string, string | null>();
      for (const change of changes) {
        if ("path" in change) {
          texts.set(change.path, change.text);
          await changed.setFile(change.path, change.text);
        } else {
          keys = change;
          await changed.setKeys(keys);
        }
      }
      await anew.setKeys(keys);
      for (const [path, text] of texts) await anew.setFile(path, text);
      expect(changed.answers()).toEqual(anew.answers());
      for (const project of [changed, anew]) project.close();
    }),
    { numRuns: runCount(1_000) },
  );
});

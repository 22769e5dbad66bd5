/**
 * Measures a folder that is opened for the first time: time to the first correct text, usages found, and keys
 * reported as unknown. Run by name: `suite.json` has the folder; `COLD_START` a file, a key in it and its source
 * text. Results are written to `.cache/cold-start.txt`.
 */
import assert from "node:assert/strict";
import { appendFileSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { extensions, Uri, workspace } from "vscode";
import { runSuccessfully, hoverText, runCommand } from "../harness/documents.ts";
import { waitFor } from "../harness/wait-for.ts";

interface Target {
  readonly file: string;
  readonly words: string;
  readonly text: string;
}

async function databases(): Promise<DatabaseSync[]> {
  const home = process.env["HOME"] ?? "";
  const paths = (await readdir(home, { recursive: true })).filter((path) => path.endsWith("/project.db"));
  return paths.map((path) => new DatabaseSync(join(home, path), { readOnly: true }));
}

const target = (): Target => JSON.parse(process.env["COLD_START"] ?? "{}") as Target;
/** The project of the file; there may be several. */
const here = (): { folder: string } => {
  const [root] = workspace.workspaceFolders ?? [];
  assert.ok(root);
  return { folder: Uri.joinPath(root.uri, target().file).fsPath };
};

const OUTPUT = process.env["COLD_START_OUTPUT"] ?? "";
const print = (line: string): void => appendFileSync(OUTPUT, `${line}\n`);

describe("a folder opened for the first time", () => {
  before(() => rmSync(OUTPUT, { force: true }));

  it("shows the correct text", async function () {
    this.timeout(120_000);
    const { file, words, text } = target();
    const extension = extensions.all.find(({ id }) => id.endsWith(".project-translations"));
    await waitFor("the extension is active", () => extension?.isActive, 100);
    // Since the extension host began.
    print(`active ${Math.round(performance.now())} ms`);
    await runCommand("goToEntry", { key: "-", ...here() });
    print(`found ${Math.round(performance.now())} ms`);
    await runSuccessfully("listKeys", here());
    print(`read ${Math.round(performance.now())} ms`);
    await waitFor("the hover", async () => (await hoverText(file, words)).includes(text), 100);
    print(`hover ${Math.round(performance.now())} ms`);
  });

  it("finds keys and their usages", async function () {
    this.timeout(300_000);
    assert.equal((await runCommand("findUnused", here()))["outcome"], "done");
    const { keys } = await runSuccessfully("listKeys", here());
    print(`keys ${(keys as unknown[]).length}`);
    for (const database of await databases()) {
      const count = (sql: string): number => Number(database.prepare(sql).get()?.["count"]);
      const languages = count("SELECT count(DISTINCT locale) AS count FROM local_entries");
      if (languages === 0) continue;
      const uses = count("SELECT count(*) AS count FROM usages");
      const dynamic = count(
        "SELECT count(*) AS count FROM usages u JOIN key_references r ON r.id = u.reference WHERE r.pattern IS NOT NULL",
      );
      const found = count(
        `SELECT count(*) AS count FROM usages u JOIN key_references r ON r.id = u.reference WHERE EXISTS (SELECT 1 FROM reference_keys k WHERE k.reference = r.id)`,
      );
      const others = database
        .prepare(
          `SELECT r.reference, min(f.path) AS path, count(*) AS count FROM usages u
             JOIN key_references r ON r.id = u.reference JOIN source_files f ON f.id = u.file WHERE r.is_dynamic = 0
             AND NOT EXISTS (SELECT 1 FROM reference_keys k WHERE k.reference = r.id) GROUP BY r.id ORDER BY 3 DESC`,
        )
        .all();
      const total = count("SELECT count(*) AS count FROM keys");
      print(`project: ${total} keys, ${languages} languages, ${uses} uses, ${dynamic} built, ${found} found`);
      for (const { reference, path, count: times } of others.slice(0, 60))
        print(`other ${String(times)} ${String(path)} ${String(reference).slice(0, 160)}`);
    }
    print(`memory ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`);
  });
});

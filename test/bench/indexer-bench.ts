/**
 * `npm run bench -- indexer [laravel-many,gettext-many,…]`: how fast the indexer reads the translation files of generated
 * projects into a database, in processor time of this process, and what follows while nobody is signed in: keys,
 * translations, their search index, and the usages in the code. With
 * `--folder PATH --pattern PATTERN --format FORMAT --source LOCALE --framework FRAMEWORK` those of a project on disk.
 */
import { CONTENT_OF_FILES } from "../../src/database/sync-metadata-repository.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Database } from "../../src/database/database.ts";
import { LocalKeys } from "../../src/database/keys-from-local-files.ts";
import { Project } from "../../src/database/project-state.ts";
import { SearchIndex } from "../../src/database/update-search-index.ts";
import { supportedFrameworks } from "../../src/frameworks/supported-frameworks.ts";
import type { FormatName } from "../../src/model/file-formats.ts";
import { LocalEntries } from "../../src/workspace/local-files/local-entries.ts";
import { LocalFileIndexer } from "../../src/workspace/local-files/local-file-indexer.ts";
import { createLocalFileIndexing } from "../../src/workspace/local-files/local-file-loader.ts";
import { folderFiles } from "../../src/workspace/file-system/disk-files.ts";
import { sourceFilesOf } from "../../src/workspace/usages/list-source-files.ts";
import { UsageIndexer } from "../../src/workspace/usages/usage-indexer.ts";
import { projectFiles } from "../unit/support/node-platform.ts";
import { SHAPES } from "./project-shapes.ts";

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: "string" },
    pattern: { type: "string", default: "" },
    format: { type: "string", default: "" },
    source: { type: "string", default: "en" },
    framework: { type: "string", default: "" },
  },
});
const [, names = "laravel-many,gettext-many,json-many,large"] = positionals;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function timed<Result>(work: () => Promise<Result>): Promise<[result: Result, milliseconds: number]> {
  const start = processorMs();
  const result = await work();
  return [result, processorMs() - start];
}

/** The layout of the translation files, and the framework of the code. */
interface Measured {
  readonly pattern: string;
  readonly format: FormatName;
  readonly framework: string;
}

/** Reads the files of a folder into a new database. */
async function measure(title: string, root: string, { pattern, format, framework }: Measured): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pt-bench-"));
  const database = new Database(join(folder, "project.db"));
  database.prepareForWriting();
  const indexing = new LocalFileIndexer(database);
  const readFiles = indexing.readFiles.bind(indexing);
  let [bytes, readMs] = [0, 0];
  indexing.readFiles = async (files, signal) => {
    const [stored, taken] = await timed(() => readFiles(files, signal));
    readMs += taken;
    for (const { content } of files) bytes += content.bytes.length;
    return stored;
  };
  const fileIndexing = createLocalFileIndexing(database, folderFiles(root), indexing);
  const local = new LocalEntries({
    database,
    version: "1",
    files: projectFiles(root),
    keysVersion: () => 0,
    indexing: () => fileIndexing,
  });
  const sourceLocale = options.source;
  local.configure({ files: [{ path: pattern, format }], locales: {}, sourceLocale, serviceLocales: [] });
  const [, loadMs] = await timed(() => local.load());
  new Project("bench", "bench", database).syncMetadata.content = CONTENT_OF_FILES;
  const locales = local.locales.filter((locale) => locale !== sourceLocale);
  const localKeys = new LocalKeys(database);
  const derived = { sourceLocale, detectedSource: sourceLocale, locales, covered: local.covered };
  const [, keysMs] = await timed(() => localKeys.updateKeys(derived));
  const [, translationsMs] = await timed(() => localKeys.updateTranslations(derived));
  const [, keysAgainMs] = await timed(() => localKeys.updateKeys(derived));
  const [, againMs] = await timed(() => localKeys.updateTranslations(derived));
  const [, searchMs] = await timed(() => new SearchIndex(database).update());
  const frameworks = new Set([...supportedFrameworks.keys()].filter((name) => name === framework));
  const usageOptions = { find: { frameworks, functions: [] }, lookup: { frameworks } };
  const usages = new UsageIndexer(database, sourceFilesOf(root));
  const [, usagesMs] = await timed(() => usages.update(usageOptions, new Map()));
  const [, usagesAgainMs] = await timed(() => usages.update(usageOptions, new Map()));
  const entries = local.files.reduce((sum, file) => sum + file.entries.length, 0);
  console.log(
    `${title}: ${local.files.length} files, ${entries} entries, ${(bytes / 1e6).toFixed(1)} MB\n` +
      `  read in ${Math.round(readMs)} ms: ${(bytes / 1e3 / readMs).toFixed(1)} MB/s, ` +
      `${Math.round(entries / readMs)} entries/ms; with listing and opening ${Math.round(loadMs)} ms\n` +
      `  keys from them: ${Math.round(keysMs)} ms; again, unchanged: ${Math.round(keysAgainMs)} ms\n` +
      `  translations from them: ${Math.round(translationsMs)} ms; again, unchanged: ${Math.round(againMs)} ms\n` +
      `  search index of both: ${Math.round(searchMs)} ms\n` +
      `  usages in the code: ${Math.round(usagesMs)} ms; again, unchanged: ${Math.round(usagesAgainMs)} ms`,
  );
  database.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

if (options.folder !== undefined)
  await measure(options.folder, options.folder, {
    pattern: options.pattern,
    format: options.format as FormatName,
    framework: options.framework,
  });
else
  for (const name of names.split(",")) {
    const shape = SHAPES[name];
    if (shape === undefined) throw new Error(`no shape has the name ${name}`);
    const root = await mkdtemp(join(tmpdir(), "pt-bench-"));
    await shape.write(root);
    await measure(name, root, { pattern: shape.pattern, format: shape.format, framework: shape.type });
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }

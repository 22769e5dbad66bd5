/** The statements that may read more in a larger project: query-plans.test.ts refuses all others. */

/** Why a statement may read more in a larger project, and how much it reads at most. */
interface Exception {
  /** A part of the statement's text. */
  readonly statement: string;
  readonly reason: string;
  readonly bound: string;
  /** The calls that run it, and the only files of `src`, apart from its database folder, that have such calls. */
  readonly calls?: { readonly pattern: RegExp; readonly in: readonly string[] };
}

/** Returns the reason of a statement that only the indexing process runs. */
const onlyInIndexer = (
  pattern: RegExp,
  ...files: readonly string[]
): Pick<Exception, "reason" | "calls"> => ({
  reason: "runs in the indexing process only",
  calls: { pattern, in: files },
});
const IN_USAGE_INDEXER = (method: string): ReturnType<typeof onlyInIndexer> =>
  onlyInIndexer(new RegExp(String.raw`\.${method}\(`, "u"), "workspace/usages/usage-indexer.ts");
const IN_SEARCH_INDEX = onlyInIndexer(/\bnew SearchIndex\(/u, "indexer/project-indexing.ts");
const IN_CLEARING = onlyInIndexer(
  /\bsyncMetadata\.clear\(|SyncMetadataRepository\(.*\)\.clear\(/u,
  "indexer/project-indexing.ts",
);
const IN_PROBLEMS = (method: string): ReturnType<typeof onlyInIndexer> =>
  onlyInIndexer(
    new RegExp(String.raw`\bqueries\.${method}\(`, "u"),
    "workspace/problems/project-problems.ts",
  );
const LARGE_IN_INDEXER = "large projects are queried in the indexing process";
const FEW_KEYS = "5,000 keys with 20,000 texts in this process: 10 ms";
export const EXCEPTIONS: readonly Exception[] = [
  { statement: "keys_to_index WHERE id <= ?", ...IN_SEARCH_INDEX, bound: "4,000 rows each" },
  { statement: "translations_to_index WHERE id <= ?", ...IN_SEARCH_INDEX, bound: "4,000 rows each" },
  {
    statement: "SELECT DISTINCT namespace FROM keys INDEXED BY keys_by_time WHERE updated_at > ?",
    reason: "reads the keys that changed since the last refresh",
    bound: "as many as were just fetched",
  },
  {
    statement: "SELECT coalesce(max(id), 0) FROM translations",
    reason: "reads the end of the primary key",
    bound: "one row",
  },
  {
    statement: "FROM (SELECT 1 FROM keys WHERE namespace = ? LIMIT ?)",
    reason: "counts only to a limit",
    bound: "25,000 entries of an index: 2 ms",
  },
  {
    statement: "DELETE FROM removed_keys WHERE revision < ?",
    reason: "keys that were archived since the last complete read",
    bound: "a few thousand rows: 1 ms",
  },
  {
    statement: "FROM translations WHERE locale = ? AND issues IS NOT NULL LIMIT 1",
    reason: "its partial index has only such rows",
    bound: "one row",
  },
  {
    statement: "WITH RECURSIVE each",
    reason: "one look-up for each namespace or combination of tags",
    bound: "1,000 namespaces: 2 ms",
  },
  {
    statement: "FROM source_dependencies JOIN source_files",
    ...IN_USAGE_INDEXER("dependencies"),
    bound: "the modules whose values keys are made of",
  },
  {
    statement: "SELECT file FROM source_dependencies WHERE module = ?",
    ...IN_USAGE_INDEXER("dependentsOf"),
    bound: "the files that depend on one module",
  },
  {
    statement: "BETWEEN e.key_start AND e.key_end",
    reason: "looks for the entry at a position of one file, for a person who points at it",
    bound: "50,000 entries of one file: 10 ms",
  },
  {
    statement: "min(e.key_start, e.value_start) < ?4",
    reason: "looks for the entry in a range of one file, when a command is run there",
    bound: "50,000 entries of one file: 10 ms",
  },
  {
    statement: "substr(n.key, 1, ?4) = ?3 LIMIT 1",
    reason: "chooses among several files for a new key, once for each file and beginning in a command",
    bound: "50,000 entries of one file: 10 ms",
  },
  {
    statement: "SELECT DISTINCT n.namespace FROM local_entries e",
    reason: "chooses among several files for a new key, once for each file in a command, and after renames",
    bound: "50,000 entries of one file: 10 ms",
  },
  {
    statement: "SELECT max(e.position) FROM local_entries e WHERE e.file = f.id",
    reason: "reads the end of the primary key of each file",
    bound: "one row",
  },
  {
    statement: "position < 500 + (SELECT min(position) FROM local_entries WHERE file = ?1)",
    reason: "batches in the order of the primary key",
    bound: "500 rows each",
  },
  { statement: "SELECT term FROM key_trigrams", reason: "an ordered index", bound: "one term" },
  { statement: "AS hashes FROM key_search", reason: LARGE_IN_INDEXER, bound: FEW_KEYS },
  { statement: "AS hashes FROM translation_search", reason: LARGE_IN_INDEXER, bound: FEW_KEYS },
  {
    statement: "SELECT translations.hash, translations.text AS translation",
    reason: LARGE_IN_INDEXER,
    bound: FEW_KEYS,
  },
  { statement: "SELECT group_concat(hash) FROM (", reason: LARGE_IN_INDEXER, bound: FEW_KEYS },
  {
    statement: "FROM key_references WHERE is_dynamic = 1",
    reason: "its partial index has only calls with a partly known key",
    bound: "1,000 such calls: 1 ms",
  },
  {
    statement: "FROM key_references WHERE pattern IS NOT NULL",
    reason: "its partial index has only calls with a partly known key",
    bound: "1,000 such calls: 1 ms",
  },
  {
    statement: "FROM source_files WHERE left_out IS NOT NULL",
    reason: "its partial index has only files that are too large or no text",
    bound: "1,000 such files: 1 ms",
  },
  {
    statement: "SELECT path, size, modified FROM source_files",
    ...IN_USAGE_INDEXER("fileStamps"),
    bound: "20,000 rows: 20 ms",
  },
  {
    statement: "SELECT group_concat(hash, '') FROM",
    ...IN_USAGE_INDEXER("keyNamesFingerprint"),
    bound: "50,000 keys: 10 ms",
  },
  {
    statement: "SELECT path, size, modified FROM file_words",
    ...onlyInIndexer(/\brepository\.stamps\(/u, "workspace/usages/stored-words.ts"),
    bound: "20,000 rows: 20 ms",
  },
  {
    statement: "UPDATE source_files SET size = -1",
    ...IN_USAGE_INDEXER("expireFiles"),
    bound: "20,000 rows: 20 ms",
  },
  {
    statement: "SELECT count(*) FROM literal_calls",
    ...IN_USAGE_INDEXER("literalCallsFingerprint"),
    bound: "20,000 rows: 1 ms",
  },
  {
    statement: "FROM local_files WHERE owner IS NOT NULL",
    reason: "its partial index has only files that are being written or deleted, or have unsaved text",
    bound: "as many as changed at once",
  },
  {
    statement: "FROM drafts WHERE project = ?",
    reason: "what a person typed and did not save yet",
    bound: "10,000 drafts: 10 ms",
  },
  {
    statement: "LEFT JOIN projects p ON p.project = d.project",
    reason: "what a person typed and did not save yet",
    bound: "10,000 drafts: 10 ms",
  },
  {
    statement: "UPDATE OR IGNORE drafts SET project = ?",
    reason: "what a person typed and did not save yet, once and on request",
    bound: "10,000 drafts: 50 ms",
  },
  {
    statement: "UPDATE OR IGNORE rejected_translations SET project = ?",
    reason: "machine translations that were rejected, once when the local service gets another port",
    bound: "10,000 rows: 50 ms",
  },
  {
    statement: "SELECT * FROM drafts WHERE project = ? AND (locale, hash) > (?, ?)",
    reason: "batches in the order of the primary key",
    bound: "1,000 rows each",
  },
  {
    statement: "FROM rejected_translations r WHERE r.project = ? AND NOT EXISTS",
    reason: "machine translations that a person has to translate",
    bound: "1,000 rows: 5 ms",
  },
  {
    statement: "SELECT DISTINCT reference AS id FROM reference_names",
    ...IN_PROBLEMS("unknownUsages"),
    bound: "3,000 usages",
  },
  {
    statement: "FROM translations t CROSS JOIN keys k",
    ...IN_PROBLEMS("entriesWithIssues"),
    bound: "1,000 rows each",
  },
  {
    statement: "SELECT hash, namespace, key, context FROM keys k WHERE NOT EXISTS",
    ...onlyInIndexer(/\.keysWithoutUsage\(/u, "workspace/usages/find-evidence.ts"),
    bound: "50,000 keys: 100 ms",
  },
  {
    statement: "k.namespace, k.key, k.context FROM keys k",
    ...IN_PROBLEMS("untranslated"),
    bound: "50,000 keys in each language: 50 ms",
  },
  {
    statement: "SELECT f.id, f.path FROM local_files f",
    ...IN_PROBLEMS("(?:untranslated|entriesWithIssues)"),
    bound: "5,000 rows: 10 ms, for a language with too many results",
  },
  {
    statement: "t.issues, e.value_start AS start FROM local_entries e",
    ...IN_PROBLEMS("entriesWithIssues"),
    bound: "the entries of a file: 50,000",
  },
  {
    statement: "FROM local_files f WHERE f.problems <> '[]'",
    ...IN_PROBLEMS("filesWithProblems"),
    bound: "5,000 rows: 10 ms",
  },
  { statement: "DELETE FROM keys", ...IN_CLEARING, bound: "pages of the table, not rows" },
  { statement: "DELETE FROM translations", ...IN_CLEARING, bound: "pages of the table, not rows" },
  { statement: "DELETE FROM removed_keys", ...IN_CLEARING, bound: "pages of the table, not rows" },
  { statement: "DELETE FROM keys_to_index", ...IN_CLEARING, bound: "pages of the table, not rows" },
  {
    statement: "DELETE FROM translations_to_index",
    ...IN_CLEARING,
    bound: "pages of the table, not rows",
  },
];

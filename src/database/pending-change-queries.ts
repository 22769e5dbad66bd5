/**
 * Compares the local files with the stored data of the service, on any thread: counts the texts that differ, by the side
 * that changed, and stores which are equal. The counts only show that there is something to do: push and pull compare
 * with the service itself.
 */
import { changedSide, textFingerprint } from "../model/agreed-text.ts";
import { yieldNow } from "../util/event-loop.ts";
import { isEmptyText, type Text } from "../model/translation-text.ts";
import { Database, isWriteRefused } from "./database.ts";
import { ENTRIES, IN_ORDER, TEMPLATE_RANK, UNCOVERED, VISIBLE } from "./local-file-repository.ts";
import { type AgreedChange, AgreedTextRepository } from "./personal/agreed-text-repository.ts";
import { PERSONAL_SCHEMA } from "./personal/personal-schema.ts";

/** What to compare. */
export interface PendingChangesScope {
  /** The project and the path of its personal database, which has the agreed texts. */
  readonly personal: { readonly project: string; readonly path: string };
  readonly sourceLocale: string;
  /** As in `LocalFileRepository.findSource`. */
  readonly covered: readonly string[];
  readonly targets: readonly PendingTarget[];
}

/** A language with files, other than the source language. */
export interface PendingTarget {
  readonly locale: string;
  /** Namespaces of its files, with or without keys. */
  readonly namespaces: readonly string[];
  /** `complete`: its translations are known; `untouched`: the service has none. */
  readonly state: "complete" | "untouched";
}

/** Result of a count. */
export interface PendingCounts {
  /** Source texts that the service does not have, not even archived, or that changed in the files (`changed`). */
  readonly created: number;
  readonly changed: number;
  /** Source texts of keys that are archived at the service, as far as that is known. */
  readonly restored: number;
  /**
   * Source texts that changed only at the service, or that the files do not have, in namespaces with a source file. A template
   * is made by a program, and no source file.
   */
  readonly changedAtService: number;
  /**
   * Translations of complete languages that the files do not have or that changed at the service. Keys of a namespace
   * without a file in the language are not counted, since they would need a new file.
   */
  readonly toPull: number;
  /** Translations that only the files have, by language. */
  readonly localOnly: Readonly<Record<string, number>>;
  /** Translations that changed only in the files since both sides were equal, by language. */
  readonly changedInFiles: Readonly<Record<string, number>>;
  /** Texts that changed on both sides. */
  readonly conflicts: number;
}

/** Names per time slice; some 5 ms for each language. */
const BATCH_SIZE = 500;
/** Equal texts that are kept to be stored together, which is an order faster than batch by batch; some 20 MB. */
const MAX_UNSTORED = 200_000;

const NAMES_IN_BATCH = `SELECT n.id AS name, n.hash, n.namespace, k.text, k.id IS NOT NULL AS is_key,
    EXISTS (SELECT 1 FROM archived_keys a WHERE a.hash = n.hash) AS is_archived
  FROM local_names n LEFT JOIN keys k ON k.hash = n.hash WHERE n.id > ?1 AND n.id <= ?1 + ${BATCH_SIZE}`;
/** CROSS JOIN fixes the join order: otherwise SQLite scans the whole language for each batch. */
const TEXTS_IN_BATCH = `SELECT e.name, e.text, coalesce(json_extract(e.details, '$.isFuzzy'), 0) AS is_fuzzy,
    f.owner IS NULL AS is_on_disk, f.rank <> ${TEMPLATE_RANK} AS is_written
  FROM local_names n CROSS JOIN local_entries e ON e.name = n.id AND e.locale = ?3 JOIN local_files f ON f.id = e.file
  WHERE n.id > ?2 AND n.id <= ?2 + ${BATCH_SIZE} AND ${VISIBLE} ORDER BY n.id, ${IN_ORDER}`;
const SOURCES_IN_BATCH = `SELECT e.name, e.source AS text, f.owner IS NULL AS is_on_disk FROM ${ENTRIES} JOIN local_names n ON n.id = e.name
  WHERE e.name > ?2 AND e.name <= ?2 + ${BATCH_SIZE} AND e.source IS NOT NULL AND ${UNCOVERED} AND ${VISIBLE}
  ORDER BY e.name, ${IN_ORDER}`;
const TRANSLATIONS_IN_BATCH = `SELECT n.id AS name, t.text
  FROM local_names n CROSS JOIN translations t ON t.locale = ?2 AND t.hash = n.hash
  WHERE n.id > ?1 AND n.id <= ?1 + ${BATCH_SIZE} AND t.is_translated = 1`;
/** The translations whose keys no file has. */
const SOURCES_WITHOUT_NAME_IN_BATCH = `SELECT k.hash, k.namespace FROM keys k
  WHERE k.id > ?1 AND k.id <= ?1 + ${BATCH_SIZE} AND k.text IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM local_names WHERE hash = k.hash)`;
const WITHOUT_NAME_IN_BATCH = `SELECT k.hash, k.namespace FROM keys k CROSS JOIN translations t
  ON t.locale = ?2 AND t.hash = k.hash AND t.is_translated = 1 AND t.text IS NOT NULL
  WHERE k.id > ?1 AND k.id <= ?1 + ${BATCH_SIZE} AND NOT EXISTS (SELECT 1 FROM local_names WHERE hash = k.hash)`;

interface NameRow {
  readonly name: number;
  readonly hash: string;
  readonly namespace: string;
  /** The text as JSON, which is identical for equal texts. */
  readonly text: string | null;
  readonly is_key: number;
  readonly is_archived: number;
}

interface TextRow {
  readonly name: number;
  /** The text as JSON. */
  readonly text: string | null;
  readonly is_fuzzy?: number;
  /** 0: in the unsaved text of an editor. */
  readonly is_on_disk?: number;
  /** 1: of a file that a pull adds source texts to. */
  readonly is_written?: number;
}

/** Counts pending changes. */
export class PendingChangeQueries {
  readonly #database: Database;
  #personal: Database | undefined;
  /** The last complete count, and the scope and the state of both databases when it began. */
  #last: { readonly state: string; readonly counts: PendingCounts } | undefined;

  /** @param personal default: another connection to the personal database */
  constructor(database: Database, personal?: Database) {
    this.#database = database;
    this.#personal = personal;
  }

  /**
   * Counts the pending changes, and stores the texts that both sides have. Of an unchanged state the last counts are
   * returned.
   * @throws the signal's reason
   */
  async count(scope: PendingChangesScope, signal?: AbortSignal): Promise<PendingCounts> {
    const { dataVersion } = this.#openPersonal(scope.personal.path);
    const state = JSON.stringify([scope, this.#database.version(), dataVersion]);
    if (this.#last?.state !== state) this.#last = { state, counts: await this.#count(scope, signal) };
    return this.#last.counts;
  }

  async #count(scope: PendingChangesScope, signal: AbortSignal | undefined): Promise<PendingCounts> {
    const { sourceLocale, targets } = scope;
    const { windowPid } = this.#database;
    const covered = JSON.stringify(scope.covered);
    const { project, path } = scope.personal;
    const agreedTexts = new AgreedTextRepository({ project, database: this.#openPersonal(path) });
    const pulls = new Map(targets.map(({ locale, namespaces }) => [locale, new PullCount(namespaces)]));
    const localOnly: Record<string, number> = {};
    const changedInFiles: Record<string, number> = {};
    const sourcePull = new PullCount([]);
    const counts = { created: 0, changed: 0, restored: 0, changedAtService: 0, conflicts: 0 };
    let equal: AgreedChange[] = [];
    for (let start = 0, end = this.#lastId("local_names"); start < end; start += BATCH_SIZE) {
      const names = this.#database.all<NameRow>(NAMES_IN_BATCH, start);
      const hashes = names.map(({ hash }) => hash);
      const sources = firstOfEachName([
        ...this.#database.all<TextRow>(TEXTS_IN_BATCH, windowPid, start, sourceLocale),
        ...this.#database.all<TextRow>(SOURCES_IN_BATCH, windowPid, start, covered),
      ]);
      const agreedSources = agreedTexts.of(sourceLocale, hashes);
      const addEqual = (
        locale: string,
        { hash }: NameRow,
        { text, is_on_disk: isOnDisk }: TextRow,
        agreed: string | undefined,
      ): void => {
        if (isOnDisk === 0 || text === null) return;
        const fingerprint = textFingerprint(JSON.parse(text) as Text);
        if (fingerprint !== agreed) equal.push({ locale, hash, fingerprint, before: agreed ?? null });
      };
      for (const row of names) {
        const source = sources.get(row.name);
        if (source === undefined || isEmpty(source.text)) {
          if (row.is_key === 1 && row.text !== null && !agreedSources.has(row.hash))
            sourcePull.add(row.namespace);
          continue;
        }
        if (source.is_written === 1) sourcePull.addFileNamespace(row.namespace);
        if (row.is_key === 0) counts[row.is_archived === 1 ? "restored" : "created"]++;
        else if (source.text === row.text) addEqual(sourceLocale, row, source, agreedSources.get(row.hash));
        else counts[sourceCount(source.text, row.text, agreedSources.get(row.hash))]++;
      }
      for (const { locale, state } of targets) {
        await yieldNow();
        signal?.throwIfAborted();
        const localTexts = firstOfEachName(
          this.#database.all<TextRow>(TEXTS_IN_BATCH, windowPid, start, locale),
        );
        const translations = firstOfEachName(
          this.#database.all<TextRow>(TRANSLATIONS_IN_BATCH, start, locale),
        );
        const agreed = agreedTexts.of(locale, hashes);
        for (const row of names) {
          const { name, hash, namespace, text, is_key: isKey } = row;
          const local = localTexts.get(name);
          const remote = state === "complete" ? translations.get(name) : undefined;
          if (local !== undefined) pulls.get(locale)?.addFileNamespace(namespace);
          if (isKey === 0) continue;
          if (remote === undefined) {
            if (local !== undefined && isTranslation(local, text)) increment(localOnly, locale);
          } else if (remote.text !== null && local?.text === remote.text) {
            addEqual(locale, row, local, agreed.get(hash));
          } else if (remote.text !== null) {
            const isDeletedKey = agreedSources.has(hash) && !sources.has(name);
            const isMissing = local === undefined || isEmpty(local.text);
            switch (changedSide(parsedText(local), JSON.parse(remote.text) as Text, agreed.get(hash))) {
              case "service":
              case "unknown":
                if (!isMissing || !isDeletedKey) pulls.get(locale)?.add(namespace);
                break;
              case "file":
                if (local !== undefined && isTranslation(local, text)) increment(changedInFiles, locale);
                break;
              case "both":
                counts.conflicts++;
                break;
              case "none":
                break;
            }
          }
        }
      }
      if (equal.length < MAX_UNSTORED) continue;
      await storeUnlessRefused(agreedTexts, equal);
      equal = [];
    }
    await storeUnlessRefused(agreedTexts, equal);
    for (let start = 0, end = this.#lastId("keys"); start < end; start += BATCH_SIZE) {
      await yieldNow();
      signal?.throwIfAborted();
      const unnamed = this.#database.all<UnnamedRow>(SOURCES_WITHOUT_NAME_IN_BATCH, start);
      const agreed = agreedTexts.of(
        sourceLocale,
        unnamed.map(({ hash }) => hash),
      );
      for (const { hash, namespace } of unnamed) if (!agreed.has(hash)) sourcePull.add(namespace);
      for (const { locale, state } of targets) {
        if (state !== "complete") continue;
        const rows = this.#database.all<UnnamedRow>(WITHOUT_NAME_IN_BATCH, start, locale);
        if (rows.length === 0) continue;
        const hashes = rows.map(({ hash }) => hash);
        // What was in the files was deleted there.
        const deleted = [agreedTexts.of(sourceLocale, hashes), agreedTexts.of(locale, hashes)];
        for (const { hash, namespace } of rows)
          if (!deleted.some((agreed) => agreed.has(hash))) pulls.get(locale)?.add(namespace);
      }
    }
    const toPull = [...pulls.values()].reduce((sum, pull) => sum + pull.total, 0);
    counts.changedAtService += sourcePull.total;
    return { ...counts, toPull, localOnly, changedInFiles };
  }

  #openPersonal(path: string): Database {
    if (this.#personal !== undefined && this.#personal.path === path) return this.#personal;
    this.#personal?.close();
    this.#personal = new Database(path, undefined, undefined, PERSONAL_SCHEMA);
    return this.#personal;
  }

  #lastId(table: "local_names" | "keys"): number {
    return this.#database.number(`SELECT max(id) FROM ${table}`);
  }
}

/** Stores texts. A full disk is reported by the window, when it writes to its personal database itself. */
async function storeUnlessRefused(
  agreedTexts: AgreedTextRepository,
  texts: readonly AgreedChange[],
): Promise<void> {
  try {
    await agreedTexts.storeUnlessChanged(texts);
  } catch (error) {
    if (!isWriteRefused(error)) throw error;
  }
}

function increment(counts: Record<string, number>, locale: string): void {
  counts[locale] = (counts[locale] ?? 0) + 1;
}

/** Returns how a source text is counted that differs at the service. `agreed`: the fingerprint of the agreed text. */
function sourceCount(
  file: string | null,
  service: string | null,
  agreed: string | undefined,
): "changed" | "changedAtService" | "conflicts" {
  if (file === null || service === null) return "changed";
  switch (changedSide(JSON.parse(file) as Text, JSON.parse(service) as Text, agreed)) {
    case "service":
      return "changedAtService";
    case "both":
      return "conflicts";
    case "none":
    case "file":
    case "unknown":
      return "changed";
  }
}

function parsedText(row: TextRow | undefined): Text | undefined {
  return row === undefined || row.text === null ? undefined : (JSON.parse(row.text) as Text);
}

/** A key that no file has. */
interface UnnamedRow {
  readonly hash: string;
  readonly namespace: string;
}

/** Counts translations by namespace, since the namespaces of a language's files are only known at the end. */
class PullCount {
  readonly #fileNamespaces: Set<string>;
  readonly #counts = new Map<string, number>();

  constructor(fileNamespaces: readonly string[]) {
    this.#fileNamespaces = new Set(fileNamespaces);
  }

  /** Records that a file of the language has a key of this namespace. */
  addFileNamespace(namespace: string): void {
    this.#fileNamespaces.add(namespace);
  }

  add(namespace: string): void {
    this.#counts.set(namespace, (this.#counts.get(namespace) ?? 0) + 1);
  }

  get total(): number {
    return [...this.#fileNamespaces].reduce((sum, namespace) => sum + (this.#counts.get(namespace) ?? 0), 0);
  }
}

/** Returns the first row of each name. */
function firstOfEachName(rows: readonly TextRow[]): ReadonlyMap<number, TextRow> {
  // Reversed, so that the first row of each name overwrites later ones.
  return new Map(rows.toReversed().map((row) => [row.name, row]));
}

/** Returns whether the entry is a translation: not fuzzy, not empty and not equal to the source text. */
function isTranslation({ text, is_fuzzy: isFuzzy }: TextRow, source: string | null): boolean {
  return isFuzzy !== 1 && !isEmpty(text) && text !== source;
}

function isEmpty(text: string | null): boolean {
  return text === null || isEmptyText(JSON.parse(text) as Text);
}

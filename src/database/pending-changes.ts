/**
 * Counts the texts that differ between the local files and what is known of the service, within the database. Works in
 * any thread. Push and pull ask the service themselves: this only shows that there is something to do.
 */
import { isEmptyText, sameText, type Text } from "../model/text.ts";
import type { Database } from "./database.ts";
import { ENTRIES, IN_ORDER, UNCOVERED, VISIBLE } from "./local-file-repository.ts";

/** What is compared. */
export interface PendingScope {
  readonly sourceLocale: string;
  /** As in `LocalFileRepository.findSource`. */
  readonly covered: readonly string[];
  readonly targets: readonly PendingTarget[];
}

/** A language other than the source's that has files. */
export interface PendingTarget {
  readonly locale: string;
  /** Namespaces that its files are for, keys or not. */
  readonly namespaces: readonly string[];
  /** `complete`: its translations are known; `untouched`: the service has none of them. */
  readonly state: "complete" | "untouched";
}

export interface PendingCounts {
  /** Source texts that the service lacks, or has otherwise. */
  readonly created: number;
  readonly changed: number;
  /**
   * Translations of complete languages that the files lack or have otherwise. A key of a namespace that no file of the
   * language holds would need a new one, and is not counted.
   */
  readonly toPull: number;
  /** By language, those that stand in the files alone. */
  readonly localOnly: Readonly<Record<string, number>>;
}

export interface PendingCounting {
  /** Rejects with the signal's reason. */
  count(scope: PendingScope, signal?: AbortSignal): Promise<PendingCounts>;
}

/** Names compared at a time; some 5 ms for each language. */
const BATCH_SIZE = 500;

const NAMES = `SELECT n.id AS name, n.namespace, k.text, k.id IS NOT NULL AS is_key
  FROM local_names n LEFT JOIN keys k ON k.hash = n.hash WHERE n.id > ?1 AND n.id <= ?1 + ${BATCH_SIZE}`;
const OWN_TEXTS = `SELECT e.name, e.text, coalesce(json_extract(e.details, '$.isFuzzy'), 0) AS is_fuzzy FROM ${ENTRIES}
  WHERE e.name > ?2 AND e.name <= ?2 + ${BATCH_SIZE} AND e.locale = ?3 AND ${VISIBLE} ORDER BY e.name, ${IN_ORDER}`;
const SOURCES_IN_OTHER_LANGUAGES = `SELECT e.name, e.source AS text FROM ${ENTRIES} JOIN local_names n ON n.id = e.name
  WHERE e.name > ?2 AND e.name <= ?2 + ${BATCH_SIZE} AND e.source IS NOT NULL AND ${UNCOVERED} AND ${VISIBLE}
  ORDER BY e.name, ${IN_ORDER}`;
const TRANSLATIONS = `SELECT n.id AS name, t.text FROM local_names n JOIN translations t ON t.hash = n.hash
  WHERE n.id > ?1 AND n.id <= ?1 + ${BATCH_SIZE} AND t.locale = ?2 AND t.is_translated = 1`;
const KEYS_WITHOUT_NAME = `SELECT k.hash, k.namespace FROM keys k LEFT JOIN local_names n ON n.hash = k.hash
  WHERE k.id > ?1 AND k.id <= ?1 + ${BATCH_SIZE} AND n.id IS NULL`;
const HAS_TRANSLATION =
  "SELECT 1 FROM translations WHERE locale = ? AND hash = ? AND is_translated = 1 AND text IS NOT NULL";

interface NameRow {
  readonly name: number;
  readonly namespace: string;
  /** JSON. */
  readonly text: string | null;
  readonly is_key: number;
}

interface TextRow {
  readonly name: number;
  /** JSON. */
  readonly text: string | null;
  readonly is_fuzzy?: number;
}

export class PendingChanges implements PendingCounting {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async count(scope: PendingScope, signal?: AbortSignal): Promise<PendingCounts> {
    const { sourceLocale, targets } = scope;
    const pulls = new Map(targets.map(({ locale, namespaces }) => [locale, new PullCount(namespaces)]));
    const localOnly: Record<string, number> = {};
    const counts = { created: 0, changed: 0 };
    for (let start = 0, end = this.#last("local_names"); start < end; start += BATCH_SIZE) {
      const names = this.#rows<NameRow>(NAMES, start);
      const sources = firsts([
        ...this.#rows<TextRow>(OWN_TEXTS, this.#database.windowPid, start, sourceLocale),
        ...this.#rows<TextRow>(
          SOURCES_IN_OTHER_LANGUAGES,
          this.#database.windowPid,
          start,
          JSON.stringify(scope.covered),
        ),
      ]);
      for (const { name, text, is_key: isKey } of names) {
        const source = sources.get(name);
        if (source === undefined || isEmpty(source.text)) continue;
        if (isKey === 0) counts.created++;
        else if (!isSame(source.text, text)) counts.changed++;
      }
      for (const { locale, state } of targets) {
        await new Promise(setImmediate);
        signal?.throwIfAborted();
        const own = firsts(this.#rows<TextRow>(OWN_TEXTS, this.#database.windowPid, start, locale));
        const theirs = firsts(this.#rows<TextRow>(TRANSLATIONS, start, locale));
        for (const { name, namespace, text, is_key: isKey } of names) {
          const here = own.get(name);
          const there = state === "complete" ? theirs.get(name) : undefined;
          if (here !== undefined) pulls.get(locale)?.hold(namespace);
          if (isKey === 0) continue;
          if (there === undefined) {
            if (here !== undefined && isTranslation(here, text))
              localOnly[locale] = (localOnly[locale] ?? 0) + 1;
          } else if (there.text !== null && !isSame(here?.text, there.text)) {
            pulls.get(locale)?.add(namespace);
          }
        }
      }
    }
    for (let start = 0, end = this.#last("keys"); start < end; start += BATCH_SIZE) {
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      for (const { hash, namespace } of this.#rows<{ hash: string; namespace: string }>(
        KEYS_WITHOUT_NAME,
        start,
      )) {
        for (const { locale, state } of targets) {
          if (state === "complete" && this.#rows(HAS_TRANSLATION, locale, hash).length > 0)
            pulls.get(locale)?.add(namespace);
        }
      }
    }
    const toPull = [...pulls.values()].reduce((sum, pull) => sum + pull.total, 0);
    return { ...counts, toPull, localOnly };
  }

  #last(table: "local_names" | "keys"): number {
    return Number(this.#database.sql(`SELECT max(id) AS id FROM ${table}`).get()?.["id"] ?? 0);
  }

  #rows<Row>(text: string, ...parameters: readonly (string | number)[]): Row[] {
    return this.#database.sql(text).all(...parameters) as Row[];
  }
}

/** Counts translations to pull by namespace, since what its files hold is known only after all of them. */
class PullCount {
  readonly #held: Set<string>;
  readonly #counts = new Map<string, number>();

  constructor(held: readonly string[]) {
    this.#held = new Set(held);
  }

  /** A file of the language has a key of this namespace. */
  hold(namespace: string): void {
    this.#held.add(namespace);
  }

  add(namespace: string): void {
    this.#counts.set(namespace, (this.#counts.get(namespace) ?? 0) + 1);
  }

  get total(): number {
    return [...this.#held].reduce((sum, namespace) => sum + (this.#counts.get(namespace) ?? 0), 0);
  }
}

/** The first row of each name. */
function firsts(rows: readonly TextRow[]): ReadonlyMap<number, TextRow> {
  const first = new Map<number, TextRow>();
  for (const row of rows) if (!first.has(row.name)) first.set(row.name, row);
  return first;
}

/** One that only repeats the source text, or that waits for a check, is no translation. */
function isTranslation({ text, is_fuzzy: isFuzzy }: TextRow, source: string | null): boolean {
  return isFuzzy !== 1 && !isEmpty(text) && !isSame(text, source);
}

function isEmpty(text: string | null): boolean {
  return text === null || isEmptyText(JSON.parse(text) as Text);
}

/** Forms may come in another order. */
function isSame(one: string | null | undefined, other: string | null): boolean {
  if (one === null || other === null || one === undefined) return false;
  return one === other || sameText(JSON.parse(one) as Text, JSON.parse(other) as Text);
}

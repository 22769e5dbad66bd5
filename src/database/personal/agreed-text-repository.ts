/**
 * What the files and the service last agreed on, by language and key: the third side of a comparison. Written whenever
 * both sides are made or seen to be equal. It cannot be fetched again.
 */
import type { AgreedText } from "../../model/agreed-text.ts";
import { forEachInSlices, yieldNow } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { Database } from "../database.ts";
import type { PersonalData } from "./personal-data.ts";

/** A change of an agreed text. */
export interface AgreedChange extends AgreedText {
  /** The fingerprint before; `null`: none. */
  readonly before: string | null;
}

/** Texts per statement; some 5 ms to write. */
const BATCH_SIZE = 1_000;

/** Reads and writes the agreed texts of one project. */
export class AgreedTextRepository {
  readonly #database: Database;
  readonly #project: string;

  constructor({ database, project }: Pick<PersonalData, "database" | "project">) {
    this.#database = database;
    this.#project = project;
  }

  /** Returns the fingerprint of the agreed text; `undefined` without one. */
  get(locale: string, hash: string): string | undefined {
    const sql = "SELECT fingerprint FROM agreed_texts WHERE project = ? AND locale = ? AND hash = ?";
    return this.#database.value<string>(sql, this.#project, locale, hash);
  }

  /** Returns the fingerprints of some 1,000 keys, by hash. */
  of(locale: string, hashes: readonly string[]): ReadonlyMap<string, string> {
    const sql = `SELECT hash, fingerprint FROM json_each(?3) CROSS JOIN agreed_texts
      ON project = ?1 AND locale = ?2 AND hash = value`;
    const rows = this.#database.all(sql, this.#project, locale, JSON.stringify(hashes));
    return new Map(rows.map(({ hash, fingerprint }) => [String(hash), String(fingerprint)]));
  }

  /** Stores texts, in time slices; nothing is written for those that are stored already. */
  async store(texts: readonly AgreedText[]): Promise<void> {
    const changed = await this.withoutStored(await inHashOrder(texts));
    const put = "INSERT OR REPLACE INTO agreed_texts VALUES (?, ?, ?, ?)";
    await this.#inBatches(changed, ({ locale, hash, fingerprint }) =>
      this.#database.sql(put).run(this.#project, locale, hash, fingerprint),
    );
  }

  /** Stores texts, in time slices, except those of which something else than `before` was agreed meanwhile. */
  async storeUnlessChanged(changes: readonly AgreedChange[]): Promise<void> {
    const put = `INSERT INTO agreed_texts VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint WHERE fingerprint = ?`;
    await this.#inBatches(await inHashOrder(changes), ({ locale, hash, fingerprint, before }) =>
      this.#database.sql(put).run(this.#project, locale, hash, fingerprint, before),
    );
  }

  /** Returns the texts that differ from the stored ones, in time slices. */
  async withoutStored(texts: readonly AgreedText[]): Promise<AgreedText[]> {
    const changed: AgreedText[] = [];
    for (const [locale, group] of Map.groupBy(texts, (text) => text.locale)) {
      for (let start = 0; start < group.length; start += BATCH_SIZE) {
        if (start > 0) await yieldNow();
        const batch = group.slice(start, start + BATCH_SIZE);
        const hashes = batch.map(({ hash }) => hash);
        const stored = this.of(locale, hashes);
        changed.push(...batch.filter(({ hash, fingerprint }) => stored.get(hash) !== fingerprint));
      }
    }
    return changed;
  }

  /** Stores what was agreed before these changes, in time slices, except where something else was agreed since. */
  async undo(changes: readonly AgreedChange[]): Promise<void> {
    const where = "project = ? AND locale = ? AND hash = ? AND fingerprint = ?";
    const remove = `DELETE FROM agreed_texts WHERE ${where}`;
    const restore = `UPDATE agreed_texts SET fingerprint = ? WHERE ${where}`;
    await this.#inBatches(await inHashOrder(changes), ({ locale, hash, fingerprint, before }) => {
      const text = [this.#project, locale, hash, fingerprint] as const;
      if (before === null) this.#database.sql(remove).run(...text);
      else this.#database.sql(restore).run(before, ...text);
    });
  }

  /** Removes what was agreed of keys that neither side has any more; at most some 1,000 per time slice. */
  async forget(locales: readonly string[], hashes: readonly string[]): Promise<void> {
    const sql = `DELETE FROM agreed_texts WHERE project = ?1 AND locale = ?2
      AND hash IN (SELECT value FROM json_each(?3))`;
    for (const locale of locales) {
      for (let start = 0; start < hashes.length; start += BATCH_SIZE) {
        const batch = JSON.stringify(hashes.slice(start, start + BATCH_SIZE));
        await this.#write(() => this.#database.sql(sql).run(this.#project, locale, batch));
        await yieldNow();
      }
    }
  }

  /** Stores the agreed texts of a key that was renamed under its new name. */
  rename(locales: readonly string[], from: string, to: string): void {
    const sql = `INSERT INTO agreed_texts SELECT project, locale, ?4, fingerprint FROM agreed_texts
      WHERE project = ?1 AND locale IN (SELECT value FROM json_each(?2)) AND hash = ?3
      ON CONFLICT DO NOTHING`;
    this.#database.write(sql, this.#project, JSON.stringify(locales), from, to);
  }

  async #inBatches<Item>(items: readonly Item[], write: (item: Item) => void): Promise<void> {
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      if (start > 0) await yieldNow();
      await this.#write(() => items.slice(start, start + BATCH_SIZE).forEach(write));
    }
  }

  /** Does not wait for the disk: what is lost in a power failure is agreed on again when both sides are compared. */
  async #write(work: () => unknown): Promise<void> {
    await this.#database.transactionAsync(work, true);
  }
}

/**
 * Orders texts roughly by the table's key, so that each batch writes neighbouring pages: otherwise a thousand hashes
 * change nearly every page of a language.
 */
async function inHashOrder<Item extends AgreedText>(texts: readonly Item[]): Promise<readonly Item[]> {
  if (texts.length <= BATCH_SIZE) return texts;
  const groups = new Map<string, Item[]>();
  await forEachInSlices(texts, (text) =>
    getOrCreate(groups, `${text.locale} ${text.hash.slice(0, 2)}`, () => []).push(text),
  );
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, group]) => group);
}

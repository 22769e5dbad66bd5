/** Pages of keys and of translations: what `GET /keys` and `GET /translations/{locale}` have in common. */
import { LENGTHS, UNTAGGED } from "../specification-decisions.ts";
import type { Cursors } from "../http/cursor.ts";
import type { TextParameters } from "../http/validate-request.ts";
import type { SqlRow } from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";

type SqlValue = string | number;

/** Returns the fields that keys and translation rows have in common (§ Key, § Translation row). */
export function keyFields(row: SqlRow): object {
  return {
    hash: row["hash"],
    namespace: row["namespace"],
    key: row["name"],
    context: row["context"],
    isPlural: row["is_plural"] === 1,
    updatedAt: row["updated_at"],
  };
}

/** One page, selected by the parameters that both lists have. Its queries name the table of keys `k`. */
export class KeyList {
  /** Id of the last key of the previous page; 0 for the first page. */
  readonly after: number;
  /** `<timestamp>` */
  readonly updatedSince: string | undefined;
  readonly #cursors: Cursors;
  readonly #name: string;
  readonly #limit: number;
  readonly #conditions: string[] = [];
  readonly #values: SqlValue[] = [];

  /**
   * @param list names the endpoint and its other filters, for which alone a cursor is valid
   * @throws {Problem} `422`, also for the parameters that were read from `query` before
   */
  constructor(query: TextParameters, cursors: Cursors, list: readonly unknown[]) {
    const namespace = query.text("namespace");
    const tag = query.text("tag");
    this.updatedSince = query.timestamp("updatedSince");
    this.#limit = query.limit();
    const cursor = query.text("cursor", LENGTHS.cursor);
    this.#cursors = cursors;
    this.#name = JSON.stringify([...list, namespace, tag, this.updatedSince]);
    const after = cursor === undefined ? 0 : cursors.open(this.#name, cursor);
    if (after === undefined) query.addError("cursor", { code: "cursor_unreadable" });
    query.throwIfInvalid();
    this.after = after ?? 0;
    if (namespace !== undefined) this.filter("k.namespace = ?", namespace);
    if (tag === UNTAGGED) this.filter("NOT EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id)");
    else if (tag !== undefined)
      this.filter("EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id AND tag = ?)", tag);
  }

  /** Adds a condition. */
  filter(condition: string, ...values: SqlValue[]): void {
    this.#conditions.push(condition);
    this.#values.push(...values);
  }

  /**
   * Returns the list envelope (§ Envelopes).
   * @param select SQL up to its `WHERE`
   * @param bound the values of `select`
   */
  response(
    connection: Connection,
    select: string,
    bound: readonly SqlValue[],
    order: string,
    shown: (row: SqlRow) => object,
  ): Response {
    const where = this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
    // One row more shows whether another page follows.
    const rows = connection
      .sql(`${select} ${where} ORDER BY ${order} LIMIT ?`)
      .all(...bound, ...this.#values, this.#limit + 1);
    const page = rows.slice(0, this.#limit);
    const nextCursor =
      rows.length > page.length ? this.#cursors.seal(this.#name, Number(page.at(-1)?.["id"])) : null;
    return Response.json({ data: page.map(shown), meta: { nextCursor, limit: this.#limit } });
  }
}

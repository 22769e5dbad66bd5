/** Pages of `GET /keys` and `GET /translations/{locale}` (§ Pagination). */
import { createHmac } from "node:crypto";
import type { Context } from "hono";
import * as v from "valibot";
import { LENGTHS, UNTAGGED } from "../specification-decisions.ts";
import { LimitSchema, text, TimestampSchema } from "../http/validate-request.ts";
import type { SqlValue } from "../store/store.ts";
import type { Env } from "./endpoint.ts";

/** Query parameters that filter a list. */
const FILTERS = ["namespace", "tag", "archived", "status", "updatedSince"];

/** A page of a list of keys. In its SQL, `k` is the table of keys. */
export class KeyList {
  /** Schemas of the parameters of both lists. The output of `cursor` is the id of the last key of the previous page. */
  readonly parameters = {
    namespace: v.optional(text(LENGTHS.filter)),
    tag: v.optional(text(LENGTHS.filter)),
    updatedSince: v.optional(TimestampSchema),
    limit: LimitSchema,
    cursor: v.optional(
      v.pipe(
        text(LENGTHS.cursor),
        v.transform((cursor) => openCursor(this.#secret, this.#list, cursor) ?? null),
        v.number("cursor_unreadable"),
      ),
    ),
  };
  readonly #secret: string;
  /** The path and the filters; a cursor is only valid for these. */
  readonly #list: string;
  readonly #conditions: string[] = [];
  readonly #values: SqlValue[] = [];

  constructor(secret: string, c: Context<Env>) {
    this.#secret = secret;
    this.#list = JSON.stringify([c.req.path, ...FILTERS.map((filter) => c.req.query(filter) ?? null)]);
  }

  /** Adds an SQL condition. */
  filter(condition: string, ...values: SqlValue[]): void {
    this.#conditions.push(condition);
    this.#values.push(...values);
  }

  /**
   * Returns the list envelope (§ Envelopes).
   * @param select runs a query that ends with this SQL
   */
  response<Row extends { readonly id: number }>(
    { namespace, tag, limit }: { namespace?: string | undefined; tag?: string | undefined; limit: number },
    order: string,
    select: (sqlEnd: string, values: readonly SqlValue[]) => Row[],
    toJson: (row: Row) => object,
  ): Response {
    if (namespace !== undefined) this.filter("k.namespace = ?", namespace);
    if (tag === UNTAGGED) this.filter("NOT EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id)");
    else if (tag !== undefined)
      this.filter("EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id AND tag = ?)", tag);
    const where = this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
    // One more row shows whether another page follows.
    const rows = select(`${where} ORDER BY ${order} LIMIT ?`, [...this.#values, limit + 1]);
    const page = rows.slice(0, limit);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const nextCursor = last === undefined ? null : sealCursor(this.#secret, this.#list, last.id);
    return Response.json({ data: page.map(toJson), meta: { nextCursor, limit } });
  }
}

/** Returns a cursor: the id of the last key of a page, authenticated for this store and list. */
export function sealCursor(secret: string, list: string, lastId: number): string {
  const mac = createHmac("sha256", secret).update(`${lastId} ${list}`).digest("base64url");
  return `${lastId}.${mac}`;
}

/** Returns the id in a cursor; `undefined` for anything that was not sealed for this store and list. */
export function openCursor(secret: string, list: string, cursor: string): number | undefined {
  const lastId = Number.parseInt(cursor, 10);
  return cursor === sealCursor(secret, list, lastId) ? lastId : undefined;
}

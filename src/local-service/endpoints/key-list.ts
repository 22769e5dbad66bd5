/** Pages of keys and of translations (§ Pagination): what both lists have in common. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import * as v from "valibot";
import { LENGTHS, UNTAGGED } from "../specification-decisions.ts";
import { LimitSchema, text, TimestampSchema } from "../http/validate-request.ts";
import type { SqlValue } from "../store/store.ts";
import type { Env } from "./endpoint.ts";

/** The filters of both lists. */
const FILTERS = ["namespace", "tag", "archived", "status", "updatedSince"];

/** One page of keys; its SQL names the table of keys `k`. */
export class KeyList {
  /** Schemas of the parameters that both lists have; `cursor` becomes the id of the last key of the previous page. */
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
  /** The list and its filters, for which alone a cursor is valid. */
  readonly #list: string;
  readonly #conditions: string[] = [];
  readonly #values: SqlValue[] = [];

  constructor(secret: string, c: Context<Env>) {
    const { pathname, searchParams } = new URL(c.req.url);
    this.#secret = secret;
    this.#list = JSON.stringify([pathname, ...FILTERS.map((filter) => searchParams.get(filter))]);
  }

  /** Adds a condition. */
  filter(condition: string, ...values: SqlValue[]): void {
    this.#conditions.push(condition);
    this.#values.push(...values);
  }

  /**
   * Returns the list envelope (§ Envelopes).
   * @param select runs a query that this SQL ends
   */
  response<Row extends { readonly id: number }>(
    { namespace, tag, limit }: { namespace?: string | undefined; tag?: string | undefined; limit: number },
    order: string,
    select: (end: string, values: readonly SqlValue[]) => Row[],
    shown: (row: Row) => object,
  ): Response {
    if (namespace !== undefined) this.filter("k.namespace = ?", namespace);
    if (tag === UNTAGGED) this.filter("NOT EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id)");
    else if (tag !== undefined)
      this.filter("EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id AND tag = ?)", tag);
    const where = this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
    // One row more shows whether another page follows.
    const rows = select(`${where} ORDER BY ${order} LIMIT ?`, [...this.#values, limit + 1]);
    const page = rows.slice(0, limit);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const nextCursor = last === undefined ? null : sealCursor(this.#secret, this.#list, last.id);
    return Response.json({ data: page.map(shown), meta: { nextCursor, limit } });
  }
}

const ID_BYTES = 8;

/** Returns the cursor: the id of the last key of a page, authenticated for this store and list. */
export function sealCursor(secret: string, list: string, afterId: number): string {
  const id = Buffer.alloc(ID_BYTES);
  id.writeBigUInt64BE(BigInt(afterId));
  return Buffer.concat([id, cursorMac(secret, list, id)]).toString("base64url");
}

/** Returns the id; `undefined` for anything that was not sealed for this list. */
export function openCursor(secret: string, list: string, cursor: string): number | undefined {
  if (!/^[\w-]{32}$/u.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), cursorMac(secret, list, id))) return undefined;
  return Number(id.readBigUInt64BE());
}

function cursorMac(secret: string, list: string, id: Buffer): Buffer {
  return createHmac("sha256", secret).update(id).update(list).digest().subarray(0, 16);
}

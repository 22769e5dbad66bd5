/**
 * Cursors (§ Pagination): the id of the last key of a page, authenticated so that a cursor is only valid for this
 * store and the same list and filters.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const MAC_BYTES = 16;
const ID_BYTES = 8;

export class Cursors {
  readonly #secret: Buffer;

  constructor(secretHex: string) {
    this.#secret = Buffer.from(secretHex, "hex");
  }

  /** `list` names the endpoint and all filters of the first page. */
  seal(list: string, afterId: number): string {
    const id = Buffer.alloc(ID_BYTES);
    id.writeBigUInt64BE(BigInt(afterId));
    return Buffer.concat([id, this.#mac(list, id)]).toString("base64url");
  }

  /** The id, or `undefined` for anything that was not sealed for this list. */
  open(list: string, cursor: string): number | undefined {
    if (!/^[\w-]{32}$/u.test(cursor)) return undefined;
    const bytes = Buffer.from(cursor, "base64url");
    if (bytes.length !== ID_BYTES + MAC_BYTES) return undefined;
    const id = bytes.subarray(0, ID_BYTES);
    if (!timingSafeEqual(bytes.subarray(ID_BYTES), this.#mac(list, id))) return undefined;
    return Number(id.readBigUInt64BE());
  }

  #mac(list: string, id: Buffer): Buffer {
    return createHmac("sha256", this.#secret).update(id).update(list).digest().subarray(0, MAC_BYTES);
  }
}

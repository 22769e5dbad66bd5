/** `GET /keys`, `POST /keys/diff` and `PATCH /keys/{keyHash}`. */
import * as v from "valibot";
import {
  ARCHIVED_DEFAULT,
  ARCHIVED_VALUES,
  LENGTHS,
  LIMITS,
  type DiffAnswer,
} from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import { notFound } from "../http/error-responses.ts";
import { HashSchema, jsonBody, list, MaxLengthSchema, name, oneOf, text } from "../http/validate-request.ts";
import { keyByHash, selectKeys, tagsOf, type KeyRow } from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";
import { dataResponse, parseQuery, type Handler } from "./endpoint.ts";
import { KeyList } from "./key-list.ts";

/** "Order is by key": by name in code point order; keys with equal names by id. */
export const listKeys: Handler = ({ store, cursorSecret }, c) => {
  const page = new KeyList(cursorSecret, c);
  const archivedValues = oneOf(Object.keys(ARCHIVED_VALUES));
  const query = parseQuery(
    c,
    v.object({ ...page.parameters, archived: v.optional(archivedValues, ARCHIVED_DEFAULT) }),
  );
  // Names of keys never change and keys are never deleted, so the cursor only needs the key's id.
  if (query.cursor !== undefined)
    page.filter("(k.name, k.id) > (SELECT name, id FROM keys WHERE id = ?)", query.cursor);
  const archived = ARCHIVED_VALUES[query.archived] ?? null;
  if (archived !== null) page.filter("k.archived = ?", archived);
  if (query.updatedSince !== undefined) page.filter("k.updated_at >= ?", query.updatedSince);
  return page.response(
    query,
    "k.name, k.id",
    (end, values) => selectKeys(store.reader, end, ...values),
    (key) => keyResponse(store.reader, key),
  );
};

/** § Key. */
function keyResponse(connection: Connection, { id, text: source, ...key }: KeyRow): object {
  return { ...key, source: source ?? {}, tags: tagsOf(connection, id) };
}

const DiffSchema = v.object({
  keys: list(v.object({ hash: HashSchema, sourceHash: v.nullish(HashSchema, null) }), LIMITS.diffKeys),
});

export const diffKeys: Handler = async ({ store }, c) => {
  const { keys } = await jsonBody(c.req.raw, DiffSchema);
  const answered = { new: [] as string[], changed: [] as string[], restored: [] as string[], unchanged: 0 };
  for (const { hash, sourceHash } of keys) {
    const row = store.reader.get<{ source_hash: string | null; archived: number }>(
      "SELECT source_hash, archived FROM keys WHERE hash = ?",
      hash,
    );
    if (row === undefined) answered.new.push(hash);
    else if (row.archived === 1) answered.restored.push(hash);
    else if (row.source_hash !== sourceHash) answered.changed.push(hash);
    else answered.unchanged++;
  }
  return dataResponse(answered satisfies DiffAnswer);
};

const PatchSchema = v.object({
  description: v.optional(v.nullable(text(LENGTHS.description))),
  maxLength: v.optional(v.nullable(MaxLengthSchema)),
  tags: v.optional(v.array(name(LENGTHS.tag), "must_be_list")),
});

export const updateKey: Handler = async (service, c) => {
  const hash = c.req.param("keyHash") ?? "";
  const patch = await jsonBody(c.req.raw, PatchSchema);
  return service.store.write(service.timing.lockWait, (connection) => {
    const key = keyByHash(connection, hash);
    if (key === undefined) throw notFound();
    const edit = new ContentEdit(service, connection);
    edit.setDetails(key, patch);
    if (patch.tags !== undefined) edit.replaceTags(key.id, patch.tags);
    edit.finish();
    return dataResponse(keyResponse(connection, edit.current(hash)));
  });
};

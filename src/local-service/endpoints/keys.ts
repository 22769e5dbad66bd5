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
import { keyByHash, storedText, type SqlRow } from "../store/store-rows.ts";
import { HashSchema, jsonBody, list, MaxLengthSchema, name, text } from "../http/validate-request.ts";
import { dataResponse, queryOf, type Endpoint } from "./endpoint.ts";
import { keyFields, KeyList } from "./key-list.ts";

const COLUMNS = `SELECT k.id, k.hash, k.namespace, k.name, k.context, k.is_plural, k.description, k.max_length,
  k.source_hash, k.value, k.forms, k.archived, k.updated_at,
  (SELECT json_group_array(tag) FROM (SELECT tag FROM key_tags WHERE key_id = k.id ORDER BY tag)) AS tags FROM keys k`;

export const listKeys: Endpoint = {
  method: "GET",
  path: "/keys",
  scope: "read",
  /** "Order is by key": by name in code point order; keys with equal names by id. */
  handle: ({ store, cursors }, c) => {
    const query = queryOf(c);
    const archived =
      ARCHIVED_VALUES[query.oneOf("archived", Object.keys(ARCHIVED_VALUES)) ?? ARCHIVED_DEFAULT] ?? null;
    const list = new KeyList(query, cursors, ["keys", archived]);
    // Names of keys never change and keys are never deleted, so the cursor only needs the key's id.
    if (list.after > 0) list.filter("(k.name, k.id) > (SELECT name, id FROM keys WHERE id = ?)", list.after);
    if (archived !== null) list.filter("k.archived = ?", archived);
    if (list.updatedSince !== undefined) list.filter("k.updated_at >= ?", list.updatedSince);
    return list.response(store.reader, COLUMNS, [], "k.name, k.id", keyResponse);
  },
};

/** § Key. */
function keyResponse(row: SqlRow): object {
  return {
    ...keyFields(row),
    description: row["description"],
    maxLength: row["max_length"],
    sourceHash: row["source_hash"],
    source: storedText(row["value"], row["forms"]) ?? {},
    tags: JSON.parse(String(row["tags"])),
    archived: row["archived"] === 1,
  };
}

const DiffSchema = v.object({
  keys: list(v.object({ hash: HashSchema, sourceHash: v.nullish(HashSchema, null) }), LIMITS.diffKeys),
});

export const diffKeys: Endpoint = {
  method: "POST",
  path: "/keys/diff",
  scope: "write",
  handle: async ({ store }, c) => {
    const { keys } = await jsonBody(c.req.raw, DiffSchema);
    const answered = { new: [] as string[], changed: [] as string[], restored: [] as string[], unchanged: 0 };
    store.read((connection) => {
      const find = connection.sql("SELECT source_hash, archived FROM keys WHERE hash = ?");
      for (const { hash, sourceHash } of keys) {
        const row = find.get(hash);
        if (row === undefined) answered.new.push(hash);
        else if (row["archived"] === 1) answered.restored.push(hash);
        else if (row["source_hash"] !== sourceHash) answered.changed.push(hash);
        else answered.unchanged++;
      }
    });
    return dataResponse(answered satisfies DiffAnswer);
  },
};

const PatchSchema = v.object({
  description: v.optional(v.nullable(text(LENGTHS.description))),
  maxLength: v.optional(v.nullable(MaxLengthSchema)),
  tags: v.optional(v.array(name(LENGTHS.tag), "must_be_list")),
});

export const updateKey: Endpoint = {
  method: "PATCH",
  path: "/keys/:keyHash",
  scope: "write",
  handle: async (service, c) => {
    const hash = c.req.param("keyHash") ?? "";
    const patch = await jsonBody(c.req.raw, PatchSchema);
    const id = await service.store.write(service.timing.lockWait, (connection) => {
      const key = keyByHash(connection, hash);
      if (key === undefined) throw notFound();
      const edit = new ContentEdit(service, connection);
      edit.setDetails(key, patch);
      if (patch.tags !== undefined) edit.replaceTags(key.id, patch.tags);
      edit.finish();
      return key.id;
    });
    const row = service.store.reader.sql(`${COLUMNS} WHERE k.id = ?`).get(id);
    if (row === undefined) throw notFound();
    return dataResponse(keyResponse(row));
  },
};

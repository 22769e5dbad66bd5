/** `GET /keys`, `POST /keys/diff` and `PATCH /keys/{keyHash}`. */
import * as v from "valibot";
import {
  ARCHIVED_DEFAULT,
  ARCHIVED_VALUES,
  LENGTHS,
  LIMITS,
  UNTAGGED,
  type DiffAnswer,
} from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import { invalidField, notFound } from "../http/problem.ts";
import { keyByHash, numberOrNull, storedText, textOrNull, type SqlRow } from "../store/rows.ts";
import { HashSchema, jsonBody, list, MaxLengthSchema, name, Query, text } from "../http/validate.ts";
import { dataResponse, pageResponse, type Endpoint } from "./endpoint.ts";

const COLUMNS = `SELECT k.id, k.hash, k.namespace, k.name, k.context, k.is_plural, k.description, k.max_length,
  k.source_hash, k.value, k.forms, k.archived, k.updated_at,
  (SELECT json_group_array(tag) FROM (SELECT tag FROM key_tags WHERE key_id = k.id ORDER BY tag)) AS tags FROM keys k`;

export const listKeys: Endpoint = {
  method: "GET",
  path: "/keys",
  scope: "read",
  waitsForSource: false,
  /** "Order is by key": by name in code point order; keys with equal names by id. */
  handle: ({ store, cursors }, c) => {
    const query = new Query(c.req.url);
    const archived =
      ARCHIVED_VALUES[query.oneOf("archived", Object.keys(ARCHIVED_VALUES)) ?? String(ARCHIVED_DEFAULT)];
    const namespace = query.text("namespace");
    const tag = query.text("tag");
    const since = query.timestamp("updatedSince");
    const limit = query.limit();
    const cursor = query.text("cursor", 1000);
    query.throwIfInvalid();
    const listName = JSON.stringify(["keys", archived, namespace, tag, since]);
    const after = cursor === undefined ? 0 : cursors.open(listName, cursor);
    if (after === undefined) throw invalidField("cursor", { code: "cursor_unreadable" });

    const where: string[] = [];
    const values: (string | number)[] = [];
    const filter = (condition: string, ...bound: (string | number)[]): void => {
      where.push(condition);
      values.push(...bound);
    };
    // Names of keys never change and keys are never deleted, so the cursor only needs the key's id.
    if (after > 0) filter("(k.name, k.id) > (SELECT name, id FROM keys WHERE id = ?)", after);
    if (archived !== "all") filter("k.archived = ?", archived === true ? 1 : 0);
    if (namespace !== undefined) filter("k.namespace = ?", namespace);
    if (tag === UNTAGGED) filter("NOT EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id)");
    else if (tag !== undefined)
      filter("EXISTS (SELECT 1 FROM key_tags WHERE key_id = k.id AND tag = ?)", tag);
    if (since !== undefined) filter("k.updated_at >= ?", since);
    const conditions = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
    const rows = store.reader
      .sql(`${COLUMNS} ${conditions} ORDER BY k.name, k.id LIMIT ?`)
      .all(...values, limit + 1);
    return pageResponse(rows, limit, (last) => cursors.seal(listName, Number(last["id"])), keyResponse);
  },
};

/** § Key. */
function keyResponse(row: SqlRow): object {
  const stored = storedText(row["value"], row["forms"]);
  return {
    hash: row["hash"],
    namespace: row["namespace"],
    key: row["name"],
    context: textOrNull(row["context"]),
    isPlural: row["is_plural"] === 1,
    description: textOrNull(row["description"]),
    maxLength: numberOrNull(row["max_length"]),
    sourceHash: textOrNull(row["source_hash"]),
    source: stored ?? {},
    tags: typeof row["tags"] === "string" ? JSON.parse(row["tags"]) : [],
    archived: row["archived"] === 1,
    updatedAt: row["updated_at"],
  };
}

const DiffSchema = v.object({
  keys: list(v.object({ hash: HashSchema, sourceHash: v.nullish(HashSchema, null) }), LIMITS.diffKeys),
});

export const diffKeys: Endpoint = {
  method: "POST",
  path: "/keys/diff",
  scope: "write",
  waitsForSource: true,
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
  waitsForSource: true,
  handle: async (service, c) => {
    const hash = c.req.param("keyHash") ?? "";
    const patch = await jsonBody(c.req.raw, PatchSchema);
    const id = await service.store.write(service.timing.lockWait, (connection) => {
      const key = keyByHash(connection, hash);
      if (key === undefined) throw notFound();
      const edit = new ContentEdit(service, connection);
      if (patch.description !== undefined) edit.setDescription(key, patch.description);
      if (patch.maxLength !== undefined) edit.setMaxLength(key, patch.maxLength);
      if (patch.tags !== undefined) edit.replaceTags(key.id, patch.tags);
      edit.finish();
      return key.id;
    });
    const row = service.store.reader.sql(`${COLUMNS} WHERE k.id = ?`).get(id);
    if (row === undefined) throw notFound();
    return dataResponse(keyResponse(row));
  },
};

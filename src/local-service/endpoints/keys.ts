/** `GET /keys`, `POST /keys/diff`, `POST /keys/sync` and `PATCH /keys/{keyHash}`. */
import * as v from "valibot";
import { keyHash } from "../../model/key-hash.ts";
import { isForms } from "../../model/translation-text.ts";
import {
  ARCHIVED_DEFAULT,
  ARCHIVED_VALUES,
  LENGTHS,
  LIMITS,
  type DiffAnswer,
  type RejectReason,
} from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import { keyLimitReached, notFound } from "../http/error-responses.ts";
import {
  hasOneText,
  HashSchema,
  ITEM_FIELDS,
  itemName,
  itemText,
  jsonBody,
  list,
  MaxLengthSchema,
  name,
  oneOf,
  parseParameters,
  PositiveIntegerSchema,
  text,
} from "../http/validate-request.ts";
import { keyByHash, SELECT_KEYS, selectKeys, tagsOf, totals, type KeyRow } from "../store/store-rows.ts";
import { inTimeSlices, type Connection } from "../store/store.ts";
import { emit } from "../send-webhooks.ts";
import { dataResponse, type Handler } from "./endpoint.ts";
import { KeyList } from "./key-list.ts";

/** "Order is by key": by name in code point order; keys with equal names by id. */
export const listKeys: Handler = ({ store, cursorSecret }, c) => {
  const page = new KeyList(cursorSecret, c);
  const archivedSchema = v.optional(oneOf(Object.keys(ARCHIVED_VALUES)), ARCHIVED_DEFAULT);
  const query = parseParameters(c.req.query(), v.object({ ...page.parameters, archived: archivedSchema }));
  // Keys are never renamed or deleted, so the cursor only needs the id.
  if (query.cursor !== undefined)
    page.filter("(k.name, k.id) > (SELECT name, id FROM keys WHERE id = ?)", query.cursor);
  const archived = ARCHIVED_VALUES[query.archived] ?? null;
  if (archived !== null) page.filter("k.archived = ?", archived);
  if (query.updatedSince !== undefined) page.filter("k.updated_at >= ?", query.updatedSince);
  return store.read((connection) =>
    page.response(
      query,
      "k.name, k.id",
      (sqlEnd, values) => selectKeys(connection, `${SELECT_KEYS} ${sqlEnd}`, ...values),
      (key) => keyResponse(connection, key),
    ),
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
  const diff = { new: [] as string[], changed: [] as string[], restored: [] as string[], unchanged: 0 };
  const sql = "SELECT source_hash, archived FROM keys WHERE hash = ?";
  store.read((connection) => {
    for (const { hash, sourceHash } of keys) {
      const row = connection.get<{ source_hash: string | null; archived: number }>(sql, hash);
      if (row === undefined) diff.new.push(hash);
      else if (row.archived === 1) diff.restored.push(hash);
      else if (row.source_hash !== sourceHash) diff.changed.push(hash);
      else diff.unchanged++;
    }
  });
  return dataResponse(diff satisfies DiffAnswer);
};

const SyncItemSchema = v.pipe(
  v.object({
    ...ITEM_FIELDS,
    key: name(LENGTHS.key),
    description: v.nullish(text(LENGTHS.description)),
    /** "at most 32768 when set by a key update": a sync may set a higher value. */
    maxLength: v.nullish(PositiveIntegerSchema),
    tags: v.nullish(v.array(name(LENGTHS.tag), "must_be_list"), []),
  }),
  v.forward(
    v.check((item) => hasOneText(item), "value_and_forms"),
    ["value"],
  ),
  v.transform(({ key, description, maxLength, tags, ...item }) => {
    const keyName = itemName(key, item);
    // Without a text, the source text stays unchanged.
    return { ...keyName, hash: keyHash(keyName), text: itemText(item), description, maxLength, tags };
  }),
);
type SyncItem = v.InferOutput<typeof SyncItemSchema>;

const SyncSchema = v.object({
  keys: v.nullish(list(SyncItemSchema, LIMITS.syncKeys), []),
  archive: v.nullish(v.array(HashSchema, "must_be_list"), []),
});

/** Creates, updates, restores and archives keys (§ Sync rules 1 to 6). */
export const syncKeys: Handler = async (service, c) => {
  const { keys, archive } = await jsonBody(c.req.raw, SyncSchema);
  const rejected: { hash: string; reason: RejectReason }[] = [];
  const items = new Map<string, SyncItem>();
  for (const item of keys) {
    if (items.has(item.hash)) rejected.push({ hash: item.hash, reason: "duplicate" });
    else items.set(item.hash, item);
  }
  const toArchive = new Set(archive.filter((hash) => !items.has(hash)));
  return service.store.write(async (connection) => {
    const used = totals(connection).active;
    const edit = new ContentEdit(service, connection);
    const counts = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0 };
    for await (const item of inTimeSlices(items.values())) {
      const outcome = syncKey(edit, item);
      if (outcome === "plural_changed") rejected.push({ hash: item.hash, reason: outcome });
      else counts[outcome]++;
    }
    for await (const hash of inTimeSlices(toArchive)) {
      const key = keyByHash(connection, hash);
      // Unknown and archived keys are ignored, so that a repeated sync changes nothing.
      if (key === undefined || key.archived) continue;
      edit.setArchived(key.id, true);
      counts.archived++;
    }
    const { created, updated, restored, archived } = counts;
    // § Sync rule 4: the transaction is rolled back, so that nothing is written.
    const requested = created + restored - archived;
    const limit = service.settings.keyLimit;
    if (requested > 0 && used + requested > limit) throw keyLimitReached(limit, used, requested);
    edit.finish();
    if (created + updated + restored > 0) {
      emit(service, connection, "keys.synced", { created, updated, restored, archived });
    }
    return dataResponse({ ...counts, rejected });
  }, service.timing.lockWaitMs);
};

function syncKey(
  edit: ContentEdit,
  item: SyncItem,
): "created" | "updated" | "restored" | "unchanged" | "plural_changed" {
  const { text, tags } = item;
  const key = keyByHash(edit.connection, item.hash);
  if (key === undefined) {
    const { description = null, maxLength = null } = item;
    const isPlural = text !== null && isForms(text);
    edit.addTags(edit.insertKey({ ...item, isPlural, description, maxLength }), tags);
    return "created";
  }
  if (text !== null && isForms(text) !== key.isPlural) return "plural_changed";
  if (key.archived) edit.setArchived(key.id, false);
  const changes = [
    // Without a text, the source text stays unchanged.
    text !== null && edit.setSource(key, text),
    edit.setDetails(key, item),
    edit.addTags(key.id, tags),
  ];
  if (key.archived) return "restored";
  return changes.includes(true) ? "updated" : "unchanged";
}

const PatchSchema = v.object({
  description: v.nullish(text(LENGTHS.description)),
  maxLength: v.nullish(MaxLengthSchema),
  tags: v.optional(v.array(name(LENGTHS.tag), "must_be_list")),
});

export const updateKey: Handler = async (service, c) => {
  const hash = c.req.param("keyHash") ?? "";
  const patch = await jsonBody(c.req.raw, PatchSchema);
  return service.store.write((connection) => {
    const key = keyByHash(connection, hash);
    if (key === undefined) throw notFound();
    const edit = new ContentEdit(service, connection);
    edit.setDetails(key, patch);
    if (patch.tags !== undefined) edit.replaceTags(key.id, patch.tags);
    edit.finish();
    return dataResponse(keyResponse(connection, edit.getKey(hash)));
  }, service.timing.lockWaitMs);
};

/** `POST /keys/sync`: creates, updates, restores and archives keys (§ Sync rules 1 to 6). */
import * as v from "valibot";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { isForms, type Text } from "../../model/text.ts";
import { LENGTHS, LIMITS, type RejectReason } from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import { keyLimitReached } from "../http/error-responses.ts";
import { keyByHash, totals } from "../store/store-rows.ts";
import { TimeSlice, type Connection } from "../store/store.ts";
import { HashSchema, jsonBody, list, name, PositiveIntegerSchema, text } from "../http/validate-request.ts";
import { emit } from "../webhooks/queue-deliveries.ts";
import { dataResponse, type Endpoint } from "./endpoint.ts";
import { hasOneText, ITEM_FIELDS, itemName, itemText } from "./item-fields.ts";

const ItemSchema = v.pipe(
  v.object({
    ...ITEM_FIELDS,
    key: name(LENGTHS.key),
    description: v.optional(v.nullable(text(LENGTHS.description))),
    /** "at most 32768 when set by a key update": a sync may set a higher value. */
    maxLength: v.optional(v.nullable(PositiveIntegerSchema)),
    tags: v.nullish(v.array(name(LENGTHS.tag), "must_be_list"), []),
  }),
  v.forward(
    v.check((item) => hasOneText(item), "value_and_forms"),
    ["value"],
  ),
);

const SyncSchema = v.object({
  keys: v.nullish(list(ItemSchema, LIMITS.syncKeys), []),
  archive: v.nullish(v.array(HashSchema, "must_be_list"), []),
});

interface Item extends KeyName {
  readonly hash: string;
  /** `null`: the source text was not sent and is unchanged. */
  readonly text: Text | null;
  readonly description: string | null | undefined;
  readonly maxLength: number | null | undefined;
  readonly tags: readonly string[];
}

interface Counts {
  created: number;
  updated: number;
  restored: number;
  unchanged: number;
  archived: number;
}

export const syncKeys: Endpoint = {
  method: "POST",
  path: "/keys/sync",
  scope: "write",
  handle: async (service, c) => {
    const body = await jsonBody(c.req.raw, SyncSchema);
    const rejected: { hash: string; reason: RejectReason }[] = [];
    const items = itemsOf(body.keys, rejected);
    const result = await service.store.write(service.timing.lockWait, async (connection) => {
      const archive = body.archive.filter((hash) => !items.has(hash));
      requireKeyCapacity(connection, [...items.values()], archive, service.settings.keyLimit);
      const edit = new ContentEdit(service, connection);
      const counts: Counts = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0 };
      const timeSlice = new TimeSlice();
      for (const item of items.values()) {
        if (timeSlice.over) await timeSlice.yield();
        const outcome = writeItem(edit, item);
        if (outcome === "plural_changed") rejected.push({ hash: item.hash, reason: outcome });
        else counts[outcome]++;
      }
      for (const hash of new Set(archive)) {
        if (timeSlice.over) await timeSlice.yield();
        const key = keyByHash(connection, hash);
        // Unknown or already archived keys need no change, so a repeated sync changes nothing.
        if (key === undefined || key.archived) continue;
        edit.setArchived(key.id, true);
        counts.archived++;
      }
      edit.finish();
      const { created, updated, restored, archived } = counts;
      if (created + updated + restored > 0) {
        emit(service, connection, "keys.synced", { created, updated, restored, archived });
      }
      return { ...counts, rejected };
    });
    return dataResponse(result);
  },
};

/** Returns the items by hash; all but the first one with the same hash are rejected. */
function itemsOf(
  keys: v.InferOutput<typeof SyncSchema>["keys"],
  rejected: { hash: string; reason: RejectReason }[],
): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const key of keys) {
    const keyName = itemName(key.key, key);
    const hash = keyHash(keyName);
    if (items.has(hash)) rejected.push({ hash, reason: "duplicate" });
    else {
      const { description, maxLength, tags } = key;
      items.set(hash, { ...keyName, hash, text: itemText(key), description, maxLength, tags });
    }
  }
  return items;
}

/**
 * § Sync rule 4, checked for the whole sync before anything is written.
 * @throws {Problem} `422` `key_limit_reached`
 */
function requireKeyCapacity(
  connection: Connection,
  items: readonly Item[],
  archive: readonly string[],
  limit: number,
): void {
  const state = connection.sql("SELECT archived, is_plural FROM keys WHERE hash = ?");
  let requested = 0;
  for (const item of items) {
    const row = state.get(item.hash);
    if (row === undefined) requested++;
    else if (row["archived"] === 1 && !switchesPlural(row["is_plural"] === 1, item.text)) requested++;
  }
  for (const hash of new Set(archive)) if (state.get(hash)?.["archived"] === 0) requested--;
  const used = totals(connection).active;
  if (requested > 0 && used + requested > limit) throw keyLimitReached(limit, used, requested);
}

function writeItem(
  edit: ContentEdit,
  item: Item,
): "created" | "updated" | "restored" | "unchanged" | "plural_changed" {
  const key = keyByHash(edit.connection, item.hash);
  if (key === undefined) {
    const id = edit.insertKey({
      ...item,
      isPlural: item.text !== null && isForms(item.text),
      description: item.description ?? null,
      maxLength: item.maxLength ?? null,
    });
    edit.addTags(id, item.tags);
    return "created";
  }
  if (switchesPlural(key.isPlural, item.text)) return "plural_changed";
  if (key.archived) edit.setArchived(key.id, false);
  const changes = [
    item.text !== null && edit.setSource(key, item.text),
    edit.setDetails(key, item),
    edit.addTags(key.id, item.tags),
  ];
  if (key.archived) return "restored";
  return changes.includes(true) ? "updated" : "unchanged";
}

function switchesPlural(isPlural: boolean, text: Text | null): boolean {
  return text !== null && isPlural !== isForms(text);
}

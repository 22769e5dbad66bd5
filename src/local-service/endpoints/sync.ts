/** `POST /keys/sync`: creates, updates, restores and archives keys (§ Sync rules 1 to 6). */
import * as v from "valibot";
import { keyHash } from "../../model/key-hash.ts";
import { isForms, type Text } from "../../model/text.ts";
import { LENGTHS, LIMITS, type RejectReason } from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import { keyLimitReached } from "../http/error-responses.ts";
import {
  hasOneText,
  HashSchema,
  ITEM_FIELDS,
  itemName,
  itemText,
  jsonBody,
  list,
  name,
  PositiveIntegerSchema,
  text,
} from "../http/validate-request.ts";
import { keyByHash, totals } from "../store/store-rows.ts";
import { inTimeSlices } from "../store/store.ts";
import { emit } from "../webhooks.ts";
import { dataResponse, type Handler } from "./endpoint.ts";

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
  v.transform(({ key, description, maxLength, tags, ...item }) => {
    const keyName = itemName(key, item);
    // Without a text the source text is unchanged.
    return { ...keyName, hash: keyHash(keyName), text: itemText(item), description, maxLength, tags };
  }),
);
type Item = v.InferOutput<typeof ItemSchema>;

const SyncSchema = v.object({
  keys: v.nullish(list(ItemSchema, LIMITS.syncKeys), []),
  archive: v.nullish(v.array(HashSchema, "must_be_list"), []),
});

export const syncKeys: Handler = async (service, c) => {
  const { keys, archive } = await jsonBody(c.req.raw, SyncSchema);
  const rejected: { hash: string; reason: RejectReason }[] = [];
  const items = new Map<string, Item>();
  for (const item of keys) {
    if (items.has(item.hash)) rejected.push({ hash: item.hash, reason: "duplicate" });
    else items.set(item.hash, item);
  }
  const toArchive = new Set(archive.filter((hash) => !items.has(hash)));
  return service.store.write(service.timing.lockWait, async (connection) => {
    const used = totals(connection).active;
    const edit = new ContentEdit(service, connection);
    const counts = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0 };
    for await (const item of inTimeSlices(items.values())) {
      const outcome = writeItem(edit, item);
      if (outcome === "plural_changed") rejected.push({ hash: item.hash, reason: outcome });
      else counts[outcome]++;
    }
    for await (const hash of inTimeSlices(toArchive)) {
      const key = keyByHash(connection, hash);
      // Unknown or already archived keys need no change, so a repeated sync changes nothing.
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
  });
};

function writeItem(
  edit: ContentEdit,
  item: Item,
): "created" | "updated" | "restored" | "unchanged" | "plural_changed" {
  const key = keyByHash(edit.connection, item.hash);
  if (key === undefined) {
    const { text: source, description = null, maxLength = null } = item;
    const id = edit.insertKey({
      ...item,
      isPlural: source !== null && isForms(source),
      description,
      maxLength,
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

function switchesPlural(isPlural: boolean, source: Text | null): boolean {
  return source !== null && isPlural !== isForms(source);
}

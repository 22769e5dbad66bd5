/** `POST /keys/sync`: creates, updates, restores and archives keys (§ Sync rules 1 to 6). */
import * as v from "valibot";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import type { Text } from "../../model/text.ts";
import { LENGTHS, LIMITS, type RejectReason } from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import type { Message } from "../http/messages.ts";
import { invalid, keyLimitReached } from "../http/problem.ts";
import { keyByHash, totals, type KeyRow } from "../store/rows.ts";
import { TimeSlice, type Connection } from "../store/store.ts";
import { FormsBodySchema, HashSchema, jsonBody, list, name, text } from "../http/validate.ts";
import { emit } from "../webhooks/events.ts";
import { dataResponse, type Endpoint } from "./endpoint.ts";

const ItemSchema = v.object({
  key: name(LENGTHS.key),
  namespace: v.nullish(text(LENGTHS.namespace)),
  context: v.nullish(text(LENGTHS.context)),
  value: v.nullish(text(LENGTHS.text)),
  forms: v.nullish(FormsBodySchema),
  description: v.optional(v.nullable(text(LENGTHS.description))),
  /** "at most 32768 when set by a key update": a sync may set a higher value. */
  maxLength: v.optional(
    v.nullable(
      v.pipe(v.number("must_be_integer"), v.integer("must_be_integer"), v.minValue(1, "must_be_at_least")),
    ),
  ),
  tags: v.nullish(v.array(name(LENGTHS.tag), "must_be_list"), []),
});

const SyncSchema = v.object({
  keys: v.nullish(list(ItemSchema, LIMITS.syncKeys), []),
  archive: v.nullish(v.array(HashSchema, "must_be_list"), []),
});

interface Item extends KeyName {
  readonly hash: string;
  /** `undefined`: the source text was not sent and is unchanged. */
  readonly text: Text | undefined;
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
  waitsForSource: true,
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

function itemsOf(
  keys: v.InferOutput<typeof SyncSchema>["keys"],
  rejected: { hash: string; reason: RejectReason }[],
): Map<string, Item> {
  const items = new Map<string, Item>();
  const errors = new Map<string, Message[]>();
  for (const [index, key] of keys.entries()) {
    if (typeof key.value === "string" && key.forms != null) {
      errors.set(`keys.${index}.value`, [{ code: "value_and_forms" }]);
      continue;
    }
    // Forms and PHP programs cannot distinguish an empty namespace or context from a missing one.
    const keyName: KeyName = {
      namespace: key.namespace == null || key.namespace === "" ? NO_NAMESPACE : key.namespace,
      key: key.key,
      context: key.context == null || key.context === "" ? null : key.context,
    };
    const hash = keyHash(keyName);
    if (items.has(hash)) {
      rejected.push({ hash, reason: "duplicate" });
      continue;
    }
    const text =
      key.forms != null
        ? { forms: key.forms }
        : typeof key.value === "string"
          ? { value: key.value }
          : undefined;
    items.set(hash, {
      ...keyName,
      hash,
      text,
      description: key.description,
      maxLength: key.maxLength,
      tags: key.tags,
    });
  }
  if (errors.size > 0) throw invalid(errors);
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
      isPlural: item.text !== undefined && "forms" in item.text,
      text: item.text ?? null,
      description: item.description ?? null,
      maxLength: item.maxLength ?? null,
    });
    edit.addTags(id, item.tags);
    return "created";
  }
  if (switchesPlural(key.isPlural, item.text)) return "plural_changed";
  if (key.archived) edit.setArchived(key.id, false);
  const changed = applyItem(edit, key, item);
  if (key.archived) return "restored";
  return changed ? "updated" : "unchanged";
}

function applyItem(edit: ContentEdit, key: KeyRow, item: Item): boolean {
  let changed = false;
  if (item.text !== undefined) changed = edit.setSource(key, item.text);
  if (item.description !== undefined) changed = edit.setDescription(key, item.description) || changed;
  if (item.maxLength !== undefined) changed = edit.setMaxLength(key, item.maxLength) || changed;
  return edit.addTags(key.id, item.tags) || changed;
}

function switchesPlural(isPlural: boolean, text: Text | undefined): boolean {
  return text !== undefined && isPlural !== "forms" in text;
}

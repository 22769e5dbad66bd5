/**
 * Records events as deliveries in the transaction of the change itself, so that no event is lost and none is sent for
 * a change that was rolled back. `deliver-webhooks.ts` sends them.
 */
import { randomUUID } from "node:crypto";
import { type ServiceContext, timestamp } from "../service-context.ts";
import type { EventKind } from "../service-settings.ts";
import { contentVersion, getMeta, setMeta } from "../store/store-values.ts";
import { listedLanguages, totals } from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";

/** § Events, Delivery: adds one delivery for each webhook that subscribes to the event. */
export function emit(context: ServiceContext, connection: Connection, event: EventKind, data: object): void {
  const now = context.now();
  for (const webhook of context.settings.webhooks) {
    if (!webhook.events.includes(event)) continue;
    const id = randomUUID();
    const body = JSON.stringify({
      id,
      event,
      createdAt: timestamp(now),
      project: { slug: context.settings.slug, name: context.settings.name },
      data,
    });
    connection
      .sql("INSERT INTO deliveries (id, url, event, body, next_at, created_at) VALUES (?, ?, ?, ?, ?, ?)")
      .run(id, webhook.url, event, body, now, timestamp(now));
  }
}

/**
 * § Event kinds, `language.completed` and `translations.updated`: called after any change of the content.
 * @param stamp `<timestamp>` of the change
 * @param locales target languages whose translations changed
 */
export function emitContentEvents(
  context: ServiceContext,
  connection: Connection,
  stamp: string,
  locales: readonly string[],
): void {
  const { active } = totals(connection);
  for (const language of listedLanguages(connection).slice(1)) {
    const complete = active > 0 && language.translated === active;
    if (complete === language.completed) continue;
    connection.sql("UPDATE languages SET completed = ? WHERE id = ?").run(complete ? 1 : 0, language.id);
    if (!complete) continue;
    const { locale, name, translated } = language;
    emit(context, connection, "language.completed", {
      language: { locale, name, translated, total: active },
    });
  }
  if (locales.length === 0) return;
  const pending = readPending(connection);
  writePending(connection, {
    ...pending,
    since: pending.since ?? stamp,
    locales: [...new Set([...pending.locales, ...locales])],
  });
  emitPendingUpdate(context, connection);
}

/** Emits the pending `translations.updated`, if any, once the last one was five minutes ago. */
export function emitPendingUpdate(context: ServiceContext, connection: Connection): void {
  const pending = readPending(connection);
  if (pending.since === null || dueAt(context, pending) > context.now()) return;
  const { active } = totals(connection);
  emit(context, connection, "translations.updated", {
    contentVersion: contentVersion(connection),
    since: pending.since,
    languages: listedLanguages(connection)
      .filter((language) => pending.locales.includes(language.locale))
      .map(({ locale, translated }) => ({
        locale,
        translated,
        total: active,
        percent: percentage(translated, active),
      })),
  });
  // Not earlier than the timestamp in the event.
  writePending(connection, { since: null, lastAt: context.now(), locales: [] });
}

/** Returns when the pending event may be emitted (milliseconds since the epoch); `undefined` if none is pending. */
export function pendingUpdateAt(context: ServiceContext, connection: Connection): number | undefined {
  const pending = readPending(connection);
  return pending.since === null ? undefined : dueAt(context, pending);
}

function dueAt({ timing }: ServiceContext, { lastAt }: Pending): number {
  return lastAt === null ? 0 : lastAt + timing.translationsUpdated;
}

/** § Language progress entry, `percent`: rounded; 0 for a project without keys. */
export function percentage(translated: number, total: number): number {
  return total === 0 ? 0 : Math.round((translated / total) * 100);
}

/** Records which languages are complete, so that a start or a change of the source language does not emit events. */
export function settleCompleted(connection: Connection): void {
  const { active } = totals(connection);
  connection.sql("UPDATE languages SET completed = (? > 0 AND translated = ?)").run(active, active);
}

interface Pending {
  readonly since: string | null;
  /** When the last event was emitted; `null`: never. */
  readonly lastAt: number | null;
  readonly locales: readonly string[];
}

function readPending(connection: Connection): Pending {
  const stored = getMeta(connection, "updatedEvent");
  return stored === undefined ? { since: null, lastAt: null, locales: [] } : (JSON.parse(stored) as Pending);
}

function writePending(connection: Connection, pending: Pending): void {
  setMeta(connection, "updatedEvent", JSON.stringify(pending));
}

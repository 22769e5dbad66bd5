/**
 * Webhooks (§ Events). The deliveries of an event are stored in the transaction of the change itself, so that no event
 * is lost and none is sent for a change that was rolled back. They are retried under the same id, also after a restart.
 */
import { createHmac, randomUUID } from "node:crypto";
import { MAX_CONCURRENT_DELIVERIES } from "./specification-decisions.ts";
import { type Service, timestamp } from "./service-context.ts";
import type { EventKind } from "./service-settings.ts";
import { contentVersion, getMeta, listedLanguages, setMeta, totals } from "./store/store-rows.ts";
import type { Connection } from "./store/store.ts";

/** Adds a delivery for each webhook that follows the event (§ Delivery). */
export function emit(service: Service, connection: Connection, event: EventKind, data: object): void {
  const now = service.now();
  const createdAt = timestamp(now);
  const { slug, name, webhooks } = service.settings;
  for (const { url, events } of webhooks) {
    if (!events.includes(event)) continue;
    const id = randomUUID();
    const body = JSON.stringify({ id, event, createdAt, project: { slug, name }, data });
    connection.run(
      `INSERT INTO deliveries (id, url, event, body, next_at, created_at)
       VALUES (:id, :url, :event, :body, :now, :createdAt)`,
      { id, url, event, body, now, createdAt },
    );
  }
}

/**
 * Emits `language.completed` and `translations.updated` (§ Event kinds), after any change of the content.
 * @param since `<timestamp>` of the change
 * @param locales target languages whose translations changed
 */
export function emitContentEvents(
  service: Service,
  connection: Connection,
  since: string,
  locales: ReadonlySet<string>,
): void {
  const { active } = totals(connection);
  for (const { id, locale, name, translated, completed } of listedLanguages(connection).slice(1)) {
    const isComplete = active > 0 && translated === active ? 1 : 0;
    if (isComplete === completed) continue;
    connection.run("UPDATE languages SET completed = ? WHERE id = ?", isComplete, id);
    if (isComplete === 1) {
      const language = { locale, name, translated, total: active };
      emit(service, connection, "language.completed", { language });
    }
  }
  if (locales.size === 0) return;
  const pending = readPendingUpdate(connection);
  emitOrStoreUpdate(service, connection, {
    since: pending.since ?? since,
    lastEmittedAt: pending.lastEmittedAt,
    locales: [...new Set([...pending.locales, ...locales])],
  });
}

/** Records which languages are complete without emitting events. */
export function recordCompletedLanguages(connection: Connection): void {
  const { active } = totals(connection);
  connection.run("UPDATE languages SET completed = (? > 0 AND translated = ?)", active, active);
}

/** § Language progress entry, `percent`: rounded; 0 for a project without keys. */
export function percentage(translated: number, total: number): number {
  return total === 0 ? 0 : Math.round((translated / total) * 100);
}

/** The changes since the last `translations.updated`. */
interface PendingUpdate {
  /** `<timestamp>` of the first change; `null` without any. */
  readonly since: string | null;
  /** When the last event was emitted, in milliseconds; 0 if never. */
  readonly lastEmittedAt: number;
  readonly locales: readonly string[];
}

function readPendingUpdate(connection: Connection): PendingUpdate {
  const stored = getMeta(connection, "pendingUpdate");
  return stored === undefined
    ? { since: null, lastEmittedAt: 0, locales: [] }
    : (JSON.parse(stored) as PendingUpdate);
}

/** Returns when `translations.updated` may be emitted: now, if the last time was before the clock was set back. */
function nextUpdateAt({ timing, now }: Service, { lastEmittedAt }: PendingUpdate): number {
  return lastEmittedAt > now() ? now() : lastEmittedAt + timing.translationsUpdatedMs;
}

/** Emits `translations.updated` if the last one is long enough ago, else stores the changes for a later one. */
function emitOrStoreUpdate(service: Service, connection: Connection, pending: PendingUpdate): void {
  const { since, locales } = pending;
  let rest = pending;
  if (since !== null && nextUpdateAt(service, pending) <= service.now()) {
    const { active: total } = totals(connection);
    emit(service, connection, "translations.updated", {
      contentVersion: contentVersion(connection),
      since,
      languages: listedLanguages(connection)
        .filter(({ locale }) => locales.includes(locale))
        .map(({ locale, translated }) => ({
          locale,
          translated,
          total,
          percent: percentage(translated, total),
        })),
    });
    // Not earlier than the timestamp in the event.
    rest = { since: null, lastEmittedAt: service.now(), locales: [] };
  }
  setMeta(connection, "pendingUpdate", JSON.stringify(rest));
}

/** Time after which due deliveries are looked for again, so that changes of the system clock are noticed. */
const MAX_SLEEP_MS = 60_000;

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly event: EventKind;
  readonly body: string;
  readonly attempts: number;
  readonly nextAt: number;
}

/** Sends deliveries when they are due. */
export class WebhookSender {
  readonly #service: Service;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(service: Service) {
    this.#service = service;
    service.store.onCommit(() => this.schedule());
  }

  /** Sends what is due after a delay; replaces the previous schedule. */
  schedule(delayMs = 0): void {
    if (this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        try {
          this.#sendDue();
        } catch (error) {
          this.#service.log(`webhooks: ${String(error)}`);
        }
      },
      Math.min(delayMs, MAX_SLEEP_MS),
    );
    this.#timer.unref();
  }

  /** Aborts the requests in flight; they are sent again after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#inFlight.values());
  }

  #sendDue(): void {
    const { store, timing, log } = this.#service;
    const now = this.#service.now();
    let nextAt = Number.POSITIVE_INFINITY;
    const pending = readPendingUpdate(store.reader);
    if (pending.since !== null) nextAt = nextUpdateAt(this.#service, pending);
    if (nextAt <= now) {
      nextAt = Number.POSITIVE_INFINITY;
      // Its commit starts the next run.
      store
        .write((connection) => emitOrStoreUpdate(this.#service, connection, readPendingUpdate(connection)))
        .catch((error: unknown) => log(`webhooks: ${String(error)}`));
    }
    for (const delivery of store.reader.all<Delivery>(
      `SELECT id, url, event, body, attempts, next_at AS nextAt FROM deliveries WHERE next_at IS NOT NULL
       ORDER BY next_at LIMIT 50`,
    )) {
      const { id } = delivery;
      if (this.#inFlight.has(id)) continue;
      // Later than any delay: it was set before the clock was set back.
      const isVoid = delivery.nextAt > now + Math.max(...timing.retryDelaysMs);
      if (delivery.nextAt > now && !isVoid) {
        nextAt = Math.min(nextAt, delivery.nextAt);
        break;
      }
      // The commit of a result starts the next run.
      if (this.#inFlight.size >= MAX_CONCURRENT_DELIVERIES) break;
      const work = this.#attempt(delivery)
        .catch((error: unknown) => log(`webhook ${id}: ${String(error)}`))
        .finally(() => this.#inFlight.delete(id));
      this.#inFlight.set(id, work);
    }
    this.schedule(nextAt - now);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { settings, timing, store, now } = this.#service;
    const { id, url, event, attempts } = delivery;
    // A URL may be registered twice, with different events and secrets.
    const webhook = settings.webhooks.find((one) => one.url === url && one.events.includes(event));
    // Nothing is sent to a URL that is no longer registered.
    const outcome = webhook === undefined ? "dropped" : await this.#send(delivery, webhook.secret);
    if (outcome === "stopped") return;
    const delay = outcome === "failed" ? timing.retryDelaysMs[attempts] : undefined;
    const nextAt = delay === undefined ? null : now() + delay;
    const sql = "UPDATE deliveries SET attempts = attempts + 1, next_at = ?, outcome = ? WHERE id = ?";
    await store.write((connection) => connection.run(sql, nextAt, outcome, id));
  }

  async #send(
    { id, url, event, body }: Delivery,
    secret: string,
  ): Promise<"delivered" | "failed" | "stopped"> {
    const { timing, now, log } = this.#service;
    const seconds = String(Math.floor(now() / 1000));
    const hmac = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        body,
        headers: {
          "Content-Type": "application/json",
          "X-Service-Event": event,
          "X-Service-Delivery": id,
          "X-Service-Timestamp": seconds,
          "X-Service-Signature": `sha256=${hmac}`,
        },
        signal: AbortSignal.any([AbortSignal.timeout(timing.webhookAnswerMs), this.#stopping.signal]),
      });
      await response.body?.cancel();
      if (response.ok) return "delivered";
      log(`webhook ${id} (${event}): answered ${response.status}`);
    } catch (error) {
      if (this.#stopping.signal.aborted) return "stopped";
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      log(`webhook ${id} (${event}): ${String(cause)}`);
    }
    return "failed";
  }
}

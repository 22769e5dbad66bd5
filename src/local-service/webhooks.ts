/**
 * Webhooks (§ Events). An event becomes deliveries in the transaction of the change itself, so that no event is lost
 * and none is sent for a change that was rolled back. They are sent signed, for at most five seconds, without
 * redirects, and retried with backoff under the same id, also after a restart.
 */
import { createHmac, randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import { MAX_CONCURRENT_DELIVERIES } from "./specification-decisions.ts";
import { type Service, timestamp } from "./service-context.ts";
import type { EventKind } from "./service-settings.ts";
import { contentVersion, getMeta, listedLanguages, setMeta, totals } from "./store/store-rows.ts";
import type { Connection } from "./store/store.ts";

/** § Events, Delivery: adds one delivery for each webhook that subscribes to the event. */
export function emit(service: Service, connection: Connection, event: EventKind, data: object): void {
  const now = service.now();
  const { slug, name, webhooks } = service.settings;
  for (const webhook of webhooks) {
    if (!webhook.events.includes(event)) continue;
    const id = randomUUID();
    const createdAt = timestamp(now);
    connection.run(
      "INSERT INTO deliveries (id, url, event, body, next_at, created_at) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      webhook.url,
      event,
      JSON.stringify({ id, event, createdAt, project: { slug, name }, data }),
      now,
      createdAt,
    );
  }
}

/**
 * § Event kinds, `language.completed` and `translations.updated`: called after any change of the content.
 * @param stamp `<timestamp>` of the change
 * @param locales target languages whose translations changed
 */
export function emitContentEvents(
  service: Service,
  connection: Connection,
  stamp: string,
  locales: readonly string[],
): void {
  const { active } = totals(connection);
  for (const { id, locale, name, translated, completed } of listedLanguages(connection).slice(1)) {
    const complete = active > 0 && translated === active ? 1 : 0;
    if (complete === completed) continue;
    connection.run("UPDATE languages SET completed = ? WHERE id = ?", complete, id);
    if (complete === 1) {
      const language = { locale, name, translated, total: active };
      emit(service, connection, "language.completed", { language });
    }
  }
  if (locales.length === 0) return;
  const pending = readPending(connection);
  writePending(connection, {
    ...pending,
    since: pending.since ?? stamp,
    locales: [...new Set([...pending.locales, ...locales])],
  });
  emitPendingUpdate(service, connection);
}

/** Records which languages are complete, so that a start or a change of the source language does not emit events. */
export function settleCompleted(connection: Connection): void {
  const { active } = totals(connection);
  connection.run("UPDATE languages SET completed = (? > 0 AND translated = ?)", active, active);
}

/** § Language progress entry, `percent`: rounded; 0 for a project without keys. */
export function percentage(translated: number, total: number): number {
  return total === 0 ? 0 : Math.round((translated / total) * 100);
}

/** What the next `translations.updated` reports. */
interface Pending {
  /** `null`: nothing */
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

/** Returns when the pending event may be emitted: five minutes after the last one; `undefined` if none is pending. */
function pendingUpdateAt({ timing }: Service, connection: Connection): number | undefined {
  const { since, lastAt } = readPending(connection);
  if (since === null) return undefined;
  return lastAt === null ? 0 : lastAt + timing.translationsUpdated;
}

function emitPendingUpdate(service: Service, connection: Connection): void {
  const at = pendingUpdateAt(service, connection);
  if (at === undefined || at > service.now()) return;
  const { since, locales } = readPending(connection);
  const { active } = totals(connection);
  emit(service, connection, "translations.updated", {
    contentVersion: contentVersion(connection),
    since,
    languages: listedLanguages(connection)
      .filter((language) => locales.includes(language.locale))
      .map(({ locale, translated }) => ({
        locale,
        translated,
        total: active,
        percent: percentage(translated, active),
      })),
  });
  // Not earlier than the timestamp in the event.
  writePending(connection, { since: null, lastAt: service.now(), locales: [] });
}

/** Limit of a sleep, so that changes of the system clock are noticed. */
const MAX_SLEEP_MS = 60_000;

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
  readonly nextAt: number;
}

/** Sends deliveries that are due. */
export class Deliverer {
  readonly #service: Service;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #agent = new Agent();
  #timer: NodeJS.Timeout | undefined;

  constructor(service: Service) {
    this.#service = service;
    service.store.onCommit(() => this.kick());
  }

  /** Schedules due deliveries to be sent soon. */
  kick(): void {
    this.#runIn(0);
  }

  /** Aborts the requests in flight; they are sent again after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#inFlight.values());
    await this.#agent.destroy();
  }

  #runIn(milliseconds: number): void {
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
      Math.min(milliseconds, MAX_SLEEP_MS),
    );
    this.#timer.unref();
  }

  #sendDue(): void {
    const { store, log } = this.#service;
    const now = this.#service.now();
    let next = pendingUpdateAt(this.#service, store.reader);
    if (next !== undefined && next <= now) {
      next = undefined;
      // Its commit starts the next run.
      store
        .write(Number.POSITIVE_INFINITY, (connection) => emitPendingUpdate(this.#service, connection))
        .catch((error: unknown) => log(`webhooks: ${String(error)}`));
    }
    for (const delivery of store.reader.all<Delivery>(
      `SELECT id, url, event, body, attempts, next_at AS nextAt FROM deliveries WHERE next_at IS NOT NULL
       ORDER BY next_at LIMIT 50`,
    )) {
      const { id, nextAt } = delivery;
      if (this.#inFlight.has(id)) continue;
      if (nextAt > now) {
        next = Math.min(next ?? nextAt, nextAt);
        break;
      }
      // The end of each request starts the next run.
      if (this.#inFlight.size >= MAX_CONCURRENT_DELIVERIES) break;
      const work = this.#attempt(delivery)
        .catch((error: unknown) => log(`webhook ${id}: ${String(error)}`))
        .finally(() => {
          this.#inFlight.delete(id);
          this.kick();
        });
      this.#inFlight.set(id, work);
    }
    if (next !== undefined) this.#runIn(Math.max(next - now, 1));
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { settings, timing, store, now } = this.#service;
    // One address may be registered twice, each time with its own events and secret.
    const webhook = settings.webhooks.find(
      (one) => one.url === delivery.url && one.events.some((event) => event === delivery.event),
    );
    // No longer registered, so nothing may be sent there any more.
    const outcome = webhook === undefined ? "dropped" : await this.#send(delivery, webhook.secret);
    if (outcome === "stopped") return;
    const delay = outcome === "failed" ? timing.retryDelays[delivery.attempts] : undefined;
    await store.write(Number.POSITIVE_INFINITY, (connection) => {
      connection.run(
        "UPDATE deliveries SET attempts = attempts + 1, next_at = ?, outcome = ? WHERE id = ?",
        delay === undefined ? null : now() + delay,
        outcome,
        delivery.id,
      );
    });
  }

  async #send(
    { id, url, event, body }: Delivery,
    secret: string,
  ): Promise<"delivered" | "failed" | "stopped"> {
    const { timing, now, log } = this.#service;
    const seconds = String(Math.floor(now() / 1000));
    const hmac = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    try {
      // Follows no redirects.
      const response = await request(url, {
        method: "POST",
        dispatcher: this.#agent,
        body,
        headers: {
          "Content-Type": "application/json",
          "X-Service-Event": event,
          "X-Service-Delivery": id,
          "X-Service-Timestamp": seconds,
          "X-Service-Signature": `sha256=${hmac}`,
        },
        signal: AbortSignal.any([AbortSignal.timeout(timing.webhookAnswer), this.#stopping.signal]),
      });
      await response.body.dump();
      if (Math.floor(response.statusCode / 100) === 2) return "delivered";
      log(`webhook ${id} (${event}): answered ${response.statusCode}`);
    } catch (error) {
      if (this.#stopping.signal.aborted) return "stopped";
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      log(`webhook ${id} (${event}): ${String(cause)}`);
    }
    return "failed";
  }
}

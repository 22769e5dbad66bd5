/**
 * Sends queued deliveries: signed, at most five seconds, without redirects, retried with backoff under the same id,
 * also after a restart (§ Events, Delivery).
 */
import { createHmac } from "node:crypto";
import { Agent, request } from "undici";
import { MAX_CONCURRENT_DELIVERIES } from "../specification-decisions.ts";
import type { ServiceContext } from "../service-context.ts";
import { emitPendingUpdate, pendingUpdateAt } from "./queue-deliveries.ts";

/** Limit of a sleep, so that changes of the system clock are noticed. */
const MAX_SLEEP_MS = 60_000;

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
}

export class Deliverer {
  readonly #context: ServiceContext;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #agent = new Agent();
  #timer: NodeJS.Timeout | undefined;

  constructor(context: ServiceContext) {
    this.#context = context;
    context.store.onCommit(() => this.kick());
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
          this.#context.log(`webhooks: ${String(error)}`);
        }
      },
      Math.min(milliseconds, MAX_SLEEP_MS),
    );
    this.#timer.unref();
  }

  #sendDue(): void {
    const { store } = this.#context;
    const now = this.#context.now();
    let next = pendingUpdateAt(this.#context, store.reader);
    if (next !== undefined && next <= now) {
      next = undefined;
      // Its commit starts the next run.
      store
        .write(Number.POSITIVE_INFINITY, (connection) => emitPendingUpdate(this.#context, connection))
        .catch((error: unknown) => this.#context.log(`webhooks: ${String(error)}`));
    }
    const due = store.reader
      .sql(
        "SELECT id, url, event, body, attempts, next_at FROM deliveries WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 50",
      )
      .all();
    for (const row of due) {
      const at = Number(row["next_at"]);
      if (this.#inFlight.has(String(row["id"]))) continue;
      if (at > now) {
        next = Math.min(next ?? at, at);
        break;
      }
      // The end of each request starts the next run.
      if (this.#inFlight.size >= MAX_CONCURRENT_DELIVERIES) break;
      this.#start({
        id: String(row["id"]),
        url: String(row["url"]),
        event: String(row["event"]),
        body: String(row["body"]),
        attempts: Number(row["attempts"]),
      });
    }
    if (next !== undefined) this.#runIn(Math.max(next - now, 1));
  }

  #start(delivery: Delivery): void {
    const work = this.#attempt(delivery)
      .catch((error: unknown) => this.#context.log(`webhook ${delivery.id}: ${String(error)}`))
      .finally(() => {
        this.#inFlight.delete(delivery.id);
        this.kick();
      });
    this.#inFlight.set(delivery.id, work);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    // One address may be registered twice, each time with its own events and secret.
    const webhook = this.#context.settings.webhooks.find(
      (one) => one.url === delivery.url && one.events.some((event) => event === delivery.event),
    );
    // No longer registered, so nothing may be sent there any more.
    const outcome = webhook === undefined ? "dropped" : await this.#send(delivery, webhook.secret);
    if (outcome === "stopped") return;
    const delay = outcome === "failed" ? this.#context.timing.retryDelays[delivery.attempts] : undefined;
    await this.#context.store.write(Number.POSITIVE_INFINITY, (connection) => {
      connection
        .sql("UPDATE deliveries SET attempts = attempts + 1, next_at = ?, outcome = ? WHERE id = ?")
        .run(delay === undefined ? null : this.#context.now() + delay, outcome, delivery.id);
    });
  }

  async #send(delivery: Delivery, secret: string): Promise<"delivered" | "failed" | "stopped"> {
    const seconds = String(Math.floor(this.#context.now() / 1000));
    const timeout = AbortSignal.timeout(this.#context.timing.webhookAnswer);
    try {
      // Follows no redirects.
      const { statusCode, body } = await request(delivery.url, {
        method: "POST",
        dispatcher: this.#agent,
        body: delivery.body,
        headers: {
          "Content-Type": "application/json",
          "X-Service-Event": delivery.event,
          "X-Service-Delivery": delivery.id,
          "X-Service-Timestamp": seconds,
          "X-Service-Signature": signature(secret, seconds, delivery.body),
        },
        signal: AbortSignal.any([timeout, this.#stopping.signal]),
      });
      await body.dump();
      if (Math.floor(statusCode / 100) === 2) return "delivered";
      this.#context.log(`webhook ${delivery.id} (${delivery.event}): answered ${statusCode}`);
    } catch (error) {
      if (this.#stopping.signal.aborted) return "stopped";
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      this.#context.log(`webhook ${delivery.id} (${delivery.event}): ${String(cause)}`);
    }
    return "failed";
  }
}

/** § Delivery, `X-Service-Signature`. */
function signature(secret: string, seconds: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

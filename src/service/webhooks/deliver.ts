/**
 * Sends the noted deliveries: signed, at most five seconds, no redirects, repeated with growing delay under the same
 * id, also after a restart (§ Events, Delivery).
 */
import { createHmac } from "node:crypto";
import { DELIVERIES_AT_ONCE } from "../choices.ts";
import type { Context } from "../context.ts";
import { emitPendingUpdate, pendingUpdateAt } from "./events.ts";

/** Waits longer than this are cut, so that a clock that was set is noticed. */
const LONGEST_SLEEP_MS = 60_000;

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
}

export class Deliverer {
  readonly #context: Context;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #lookAgain = false;

  constructor(context: Context) {
    this.#context = context;
    context.store.onCommit(() => this.kick());
  }

  /** Looks soon whether something is due. */
  kick(): void {
    this.#wakeIn(0);
  }

  /** Ends what is under way; it is sent again after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#underWay.values());
  }

  #wakeIn(milliseconds: number): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#look().catch((error: unknown) => this.#context.log(`webhooks: ${String(error)}`));
      },
      Math.min(milliseconds, LONGEST_SLEEP_MS),
    );
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { store } = this.#context;
    this.#looking = true;
    this.#lookAgain = false;
    let next: number | undefined;
    try {
      const pendingAt = pendingUpdateAt(this.#context, store.reader);
      if (pendingAt !== undefined && pendingAt <= this.#context.now()) {
        await store.write(Number.POSITIVE_INFINITY, (connection) =>
          emitPendingUpdate(this.#context, connection),
        );
      } else next = pendingAt;
      const due = store.reader
        .sql(
          "SELECT id, url, event, body, attempts, next_at FROM deliveries WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 50",
        )
        .all();
      for (const row of due) {
        const at = Number(row["next_at"]);
        if (this.#underWay.has(String(row["id"]))) continue;
        if (at > this.#context.now()) {
          next = Math.min(next ?? at, at);
          break;
        }
        // Whoever ends looks again, so there is no need for a timer here.
        if (this.#underWay.size >= DELIVERIES_AT_ONCE) break;
        this.#start({
          id: String(row["id"]),
          url: String(row["url"]),
          event: String(row["event"]),
          body: String(row["body"]),
          attempts: Number(row["attempts"]),
        });
      }
    } finally {
      this.#looking = false;
    }
    if (this.#lookAgain) this.#wakeIn(0);
    else if (next !== undefined) this.#wakeIn(Math.max(next - this.#context.now(), 1));
  }

  #start(delivery: Delivery): void {
    const work = this.#attempt(delivery)
      .catch((error: unknown) => this.#context.log(`webhook ${delivery.id}: ${String(error)}`))
      .finally(() => {
        this.#underWay.delete(delivery.id);
        this.kick();
      });
    this.#underWay.set(delivery.id, work);
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
      const response = await fetch(delivery.url, {
        method: "POST",
        redirect: "manual",
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
      await response.body?.cancel();
      if (response.ok) return "delivered";
      this.#context.log(`webhook ${delivery.id} (${delivery.event}): answered ${response.status}`);
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

/**
 * The way of a client's requests through a fault proxy, with a clock that moves on by itself whenever nothing else
 * can happen: nobody is waiting for an answer that will come. So a test of minutes takes milliseconds, and real bytes
 * are never raced against made-up time.
 */
import type { FaultProxy } from "./fault-proxy.ts";
import { ManualClock, turn } from "./manual-clock.ts";

/** What happens before any byte gets to the proxy. */
export type ConnectionFailure = "refused" | "no-name" | "untrusted" | "no-tls";

interface Under {
  readonly id: string;
  received: number;
}

export class SimulatedNetwork {
  readonly clock = new ManualClock();
  /** Milliseconds by which this machine's clock is wrong. */
  wrong = 0;
  /** Told of each request before it leaves. */
  departs: (method: string, path: string) => ConnectionFailure | undefined = () => undefined;
  /** Requests that never got to the proxy, as `METHOD /path`. */
  readonly lost: string[] = [];
  readonly #proxy: FaultProxy;
  readonly #under = new Set<Under>();

  constructor(proxy: FaultProxy) {
    this.#proxy = proxy;
  }

  /** For a client: wrong where this machine's clock is wrong, and it never waits for real. */
  get clientClock(): { now(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> } {
    return {
      now: () => this.clock.now() + this.wrong,
      sleep: (milliseconds, signal) => this.clock.sleep(milliseconds, signal),
    };
  }

  /** The platform's own fetch, over this way. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const under: Under = { id: this.#proxy.newId(), received: 0 };
    this.#under.add(under);
    // A client lets go of every request by aborting its own signal, whatever came of it.
    init?.signal?.addEventListener("abort", () => this.#under.delete(under), { once: true });
    const path = url.pathname.replace("/v1", "");
    const connectionFailure = this.departs(init?.method ?? "GET", path);
    if (connectionFailure !== undefined) this.lost.push(`${init?.method ?? "GET"} ${path}`);
    if (connectionFailure === "refused") await this.#proxy.closePort();
    const headers = { ...(init?.headers as Record<string, string>), "x-asked": under.id };
    const response = await fetch(this.#addressOf(url, connectionFailure), { ...init, headers });
    const counted = response.body?.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (part, controller) => {
          under.received += part.length;
          controller.enqueue(part);
        },
      }),
    );
    const { status, statusText } = response;
    return new Response(counted ?? null, { status, statusText, headers: response.headers });
  };

  /** Runs until the promise is settled, moving the clock. */
  async drive<Result>(promise: Promise<Result>): Promise<Result> {
    const state = { settled: false };
    const settle = (): void => void (state.settled = true);
    promise.then(settle, settle);
    while (!state.settled) await this.#step();
    return promise;
  }

  /** Runs until nothing is under way and nobody sleeps (what goes on behind an action has ended). */
  async settle(): Promise<void> {
    // Work that yields between slices or writes a file is neither; it is short, and asks soon if it asks at all.
    for (let quiet = 0; quiet < 20;) {
      quiet = this.#under.size === 0 && this.clock.sleeping === 0 ? quiet + 1 : 0;
      await this.#step();
    }
  }

  async #step(): Promise<void> {
    await turn();
    if (!this.#isStill()) return;
    await turn();
    if (this.#isStill() && this.clock.sleeping > 0) await this.clock.next();
  }

  /** Whether nothing will come unless time passes. */
  #isStill(): boolean {
    return [...this.#under].every(
      ({ id, received }) => this.#proxy.isHeld(id) && received === this.#proxy.bytesFor(id),
    );
  }

  #addressOf(url: URL, connectionFailure: ConnectionFailure | undefined): URL {
    const { host, port, pathname, search } = url;
    switch (connectionFailure) {
      case "no-name":
        // "Guaranteed to be no name" (RFC 6761, `.invalid`).
        return new URL(`http://translations.invalid:${port}${pathname}${search}`);
      case "untrusted":
        return new URL(`${this.#proxy.untrustedOrigin}${pathname}${search}`);
      case "no-tls":
        return new URL(`https://${host}${pathname}${search}`);
      case "refused":
      case undefined:
        return url;
    }
  }
}

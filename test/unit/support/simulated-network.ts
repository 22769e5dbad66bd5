/**
 * Sends a client's requests through a fault proxy, with a clock that advances only when no response is pending. So a test
 * of minutes takes milliseconds, without races between real bytes and simulated time.
 */
import type { Clock } from "../../../src/model/platform.ts";
import type { FaultProxy } from "./fault-proxy.ts";
import { FakeClock, nextMacrotask } from "./fake-clock.ts";

/** A failure before any byte reaches the proxy. */
export type ConnectionFailure = "refused" | "no-name" | "untrusted" | "no-tls";

interface PendingRequest {
  readonly id: string;
  received: number;
}

export class SimulatedNetwork {
  readonly clock = new FakeClock();
  /** How far the client's clock is ahead, in milliseconds. */
  clockSkew = 0;
  /** Called before each request; returns how its connection fails, if it does. */
  onRequest: (method: string, path: string) => ConnectionFailure | undefined = () => undefined;
  /** Requests that did not reach the proxy, as `METHOD /path`. */
  readonly unsentRequests: string[] = [];
  readonly #proxy: FaultProxy;
  readonly #pendingRequests = new Set<PendingRequest>();

  constructor(proxy: FaultProxy) {
    this.#proxy = proxy;
  }

  /** The client's clock, with `clockSkew`; its sleeps take simulated time. */
  get clientClock(): Clock {
    return {
      now: () => this.clock.now() + this.clockSkew,
      monotonic: () => this.clock.monotonic(),
      sleep: (milliseconds, signal) => this.clock.sleep(milliseconds, signal),
    };
  }

  /** The platform's fetch through this network. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const pending: PendingRequest = { id: this.#proxy.newId(), received: 0 };
    this.#pendingRequests.add(pending);
    // The client aborts the signal of every request when it is done with it.
    init?.signal?.addEventListener("abort", () => this.#pendingRequests.delete(pending), { once: true });
    const path = url.pathname.replace("/v1", "");
    const connectionFailure = this.onRequest(init?.method ?? "GET", path);
    if (connectionFailure !== undefined) this.unsentRequests.push(`${init?.method ?? "GET"} ${path}`);
    if (connectionFailure === "refused") await this.#proxy.closePort();
    const headers = { ...(init?.headers as Record<string, string>), "x-request-number": pending.id };
    const response = await fetch(this.#addressOf(url, connectionFailure), { ...init, headers });
    const counted = response.body?.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (part, controller) => {
          pending.received += part.length;
          controller.enqueue(part);
        },
      }),
    );
    const { status, statusText } = response;
    return new Response(counted ?? null, { status, statusText, headers: response.headers });
  };

  /** Advances the clock until the promise is settled. */
  async drive<Result>(promise: Promise<Result>): Promise<Result> {
    const state = { settled: false };
    const settle = (): void => void (state.settled = true);
    promise.then(settle, settle);
    while (!state.settled) await this.#step();
    return promise;
  }

  /** Advances the clock until no requests and sleeps are pending, so that background work has ended. */
  async settle(): Promise<void> {
    // Work that yields between time slices or writes a file counts as neither, but soon sends a request or ends.
    for (let quiet = 0; quiet < 20;) {
      quiet = this.#pendingRequests.size === 0 && this.clock.pendingCount === 0 ? quiet + 1 : 0;
      await this.#step();
    }
  }

  async #step(): Promise<void> {
    await nextMacrotask();
    if (!this.#isIdle()) return;
    await nextMacrotask();
    if (this.#isIdle() && this.clock.pendingCount > 0) await this.clock.next();
  }

  /** Returns whether nothing will happen until time passes. */
  #isIdle(): boolean {
    return [...this.#pendingRequests].every(
      ({ id, received }) => this.#proxy.isHanging(id) && received === this.#proxy.bytesFor(id),
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

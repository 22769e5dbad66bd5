/**
 * One request on the wire, once: time limits, redirects, a size limit, and every way a connection can end made into
 * an ApiError. It neither paces nor repeats, and it does not understand bodies.
 */
import { ApiError } from "./errors.ts";
import type { ClientClock } from "./platform.ts";

/** What is sent. `label` names the request in errors and logs; no query and no secret in it. */
export interface Outgoing {
  readonly label: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
  /** Told as a Blob goes out, where the platform's fetch lets it be seen: bytes taken so far, and of how many. */
  readonly onUpload?: (sent: number, total: number) => void;
  /** Bytes of an answer's body. */
  readonly most: number;
}

/** What came, whole. */
export interface Incoming {
  readonly label: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Milliseconds. */
export interface Limits {
  /** Until the answer's headers are there. */
  readonly headers: number;
  /** Without a byte, while a body is sent or read. */
  readonly silence: number;
}

/** Same-origin hops that a proxy may ask for. */
const MAX_REDIRECTS = 5;

/** How slowly a body may go out where nobody tells of its parts: 64 kB a second. */
const SLOWEST_BYTES_PER_MS = 64;

/** Sends and reads. Throws ApiError `offline`, `timeout` or `bad_response`, or the signal's reason as it is. */
export async function attempt(
  fetch: typeof globalThis.fetch,
  clock: ClientClock,
  limits: Limits,
  outgoing: Outgoing,
  signal: AbortSignal | undefined,
): Promise<Incoming> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const cancel = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", cancel, { once: true });
  const { body } = outgoing;
  const size = body instanceof Blob ? body.size : (body?.length ?? 0);
  const watch = new Watch(clock, controller, limits.headers + size / SLOWEST_BYTES_PER_MS);
  const counted = (blob: Blob): Blob =>
    new CountedBlob(blob, (sent) => {
      watch.touch(limits.headers + limits.silence);
      outgoing.onUpload?.(sent, blob.size);
    });
  try {
    const response = await follow(
      fetch,
      outgoing,
      body instanceof Blob ? counted(body) : body,
      controller.signal,
    );
    const bytes = await readAll(response, outgoing, () => watch.touch(limits.silence));
    return { label: outgoing.label, status: response.status, headers: response.headers, bytes };
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof ApiError) throw error;
    if (watch.expired)
      throw new ApiError("timeout", `${outgoing.label}: no answer in time`, { endpoint: outgoing.label });
    throw lost(outgoing, error);
  } finally {
    watch.end();
    signal?.removeEventListener("abort", cancel);
    // Ends a body that was not read to its end (too long, a redirect).
    controller.abort();
  }
}

async function follow(
  fetch: typeof globalThis.fetch,
  outgoing: Outgoing,
  body: string | Blob | undefined,
  signal: AbortSignal,
): Promise<Response> {
  let url = outgoing.url;
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url, {
      method: outgoing.method,
      headers: outgoing.headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      credentials: "omit",
      signal,
    });
    if (response.type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(response.status))
      return response;
    url = nextUrl(response, outgoing, url, hops);
    await response.body?.cancel();
  }
}

/** Where a redirect leads, if the token may go there and the request stays what it is. Else a bad response. */
function nextUrl(response: Response, outgoing: Outgoing, from: string, hops: number): string {
  const refuse = (why: string): ApiError =>
    new ApiError("bad_response", `${outgoing.label}: ${why}`, {
      status: response.status,
      field: "location",
      endpoint: outgoing.label,
    });
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (target === undefined) throw refuse("redirected to an unknown place");
  if (target.origin !== new URL(from).origin) throw refuse(`redirected to another origin, ${target.origin}`);
  if (hops >= MAX_REDIRECTS) throw refuse("redirected too often");
  const keepsMethod = outgoing.method === "GET" || response.status === 307 || response.status === 308;
  if (!keepsMethod) throw refuse("redirected in a way that would drop the request's body");
  return target.href;
}

async function readAll(
  response: Response,
  outgoing: Outgoing,
  touch: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  touch();
  const tooLong = (): ApiError =>
    new ApiError("bad_response", `${outgoing.label}: the answer is longer than ${outgoing.most} bytes`, {
      status: response.status,
      field: "body",
      endpoint: outgoing.label,
    });
  if (Number(response.headers.get("content-length") ?? 0) > outgoing.most) throw tooLong();
  if (response.body === null) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    touch();
    size += part.value.byteLength;
    if (size > outgoing.most) throw tooLong();
    parts.push(part.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/**
 * A connection that failed. Only the platform's code is kept: its words may quote a header. A body that cannot be
 * unpacked did arrive, so that is a bad response.
 */
function lost({ label, url }: Outgoing, error: unknown): ApiError {
  const code = proxyCodeOf(error, new URL(url)) ?? codeOf(error);
  if (code?.startsWith("Z_") === true || code?.startsWith("ERR_BROTLI") === true)
    return new ApiError("bad_response", `${label}: the answer's compression is damaged`, {
      field: "body",
      endpoint: label,
      code,
    });
  return new ApiError(
    "offline",
    `${label}: no connection${code === undefined ? "" : ` (${code})`}`,
    code === undefined ? { endpoint: label } : { endpoint: label, code },
  );
}

/** The first `code` along the chain of causes (a fetch hides it one or two deep). */
function codeOf(error: unknown): string | undefined {
  for (const at of causesOf(error)) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}

/**
 * `PROXY_407`: a proxy answered so instead of opening the tunnel; only the words of the platform tell its status.
 * `PROXY_UNREACHABLE`: no connection to somewhere, and it was not the service that was called.
 */
function proxyCodeOf(error: unknown, called: URL): string | undefined {
  for (const at of causesOf(error)) {
    const status = /^Proxy response \((\d{3})\)/u.exec(at.message)?.[1];
    if (status !== undefined) return `PROXY_${status}`;
    const failed = at instanceof AggregateError ? (at.errors[0] as unknown) : at;
    const { syscall, hostname, port } = failed as { syscall?: unknown; hostname?: unknown; port?: unknown };
    const isOther =
      syscall === "connect"
        ? typeof port === "number" && port !== portOf(called)
        : syscall === "getaddrinfo" && typeof hostname === "string" && hostname !== called.hostname;
    if (isOther) return "PROXY_UNREACHABLE";
  }
  return undefined;
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === "http:" ? 80 : 443));
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at);
  return causes;
}

/** Aborts when nothing happened until the due time, which each touch moves (nearer, too). */
class Watch {
  readonly #clock: ClientClock;
  readonly #controller: AbortController;
  #sleep = new AbortController();
  #due: number;
  #wakesAt = 0;
  expired = false;

  constructor(clock: ClientClock, controller: AbortController, milliseconds: number) {
    this.#clock = clock;
    this.#controller = controller;
    this.#due = clock.now() + milliseconds;
    this.#arm();
  }

  touch(milliseconds: number): void {
    this.#due = this.#clock.now() + milliseconds;
    if (this.#due < this.#wakesAt && !this.#sleep.signal.aborted) this.#arm();
  }

  end(): void {
    this.#sleep.abort();
  }

  #arm(): void {
    this.#sleep.abort();
    this.#sleep = new AbortController();
    this.#wakesAt = this.#due;
    this.#clock.sleep(this.#due - this.#clock.now(), this.#sleep.signal).then(
      () => {
        if (this.#clock.now() < this.#due) return this.#arm();
        this.expired = true;
        this.#controller.abort();
      },
      () => undefined,
    );
  }
}

/**
 * A Blob whose bytes are counted as they are taken. Its length is known beforehand, so it is sent with
 * `Content-Length` (many proxies and PHP hosts refuse or buffer a body of unknown length), which a stream is not; and
 * a fetch that reads Blobs in its own way sends it all the same, only untold.
 */
class CountedBlob extends Blob {
  readonly #onTaken: (sent: number) => void;

  constructor(blob: Blob, onTaken: (sent: number) => void) {
    super([blob], { type: blob.type });
    this.#onTaken = onTaken;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let sent = 0;
    return super.stream().pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (part, controller) => {
          sent += part.byteLength;
          controller.enqueue(part);
          this.#onTaken(sent);
        },
      }),
    );
  }
}

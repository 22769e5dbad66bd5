/**
 * Sends one HTTP request once, with timeouts, same-origin redirects and a size limit, and turns every connection
 * failure into an ApiError. Rate limiting and retries are in send-with-retry.ts; bodies are parsed in parse-response.ts.
 */
import { ApiError, badResponse, withDetails } from "./errors.ts";
import type { Clock } from "../model/platform.ts";

/** A request to send. `label` names it in errors and logs and contains no query string and no secret. */
export interface HttpRequest {
  readonly label: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob | undefined;
  /** It changes something at the service: see `sendHttpRequest`. */
  readonly isWrite?: boolean;
  /** Time that the response of a cancelled write is waited for; default `CANCELLED_WRITE_MS`. */
  readonly cancelledWaitMs?: number | undefined;
  /** Called while a Blob is sent, where the platform's fetch makes that observable, with bytes sent and total bytes. */
  readonly onUpload?: ((sent: number, total: number) => void) | undefined;
  /** Limit for the response's body. */
  readonly maxResponseBytes: number;
}

/** A response whose body was read completely. */
export interface HttpResponse {
  readonly label: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Timeouts of one request. */
export interface RequestTimeouts {
  /** Time until the response's headers arrive. */
  readonly headersMs: number;
  /** Longest time without progress while a body is sent or read. */
  readonly idleMs: number;
}

/** Slowest upload that is accepted where progress cannot be observed: 64 kB per second. */
const MIN_UPLOAD_BYTES_PER_MS = 64;

/** Time that the response of a cancelled write is waited for. */
const CANCELLED_WRITE_MS = 10_000;

/**
 * Sends a request and reads the response's whole body.
 *
 * An abort rejects with the signal's reason, except for a write whose body may have arrived: aborting the request would
 * not undo it, so its response is waited for, `cancelledWaitMs` at most.
 * @throws {ApiError} `offline`, `timeout` or `bad_response`; `cancelled` without a response to a cancelled write.
 */
export async function sendHttpRequest(
  fetch: typeof globalThis.fetch,
  clock: Clock,
  timeouts: RequestTimeouts,
  request: HttpRequest,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const { body } = request;
  const size = body instanceof Blob ? body.size : (body?.length ?? 0);
  let isLate = false;
  /** Whether the service may have received the whole request. */
  let isSent = true;
  /** Whether the write was cancelled, and only its response is waited for. */
  let isCancelledWrite = false;
  let sleep = new AbortController();
  /** Aborts the request after this time, in place of the time that was set before. */
  const limitTime = (milliseconds: number): void => {
    if (isCancelledWrite) return;
    sleep.abort();
    sleep = new AbortController();
    const expire = (): void => {
      isLate = true;
      controller.abort();
    };
    clock.sleep(milliseconds, sleep.signal).then(expire, () => undefined);
  };
  const cancel = (): void => {
    if (request.isWrite !== true || !isSent) return controller.abort(signal?.reason);
    limitTime(request.cancelledWaitMs ?? CANCELLED_WRITE_MS);
    isCancelledWrite = true;
  };
  signal?.addEventListener("abort", cancel);
  const withProgress = (blob: Blob): Blob =>
    new ProgressBlob(blob, (sent) => {
      isSent = sent === blob.size;
      limitTime(timeouts.headersMs + timeouts.idleMs);
      if (sent > 0) request.onUpload?.(sent, blob.size);
    });
  limitTime(timeouts.headersMs + size / MIN_UPLOAD_BYTES_PER_MS);
  try {
    const response = await fetchFollowingRedirects(fetch, request.label, request.url, {
      method: request.method,
      headers: request.headers,
      ...(body === undefined ? {} : { body: body instanceof Blob ? withProgress(body) : body }),
      credentials: "omit",
      signal: controller.signal,
    });
    const bytes = await readAll(response, request, () => limitTime(timeouts.idleMs));
    return { label: request.label, status: response.status, headers: response.headers, bytes };
  } catch (error) {
    if (signal?.aborted === true && !isCancelledWrite) throw signal.reason;
    if (error instanceof ApiError) throw error;
    if (isLate && isCancelledWrite) throw cancelledWriteError(request.label);
    if (isLate)
      throw new ApiError("timeout", `${request.label}: no response in time`, { endpoint: request.label });
    throw connectionError(request, error);
  } finally {
    sleep.abort();
    signal?.removeEventListener("abort", cancel);
    // Closes the connection of a body that was not read to its end.
    controller.abort();
  }
}

/** Creates the error of a write that was cancelled after it was sent, and whose response did not arrive. */
export function cancelledWriteError(label: string): ApiError {
  return new ApiError("cancelled", `${label}: cancelled before the response arrived`, { endpoint: label });
}

async function readAll(
  response: Response,
  request: HttpRequest,
  onProgress: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  onProgress();
  const { label, maxResponseBytes } = request;
  const tooLargeError = (): ApiError =>
    badResponse(label, `the response is longer than ${maxResponseBytes} bytes`, "body", response.status);
  if (Number(response.headers.get("content-length") ?? 0) > maxResponseBytes) throw tooLargeError();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    onProgress();
    size += part.byteLength;
    if (size > maxResponseBytes) throw tooLargeError();
    parts.push(part);
  }
  const { buffer, byteOffset } = Buffer.concat(parts);
  return new Uint8Array(buffer, byteOffset, size);
}

/**
 * Creates the error of a failed connection. Only the platform's error code is used, since its message may quote a
 * header. A body that cannot be decompressed did arrive, so that is a bad response.
 */
function connectionError({ label, url }: HttpRequest, error: unknown): ApiError {
  const code = proxyErrorCode(error, new URL(url)) ?? errorCode(error);
  if (code?.startsWith("Z_") === true || code?.startsWith("ERR_BROTLI") === true)
    return withDetails(badResponse(label, "the response's compression is damaged", "body"), { code });
  const message = `${label}: no connection${code === undefined ? "" : ` (${code})`}`;
  return new ApiError("offline", message, { endpoint: label, code });
}

/** Returns the first `code` in the chain of causes; fetch wraps it one or two levels deep. */
function errorCode(error: unknown): string | undefined {
  const codes = errorChain(error).map((each) => (each as { code?: unknown }).code);
  return codes.find((code) => typeof code === "string");
}

/**
 * Returns `PROXY_<status>` where a proxy refused the tunnel (only the platform's message has the status), and
 * `PROXY_UNREACHABLE` where the host that could not be reached is not the service.
 */
function proxyErrorCode(error: unknown, requested: URL): string | undefined {
  for (const at of errorChain(error)) {
    const status = /^Proxy response \((\d{3})\)/u.exec(at.message)?.[1];
    if (status !== undefined) return `PROXY_${status}`;
    const failed = at instanceof AggregateError ? (at.errors[0] as unknown) : at;
    const { syscall, hostname, port } = failed as { syscall?: unknown; hostname?: unknown; port?: unknown };
    const isOtherHost =
      syscall === "connect"
        ? typeof port === "number" && port !== effectivePort(requested)
        : syscall === "getaddrinfo" && typeof hostname === "string" && hostname !== requested.hostname;
    if (isOtherHost) return "PROXY_UNREACHABLE";
  }
  return undefined;
}

function effectivePort({ port, protocol }: URL): number {
  return Number(port || (protocol === "http:" ? 80 : 443));
}

function errorChain(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at);
  return causes;
}

/**
 * A Blob that reports how many bytes were read from it, beginning with none. Unlike a stream its length is known, so it is sent with
 * `Content-Length`: many proxies and PHP hosts refuse or buffer a body of unknown length. A fetch that reads Blobs
 * without `stream()` sends it too, without progress.
 */
class ProgressBlob extends Blob {
  readonly #onProgress: (sent: number) => void;

  constructor(blob: Blob, onTaken: (sent: number) => void) {
    super([blob], { type: blob.type });
    this.#onProgress = onTaken;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let sent = 0;
    this.#onProgress(sent);
    return super.stream().pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (part, controller) => {
          sent += part.byteLength;
          controller.enqueue(part);
          this.#onProgress(sent);
        },
      }),
    );
  }
}

/** Same-origin redirects that are followed. */
const MAX_REDIRECTS = 5;

/**
 * Like `fetch`, following redirects, which proxies use, that keep method and body, and without letting the token reach another
 * origin: `fetch` would follow them before their origin can be checked.
 * @param label names the request in errors
 * @throws {ApiError} `bad_response` for any other redirect
 */
async function fetchFollowingRedirects(
  fetch: typeof globalThis.fetch,
  label: string,
  url: string,
  init: RequestInit & { readonly method: string },
): Promise<Response> {
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (response.type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(response.status))
      return response;
    url = redirectTarget(response, label, init.method, url, hops);
    await response.body?.cancel();
  }
}

function redirectTarget(
  response: Response,
  label: string,
  method: string,
  from: string,
  hops: number,
): string {
  const redirectError = (why: string): ApiError => badResponse(label, why, "location", response.status);
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (target === undefined) throw redirectError("redirected to an invalid location");
  if (target.origin !== new URL(from).origin)
    throw redirectError(`redirected to another origin, ${target.origin}`);
  if (hops >= MAX_REDIRECTS) throw redirectError("redirected too often");
  const keepsMethod = method === "GET" || response.status === 307 || response.status === 308;
  if (!keepsMethod) throw redirectError("redirected with a status code that drops the request's body");
  return target.href;
}

/** Requests without the client of the extension. Each response is checked against the general conventions. */
import { createHash } from "node:crypto";
import { expect, inject } from "vitest";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body as JSON. */
  json<Body = Record<string, unknown>>(): Body;
  /** `data` of the JSON body. */
  data<Data = Record<string, unknown>>(): Data;
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** A form, or a body to send as it is. */
  readonly raw?: FormData | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null`: none. Default: the token with the scope `write`. */
  readonly token?: string | null;
}

export interface Api {
  readonly baseUrl: string;
  readonly token: string;
  readonly readToken: string;
  /** Repeats the request after `429` and `409`, since others may use the service. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Returns the first response, also `429` and `409`. */
  once(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

/** Returns the API of the service to test. */
export function api(target: { baseUrl: string; token: string; readToken: string } = inject("target")): Api {
  const once: Api["once"] = async (method, path, options = {}) => {
    const { query = {}, body, raw, headers = {}, token = target.token } = options;
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const response = await fetch(
      `${target.baseUrl}${path}${search.size === 0 ? "" : `?${search.toString()}`}`,
      {
        method,
        redirect: "manual",
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? (raw === undefined ? {} : { body: raw }) : { body: JSON.stringify(body) }),
      },
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      bytes,
      json: <Body>() => JSON.parse(bytes.toString()) as Body,
      data: <Data>() => (JSON.parse(bytes.toString()) as { data: Data }).data,
    };
    expectConventions(answer, method, path);
    return answer;
  };
  return {
    ...target,
    once,
    request: async (method, path, options) => {
      for (let pause = 1_000; ; pause = Math.min(15_000, pause * 2)) {
        const answer = await once(method, path, options);
        if (answer.status !== 429 && answer.status !== 409) return answer;
        const seconds = Number(answer.headers.get("retry-after"));
        await new Promise((resolve) => setTimeout(resolve, seconds > 0 ? seconds * 1000 : pause));
      }
    },
  };
}

/** § General conventions 1 and 3, § Errors: they apply to all responses. */
function expectConventions(answer: Answer, method: string, path: string): void {
  const what = `${method} ${path} → ${answer.status}`;
  expect(answer.headers.get("x-ratelimit-limit"), what).toMatch(/^\d+$/u);
  expect(answer.headers.get("x-ratelimit-remaining"), what).toMatch(/^\d+$/u);
  if (answer.status === 304) {
    expect(answer.bytes.length, what).toBe(0);
    return;
  }
  const isFile = path.startsWith("/exports/") && answer.status === 200;
  if (!isFile) {
    expect(answer.headers.get("content-type"), what).toMatch(/^application\/json\b/u);
    expect(() => answer.json(), what).not.toThrow();
  }
  if (answer.status >= 400) {
    expect([401, 403, 404, 409, 422, 429], what).toContain(answer.status);
    const body = answer.json();
    expect(typeof body["message"], what).toBe("string");
    // § Errors, extra body fields: none for these.
    if ([401, 403, 404].includes(answer.status)) expect(Object.keys(body), what).toEqual(["message"]);
    if (answer.status === 409) expect(["busy", "source_language_change"], what).toContain(body["reason"]);
    if (answer.status === 422) expectFieldErrors(body["errors"], what);
    if (answer.status === 429) expect(answer.headers.get("retry-after"), what).toMatch(/^[1-9]\d*$/u);
  }
}

function expectFieldErrors(errors: unknown, what: string): void {
  expect(typeof errors, what).toBe("object");
  expect(Object.keys(errors ?? {}).length, what).toBeGreaterThan(0);
  for (const messages of Object.values(errors as Record<string, unknown>)) {
    expect(Array.isArray(messages) && messages.length > 0, what).toBe(true);
    for (const message of messages as unknown[]) expect(typeof message, what).toBe("string");
  }
}

/** Returns the fields with errors of a `422`. */
export function fieldsOf(answer: Answer): string[] {
  expect(answer.status).toBe(422);
  return Object.keys(answer.json<{ errors: object }>().errors);
}

/** § Key identity, independent of the implementation. */
export function hashOf(namespace: string, key: string, context = ""): string {
  return createHash("sha1").update(`${namespace}\u001f${key}\u001f${context}`, "utf8").digest("hex");
}

export function sha1(text: string): string {
  return createHash("sha1").update(text, "utf8").digest("hex");
}

/** `<timestamp>`: ISO 8601 in UTC with a trailing Z. */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/u;

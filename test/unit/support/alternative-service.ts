/**
 * A second, independent implementation of the API document, in memory: where the document says "not shown", it decides
 * differently from the local service. It shares no code with it or with the client.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  errorResponse,
  validationError,
  type Answer,
  type Json,
  type Variant,
} from "./alternative-responses.ts";
import { AlternativeContent } from "./alternative-content.ts";
import { AlternativeFiles } from "./alternative-files.ts";

export class AlternativeService {
  static readonly token = "other|reads-and-writes";
  static readonly readToken = "other|only-reads";
  readonly #variant: Variant;
  readonly #server: Server;
  readonly content: AlternativeContent;
  readonly #files: AlternativeFiles;
  /** The received requests: method and path with query. */
  readonly requests: string[] = [];
  /** The number of write requests to refuse with 409, and of requests to refuse with 429. */
  busyResponses = 0;
  rateLimitResponses = 0;
  /** Called before each response. */
  beforeResponse: (request: string) => Promise<void> = () => Promise.resolve();

  private constructor(variant: Variant) {
    this.#variant = variant;
    this.content = new AlternativeContent(variant);
    this.#files = new AlternativeFiles(variant, this.content);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(variant: Variant = {}): Promise<AlternativeService> {
    const service = new AlternativeService(variant);
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await this.#answer(request, Buffer.concat(chunks));
    const body = answer.raw ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body));
    response.writeHead(answer.status ?? 200, {
      ...(answer.raw === undefined ? { "Content-Type": "application/json; charset=utf-8" } : {}),
      "X-RateLimit-Limit": "120",
      "X-RateLimit-Remaining": "100",
      ...answer.headers,
    });
    response.end(body);
  }

  async #answer(request: IncomingMessage, bytes: Buffer): Promise<Answer> {
    const url = new URL(request.url ?? "/", "http://here");
    const method = request.method ?? "GET";
    const path = url.pathname.replace(/^\/v1/u, "");
    this.requests.push(`${method} ${path}${url.search}`);
    await this.beforeResponse(`${method} ${path}${url.search}`);
    const token = request.headers.authorization;
    const mayWrite = token === `Bearer ${AlternativeService.token}`;
    if (!mayWrite && token !== `Bearer ${AlternativeService.readToken}`) return errorResponse(401);
    if (this.rateLimitResponses > 0) {
      this.rateLimitResponses--;
      const date = new Date(Date.now() + 1000).toUTCString();
      return { status: 429, body: { message: "Rustig aan" }, headers: { "Retry-After": date } };
    }
    const isWrite = method !== "GET";
    const isJson = isWrite && path !== "/imports";
    const body = (isJson ? JSON.parse(bytes.toString("utf8")) : {}) as Json;
    const invalid = isJson ? this.#validate(path, body) : null;
    if (this.#variant.validatesBodyFirst === true && invalid !== null) return invalid;
    if (isWrite && !mayWrite) return errorResponse(403);
    if (invalid !== null) return invalid;
    if (isWrite && this.busyResponses > 0) {
      this.busyResponses--;
      return { status: 409, body: { message: "Bezig", reason: "busy" }, headers: { "Retry-After": "1" } };
    }
    const [, first = "", second = ""] = path.split("/").map(decodeURIComponent);
    switch (`${method} ${first}`) {
      case "GET project":
        return { body: { data: this.content.project(), links: { self: "/v1/project" } } };
      case "GET stats":
        return { body: { data: this.content.stats(), meta: [] } };
      case "GET keys":
        return this.content.listKeys(url.searchParams);
      case "POST keys":
        return second === "diff" ? this.content.diff(body) : this.content.sync(body);
      case "PATCH keys":
        return this.content.update(second, body);
      case "GET translations":
        return this.content.listRows(second, url.searchParams);
      case "PUT translations":
        return this.content.write(second, url.searchParams, body);
      case "POST imports":
        return this.#files.import(bytes, request.headers["content-type"] ?? "");
      case "GET exports":
        return this.#files.export(url.searchParams, request.headers["if-none-match"]);
      case "GET jobs":
        return this.#files.job(Number(second));
      default:
        return errorResponse(404);
    }
  }

  /** "Which of these fields are required: not shown": like Laravel's `required`, an empty list counts as missing. */
  #validate(path: string, body: Json): Answer | null {
    const list = (name: string): unknown[] => (Array.isArray(body[name]) ? (body[name] as unknown[]) : []);
    if (path === "/keys/diff" && list("keys").length === 0) return validationError("keys");
    if (path === "/keys/sync") {
      if (body["keys"] !== undefined && list("keys").length === 0) return validationError("keys");
      if (body["keys"] === undefined && list("archive").length === 0) return validationError("keys");
    }
    if (path.startsWith("/translations/")) {
      if (list("updates").length === 0) return validationError("updates");
      const hash = this.#variant.itemHash ?? "hash";
      const bad = list("updates").findIndex((item) => typeof (item as Json)[hash] !== "string");
      if (bad !== -1) return validationError(`updates.${bad}.${hash}`);
    }
    return null;
  }
}

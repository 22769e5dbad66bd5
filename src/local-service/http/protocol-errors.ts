/**
 * Answers what never reaches the endpoints: requests that Node cannot parse, and those that it would answer without a
 * body. "Every response is JSON, including errors", and "every answer carries `X-RateLimit-Limit` and `-Remaining`"
 * (§ General conventions 1, 3).
 */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Problem } from "./error-responses.ts";
import { messageLanguageOf } from "./localised-messages.ts";
import type { RateLimit } from "./rate-limit.ts";

/** A parse error of Node. */
interface ParseError extends Error {
  readonly code?: string;
  /** What was received last. */
  readonly rawPacket?: Uint8Array;
}

/** Answers errors of the protocol on this server. `perAddress`: counts them, as every request. */
export function answerProtocolErrors(server: Server, perAddress: RateLimit): void {
  const answer = (socket: Duplex, problem: Problem, acceptLanguage: string | undefined): void => {
    const { remoteAddress } = socket as Socket;
    const { limit, remaining, retryAfter } = perAddress.take(remoteAddress ?? "unknown");
    const told =
      retryAfter === undefined
        ? problem
        : new Problem(429, { code: "rate_limited", values: { seconds: retryAfter } });
    const body = JSON.stringify(told.body(messageLanguageOf(acceptLanguage)));
    const lines = [
      `HTTP/1.1 ${told.status} ${STATUS_CODES[told.status] ?? ""}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-RateLimit-Limit: ${limit}`,
      `X-RateLimit-Remaining: ${remaining}`,
      ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
      "Connection: close",
    ];
    socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  };

  /** The last response on each connection. */
  const responses = new WeakMap<Duplex, ServerResponse>();
  const endpoints = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response);
    if (hasTarget(request)) for (const listener of endpoints) listener.call(server, request, response);
    else
      answer(request.socket, new Problem(400, { code: "bad_request" }), request.headers["accept-language"]);
  });
  server.on("clientError", (error: ParseError, socket) => {
    // Of a request that is being answered already, or a client that is gone.
    const response = responses.get(socket);
    const isAnswered = response?.headersSent === true && !response.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || isAnswered) {
      socket.destroy(error);
      return;
    }
    answer(socket, parseProblem(error), acceptLanguageIn(error.rawPacket));
  });
  server.on("checkExpectation", ({ headers, socket }: IncomingMessage) => {
    answer(socket, new Problem(417, { code: "unknown_expectation" }), headers["accept-language"]);
  });
  // A tunnel is asked for: an unknown URL, too.
  server.on("connect", ({ headers }: IncomingMessage, socket) => {
    answer(socket, new Problem(404, { code: "not_found" }), headers["accept-language"]);
  });
}

/** Returns whether host and path form a URL. "A client MUST send a Host header field" (RFC 9112, section 3.2). */
function hasTarget({ headers: { host }, httpVersion, url = "" }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === "1.0";
  return /^[\w.:[\]-]+$/u.test(host) && URL.canParse(url, `http://${host}`);
}

function parseProblem({ code }: ParseError): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem(431, { code: "headers_too_large" });
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Problem(413, { code: "body_too_large" });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem(408, { code: "request_timeout" });
    default:
      return new Problem(400, { code: "bad_request" });
  }
}

/** Returns the header of a request that could not be parsed, if it was received. */
function acceptLanguageIn(packet: Uint8Array | undefined): string | undefined {
  const text = Buffer.from(packet ?? []).toString("latin1");
  return /^accept-language:([^\r\n]*)/imu.exec(text)?.[1]?.trim();
}

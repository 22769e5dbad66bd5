/** What a body is read as, and what an error says of it. */
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { ApiError } from "../../../src/api/errors.ts";
import type { HttpResponse } from "../../../src/api/http-request.ts";
import { errorFromResponse, mediaType, parseResponse } from "../../../src/api/parse-response.ts";

const JSON_TYPE = "application/json";
const response = (
  body: string | Uint8Array,
  type: string | null = JSON_TYPE,
  status = 200,
): HttpResponse => ({
  label: "GET /x",
  status,
  headers: new Headers(type === null ? {} : { "content-type": type }),
  bytes: new Uint8Array(Buffer.from(body)),
});
const Schema = v.object({ data: v.object({ count: v.number() }) });
const GOOD = '{"data":{"count":1}}';

const refusal = (incoming: HttpResponse): ApiError => {
  try {
    parseResponse(incoming, Schema);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error("it was read");
};

test.each([
  [JSON_TYPE, JSON_TYPE],
  [" Application/JSON ; charset=utf-8", JSON_TYPE],
  ["", null],
  [" ; charset=utf-8", null],
  [null, null],
])("the media type of %j is %j", (type, expected) => {
  expect(mediaType(response("", type).headers)).toBe(expected);
});

describe("a body", () => {
  test.each([JSON_TYPE, "application/json; charset=utf-8", "application/vnd.api+json", null, ""])(
    "of the type %j is read",
    (type) => {
      expect(parseResponse(response(GOOD, type), Schema)).toEqual({ data: { count: 1 } });
    },
  );

  test.each(["text/html", "text/json", "application/json-seq", "application/x+jsonl", "image/svg+json"])(
    "of the type %j is not",
    (type) => {
      expect(refusal(response(GOOD, type, 201))).toMatchObject({
        kind: "bad_response",
        status: 201,
        field: "content-type",
        message: `GET /x: 201 with ${type} instead of JSON`,
      });
    },
  );

  test.each<[string, string | Uint8Array, string, string]>([
    ["nothing", "", "body", "200 with an empty body"],
    ["no JSON", "{", "body", "200 with a body that is not JSON"],
    [
      "no UTF-8",
      Buffer.concat([Buffer.from('{"data":{"count":1,"x":"'), Buffer.from([0xff]), Buffer.from('"}}')]),
      "body",
      "200 with a body that is not JSON",
    ],
    ["no object", "5", "body", "body: not Object"],
    ["another value", '{"data":{"count":"1"}}', "data.count", "data.count: not number"],
  ])("that is %s is refused", (_, body, field, message) => {
    const error = refusal(response(body));
    expect(error).toMatchObject({ kind: "bad_response", status: 200, field });
    expect(error.message).toBe(`GET /x: ${message}`);
  });
});

describe("an error", () => {
  const errorOf = (status: number, body: object, pauseMs: number | null = null): ApiError =>
    errorFromResponse(response(JSON.stringify(body), JSON_TYPE, status), (text) => text, pauseMs);

  test("says how long to wait in whole seconds, not too few", () => {
    expect([null, 0, 1_000, 1_001].map((pause) => errorOf(429, {}, pause).retryAfter)).toEqual([
      undefined,
      0,
      1,
      2,
    ]);
  });

  test("names its reason and the first five fields", () => {
    const errors = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, ["No."]]));
    const error = errorOf(422, { reason: "why", errors });
    expect(error.message).toBe("GET /x: 422 invalid (why, a, b, c, d, e)");
    expect(Object.keys(error.errors ?? {})).toHaveLength(6);
    expect(errorOf(422, {}).message).toBe("GET /x: 422 invalid");
  });

  test("is one of the key limit only where the service refuses what was sent", () => {
    const reason = "key_limit_reached";
    expect([422, 403, 500].map((status) => errorOf(status, { reason }).kind)).toEqual([
      reason,
      "forbidden",
      "server_error",
    ]);
  });

  test("has texts of at most two thousand characters, none of them half", () => {
    const long = `${"x".repeat(1_999)}😀`;
    const cut = `${"x".repeat(1_999)}\ufffd`;
    const error = errorOf(422, { message: long, reason: long, errors: { [long]: [long] } });
    expect([error.serviceMessage, error.reason, error.errors]).toEqual([cut, cut, { [cut]: [cut] }]);
  });
});

/** Parsing of request bodies and queries, and the messages for invalid ones. */
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { MAX_JSON_BODY_BYTES, LENGTHS, LIMITS } from "../../../src/local-service/specification-decisions.ts";
import { Problem } from "../../../src/local-service/http/error-responses.ts";
import {
  FormsSchema,
  HashSchema,
  jsonBody,
  LimitSchema,
  list,
  MaxLengthSchema,
  name,
  oneOf,
  parseParameters,
  readBody,
  text,
  TimestampSchema,
} from "../../../src/local-service/http/validate-request.ts";

const URL_OF_SERVICE = "http://127.0.0.1/keys";

function post(body: RequestInit["body"], headers: Readonly<Record<string, string>> = {}): Request {
  return new Request(URL_OF_SERVICE, {
    method: "POST",
    ...(body === undefined ? {} : { body }),
    headers,
    duplex: "half",
  });
}

/** A body that comes in chunks, and how many of them were asked for. */
function chunked(sizes: readonly number[]): { readonly body: ReadableStream; readonly taken: () => number } {
  let taken = 0;
  const body = new ReadableStream(
    {
      pull: (controller) => {
        const size = sizes[taken++];
        if (size === undefined) controller.close();
        else controller.enqueue(new Uint8Array(size).fill(taken));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken: () => taken };
}

describe("reading a body", () => {
  test("reads up to the limit, with or without Content-Length", async () => {
    for (const size of [0, 9, 10]) {
      const bytes = new Uint8Array(size).fill(1);
      expect(await readBody(post(bytes, { "content-length": String(size) }), 10)).toEqual(bytes);
      expect(await readBody(post(chunked([size]).body), 10)).toEqual(Buffer.from(bytes));
    }
    expect(await readBody(new Request(URL_OF_SERVICE), 10)).toEqual(new Uint8Array());
  });

  test("keeps the order of chunks", async () => {
    expect(await readBody(post(chunked([2, 1, 3]).body), 10)).toEqual(Buffer.from([1, 1, 2, 3, 3, 3]));
  });

  test("rejects a body over the limit", async () => {
    expect(await readBody(post(new Uint8Array(11), { "content-length": "11" }), 10)).toBeUndefined();
    const longer = chunked([6, 6, 6, 6]);
    expect(await readBody(post(longer.body), 10, 20)).toBeUndefined();
    expect(longer.taken()).toBe(4);
    const drained = chunked([6, 6, 6]);
    expect(await readBody(post(drained.body), 10, 20)).toBeUndefined();
    // The end of it was seen, so that the sender gets its answer.
    expect(drained.taken()).toBe(4);
    const exact = chunked([10, 10]);
    expect(await readBody(post(exact.body), 10, 20)).toBeUndefined();
    expect(exact.taken()).toBe(3);
    const cut = chunked([6, 6, 6]);
    expect(await readBody(post(cut.body), 10)).toBeUndefined();
    expect(cut.taken()).toBe(2);
  });
});

test("rejects a JSON body over the limit", async () => {
  const body = chunked([MAX_JSON_BODY_BYTES, 1]).body;
  expect(await refused(() => jsonBody(post(body, JSON_TYPE), v.object({})))).toEqual({
    body: ["The body is too large."],
  });
});

/** Fields and words of what was refused, as a client gets them. */
async function refused(ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.body("en")["errors"];
  }
}

const JSON_TYPE = { "content-type": "application/json" };
const parsed = (schema: v.GenericSchema, value: unknown): Promise<unknown> =>
  refused(() => jsonBody(post(JSON.stringify({ field: value }), JSON_TYPE), v.object({ field: schema })));

describe("body fields", () => {
  test.each<[string, v.GenericSchema, unknown, string | undefined]>([
    ["a text", text(3), "abc", undefined],
    ["an empty text", text(3), "", undefined],
    ["a long text", text(3), "abcd", "field may have at most 3 characters."],
    ["a number for a text", text(3), 5, "field must be a string."],
    ["null for a text", text(3), null, "field must be a string."],
    ["a name", name(3), "a", undefined],
    ["an empty name", name(3), "", "field must not be empty."],
    ["a long name", name(3), "abcd", "field may have at most 3 characters."],
    ["a hash", HashSchema, "0123456789abcdef".repeat(3).slice(0, 40), undefined],
    ["a short hash", HashSchema, "a".repeat(39), "field must be 40 lowercase hexadecimal characters."],
    ["a long hash", HashSchema, "a".repeat(41), "field must be 40 lowercase hexadecimal characters."],
    ["a hash in capitals", HashSchema, "A".repeat(40), "field must be 40 lowercase hexadecimal characters."],
    ["no hash", HashSchema, 1, "field must be a string."],
    ["the least length", MaxLengthSchema, 1, undefined],
    ["the greatest length", MaxLengthSchema, LIMITS.maxLength, undefined],
    ["a length of 0", MaxLengthSchema, 0, "field must be at least 1."],
    ["a greater length", MaxLengthSchema, LIMITS.maxLength + 1, `field must be at most ${LIMITS.maxLength}.`],
    ["half a length", MaxLengthSchema, 1.5, "field must be an integer."],
    ["a length in words", MaxLengthSchema, "5", "field must be an integer."],
    ["a list", list(text(3), 2), ["a", "b"], undefined],
    ["an empty list", list(text(3), 2), [], undefined],
    ["a long list", list(text(3), 2), ["a", "b", "c"], "field may have at most 2 items."],
    ["a long list of anything", list(text(3), 2), [1, 2, 3], "field may have at most 2 items."],
    ["a text for a list", list(text(3), 2), "ab", "field must be a list."],
    ["forms", FormsSchema, { one: "a", other: "" }, undefined],
    ["a list of forms", FormsSchema, ["a"], "field must be an object."],
    ["a text for forms", FormsSchema, "a", "field must be an object."],
    ["something unknown", v.picklist(["a", "b"], "must_be_one_of"), "c", "field must be one of a, b."],
    ["a check without words of ours", v.literal("a"), "b", "field is not valid."],
    ["nothing", text(3), undefined, "field is required."],
  ])("%s", async (_, schema, value, fault) => {
    expect(await parsed(schema, value)).toEqual(fault === undefined ? { field: value } : { field: [fault] });
  });

  test("accepts PHP's empty list for forms", async () => {
    expect(await parsed(FormsSchema, [])).toEqual({ field: {} });
  });

  test("limits names and texts of forms", async () => {
    const long = "x".repeat(LENGTHS.category + 1);
    expect(await parsed(FormsSchema, { [long]: "a" })).toEqual({
      [`field.${long}`]: [`field.${long} may have at most ${LENGTHS.category} characters.`],
    });
    expect(await parsed(FormsSchema, { one: 5 })).toEqual({
      "field.one": ["field.one must be a string."],
    });
  });

  test("reports problems of items by path, grouped by field", async () => {
    expect(await parsed(list(text(3), 5), ["a", "long", 5])).toEqual({
      "field.1": ["field.1 may have at most 3 characters."],
      "field.2": ["field.2 must be a string."],
    });
    const twice = v.pipe(v.string(), v.minLength(9, "must_not_be_empty"), v.minLength(9, "not_valid"));
    expect(await parsed(twice, "a")).toEqual({
      field: ["field must not be empty.", "field is not valid."],
    });
  });

  test("reports at most a hundred problems", async () => {
    const told = (await parsed(
      list(text(3), 200),
      Array.from({ length: 150 }, () => 5),
    )) as object;
    expect(Object.keys(told)).toEqual(Array.from({ length: 100 }, (_, index) => `field.${index}`));
  });
});

describe("query parameters", () => {
  /** What a schema makes of the parameters, or the faults. */
  const given = (parameters: string, entries: v.ObjectEntries): Promise<unknown> =>
    refused(() => parseParameters(Object.fromEntries(new URLSearchParams(parameters)), v.object(entries)));
  const a = (schema: v.GenericSchema) => ({ a: v.optional(schema) });

  test.each<[string, string | undefined]>([
    ["", undefined],
    ["a=", undefined],
    ["a=b", "b"],
    ["a=b%26c%20d", "b&c d"],
    [`a=${"x".repeat(LENGTHS.filter)}`, "x".repeat(LENGTHS.filter)],
  ])("reads a text from %s", async (parameters, value) => {
    expect(await given(parameters, a(text(LENGTHS.filter)))).toEqual(value === undefined ? {} : { a: value });
  });

  test("limits the length of a text", async () => {
    const words = { a: [`a may have at most ${LENGTHS.filter} characters.`] };
    expect(await given(`a=${"x".repeat(LENGTHS.filter + 1)}`, a(text(LENGTHS.filter)))).toEqual(words);
    expect(await given("a=xyz", a(text(2)))).toEqual({ a: ["a may have at most 2 characters."] });
    expect(await given("a=xyz", a(text(3)))).toEqual({ a: "xyz" });
  });

  test("accepts one of several values", async () => {
    const entries = a(oneOf(["x", "y"]));
    expect(await given("a=x", entries)).toEqual({ a: "x" });
    expect(await given("a=y", entries)).toEqual({ a: "y" });
    expect(await given("a=", entries)).toEqual({});
    expect(await given("a=z", entries)).toEqual({ a: ["a must be one of x, y."] });
  });

  test.each<[string, string | null | undefined]>([
    ["", undefined],
    ["a=2026-01-02", "2026-01-02T00:00:00.000Z"],
    ["a=2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"],
    ["a=2026-01-02T03:04:05%2B02:00", "2026-01-02T01:04:05.000Z"],
    // A plus that was not encoded.
    ["a=2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05.000Z"],
    ["a=2026-01-02T03:04:05-02:00", "2026-01-02T05:04:05.000Z"],
    ["a=2026-13-02", null],
    ["a=2026-01-02T03:04:05", null],
    ["a=yesterday", null],
    ["a=1", null],
  ])("reads a timestamp from %s", async (parameters, value) => {
    const expected = value === null ? { a: ["a must be an ISO 8601 time."] } : value && { a: value };
    expect(await given(parameters, a(TimestampSchema))).toEqual(expected ?? {});
  });

  test.each<[string, number | null]>([
    ["", LIMITS.defaultPageSize],
    ["limit=1", 1],
    ["limit=1000", 1000],
    [`limit=${LIMITS.maxPageSize}`, LIMITS.maxPageSize],
    ["limit=0", null],
    [`limit=${LIMITS.maxPageSize + 1}`, null],
    ["limit=-1", null],
    ["limit=1.5", null],
    ["limit=1e2", null],
    ["limit=0000001", null],
    ["limit=ten", null],
  ])("reads a number from %s", async (parameters, value) => {
    expect(await given(parameters, { limit: LimitSchema })).toEqual({
      limit: value ?? [`limit must be between 1 and ${LIMITS.maxPageSize}.`],
    });
  });

  test("reports all problems at once, several per field", async () => {
    const twice = v.pipe(v.string(), v.minLength(9, "not_valid"), v.minLength(9, "must_be_date"));
    expect(await given("limit=0&b=x", { b: twice, limit: LimitSchema })).toEqual({
      b: ["b is not valid.", "b must be an ISO 8601 time."],
      limit: [`limit must be between 1 and ${LIMITS.maxPageSize}.`],
    });
  });
});

/** Errors by kind, and responses that do not follow the document. */
import { describe, expect, test } from "vitest";
import {
  ApiError,
  isFieldRefused,
  isUncertainKind,
  isUnreachable,
  mayHaveBeenExecuted,
  refusedEntries,
  refusedFiles,
} from "../../../src/api/errors.ts";
import { createClientHarness, failure, KEY, serve, TOKEN, type Reply } from "./client-harness.ts";

async function errorOf(reply: Reply) {
  const { port } = await serve(() => reply);
  const harness = createClientHarness(port, { timeouts: { busyMs: 0, rateLimitMs: 0 } });
  return failure(harness.drive(harness.client.stats()));
}

describe("isFieldRefused", () => {
  test.each([
    ["an error on the cursor", new ApiError("invalid", "x", { errors: { cursor: ["x"] } }), true],
    ["an error on another field", new ApiError("invalid", "x", { errors: { limit: ["x"] } }), false],
    ["no errors", new ApiError("invalid", "x"), false],
    ["another kind", new ApiError("bad_response", "x", { errors: { cursor: ["x"] } }), false],
    ["another error", new Error("cursor"), false],
  ])("with %s", (_, error, expected) => {
    expect(isFieldRefused(error, "cursor")).toBe(expected);
  });
});

test("a write may have been executed unless the service said that it was not", () => {
  const uncertain = ["offline", "timeout", "server_error", "bad_response", "cancelled"] as const;
  const refused = ["unauthorized", "forbidden", "not_found", "busy", "invalid", "rate_limited"] as const;
  for (const kind of [...uncertain, ...refused, "key_limit_reached"] as const) {
    const isUncertain = uncertain.some((each) => each === kind);
    expect([kind, isUncertainKind(kind)]).toEqual([kind, isUncertain]);
    expect([kind, mayHaveBeenExecuted(new ApiError(kind, "x"))]).toEqual([kind, isUncertain]);
  }
  for (const other of ["toString", "no_project"]) expect(isUncertainKind(other)).toBe(false);
  expect(mayHaveBeenExecuted(new Error("offline"))).toBe(false);
  // Of these, nothing answered at all.
  const silent = uncertain.filter((kind) => isUnreachable(new ApiError(kind, "x")));
  expect(silent).toEqual(["offline", "timeout"]);
});

test("refused items have their list, place and field, also of a form", () => {
  const errors = { "keys.12.forms.one": ["a"], "archive.0": ["b", "c"], keys: ["d"], "keys.x.value": ["e"] };
  expect(refusedEntries(new ApiError("invalid", "x", { errors }))).toEqual([
    { list: "keys", index: 12, field: "forms.one", messages: ["a"] },
    { list: "archive", index: 0, field: "", messages: ["b", "c"] },
  ]);
});

describe("error kinds by status and reason", () => {
  test.each([
    [401, {}, "unauthorized"],
    [403, {}, "forbidden"],
    [404, {}, "not_found"],
    [409, { reason: "busy" }, "busy"],
    [409, { reason: "source_language_change" }, "busy"],
    [409, {}, "busy"],
    [422, { errors: { cursor: ["x"] } }, "invalid"],
    [422, { reason: "something_else" }, "invalid"],
    [400, {}, "invalid"],
    [413, {}, "invalid"],
    [429, {}, "rate_limited"],
    [500, {}, "server_error"],
    [418, {}, "bad_response"],
  ] as const)("maps %i %j to %s", async (status, body, kind) => {
    const error = await errorOf({ status, body: { message: "Bezig, 422, unauthorized.", ...body } });
    expect([error.kind, error.status, error.reason]).toEqual([
      kind,
      status,
      "reason" in body ? body.reason : undefined,
    ]);
    expect(error.serviceMessage).toBe("Bezig, 422, unauthorized.");
    expect(error.message).not.toContain("Bezig");
  });

  test.each([
    [413, "invalid"],
    [429, "rate_limited"],
    [422, "bad_response"],
  ] as const)("maps %i with a proxy's page to %s", async (status, kind) => {
    const error = await errorOf({ status, body: "<html><h1>Refused</h1></html>" });
    expect([error.kind, error.status]).toEqual([kind, status]);
  });

  test("reads the numbers of a key limit", async () => {
    const body = {
      message: "Vol",
      errors: { keys: ["Vol"] },
      reason: "key_limit_reached",
      limit: 100,
      used: 99,
      requested: 5,
    };
    const error = await errorOf({ status: 422, body });
    expect(error).toMatchObject({
      kind: "key_limit_reached",
      limit: 100,
      used: 99,
      requested: 5,
      errors: { keys: ["Vol"] },
    });
  });

  test("reads errors per field, and PHP's empty list as none", async () => {
    const error = await errorOf({
      status: 422,
      body: { message: "x", errors: { "keys.12.value": ["a", "b"] } },
    });
    expect(error.errors).toEqual({ "keys.12.value": ["a", "b"] });
    expect(error.message).toContain("keys.12.value");
    expect((await errorOf({ status: 422, body: { message: "x", errors: [] } })).errors).toBeUndefined();
  });

  test("recognises an invalid cursor, and refused files by index", async () => {
    expect(
      isFieldRefused(
        await errorOf({ status: 422, body: { message: "x", errors: { cursor: ["y"] } } }),
        "cursor",
      ),
    ).toBe(true);
    const other = await errorOf({
      status: 422,
      body: {
        message: "x",
        errors: {
          "files.1": ["y"],
          "files.10": ["z"],
          "files[].2": ["v"],
          "files.3.name": ["u"],
          locale: ["w"],
        },
      },
    });
    expect(isFieldRefused(other, "cursor")).toBe(false);
    expect([...refusedFiles(other)]).toEqual([
      [1, ["y"]],
      [10, ["z"]],
      [2, ["v"]],
    ]);
  });

  test.each([
    [502, "server_error"],
    [503, "server_error"],
    [504, "server_error"],
    [408, "timeout"],
  ])("maps a gateway's %i to %s for any body", async (status, kind) => {
    const error = await errorOf({
      status,
      headers: { "content-type": "text/html" },
      body: "<h1>Bad gateway",
    });
    expect([error.kind, error.status]).toEqual([kind, status]);
  });
});

describe("undocumented responses", () => {
  test("name the endpoint and the unreadable field", async () => {
    expect(
      await errorOf({ body: { data: { contentVersion: 1, languages: [{ name: "x" }] } } }),
    ).toMatchObject({
      endpoint: "GET /stats",
      field: "data.languages.0.locale",
    });
    expect(await errorOf({ headers: { "content-type": "text/html" }, body: "<p>" })).toMatchObject({
      endpoint: "GET /stats",
      field: "content-type",
    });
  });

  test.each([200, 401, 403, 404, 422])("report a page instead of JSON with %i", async (status) => {
    const error = await errorOf({
      status,
      headers: { "content-type": "text/html; charset=utf-8" },
      body: "<html>Welcome to Hotel Wifi",
    });
    expect([error.kind, error.status, error.field]).toEqual(["bad_response", status, "content-type"]);
    expect(error.message).toContain("text/html");
  });

  test.each([
    ["nothing", ""],
    ["half a body", '{"data": {"contentVersion": 1, "lang'],
    ["broken UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ])("%s", async (_, body) => {
    const error = await errorOf({ body });
    expect([error.kind, error.field]).toEqual(["bad_response", "body"]);
  });

  test.each([
    ["data", {}],
    ["data.contentVersion", { data: { languages: [] } }],
    ["data.languages.0.locale", { data: { contentVersion: 1, languages: [{ name: "x" }] } }],
    ["data.contentVersion", { data: { contentVersion: "1", languages: [] } }],
  ])("name a missing documented field: %s", async (field, body) => {
    const error = await errorOf({ body });
    expect([error.kind, error.field]).toEqual(["bad_response", field]);
    expect(error.message).toContain(field);
  });

  test("name the index of an invalid row", async () => {
    const { port } = await serve(() => ({
      body: { data: [KEY, KEY, { ...KEY, hash: undefined }], meta: { nextCursor: null, limit: 1000 } },
    }));
    expect((await failure(createClientHarness(port).client.keys())).field).toBe("data.2.hash");
  });
});

test("redacts the token in the service's error messages", async () => {
  const error = await errorOf({
    status: 422,
    body: {
      message: `The token ${TOKEN} is odd: ${TOKEN}`,
      reason: TOKEN,
      errors: { [`field.${TOKEN}`]: [`${TOKEN} is odd`] },
    },
  });
  expect(error.serviceMessage).toBe("The token [token] is odd: [token]");
  expect(error.errors).toEqual({ "field.[token]": ["[token] is odd"] });
});

test("creates no client for a base URL that must not receive the token", () => {
  expect(() => createClientHarness(0, { baseUrl: "http://translations.example.com/v1" })).toThrow(
    "not_https",
  );
});

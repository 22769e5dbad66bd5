/** Every failure of the fault matrix has its own message in both languages. */
import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { ApiError, type ApiErrorKind } from "../../../src/api/errors.ts";
import { toFailure, nextStep } from "../../../src/messages/error-messages.ts";
import { setLanguage } from "../../../src/util/l10n.ts";
import { ACTIONS } from "./user-actions.ts";
import { FAULTS } from "./faults.ts";

const DUTCH = JSON.parse(
  readFileSync(new URL("../../../l10n/bundle.l10n.nl.json", import.meta.url), "utf8"),
) as Record<string, string>;
afterEach(() => setLanguage("en", {}));

const expectations = ACTIONS.flatMap((action) =>
  FAULTS.filter(({ applies }) => applies?.(action) !== false).map((fault) => fault.expected(action)),
);
/** What cells end with that is no error of the client: a job's own end, told by import and pull themselves. */
const OTHERS = new Set(["done", "left", "job_failed"]);
const failures = new Map(
  expectations
    .filter(({ code }) => !OTHERS.has(code))
    .map(({ code, reason }) => [`${code} ${reason ?? ""}`.trim(), { code, reason }]),
);

test("the matrix contains failures of every kind", () => {
  // Cancelled writes: test/unit/sync/cancelled-writes.test.ts.
  const kinds: Record<Exclude<ApiErrorKind, "cancelled">, true> = {
    unauthorized: true,
    forbidden: true,
    not_found: true,
    busy: true,
    invalid: true,
    key_limit_reached: true,
    rate_limited: true,
    offline: true,
    timeout: true,
    server_error: true,
    bad_response: true,
  };
  expect(new Set([...failures.values()].map(({ code }) => code))).toEqual(new Set(Object.keys(kinds)));
});

test("each has its own message with a next step, in English and Dutch", () => {
  const sentences = [...failures.values()].map(({ code, reason }) => {
    const error = new ApiError(code as ApiErrorKind, "words for the log", {
      endpoint: "GET /keys",
      errors: { key: ["Is wrong."] },
      ...(reason === undefined ? {} : { reason }),
    });
    setLanguage("en", {});
    const english = toFailure(error);
    setLanguage("nl", DUTCH);
    const dutch = toFailure(error);
    expect(english.code).toBe(code);
    expect(nextStep(english)).not.toBe("none");
    for (const { message } of [english, dutch]) {
      expect(message).toMatch(/^\p{Lu}.*[.)]$/u);
      expect(message).not.toMatch(/words for the log|\{\d\}|undefined/u);
    }
    expect(dutch.message).not.toBe(english.message);
    return english.message;
  });
  // A later word for a reason is told as its kind is.
  expect(new Set(sentences).size).toBeGreaterThanOrEqual(10);
});

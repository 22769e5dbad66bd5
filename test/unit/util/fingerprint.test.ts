/** Fingerprints of values. */
import { expect, test } from "vitest";
import { fingerprintOf } from "../../../src/util/fingerprint.ts";

test("is the same for the same values, and another for each change within them", () => {
  const value = () => ({
    locale: "nl",
    texts: new Map([["a", { count: 1 }]]),
    names: new Set(["b", "a"]),
    missing: null,
  });
  const all = [
    value(),
    { ...value(), locale: "fr" },
    { ...value(), texts: new Map([["a", { count: 2 }]]) },
    { ...value(), texts: new Map() },
    { ...value(), names: new Set(["a"]) },
    { ...value(), missing: [] },
    undefined,
    null,
  ].map(fingerprintOf);
  expect(new Set(all).size).toBe(all.length);
  expect(fingerprintOf({ ...value(), names: new Set(["a", "b"]) })).toBe(all[0]);
});

/** What is known of a framework stands in its file in `src/frameworks`: no other code names one. */
import { expect, test } from "vitest";
import { supportedFrameworks } from "../../src/frameworks/supported-frameworks.ts";
import { sources } from "./tree.ts";

/** Where frameworks may be named. The local service has types of projects, as in the API document. */
const WITH_NAMES = /^src\/(?:frameworks|local-service)\//;

/** The places of literals that are names of frameworks, as `PATH: LITERAL`. */
function namedFrameworks(texts: ReadonlyMap<string, string>): readonly string[] {
  const names = [...supportedFrameworks.keys()].filter((name) => name !== "gettext");
  const literal = new RegExp(`(["'\`])(?:${names.join("|")})\\1`, "g");
  return [...texts].flatMap(([path, text]) =>
    WITH_NAMES.test(path) ? [] : Array.from(text.matchAll(literal), ([found]) => `${path}: ${found}`),
  );
}

// A family of formats is called `gettext` too.
test("no code but that of frameworks names a framework", () => {
  const texts = sources(/^/);
  expect(texts.size).toBeGreaterThan(100);
  expect(namedFrameworks(texts)).toEqual([]);
});

test("a name is found", () => {
  const texts = new Map([
    ["src/model/a.ts", 'if (frameworks.has("laravel")) return;'],
    ["src/frameworks/a.ts", '"laravel"'],
  ]);
  expect(namedFrameworks(texts)).toEqual(['src/model/a.ts: "laravel"']);
});

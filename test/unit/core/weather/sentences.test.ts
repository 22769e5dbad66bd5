/** Every failure that the fault matrix brings has its own sentence for people, in both languages. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ACTIONS } from "./actions.ts";
import { FAULTS } from "./faults.ts";

/** By code: how the sentence begins, as its key in the bundle does. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  unauthorized: ["The service does not accept the token."],
  forbidden: ["This token may not do that, or the project is archived."],
  not_found: ["The service does not know this."],
  busy: [
    "The project is busy with somebody else's work.",
    "The source language of the project is being changed.",
  ],
  invalid: ["The service refused this: {0}"],
  key_limit_reached: ["The key limit of your plan is reached ({0} of {1} in use"],
  rate_limited: ["The service takes no more requests for now. Try again in {0} seconds."],
  offline: ["The service cannot be reached."],
  timeout: ["The service did not answer in time."],
  bad_response: ["The answer could not be read ({0})."],
  job_failed: ["The service does not know the import any more.", "The service did not finish the export."],
};

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const dutch = JSON.parse(read("l10n/bundle.l10n.nl.json")) as Record<string, string>;
const words = ["src/host/messages.ts", "src/features/import/import.ts", "src/features/pull/pull.ts"]
  .map(read)
  .join("\n");
const codes = new Set(
  ACTIONS.flatMap((action) =>
    FAULTS.filter(({ applies }) => applies?.(action) !== false).map((fault) => fault.expected(action).code),
  ),
);

test("no cell comes to a failure without a sentence", () => {
  const silent = ["done", "left"];
  expect([...codes].filter((code) => !silent.includes(code)).sort()).toEqual(Object.keys(SENTENCES).sort());
});

test.each(Object.entries(SENTENCES))("%s is said in English and in Dutch", (_, sentences) => {
  for (const sentence of sentences) {
    const key = Object.keys(dutch).find((each) => each.startsWith(sentence));
    expect(key).toBeDefined();
    expect(dutch[key ?? ""]).not.toBe(key);
    expect(words).toContain(key);
  }
});

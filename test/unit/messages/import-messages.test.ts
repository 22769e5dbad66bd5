/** What is said of imports: which files, what the service did with them, and what was not sent. */
import { expect, test } from "vitest";
import type { Job } from "../../../src/api/response-schemas.ts";
import { importCounts, jobErrorMessage } from "../../../src/messages/job-messages.ts";
import { fileNamesText, firstPathsText } from "../../../src/messages/sync/file-names.ts";
import {
  failureMessage,
  importedMessage,
  refusedFilesError,
  remainingText,
  sentMessage,
  unansweredMessage,
  unsentText,
} from "../../../src/messages/sync/import-messages.ts";

const files = (...paths: readonly string[]) => paths.map((path) => ({ path }));
const job = (result: unknown, error: Job["error"] = null): Job => ({ result, error }) as unknown as Job;

test("three paths are named, and of more the others counted", () => {
  expect(firstPathsText(["a", "b", "c"])).toBe("a, b, c");
  expect(firstPathsText(["a", "b", "c", "d"])).toBe("a, b, c and 1 more");
  expect(firstPathsText(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
});

test("one file is named, several are counted", () => {
  expect(fileNamesText(files("$(a).json"))).toBe("$\u2060(a).json");
  expect(fileNamesText(files("a", "b"))).toBe("2 files");
  expect(fileNamesText([])).toBe("0 files");
});

test("an import that goes on says what was not sent, and only then", () => {
  expect(unsentText([])).toBe("");
  expect(unsentText(files("a", "b", "c", "d"))).toBe("Not sent: a, b, c and 1 more.");
  const goesOn = "The import continues on the service. You can follow it in Activity.";
  expect(remainingText([])).toBe(goesOn);
  expect(remainingText(files("a"))).toBe(`${goesOn} Not sent: a.`);
});

test("files without an answer are named, and that they may be imported", () => {
  expect(sentMessage(files("a.json"))).toMatch(
    /^Before you cancelled, a\.json had been sent, .* in Activity: look there/u,
  );
  const rest = "The import may be running anyway: check in a minute";
  expect(unansweredMessage(files("a.json", "b.json"), {})).toContain(
    `The service did not answer the upload of 2 files. ${rest}`,
  );
  expect(unansweredMessage(files("a.json"), { status: 500, serviceMessage: "The disk is full" })).toContain(
    `The service answered the upload of a.json with an error: The disk is full. ${rest}`,
  );
  expect(unansweredMessage(files("a.json"), { status: 502 })).toContain("an error: 502. The import may");
});

test("an import says how many of what the service made of all its uploads", () => {
  const first = job({ newKeys: 1, newTranslations: 2, changedTranslations: 3, unchanged: 4 });
  const second = job({ newKeys: 1, skipped: 5, placeholderErrors: 1, newTranslations: "many", other: 9 });
  const uploads = [
    { files: files("a.json"), job: first },
    { files: files("b.json", "c.json"), job: second },
  ];
  expect(importedMessage("Shop", uploads)).toBe(
    "Imported 3 files into Shop: 2 new keys, 2 new translations, 3 changed, 4 unchanged, 5 skipped, 1 QA error.",
  );
  expect(importedMessage("Shop", [{ files: files("a.json"), job: job(null) }])).toBe(
    "Imported a.json into Shop.",
  );
  expect(importCounts([job([1]), job({})])).toEqual([]);
});

test.each([
  ["too_many_lines", "The import has more than 50,000 lines", "failed: more than 50,000 lines"],
  ["key_limit_reached", "The new keys do not fit into the key limit", "failed: the key limit is reached"],
  ["needs_mapping", "The service does not know the columns", "failed: the columns are not mapped yet"],
  [
    "keys_only_mixed",
    "A spreadsheet that only creates keys",
    "failed: a spreadsheet of keys cannot be imported with other files",
  ],
  ["zip_slip", "The zip contains a path outside its folder", "failed: the zip is not safe"],
  ["later_code", "The import failed: Because.", "failed: Because."],
])("a job that failed as %s says so at length and in a row", (code, atLength, inRow) => {
  const failed = job(null, { code, message: "Because." });
  expect(failureMessage(failed).startsWith(atLength)).toBe(true);
  expect(jobErrorMessage(failed)).toBe(inRow);
});

test("a job that failed without a reason says that", () => {
  expect(failureMessage(job(null))).toBe("The import failed, and the service did not say why. Try again.");
  expect(jobErrorMessage(job(null))).toBe("failed");
});

test("refused files have all their reasons, and nothing was imported only if nothing was before", () => {
  const refused = [
    { path: "a.json", messages: ["Is empty", "Has no keys!"] },
    { path: "b.json", messages: ["The file b.json is too large"] },
  ];
  const reasons = "The service refused this: a.json: Is empty Has no keys! The file b.json is too large.";
  const rest = "Fix or exclude this file, then try again.";
  const first = refusedFilesError(refused, true);
  expect(first.message).toBe(`Nothing was imported. ${reasons} ${rest}`);
  expect([first.code, first.details]).toEqual([
    "invalid",
    {
      status: 422,
      errors: { "a.json": ["Is empty", "Has no keys!"], "b.json": ["The file b.json is too large"] },
    },
  ]);
  const step = { label: "Open", act: () => undefined };
  const later = refusedFilesError(refused, false, step);
  expect([later.message, later.step]).toEqual([`${reasons} ${rest}`, step]);
});

/**
 * Round trips of the files in `test/fixtures/translations`: unchanged files keep their bytes, an edit changes only
 * its value, undoing it restores the file, and damaged files are never written wrongly. `npm run test:corpora` does
 * the same for any folder.
 */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { FORMATS } from "../../../src/formats/supported-formats.ts";
import { describeRoundTrips, filesByFormat, type Known } from "./round-trip-suite.ts";

const files = await filesByFormat(resolve(import.meta.dirname, "../../fixtures/translations"));

test("has fixtures of every format", () => {
  expect([...files.keys()].sort()).toEqual(FORMATS.map(({ name }) => name).sort());
});

const known: readonly Known[] = [
  {
    path: "laravel/lang/en/escapes.php",
    steps: ["back"],
    why: "A bare number comes back as a string, escapes of plain characters as these, joined strings as one.",
  },
  {
    path: "sheets/i18n/languages.csv",
    steps: ["remove"],
    why: "A text that is removed clears the cell of its language: the row belongs to the other languages too.",
  },
];
describeRoundTrips(files, { known, damagedOf: 1, timeout: 60_000 });

/** Every translation file below the folder makes the round trip of its format, and every ninth does so damaged. */
import { expect, test } from "vitest";
import { describeRoundTrips, filesByFormat } from "../unit/formats/round-trip-suite.ts";
import { FOLDER } from "./folder.ts";
import { KNOWN } from "./known-differences.ts";

const files = await filesByFormat(FOLDER);

test("the folder contains translation files", () => {
  expect(files.size).toBeGreaterThan(0);
});

describeRoundTrips(files, { known: KNOWN, damagedOf: 9, timeout: 3_600_000 });

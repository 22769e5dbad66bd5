/**
 * The scanners compared with GNU xgettext for samples of difficult cases. `npm run test:corpora` does the same with
 * whole projects and other extractors (test/corpora/extractors/README.md).
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requireTool } from "../../support/reference-tools.ts";
import { samples } from "./disagreements.ts";
import { byOurs, byXgettext, differences, KINDS } from "./xgettext.ts";

const SAMPLES = join(import.meta.dirname, "../../../fixtures/xgettext");

describe("xgettext over samples", () => {
  test.for(samples)("$file", ({ file, kind, agreed, disagreements }, context) => {
    requireTool(context, "gettext");
    const theirs = byXgettext(SAMPLES, [file], KINDS[kind]);
    const ours = byOurs(SAMPLES, [file], KINDS[kind]);
    const found = differences(theirs, ours).map(({ who, said }) => `${who} ${said}`);
    expect(found.sort()).toEqual(disagreements.map(([who, said]) => `${who} ${said}`).sort());
    const only = disagreements.filter(([who]) => who === "xgettext").length;
    expect((theirs.get(file)?.size ?? 0) - only).toBe(agreed);
  });

  test("covers every sample", () => {
    expect(readdirSync(SAMPLES).sort()).toEqual(samples.map(({ file }) => file).sort());
  });
});

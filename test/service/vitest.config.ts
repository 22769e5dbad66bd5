/**
 * Walks the API document over real HTTP. Against the local service, which is started here; or, with
 * PROJECT_TRANSLATIONS_BASE_URL, _TOKEN and _READ_TOKEN in the environment, against any other: a project of its own
 * there, with a target language and an export profile, that nobody else is writing to. `local/` needs a
 * project file or the process itself, so against another service it is left out.
 */
import { defineConfig } from "vitest/config";
import { EXCLUDED } from "../setup/full-tests.ts";
import { SHUFFLE_SEED } from "../setup/shuffle-seed.ts";

const isForeign = process.env["PROJECT_TRANSLATIONS_BASE_URL"] !== undefined;
if (isForeign) console.log("Not run against another service: everything in test/service/local.");

export default defineConfig({
  test: {
    globalSetup: ["../setup/current-bundles.ts", "support/target.ts"],
    // No test changes a module for the others.
    isolate: false,
    exclude: [...EXCLUDED, ...(isForeign ? ["local/**"] : [])],
    // Each test makes what it needs. Repeat an order with PROPERTY_SEED, as printed.
    sequence: { shuffle: { tests: true }, seed: SHUFFLE_SEED },
    // One project for all: what one file counts another must not change. And a budget of requests is shared.
    fileParallelism: false,
    // Another service has the document's limits, and waiting out a minute is no failure.
    testTimeout: isForeign ? 300_000 : 60_000,
    hookTimeout: isForeign ? 300_000 : 60_000,
  },
});

/**
 * A test that waits for something that never comes ends; one on a busy machine does not. The slowest takes 5 s on an idle
 * one, and in full runs, with ten times as many cases, a minute.
 */
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { EXCLUDED } from "../setup/full-tests.ts";

const isFull = process.env["TEST_FULL"] === "1";

/** Tests that load the page of the translation editor anew, which only Vite's module runner can. */
const pageTests = "webview/**/*.test.ts";

export default defineConfig({
  test: {
    globalSetup: ["../setup/current-bundles.ts"],
    setupFiles: ["support/property-seed.ts", "support/after-each-test.ts"],
    // No test changes a module for the others; loading all sources anew for each of 200 files would take much longer.
    isolate: false,
    testTimeout: isFull ? 180_000 : 60_000,
    hookTimeout: isFull ? 180_000 : 60_000,
    projects: [
      {
        extends: true,
        test: {
          exclude: [...EXCLUDED, pageTests],
          // Node loads the modules itself: they run faster than those that Vite rewrites.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          execArgv: ["--import", join(import.meta.dirname, "support", "module-hooks.mjs")],
        },
      },
      { extends: true, test: { name: "webview", include: [pageTests] } },
    ],
  },
});

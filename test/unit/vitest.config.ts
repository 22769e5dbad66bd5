/**
 * A test that waits for something that never comes ends; one on a busy machine does not. The slowest takes 5 s on an idle
 * one, and in full runs, with ten times as many cases, a minute.
 */
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const isFull = process.env["TEST_FULL"] === "1";

export default defineConfig({
  resolve: { alias: { vscode: resolve(import.meta.dirname, "support/vscode-stub.ts") } },
  test: {
    globalSetup: ["../setup/current-bundles.ts"],
    setupFiles: ["support/property-seed.ts", "support/after-each-test.ts"],
    // No test changes a module for the others; loading all sources anew for each of 200 files would take much longer.
    isolate: false,
    // What is bundled is tested as it is.
    server: { deps: { external: [/[\\/]dist[\\/]/u] } },
    testTimeout: isFull ? 180_000 : 60_000,
    hookTimeout: isFull ? 180_000 : 60_000,
  },
});

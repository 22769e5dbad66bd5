/** A test that waits for something that never comes ends; one on a busy machine does not. */
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { vscode: resolve(import.meta.dirname, "support/vscode-stub.ts") } },
  test: {
    globalSetup: ["../setup/current-bundles.ts"],
    setupFiles: ["support/property-seed.ts"],
    // No test changes a module for the others; loading all sources anew for each of 200 files would take much longer.
    isolate: false,
    // What is bundled is tested as it is.
    server: { deps: { external: [/[\\/]dist[\\/]/u] } },
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});

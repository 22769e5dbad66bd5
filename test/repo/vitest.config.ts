/** A test that waits for something that never comes ends; one on a busy machine does not. */
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { EXCLUDED } from "../setup/full-tests.ts";

export default defineConfig({
  // Features import it, which declare commands.
  resolve: { alias: { vscode: resolve(import.meta.dirname, "../unit/support/vscode-stub.ts") } },
  test: {
    exclude: [...EXCLUDED],
    globalSetup: ["../setup/current-bundles.ts"],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

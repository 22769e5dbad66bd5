/** A test that waits for something that never comes ends; one on a busy machine does not. */
import { resolve } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  // Features import it, which declare commands.
  resolve: { alias: { vscode: resolve(import.meta.dirname, "../unit/support/vscode-stub.ts") } },
  test: {
    exclude:
      process.env["TEST_FULL"] === "1"
        ? configDefaults.exclude
        : [...configDefaults.exclude, "**/*.full.test.ts"],
    globalSetup: ["../setup/current-bundles.ts"],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

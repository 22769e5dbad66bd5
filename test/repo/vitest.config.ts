/** A test that waits for something that never comes ends; one on a busy machine does not. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["../setup/current-bundles.ts"],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

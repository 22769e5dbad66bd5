/** The unit tests that see a fault: without those that run as another user, who cannot read the copy. */
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const tests = (process.env["MUTATION_TESTS"] || "**").split(",");

export default defineConfig({
  root: fileURLToPath(new URL("../unit", import.meta.url)),
  test: {
    include: tests.map((each) => (each.endsWith(".ts") ? each : `${each}/**/*.test.ts`)),
    setupFiles: ["support/seed.ts"],
    exclude: [...configDefaults.exclude, "**/crash-recovery/disk-errors.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});

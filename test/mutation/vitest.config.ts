/** The unit tests that see a fault: without those that run as another user, who cannot read the copy. */
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import unitTests from "../unit/vitest.config.ts";

const { projects: _, ...unitTest } = unitTests.test ?? {};
const tests = (process.env["MUTATION_TESTS"] || "**").split(",");

export default mergeConfig(
  { test: unitTest },
  defineConfig({
    // Vite loads the copy of the sources.
    resolve: { alias: { vscode: fileURLToPath(new URL("../unit/support/vscode-stub.ts", import.meta.url)) } },
    root: fileURLToPath(new URL("../unit", import.meta.url)),
    test: {
      include: tests.map((each) => (each.endsWith(".ts") ? each : `${each}/**/*.test.ts`)),
      exclude: [...configDefaults.exclude, "**/crash-recovery/disk-errors.full.test.ts"],
      // Which tests reach a fault is measured file by file.
      isolate: true,
      setupFiles: ["../mutation/whole-files.ts"],
    },
  }),
);

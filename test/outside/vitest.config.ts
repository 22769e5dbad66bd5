/** Suites of other projects; `run.ts` starts them. */
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** vue-i18n's sources import each other by the names of their packages, and its build replaces these variables. */
const vueI18n = join(process.env["OUTSIDE_FOLDER"] ?? "", "vue-i18n/packages");

export default defineConfig({
  resolve: { alias: { "@intlify/shared": join(vueI18n, "shared/src/index.ts") } },
  define: { __DEV__: "false", __BROWSER__: "false", __ESM_BUNDLER__: "false" },
  test: { testTimeout: 600_000, reporters: ["verbose"] },
});

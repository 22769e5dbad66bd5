/** Suites of other projects; `run.ts` starts them. */
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { testTimeout: 600_000, reporters: ["verbose"] } });

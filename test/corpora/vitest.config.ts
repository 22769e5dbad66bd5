/** Tests over files of other projects; `run.ts` starts them. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { setupFiles: ["../unit/support/property-seed.ts"], testTimeout: 3_600_000, reporters: ["verbose"] },
});

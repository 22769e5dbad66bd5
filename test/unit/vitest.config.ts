/** The core and the client without VS Code: real services, real files; waited for as long as a busy machine needs. */
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { testTimeout: 30_000, hookTimeout: 30_000 } });

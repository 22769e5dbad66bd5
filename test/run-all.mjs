/** Starts setup/run-tests.ts on the project's own Node, after installing what is missing. */
import { ensureChromium, ensureVscode, runOnProjectNode } from "./setup/ensure.mjs";

const args = process.argv.slice(2);
// A run with the layer `host` can do without its VS Code for a while. Whether it could be installed, that layer tells.
const hasHost = args.every((arg) => arg.startsWith("--"));
if (hasHost && process.platform === "linux")
  void Promise.allSettled([ensureVscode("newest"), ensureChromium()]);
await runOnProjectNode(new URL("setup/run-tests.ts", import.meta.url), args);

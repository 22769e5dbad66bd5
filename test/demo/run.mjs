/** Starts demo.ts on the project's own Node, after installing what is missing. */
import { runOnProjectNode } from "../setup/ensure.mjs";

await runOnProjectNode(new URL("demo.ts", import.meta.url), process.argv.slice(2));

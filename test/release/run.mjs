/** Starts main.ts on the project's own Node, after installing what is missing. */
import { runOnProjectNode } from "../setup/ensure.mjs";

await runOnProjectNode(new URL("main.ts", import.meta.url), process.argv.slice(2));

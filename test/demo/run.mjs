/** Starts demo.ts on the project's own Node, after installing what is missing. */
import { runOnOwnNode } from "../setup/ensure.mjs";

await runOnOwnNode(new URL("demo.ts", import.meta.url), process.argv.slice(2));

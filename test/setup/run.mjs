/**
 * Runs a script on the project's own Node, after installing what is missing:
 * `node test/setup/run.mjs test/bench/run.ts ARGUMENT...`
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, runOnProjectNode } from "./ensure.mjs";

const [script, ...args] = process.argv.slice(2);
await runOnProjectNode(pathToFileURL(join(root, script)), args);

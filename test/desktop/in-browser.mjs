#!/usr/bin/env node
/**
 * An executable that takes the arguments of a desktop VS Code and is the one in a browser: so that the runner of the
 * desktop tests can be tried where no desktop VS Code can be had.
 */
import { runOnProjectNode } from "../setup/ensure.mjs";

await runOnProjectNode(new URL("in-browser.ts", import.meta.url), process.argv.slice(2));

/**
 * `npm run service`: builds the local service if its sources are newer than its bundle, then runs it in this process.
 * The first line on standard output is the service's own, so progress is printed to standard error.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfStale } from "./build.ts";
import { exitOnSetupError, root } from "./ensure.mjs";

await exitOnSetupError(async () => buildIfStale());
const bundle = join(root, "dist", "service.mjs");
await import(pathToFileURL(bundle).href);

/**
 * `npm run service`: builds the local service if its sources are newer than its bundle, then runs it in this process.
 * The first line on standard output is the service's own, so progress is printed to standard error.
 */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildAll } from "./build.ts";
import { exitOnSetupError, root } from "./ensure.mjs";

const bundle = join(root, "dist", "service.mjs");
await exitOnSetupError(async () => {
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync("src/**/*.{ts,json}", { cwd: root });
  if (sources.some((file) => statSync(join(root, file)).mtimeMs > built)) buildAll();
});
await import(pathToFileURL(bundle).href);

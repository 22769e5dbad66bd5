/** Builds the local service where its sources are newer than its bundle, and is it from then on. */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildAll } from "./build.ts";
import { exitOnSetupError, root } from "./ensure.mjs";

const bundle = join(root, "dist", "service.mjs");
await exitOnSetupError(async () => {
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync("src/{api,formats,model,service}/**/*.ts", { cwd: root });
  if (sources.some((file) => statSync(join(root, file)).mtimeMs > built)) buildAll();
});
await import(pathToFileURL(bundle).href);

/** Builds the local service where its sources are newer than its bundle, and is it from then on. */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildAll } from "./build.ts";
import { orSay, root } from "./ensure.mjs";

const bundle = join(root, "dist", "service.mjs");
await orSay(async () => {
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync("src/{api,core,service}/**/*.ts", { cwd: root });
  if (sources.some((file) => statSync(join(root, file)).mtimeMs > built)) buildAll();
});
await import(pathToFileURL(bundle).href);

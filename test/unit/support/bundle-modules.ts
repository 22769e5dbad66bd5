/** Bundles modules for processes of tests: Node takes ten times as long to load them one by one. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Writes a module into a folder that exports what the modules do, and runs what they run. Returns its path. */
export async function bundleModules(name: string, folder: string, modules: readonly URL[]): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  const contents = modules.map((url) => `export * from ${JSON.stringify(fileURLToPath(url))};`).join("\n");
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
  return outfile;
}

/** `npm run docs`: writes what is made from the declarations of commands, the records of formats, the manifest and the sources. */
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { generatedCode } from "./generated-code.ts";

/** VS Code's API, which features import. */
const vscode = new URL("../unit/support/vscode-stub.ts", import.meta.url).href;

function write(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) writeFileSync(join(root, path), text);
}

write(generatedCode());
registerHooks({
  resolve: (name, context, next) =>
    name === "vscode" ? { url: vscode, shortCircuit: true } : next(name, context),
});
// It reads the declarations, so only now.
const { generatedPages } = await import("./docs.ts");
write(generatedPages());

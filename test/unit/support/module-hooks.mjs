/** Loads the stand-in for `vscode`, which only an editor has, where Node loads the modules itself. */
import { registerHooks } from "node:module";

const VSCODE = new URL("vscode-stub.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" ? { url: VSCODE, shortCircuit: true } : next(specifier, context),
});

/** Evaluates modules with Node, without types, in a separate process. */
import { runText } from "../../support/reference-tools.ts";

/** `leaves`: dotted key and text of every string, `null` for what is none. `error`: Node does not take the module. */
export type NodeSays = { readonly leaves: ReadonlyMap<string, string | null> } | { readonly error: string };

const PROGRAM = String.raw`
import { stripTypeScriptTypes } from "node:module";
import { readFileSync } from "node:fs";
function leaves(value, prefix, into) {
  for (const [key, item] of Object.entries(value)) {
    if (item !== null && typeof item === "object") leaves(item, prefix + key + ".", into);
    else into.push([prefix + key, typeof item === "string" ? item : null]);
  }
  return into;
}
const globals = "const outer = { a: 'outer', b: 'outer' }; const rest = ['r']; const name = 'n'; const t = (x) => x; const define = (x) => typeof x === 'function' ? x() : x;\n";
async function ask(text) {
  try {
    const plain = stripTypeScriptTypes(text, { mode: "strip" });
    if (/\bexport\b/.test(plain)) {
      const module = await import("data:text/javascript," + encodeURIComponent(globals + plain));
      const found = module.default ?? Object.values(module)[0];
      return { leaves: leaves(found, "", []) };
    }
    const module = { exports: {} };
    new Function("module", "exports", globals + plain)(module, module.exports);
    return { leaves: leaves(module.exports, "", []) };
  } catch (error) {
    return { error: String(error) };
  }
}
for (const text of JSON.parse(readFileSync(0, "utf8"))) console.log(JSON.stringify(await ask(text)));
`;

/** One answer for each module, in their order. */
export function askNode(texts: readonly string[]): readonly NodeSays[] {
  const args = ["--no-warnings", "--input-type=module", "--eval", PROGRAM];
  const lines = runText(process.execPath, args, JSON.stringify(texts)).trimEnd().split("\n");
  return lines.map((line) => {
    const output = JSON.parse(line) as { leaves?: [string, string | null][]; error?: string };
    return output.leaves === undefined ? { error: output.error ?? "" } : { leaves: new Map(output.leaves) };
  });
}

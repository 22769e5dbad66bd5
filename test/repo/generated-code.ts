/** Lists that are made from the sources: all declared commands, for tests and docs, and the features in `extension.ts`. */
import { read, sources } from "./tree.ts";

const EXTENSION = "src/extension.ts";
/** The list of all commands. */
const COMMANDS = "test/repo/all-commands.ts";

/** A name that a file of the sources exports. */
interface Exported {
  readonly name: string;
  readonly path: string;
}

/** Returns contents by path, relative to the checkout. */
export function generatedCode(): ReadonlyMap<string, string> {
  return new Map([
    [EXTENSION, withFeatures(read(EXTENSION))],
    [COMMANDS, commandList()],
  ]);
}

function exportedNames(part: RegExp, pattern: RegExp): readonly Exported[] {
  // Git lists new files first.
  const byPath = [...sources(part)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return byPath.flatMap(([path, source]) =>
    Array.from(source.matchAll(pattern), ([, name = ""]) => ({ name, path })),
  );
}

function importLines(names: readonly Exported[], folder: string): string {
  return names.map(({ name, path }) => `import { ${name} } from "${folder}/${path}";\n`).join("");
}

/** Returns the module that registers the features, with those of today: what has the app alone, and no other feature calls. */
function withFeatures(module: string): string {
  const part = /^src\/features\//;
  const code = [...sources(part).values()].join("\n");
  const features = exportedNames(part, /^export function (register\w+)\(app: App\): void/gmu)
    .filter(({ name }) => !code.includes(`${name}(app);`))
    .map(({ name, path }) => ({ name, path: path.replace("src/", "") }));
  return module
    .replace(/(?:^import .*"\.\/features\/.*\n)+/mu, () => importLines(features, "."))
    .replace(/(?:^ {2}register\w+\(app\);\n)+/mu, () =>
      features.map(({ name }) => `  ${name}(app);\n`).join(""),
    );
}

/** Returns the module with all commands, by their names. */
function commandList(): string {
  const declared = exportedNames(/./, /^export const (\w+) = (?:defineCommand|forRows)\(/gmu).toSorted(
    (one, other) => (one.name < other.name ? -1 : 1),
  );
  return `/** All declared commands, by their names. \`npm run docs\` writes it. */
import type { CommandDeclaration } from "../../src/commands/define-command.ts";
${importLines(declared, "../..")}
export const ALL_COMMANDS: readonly CommandDeclaration[] = [
${declared.map(({ name }) => `  ${name},\n`).join("")}];
`;
}

/**
 * The suites of test/host: each folder with `*.test.ts` files is one, opened in a window of its own on a fresh copy of
 * its workspace, as its `suite.json` says.
 */
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { shippedFiles } from "../../setup/build.ts";
import { cache, root } from "../../setup/ensure.mjs";

export interface Suite {
  readonly name: string;
  /** Absolute paths of its test files. */
  readonly files: readonly string[];
  /** The folder that is copied and opened, relative to `test/`. */
  readonly workspace: string;
  /** `false`: the workspace is not trusted. Default `true`. */
  readonly trusted: boolean;
  /** Settings of the machine. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** VS Code's display language. Default `en`. */
  readonly locale: string;
  /** What VS Code finds in its environment; `{test}` in a value is the folder `test/`. */
  readonly env: Readonly<Record<string, string>>;
  /** Run only when it is named: it measures, or needs something made beforehand. */
  readonly named: boolean;
}

const hostFolder = join(root, "test", "host");

/** The suites, by name. `names`: only these. Throws on a name that is none, and on a workspace that is not there. */
export function findSuites(names: readonly string[]): readonly Suite[] {
  const files = globSync("*/**/*.test.ts", { cwd: hostFolder }).filter((file) => !file.startsWith("vscode"));
  const found = [...new Set(files.map((file) => file.split(/[\\/]/)[0] as string))].sort();
  const unknown = names.find((name) => !found.includes(name));
  if (unknown !== undefined) throw new Error(`There is no suite "${unknown}": ${found.join(", ")}.`);
  const said = (name: string): Partial<Suite> => {
    const file = join(hostFolder, name, "suite.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<Suite>) : {};
  };
  const wanted = names.length > 0 ? names : found.filter((name) => said(name).named !== true);
  return wanted.map((name) => {
    const suite = {
      workspace: "demo/sample/webshop",
      trusted: true,
      settings: {},
      locale: "en",
      env: {},
      named: false,
      ...said(name),
      name,
    };
    if (!existsSync(join(root, "test", suite.workspace)))
      throw new Error(`The suite ${name} wants test/${suite.workspace}, which is not there.`);
    const inTest = (value: string): string => value.replaceAll("{test}", join(root, "test"));
    return {
      ...suite,
      env: Object.fromEntries(Object.entries(suite.env).map(([key, value]) => [key, inTest(value)])),
      files: files.filter((it) => dirname(it).split(/[\\/]/)[0] === name).map((it) => join(hostFolder, it)),
    };
  });
}

/** Everything that one run of a suite needs on disk, below a folder of its own. */
export interface Laid {
  readonly workspace: string;
  /** The extension: the files that are shipped, and no others. */
  readonly extension: string;
  /** The module for `extensionTestsPath`. */
  readonly module: string;
  readonly shots: string;
  /** All of it but the pictures lies there. */
  readonly folder: string;
  /** Removes all of it but the pictures. */
  remove(): void;
}

/** Copies the workspace and the extension, and bundles the tests. */
export async function layOut(suite: Suite): Promise<Laid> {
  const shots = join(cache, "host", suite.name);
  mkdirSync(shots, { recursive: true });
  // Inside the checkout: the bundle finds mocha by the way up to node_modules.
  const folder = mkdtempSync(join(cache, "run-"));
  const workspace = join(folder, basename(suite.workspace));
  cpSync(join(root, "test", suite.workspace), workspace, { recursive: true });
  const extension = join(folder, "extension");
  for (const file of await shippedFiles()) cpSync(join(root, file), join(extension, file));
  const module = join(folder, "tests.cjs");
  const imports = suite.files.map((file) => `() => import(${JSON.stringify(file)})`);
  await build({
    stdin: {
      contents: `import { runMocha } from "./harness/run-mocha.ts";\nexport const run = () => runMocha([${imports.join(", ")}], __filename);`,
      resolveDir: hostFolder,
      loader: "ts",
    },
    outfile: module,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    mainFields: ["module", "main"],
    external: ["vscode", "mocha", "playwright-core"],
    sourcemap: "linked",
    logLevel: "warning",
  });
  return {
    workspace,
    extension,
    module,
    shots,
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

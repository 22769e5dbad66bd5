/**
 * The suites of test/host: each folder with `*.test.ts` files is one. It runs in a window on a fresh copy of its
 * workspace, as its `suite.json` says.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { unzipSync } from "fflate";
import { shippedFiles } from "../../setup/build.ts";
import { cache, root } from "../../setup/ensure.mjs";

/** How VS Code is started. Suites with the same environment run in the same process. */
export interface Environment {
  /** `false`: workspaces are not trusted. Default `true`. */
  readonly trusted: boolean;
  /** VS Code's display language. Default `en`. */
  readonly locale: string;
  /** Environment variables of VS Code; `{test}` in a value is replaced by the path of `test/`. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of other extensions that are installed, relative to `test/`. Default: none. */
  readonly extensions: readonly string[];
}

export interface Suite {
  readonly name: string;
  /** Absolute paths of its test files. */
  readonly files: readonly string[];
  /** The workspace folder, relative to `test/` or absolute; a copy of it is opened. */
  readonly workspace: string;
  readonly environment: Environment;
  /** Machine settings, added to `COMMON_SETTINGS`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /**
   * `journeys` (default): `npm test` runs the tests that are declared as journeys. `full`: only `npm run test:full` runs it.
   * `named`: runs only if named, since it measures or needs preparation.
   */
  readonly run: "journeys" | "full" | "named";
}

/** The contents of a `suite.json`. */
type SuiteFile = Partial<Omit<Suite, "name" | "files" | "environment"> & Environment>;

/**
 * The settings of every suite: no animations, overlays or maps of the text, no automatic writes, nothing that needs a network or another
 * program, no notifications of ports that other programs listen on.
 */
const COMMON_SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "files.autoSave": "off",
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  // The workspaces are in a folder of the checkout.
  "git.openRepositoryInParentFolders": "never",
  "typescript.disableAutomaticTypeAcquisition": true,
  "php.validate.enable": false,
  "remote.autoForwardPorts": false,
};

/** Settings of these are of the workspace where suites share a window. */
const OWN_SETTINGS = "projectTranslations.";

/** Returns the settings that a window is opened with in which suites share. */
export function windowSettings({ settings }: Suite): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith(OWN_SETTINGS)));
}

/** Returns the settings of the suite's workspace in a window that it shares. */
export function workspaceSettings({ settings }: Suite): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith(OWN_SETTINGS)));
}

const hostFolder = join(root, "test", "host");

/** Returns the suites with these names; default: all. @throws {Error} for an unknown suite or a missing workspace */
export function findSuites(names: readonly string[]): readonly Suite[] {
  const files = globSync("*/**/*.test.ts", { cwd: hostFolder }).filter((file) => !file.startsWith("vscode"));
  const found = [...new Set(files.map((file) => file.split(/[\\/]/)[0] as string))].sort();
  const unknown = names.find((name) => !found.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown suite "${unknown}". Suites: ${found.join(", ")}.`);
  const suites = found.map((name) =>
    readSuite(
      name,
      files.filter((it) => dirname(it).split(/[\\/]/)[0] === name).map((it) => join(hostFolder, it)),
    ),
  );
  if (names.length > 0) return suites.filter(({ name }) => names.includes(name));
  const isFull = process.env["TEST_FULL"] === "1";
  const skipped = suites.filter(({ run }) => run === "full" && !isFull).map(({ name }) => name);
  if (skipped.length > 0) console.log(`Only in npm run test:full: ${skipped.join(", ")}.`);
  return suites.filter(({ name, run }) => run !== "named" && !skipped.includes(name));
}

function readSuite(name: string, files: readonly string[]): Suite {
  const file = join(hostFolder, name, "suite.json");
  const config = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as SuiteFile) : {};
  const { workspace = "demo/sample/webshop", trusted = true, locale = "en" } = config;
  const { env = {}, extensions = [] } = config;
  if (!existsSync(join(root, "test", workspace)))
    throw new Error(`The workspace of the suite ${name} does not exist: test/${workspace}`);
  const expandTestFolder = (value: string): string => value.replaceAll("{test}", join(root, "test"));
  return {
    name,
    files,
    workspace,
    environment: {
      trusted,
      locale,
      env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, expandTestFolder(value)])),
      extensions,
    },
    settings: { ...COMMON_SETTINGS, ...config.settings },
    run: config.run ?? "journeys",
  };
}

/** Installs other extensions, as they are, into a folder of extensions. */
export function installExtensions(extensions: readonly string[], folder: string): void {
  for (const path of extensions)
    cpSync(join(root, "test", path), join(folder, basename(path)), { recursive: true });
}

/** What all suites of a run share on disk. */
export interface PreparedRun {
  readonly folder: string;
  /** The extension's folder, with only the files that are shipped. */
  readonly extension: string;
  /** The module for `extensionTestsPath`. */
  readonly windowModule: string;
  /** Returns the bundle with a suite's tests. */
  testModule(suite: Suite): string;
  remove(): void;
}

/** Copies the extension and bundles the tests of each suite. @param vsix the package to take the extension from */
export async function prepareRun(suites: readonly Suite[], vsix?: string): Promise<PreparedRun> {
  mkdirSync(cache, { recursive: true });
  // Inside the checkout, so that the bundles find mocha in its node_modules.
  const folder = mkdtempSync(join(cache, "run-"));
  const extension = join(folder, "extension");
  if (vsix === undefined) {
    for (const file of shippedFiles()) cpSync(join(root, file), join(extension, file));
  } else {
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(resolve(vsix))))) {
      if (!name.startsWith("extension/")) continue;
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
  }
  const modules = join(folder, "tests");
  await build({
    entryPoints: [
      { in: join(hostFolder, "harness", "run-suites.ts"), out: "run-suites" },
      ...suites.map(({ name }) => ({ in: `suite:${name}`, out: name })),
    ],
    outdir: modules,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    mainFields: ["module", "main"],
    external: ["vscode", "mocha", "playwright-core"],
    sourcemap: "linked",
    logLevel: "warning",
    plugins: [
      {
        name: "suites",
        setup(build) {
          build.onResolve({ filter: /^suite:/ }, ({ path }) => ({ path: path.slice(6), namespace: "suite" }));
          build.onLoad({ filter: /^/, namespace: "suite" }, ({ path }) => {
            const files = suites.find(({ name }) => name === path)?.files ?? [];
            const imports = files.map((file) => `() => import(${JSON.stringify(file)})`);
            return {
              contents: `import { runMocha } from "./harness/run-mocha.ts";\nexport const run = () => runMocha([${imports.join(", ")}], __filename);`,
              resolveDir: hostFolder,
              loader: "ts",
            };
          });
        },
      },
    ],
  });
  return {
    folder,
    extension,
    windowModule: join(modules, "run-suites.cjs"),
    testModule: ({ name }) => join(modules, `${name}.cjs`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The files of a suite that is about to run. */
export interface PreparedSuite {
  /** The copy of the workspace. */
  readonly workspace: string;
  /** The parent folder of the copy. */
  readonly folder: string;
  /** The folder of its screenshots. */
  readonly screenshotFolder: string;
  /** Removes the folder, not the screenshots. */
  remove(): void;
}

/** Copies a suite's workspace into a new folder. */
export function prepareSuite(run: PreparedRun, suite: Suite): PreparedSuite {
  const shots = join(cache, "host", suite.name);
  mkdirSync(shots, { recursive: true });
  const folder = mkdtempSync(join(run.folder, `${suite.name}-`));
  const workspace = join(folder, basename(suite.workspace));
  cpSync(resolve(root, "test", suite.workspace), workspace, { recursive: true });
  return {
    workspace,
    folder,
    screenshotFolder: shots,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes the file of a workspace whose folder is that of the suite, and which can get others later. Returns its path. */
export function writeWorkspaceFile({ folder, workspace }: PreparedSuite, suite: Suite): string {
  const file = join(folder, "tests.code-workspace");
  writeFileSync(file, JSON.stringify({ folders: [{ path: workspace }], settings: workspaceSettings(suite) }));
  return file;
}

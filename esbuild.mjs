/**
 * Builds what is shipped: the programs for Node and what they load on demand (`bundles` below), the page of the translation
 * editor, `dist/translation-editor.js`, the licences of the packages that they hold, and a software bill of materials. What
 * else is in `dist` is removed. `--watch` builds again on each change.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { context } from "esbuild";

const common = {
  bundle: true,
  platform: "node",
  format: "esm",
  // The extension host of the oldest VS Code that is supported.
  target: "node22",
  // Not "main" first: jsonc-parser's is a UMD module, which esbuild cannot follow.
  mainFields: ["module", "main"],
  minify: true,
  charset: "utf8",
  // For stacks of people's error reports; not shipped.
  sourcemap: "external",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  // Its build for Node can start threads, which nothing here asks for.
  alias: { fflate: "fflate/browser" },
};

/** SQL without its indentation, which templates would keep. */
const sql = {
  name: "sql",
  setup: (build) =>
    build.onLoad({ filter: /[\\/]src[\\/]database[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(/\n +/gu, "\n"),
      loader: "ts",
    })),
};

/** Declarations of commands without what only docs/commands.md says of them and their options. */
const declarations = {
  name: "declarations",
  setup: (build) =>
    build.onLoad({ filter: /[\\/]src[\\/](?:commands|features|vscode)[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /^export const \w+ = defineCommand\(\{\n.*?^\}\);$/gmsu,
        (declaration) =>
          declaration
            .replace(/^ {2}description:\s*"[^"]*"/mu, '  description: ""')
            .replaceAll(/(?<=,\s*|>\(\s*)"[^"]*"(?=,?\s*\),?$)/gmu, '""'),
      ),
      loader: "ts",
    })),
};

/** What is a file of its own, and loaded on demand. */
const loadLibraries = {
  name: "libraries",
  setup: (build) =>
    build.onResolve({ filter: /[\\/](?:mcp-server|module-parser)\.ts$/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path: `./${basename(path, ".ts")}.mjs`, external: true } : undefined,
    ),
};

const modules = { ...common, outdir: "dist", outExtension: { ".js": ".mjs" } };

const bundles = [
  {
    ...modules,
    // The programs. What several of them import is in `dist/shared-….mjs`, once.
    entryPoints: {
      // Runs in every Node, to say which one is needed.
      cli: "src/cli/cli.ts",
      "command-line": "src/cli/main.ts",
      extension: "src/extension.ts",
      "indexer-process": "src/indexer/indexer-process.ts",
      service: "src/local-service/cli.ts",
      // Loaded on demand.
      extract: "src/workspace/extract-text/extract-text.ts",
      formats: "src/formats/supported-formats.ts",
    },
    external: ["vscode"],
    splitting: true,
    chunkNames: "shared-[hash]",
    plugins: [declarations, loadLibraries, sql],
  },
  {
    ...modules,
    // Libraries that share almost nothing with the programs.
    entryPoints: {
      "mcp-server": "src/mcp/mcp-server.ts",
      "module-parser": "src/formats/js/module-parser.ts",
    },
    alias: { ...common.alias, "@modelcontextprotocol/server/_shims": "./src/mcp/sdk-shims.ts" },
  },
  {
    ...common,
    entryPoints: ["main.tsx", "styles.css"].map((file) => ({
      in: `src/webview/translation-editor/${file}`,
      out: "translation-editor",
    })),
    outdir: "dist",
    platform: "browser",
    // The browser of the oldest VS Code that is supported.
    target: "chrome138",
    jsx: "automatic",
    jsxImportSource: "preact",
  },
];

const NOTICES = "THIRD-PARTY-NOTICES.txt";
const BILL_OF_MATERIALS = "sbom.cdx.json";
const SAMPLE_APP = "sample-app.json";

/** Removes from `dist` what this build does not write. */
function clean(results) {
  const outputs = results.flatMap(({ metafile }) => Object.keys(metafile.outputs));
  const written = new Set([NOTICES, BILL_OF_MATERIALS, SAMPLE_APP, ...outputs.map((path) => basename(path))]);
  for (const name of readdirSync("dist"))
    if (!written.has(name)) rmSync(join("dist", name), { recursive: true, force: true });
}

/** The folders of the packages of which something went into a bundle. */
function bundledPackages(results) {
  const folders = results
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(input)?.[0])
    .filter((folder) => folder !== undefined);
  return [...new Set(folders)].toSorted((one, other) => (one < other ? -1 : 1));
}

const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/**
 * Writes `dist/THIRD-PARTY-NOTICES.txt`: each package of which something went into a bundle, with its licence.
 * @throws where a package has none.
 */
function writeNotices(packages) {
  const notices = packages.map((folder) => {
    const { name, version, license } = manifestIn(folder);
    const file = readdirSync(folder).find((it) => /^(?:licen[cs]e|copying)/iu.test(it));
    if (file === undefined) throw new Error(`${name} has no file with its licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  });
  const head = "Project Translations holds these packages of others.\n";
  writeFileSync(join("dist", NOTICES), [head, ...notices].join(`\n${"-".repeat(80)}\n\n`));
}

/** Writes the files of the sample app, which the demo of the local service opens: their texts by path. */
function writeSampleApp() {
  const folder = "test/demo/sample/webshop";
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .toSorted();
  const texts = files.map((path) => [path, readFileSync(join(folder, path), "utf8")]);
  writeFileSync(join("dist", SAMPLE_APP), JSON.stringify(Object.fromEntries(texts)));
}

/** Writes the same list for programs, as CycloneDX: `dist/sbom.cdx.json`, which goes beside a release. */
function writeBillOfMaterials(packages) {
  const { packages: locked } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const purl = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const components = packages.map((folder) => {
    const { name, version, license } = manifestIn(folder);
    const [, algorithm, digest] = /^(sha512)-(.+)$/u.exec(locked[folder]?.integrity ?? "") ?? [];
    const hash = { alg: "SHA-512", content: Buffer.from(digest ?? "", "base64").toString("hex") };
    return {
      type: "library",
      "bom-ref": purl(name, version),
      name,
      version,
      purl: purl(name, version),
      licenses: [/ (?:OR|AND) /u.test(license) ? { expression: license } : { license: { id: license } }],
      ...(algorithm === undefined ? {} : { hashes: [hash] }),
    };
  });
  const { name, version, license } = manifestIn(".");
  const ref = purl(name, version);
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": ref,
        name,
        version,
        purl: ref,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((each) => each["bom-ref"]) }],
  };
  writeFileSync(join("dist", BILL_OF_MATERIALS), `${JSON.stringify(bill, null, 2)}\n`);
}

const contexts = await Promise.all(bundles.map((bundle) => context(bundle)));
if (process.argv.includes("--watch")) {
  await Promise.all(contexts.map((it) => it.watch()));
  console.error("Watching. Ctrl+C ends it.");
} else {
  try {
    const results = await Promise.all(contexts.map((it) => it.rebuild()));
    clean(results);
    const packages = bundledPackages(results);
    writeNotices(packages);
    writeBillOfMaterials(packages);
    writeSampleApp();
  } catch (error) {
    // esbuild has told what is wrong with the code.
    if (!("errors" in error)) console.error(error.message);
    process.exitCode = 1;
  } finally {
    await Promise.all(contexts.map((it) => it.dispose()));
  }
}

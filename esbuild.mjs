/**
 * Builds what is shipped: `dist/extension.cjs`, which VS Code loads, and the bundles that are loaded on demand:
 * `dist/formats.cjs`, the file formats,
 * `dist/indexer-process.mjs`, the process that reads files and writes the databases of projects, `dist/module-parser.cjs`,
 * which reads JavaScript, `dist/extract.cjs`, which takes texts out of code, `dist/translation-editor.js`, the page of the translation editor, and
 * `dist/service.mjs`, the local service, `dist/cli.mjs`, the command line, and `dist/mcp-server.cjs`, the server for agents;
 * beside them the licences of the packages that they hold, and a software bill of materials. What else is in `dist` is removed. `--watch` builds again on
 * each change.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { context } from "esbuild";

const common = {
  bundle: true,
  platform: "node",
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

/** One copy of the parser of modules for all bundles, which load it when they need it. */
const moduleParser = {
  name: "module-parser",
  setup: (build) =>
    build.onResolve({ filter: /^@babel\/parser$/ }, () => ({ path: "./module-parser.cjs", external: true })),
};

/** What texts are extracted with, and its parsers: loaded when the first text is selected. */
const extract = {
  name: "extract",
  setup: (build) =>
    build.onResolve({ filter: /\/extract-text\/extract-text\.ts$/ }, () => ({
      path: "./extract.cjs",
      external: true,
    })),
};

/** One copy of the file formats for the extension and the indexer, which load it when they need it, and the local service. */
const formatsBundle = {
  name: "formats",
  setup: (build) => {
    build.onResolve({ filter: /\/formats\/supported-formats\.ts$/ }, () => ({
      path: "./formats.cjs",
      external: true,
    }));
  },
};

/** The server for agents, with the SDK of its protocol: loaded when an agent connects. */
const mcpServer = {
  name: "mcp-server",
  setup: (build) =>
    build.onResolve({ filter: /\/mcp\/mcp-server\.ts$/ }, () => ({
      path: "./mcp-server.cjs",
      external: true,
    })),
};

/**
 * VS Code's API as one module whose exports are bound once. Else each of the many files that import it would copy its
 * hundreds of members when the extension is loaded, which is a third of that time.
 */
const vscodeApi = {
  name: "vscode-api",
  setup: (build) => {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === "vscode-api"
        ? { path: "vscode", external: true }
        : { path: "api", namespace: "vscode-api" },
    );
    build.onLoad({ filter: /^/, namespace: "vscode-api" }, () => {
      const types = readFileSync(new URL("node_modules/@types/vscode/index.d.ts", import.meta.url), "utf8");
      const values = types.matchAll(/^\texport (?:abstract )?(?:class|enum|namespace|const|let) (\w+)/gmu);
      const names = new Set(Array.from(values, ([, name]) => name));
      // Marked as pure, so that those that nothing imports are left out.
      const members = [...names].map((name) => `export const ${name} = /* @__PURE__ */ member("${name}");`);
      return {
        contents: `const api = require("vscode"); const member = (name) => api[name]; ${members.join("\n")}`,
      };
    });
  },
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

/** What VS Code, and whatever it loads, `require`s. */
const cjs = { ...common, outdir: "dist", outExtension: { ".js": ".cjs" }, format: "cjs" };

/** The bundles, by what they are built from. */
const bundles = [
  {
    ...cjs,
    entryPoints: { extension: "src/extension.ts" },
    plugins: [declarations, extract, formatsBundle, mcpServer, sql, vscodeApi],
  },
  {
    ...cjs,
    entryPoints: { formats: "src/formats/supported-formats.ts" },
    plugins: [moduleParser],
  },
  {
    ...common,
    stdin: { contents: 'export { parse } from "@babel/parser";', resolveDir: import.meta.dirname },
    outfile: "dist/module-parser.cjs",
    format: "cjs",
  },
  {
    ...cjs,
    entryPoints: { extract: "src/workspace/extract-text/extract-text.ts" },
    plugins: [moduleParser],
  },
  {
    ...cjs,
    entryPoints: { "mcp-server": "src/mcp/mcp-server.ts" },
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
    format: "esm",
    // The browser of the oldest VS Code that is supported.
    target: "chrome138",
    jsx: "automatic",
    jsxImportSource: "preact",
  },
  {
    ...common,
    entryPoints: { service: "src/local-service/cli.ts" },
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    format: "esm",
    external: ["node:sqlite"],
    plugins: [formatsBundle],
  },
  {
    ...common,
    entryPoints: {
      // Runs in every Node, to say which one is needed.
      cli: "src/cli/cli.ts",
      "command-line": "src/cli/main.ts",
      "indexer-process": "src/indexer/indexer-process.ts",
    },
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    format: "esm",
    // Both read and index files, by the same code: `shared.mjs`.
    splitting: true,
    chunkNames: "shared",
    banner: { js: "#!/usr/bin/env node" },
    plugins: [declarations, formatsBundle, mcpServer, sql],
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

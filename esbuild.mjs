/**
 * Builds what is shipped: `dist/extension.cjs`, which VS Code loads, and the bundles that are loaded on demand:
 * `dist/on-demand.cjs`, the file formats, `dist/format-worker.cjs`, the thread that reads large files with them,
 * `dist/code-worker.cjs`, the thread that searches code, `dist/module-parser.cjs`, which reads JavaScript, and `dist/service.mjs`, the local service. `--watch` builds again on
 * each change.
 */
import { readFileSync } from "node:fs";
import { context } from "esbuild";

const common = {
  bundle: true,
  platform: "node",
  // The extension host of the oldest VS Code that is supported.
  target: "node22",
  // Not "main" first: jsonc-parser's is a UMD module, which esbuild cannot follow.
  mainFields: ["module", "main"],
  minify: true,
  // For stacks of people's error reports; not shipped.
  sourcemap: "external",
  legalComments: "none",
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

/** One copy of the file formats for the extension, which loads it when it needs it, and its thread. */
const onDemand = {
  name: "on-demand",
  setup: (build) => {
    build.onResolve({ filter: /\/on-demand\.ts$/ }, () => ({ path: "./on-demand.cjs", external: true }));
    build.onResolve({ filter: /\/direct\.ts$/ }, () => ({ path: "./on-demand.cjs", external: true }));
  },
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
      return { contents: `export const { ${[...names].join(", ")} } = require("vscode");` };
    });
  },
};

/** What VS Code, and whatever it loads, `require`s. */
const cjs = { ...common, outdir: "dist", outExtension: { ".js": ".cjs" }, format: "cjs" };

/** The bundles, by what they are built from. */
const bundles = [
  {
    ...cjs,
    entryPoints: { extension: "src/extension.ts" },
    plugins: [moduleParser, onDemand, vscodeApi],
  },
  {
    ...cjs,
    entryPoints: { "format-worker": "src/host/format-worker.ts" },
    plugins: [moduleParser, onDemand],
  },
  {
    ...cjs,
    entryPoints: { "code-worker": "src/host/code-worker.ts" },
    plugins: [moduleParser, onDemand],
  },
  {
    ...cjs,
    entryPoints: { "on-demand": "src/host/on-demand.ts" },
    plugins: [moduleParser],
  },
  {
    ...common,
    stdin: { contents: 'export { parse } from "@babel/parser";', resolveDir: import.meta.dirname },
    outfile: "dist/module-parser.cjs",
    format: "cjs",
  },
  {
    ...common,
    entryPoints: { service: "src/service/main.ts" },
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    format: "esm",
    external: ["node:sqlite"],
    plugins: [moduleParser],
    // CommonJS packages inside an ES module ask for node's own modules by `require`.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  },
];

const contexts = await Promise.all(bundles.map((bundle) => context(bundle)));
if (process.argv.includes("--watch")) {
  await Promise.all(contexts.map((it) => it.watch()));
  console.error("Watching. Ctrl+C ends it.");
} else {
  try {
    await Promise.all(contexts.map((it) => it.rebuild()));
  } catch {
    // esbuild has told what is wrong.
    process.exitCode = 1;
  } finally {
    await Promise.all(contexts.map((it) => it.dispose()));
  }
}

/** The imports between the source files, and the rules that they follow. Types count as any other import. */
import { dirname, posix } from "node:path";

/** Paths of files with `/`, relative to the checkout, each with what it imports: such paths, or names of packages. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Folders of `src` with those beside which each is above. It may import these, and what is below them. */
const LAYERS = {
  util: [],
  model: ["util"],
  api: ["model"],
  frameworks: ["model"],
  scanners: ["frameworks"],
  formats: ["scanners"],
  "machine-translation": ["frameworks"],
  database: ["api", "formats"],
  workspace: ["database"],
  sync: ["workspace"],
  indexer: ["workspace"],
  commands: ["sync"],
  messages: ["commands", "machine-translation"],
  projects: ["indexer", "messages"],
  operations: ["messages"],
  "agent-tools": ["messages"],
  mcp: ["agent-tools"],
  vscode: ["agent-tools", "operations", "projects"],
  webview: ["model"],
  features: ["webview", "vscode", "mcp"],
  "extension.ts": ["features"],
  cli: ["mcp", "operations", "projects"],
  "local-service": ["formats"],
} satisfies Readonly<Record<string, readonly string[]>>;

type Folder = keyof typeof LAYERS;

/** All folders of `src`. */
export const FOLDERS = Object.keys(LAYERS);

/** Those that ask how code is read, and what it means. */
const READS_CODE: readonly Folder[] = ["formats", "workspace", "indexer", "vscode", "features", "cli"];
/** Folders that only some of those above them import. */
const ONLY_FROM: Partial<Readonly<Record<string, readonly Folder[]>>> = {
  scanners: READS_CODE,
  frameworks: [...READS_CODE, "scanners", "machine-translation", "projects"],
  "machine-translation": ["messages", "agent-tools", "vscode", "features"],
  indexer: ["vscode", "projects"],
};

/** Folders that import nothing below their layers but these. */
const NARROW: Partial<Readonly<Record<string, readonly Folder[]>>> = {
  indexer: ["database", "formats", "scanners", "frameworks", "model", "util"],
  projects: ["commands", "sync", "workspace", "database", "api", "frameworks", "model", "util"],
  mcp: ["commands", "messages", "model", "util"],
  "extension.ts": ["vscode"],
  "local-service": ["model", "util"],
};

/** Files beyond its layers that a folder may import. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // The paths in export profiles are the same patterns as in the project file.
  "local-service": ["src/workspace/file-layout/path-patterns.ts"],
};

/** Packages that only these folders may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  vscode: ["extension.ts", "features", "vscode"],
  "@modelcontextprotocol/server": ["mcp"],
  "@modelcontextprotocol/server/stdio": ["mcp"],
  hono: ["local-service"],
  "@hono/node-server": ["local-service"],
};

/** The graph of these files by their texts. */
export function importGraph(texts: ReadonlyMap<string, string>): ImportGraph {
  const graph = new Map<string, readonly string[]>();
  for (const [path, text] of texts) {
    const specifiers = [...text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*"([^"\n]+)"/gmu)].map(
      (match) => match[1] ?? "",
    );
    const resolved = specifiers.map((to) => (to.startsWith(".") ? posix.join(dirname(path), to) : to));
    graph.set(path, resolved);
  }
  return graph;
}

/** The imports that break a rule, each as `FROM imports TO`. */
export function forbiddenImports(graph: ImportGraph): readonly string[] {
  return [...graph].flatMap(([from, imports]) =>
    imports.filter((to) => !isAllowed(from, to)).map((to) => `${from} imports ${to}`),
  );
}

function isAllowed(from: string, to: string): boolean {
  const folder = folderOf(from);
  if (!to.startsWith("src/")) return PACKAGES[to]?.includes(folder) ?? true;
  const target = folderOf(to);
  // A feature reaches another one by a declared command.
  if (folder === "features" && target === "features") return from.split("/")[2] === to.split("/")[2];
  return folder === target || mayImport(folder, target) || EXCEPTIONS[folder]?.includes(to) === true;
}

/** Whether files of a folder may import those of another one. */
function mayImport(folder: string, target: string): boolean {
  const layers: Readonly<Record<string, readonly string[]>> = LAYERS;
  const isBelow = (from: string): boolean =>
    (layers[from] ?? []).some((below) => below === target || isBelow(below));
  const isAsked = ONLY_FROM[target]?.some((each) => each === folder) !== false;
  const narrow = NARROW[folder];
  const isNear = narrow === undefined || [...(layers[folder] ?? []), ...narrow].includes(target);
  return isBelow(folder) && isAsked && isNear;
}

/** `model` of `src/model/translation-text.ts`; the file's own name where it is in no folder. */
function folderOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** The groups of files that import each other in a circle (strongly connected components; Tarjan). */
export function circularImports(graph: ImportGraph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path) ?? 0);
    stack.push(path);
    for (const to of graph.get(path) ?? []) {
      if (!graph.has(to)) continue;
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(to) ?? 0));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const circle = stack.splice(stack.indexOf(path));
    if (circle.length > 1 || graph.get(path)?.includes(path) === true) circles.push(circle.sort());
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return circles;
}

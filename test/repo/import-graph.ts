/** The imports between the source files, and the rules that they follow. Types count as any other import. */
import { dirname, posix } from "node:path";

/** Paths of files with `/`, relative to the checkout, each with what it imports: such paths, or names of packages. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Folders of `src` with those that each may import, beside itself. Dependencies run down. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  util: [],
  model: ["util"],
  api: ["model", "util"],
  frameworks: ["model", "util"],
  formats: ["scanners", "frameworks", "model", "util"],
  scanners: ["frameworks", "model", "util"],
  "machine-translation": ["frameworks", "model", "util"],
  database: ["api", "formats", "model", "util"],
  workspace: ["database", "api", "formats", "scanners", "frameworks", "model", "util"],
  sync: ["workspace", "database", "api", "formats", "model", "util"],
  indexer: ["workspace", "database", "formats", "scanners", "frameworks", "model", "util"],
  commands: ["sync", "workspace", "database", "api", "formats", "model", "util"],
  messages: [
    "commands",
    "machine-translation",
    "sync",
    "workspace",
    "database",
    "api",
    "formats",
    "model",
    "util",
  ],
  projects: [
    "indexer",
    "messages",
    "commands",
    "sync",
    "workspace",
    "database",
    "api",
    "frameworks",
    "model",
    "util",
  ],
  operations: ["messages", "commands", "sync", "workspace", "database", "api", "formats", "model", "util"],
  "agent-tools": [
    "messages",
    "commands",
    "machine-translation",
    "sync",
    "workspace",
    "database",
    "api",
    "formats",
    "model",
    "util",
  ],
  mcp: ["agent-tools", "commands", "messages", "model", "util"],
  vscode: [
    "agent-tools",
    "projects",
    "operations",
    "messages",
    "commands",
    "indexer",
    "machine-translation",
    "sync",
    "workspace",
    "database",
    "api",
    "formats",
    "scanners",
    "frameworks",
    "model",
    "util",
  ],
  webview: ["model", "util"],
  features: [
    "webview",
    "vscode",
    "mcp",
    "agent-tools",
    "projects",
    "operations",
    "messages",
    "commands",
    "machine-translation",
    "sync",
    "workspace",
    "database",
    "api",
    "formats",
    "scanners",
    "frameworks",
    "model",
    "util",
  ],
  "extension.ts": ["features", "vscode"],
  cli: [
    "mcp",
    "agent-tools",
    "projects",
    "operations",
    "messages",
    "commands",
    "sync",
    "workspace",
    "database",
    "api",
    "formats",
    "frameworks",
    "scanners",
    "model",
    "util",
  ],
  "local-service": ["formats", "model", "util"],
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
  return (
    folder === target ||
    LAYERS[folder]?.includes(target) === true ||
    EXCEPTIONS[folder]?.includes(to) === true
  );
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

/**
 * `npm run bench [-- formats | core | editor … | indexer … | projects … | translation-editor]` measures, all of them or one:
 * - `formats`: the file formats against the libraries of others;
 * - `core`: the core at two sizes, ten times apart, and how each cost grows: a ratio near 10 is linear growth;
 * - `editor`: this extension in a real VS Code (vscode-bench.ts has the options);
 * - `indexer`, only if named: reading translation files into the database;
 * - `projects`, only if named: projects of other shapes, also of others (project-bench.ts has the options);
 * - `translation-editor`, only if named: the translation editor.
 *
 * The times themselves depend on the machine and its other work.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const SIZES = [
  { keys: 5_000, files: 2_000 },
  { keys: 50_000, files: 20_000 },
] as const;

const [word] = process.argv.slice(2);
if (word === undefined || word === "formats") {
  const formats = join(import.meta.dirname, "formats-bench.ts");
  execFileSync(process.execPath, ["--expose-gc", formats], { stdio: "inherit" });
}
if (word === undefined || word === "core") measureCore();
if (word === "translation-editor") await import("./translation-editor-bench.ts");
else if (word === "indexer") await import("./indexer-bench.ts");
else if (word === "projects") await import("./project-bench.ts");
else if (word !== "formats" && word !== "core") await import("./vscode-bench.ts");

function measureCore(): void {
  const [small, large] = SIZES.map(({ keys, files }) => {
    console.log(`Measuring ${keys} keys and ${files} source files …`);
    const measure = join(import.meta.dirname, "core-bench.ts");
    const out = execFileSync(process.execPath, ["--expose-gc", measure, String(keys), String(files)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    return JSON.parse(out.trim().split("\n").at(-1) ?? "") as Record<string, number>;
  });
  if (small === undefined || large === undefined) throw new Error("nothing was measured");

  const rows = Object.keys(large).map((name) => {
    const [a, b] = [small[name] ?? Number.NaN, large[name] ?? Number.NaN];
    return [name, round(a), round(b), a === 0 ? "" : `${(b / a).toFixed(1)} ×`];
  });
  const head = ["", ...SIZES.map(({ keys, files }) => `${keys} keys, ${files} files`), "grows"];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, at) => {
      const width = widths[at] ?? 0;
      return at === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(cells.join("  "));
  }
}

function round(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : figure.toFixed(figure < 0.1 ? 4 : 1);
}

/**
 * `npm run test:public -- FOLDER… [--unknown [COUNT]] [--window] [--limit SECONDS]` makes the rows of the table in
 * docs/local-files.md: counts what the extension finds in the folders of other projects. `--unknown` lists usages without
 * a key, `--window` also opens each folder in a real VS Code, with `npm run bench -- projects`.
 */
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { countUsages, type UnknownUsage, type UsageCounts } from "./count-usages.ts";
import { findHoverTarget, measureWindow, NOT_MEASURED, type WindowFigures } from "./measure-window.ts";
import { openFolder, type OpenedProject } from "../../src/projects/open-folder.ts";
import { usageReport } from "../../src/projects/usage-report.ts";

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    unknown: { type: "string" },
    window: { type: "boolean", default: false },
    limit: { type: "string", default: "120" },
  },
});
if (positionals.length === 0) {
  console.error("Usage: npm run test:public -- FOLDER… [--unknown COUNT] [--window] [--limit SECONDS]");
  process.exit(1);
}

const COLUMNS = [
  "Project",
  "Framework",
  "Keys",
  "Languages",
  "Usages",
  "Found",
  "Built",
  "Unknown",
  "Found %",
  "Unused",
  "Probably unused",
  "Undeterminable",
  "First hover",
  "At rest",
  "Longest block",
  "Memory",
] as const;
console.log(row(COLUMNS));
console.log(row(COLUMNS.map((_, index) => (index < 2 ? "---" : "---:"))));
for (const folder of positionals.map((each) => resolve(each))) await printFolder(folder);

/** Prints a row for each project of the folder that has keys and usages. */
async function printFolder(folder: string): Promise<void> {
  const { projects, ...opened } = await openFolder(folder);
  try {
    const counted = projects.map((open) => ({ open, counts: countUsages(open, projects) }));
    const shown = counted.filter(({ counts }) => counts.keys > 0 && counts.usages > 0);
    if (shown.length === 0) console.log(row([basename(folder), "nothing was recognised"]));
    for (const { open, counts } of shown) {
      const report = await usageReport(open, projects);
      const target = options.window ? findHoverTarget(folder, open) : undefined;
      if (options.window && target === undefined) console.error(`${folder}: there is no usage to hover over`);
      const window = target === undefined ? NOT_MEASURED : measureWindow(folder, target, options.limit);
      console.log(
        row([
          open.path === "" ? basename(folder) : `${basename(folder)} (\`${open.path}\`)`,
          counts.frameworks.join(", "),
          ...[
            counts.keys,
            counts.languages,
            counts.usages,
            counts.found,
            counts.built,
            counts.unknown.length,
          ].map(count),
          share(counts),
          ...[report.unused.length, report.probablyUnused.length, report.undeterminable.length].map(count),
          ...windowCells(window),
        ]),
      );
      listUnknown(open, counts.unknown);
    }
  } finally {
    await opened.close();
  }
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function count(figure: number | null): string {
  return figure === null ? "–" : figure.toLocaleString("en");
}

/** Found, of the usages that name a key. */
function share({ found, unknown }: UsageCounts): string {
  return `${((100 * found) / Math.max(1, found + unknown.length)).toFixed(1)}%`;
}

function windowCells({ firstHover, rest, longestBlock, memory }: WindowFigures): readonly string[] {
  const cell = (figure: number | null, unit: string, digits = 0): string =>
    figure === null ? "–" : `${figure.toFixed(digits)} ${unit}`;
  return [cell(firstHover, "s", 1), cell(rest, "s", 1), cell(longestBlock, "ms"), cell(memory, "MB")];
}

/** Prints usages without a key, evenly drawn where there are more than asked for. */
function listUnknown({ root }: OpenedProject, unknown: readonly UnknownUsage[]): void {
  const most = Number(options.unknown ?? 0);
  const step = Math.max(1, unknown.length / Math.max(1, most));
  const drawn = unknown.filter((_, index) => most > 0 && Math.floor(index % step) === 0);
  for (const usage of drawn) {
    const text = readFileSync(join(root, usage.path), "utf8");
    const lines = text.slice(0, usage.start).split("\n");
    const line = text.split("\n")[lines.length - 1]?.trim().slice(0, 160);
    console.log(`    ${usage.path}:${lines.length} ${usage.reference.slice(0, 160)}\n        ${line}`);
  }
}

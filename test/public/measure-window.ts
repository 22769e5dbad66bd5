/** Measures a real VS Code that opens a folder for the first time, with `npm run bench -- projects`. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { valuesOf } from "../../src/model/translation-text.ts";
import { root } from "../setup/ensure.mjs";
import type { OpenedProject } from "../../src/projects/open-folder.ts";

export interface WindowFigures {
  /** From the opening of the window, in seconds. */
  readonly firstHover: number | null;
  readonly rest: number | null;
  /** Of the extension's own code in the extension host, in milliseconds. */
  readonly longestBlock: number | null;
  /** Of the whole extension host at rest, in MB. */
  readonly memory: number | null;
}

export const NOT_MEASURED: WindowFigures = { firstHover: null, rest: null, longestBlock: null, memory: null };

/** Where to hover, and a part of the text that is to be shown. */
export interface HoverTarget {
  /** Relative to the opened folder. */
  readonly file: string;
  readonly usage: string;
  readonly text: string;
}

const FOUND_USAGES = `SELECT f.path AS path, u.start AS start, u.length AS length, k.hash AS hash
  FROM usages u JOIN key_references r ON r.id = u.reference JOIN source_files f ON f.id = u.file
  JOIN reference_keys k ON k.reference = r.id
  WHERE r.is_dynamic = 0 AND u.length > 3
  ORDER BY r.reference LIKE '%"isLearned"%', f.path, u.start LIMIT 5000`;
const MAX_CHARACTERS = 60_000;
/** A run of words that Markdown shows as it is. */
const WORDS = /\p{L}[\p{L} ]{4,}\p{L}/u;

let isBuilt = false;

/** @param limit seconds for each task */
export function measureWindow(
  folder: string,
  { file, usage, text }: HoverTarget,
  limit: string,
): WindowFigures {
  const bench = spawnSync(
    process.execPath,
    [
      ...[join(root, "test/bench/run.ts"), "projects", "--quick", "--signed", "out"],
      ...["--folder", folder, `--file=${file}`, `--usage=${usage}`, `--text=${text}`, "--limit", limit],
      ...(isBuilt ? ["--no-build"] : []),
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  isBuilt = true;
  const path = /^All figures: (.*)$/mu.exec(bench.stdout)?.[1];
  if (path === undefined) throw new Error(`the bench failed:\n${bench.stdout}`);
  const all = JSON.parse(readFileSync(path, "utf8")) as Record<string, readonly Record<string, unknown>[]>;
  const figures = Object.assign({}, ...Object.values(all).flat()) as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(figures))
    if (/trouble$|went wrong$/u.test(name)) console.error(`${folder}: ${name}: ${String(value)}`);
  const figure = (name: string): number | null => {
    const value = figures[name];
    return typeof value === "number" ? value : null;
  };
  const firstHover = figure("cold: window open to first right hover (ms)");
  const after = figure("cold: after the first hover, to rest: wall (ms)");
  const blocks = Object.keys(figures).flatMap((name) =>
    name.startsWith("profiled ") && name.endsWith(": longest block of ours (ms)") ? (figure(name) ?? []) : [],
  );
  return {
    firstHover: firstHover === null ? null : firstHover / 1000,
    rest: firstHover === null || after === null ? null : (firstHover + after) / 1000,
    longestBlock: blocks.length === 0 ? null : Math.max(...blocks),
    memory: figure("cold: memory after start: rss (MB)"),
  };
}

/**
 * Returns the first usage, in the order of the files, whose literal is not elsewhere before it in the file; one of a learned
 * function, which is only known when all files were scanned, if there is no other.
 */
export function findHoverTarget(folder: string, open: OpenedProject): HoverTarget | undefined {
  const rows = open.database.sql(FOUND_USAGES).all() as unknown as readonly {
    readonly path: string;
    readonly start: number;
    readonly length: number;
    readonly hash: string;
  }[];
  for (const { path, start, length, hash } of rows) {
    const stored = open.project.keys.get(hash)?.text ?? null;
    const [shown] = stored === null ? [] : valuesOf(stored);
    const words = WORDS.exec(shown ?? "")?.[0];
    if (words === undefined) continue;
    const code = readFileSync(join(open.root, path), "utf8");
    const usage = code.slice(start - 1, start + length + 1);
    const isFirst = code.indexOf(usage) === start - 1 && !usage.includes("\n");
    if (!isFirst || code.length > MAX_CHARACTERS) continue;
    return { file: relative(folder, join(open.root, path)), usage, text: words };
  }
  return undefined;
}

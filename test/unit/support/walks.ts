/** The walks in CONTRIBUTING.md, and the files of the product on a stack. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { Database } from "../../../src/database/database.ts";

const TEXT = readFileSync(fileURLToPath(new URL("../../../CONTRIBUTING.md", import.meta.url)), "utf8");

/** Returns the part of the document that begins so, as far as the next heading. */
const walk = (title: string): string => (TEXT.split(`**${title}`)[1] ?? "").split("\n**")[0] ?? "";

/** Returns the number of stops of a walk, and those of the files that it does not name. */
export function told(title: string, files: readonly string[]) {
  return {
    stops: walk(title).match(/^\d+\. /gmu)?.length,
    missing: files.filter((path) => !walk(title).includes(basename(path))),
  };
}

/** Returns the files of the product that wait for the caller, the outermost first, relative to `src`. */
export function filesOnStack(): readonly string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack = "" } = new Error("here");
  Error.stackTraceLimit = limit;
  const files = Array.from(stack.matchAll(/\/src\/([^:?]+)/gu), ([, path = ""]) => path);
  return [...new Set(files)].toReversed();
}

/** Calls a function, and returns the files that waited for the database then, because of the file `first`. */
export async function filesThatUseDatabase(
  method: "sql" | "transaction",
  first: string,
  call: () => Promise<unknown>,
): Promise<readonly string[]> {
  const files = new Set<string>();
  const original = Reflect.get(Database.prototype, method) as (...args: unknown[]) => unknown;
  const recording = vi.spyOn(Database.prototype, method).mockImplementation(function (
    this: Database,
    ...args: unknown[]
  ) {
    const onStack = filesOnStack();
    if (onStack[0] === first) for (const path of onStack) files.add(path);
    return original.apply(this, args) as never;
  });
  try {
    await call();
  } finally {
    recording.mockRestore();
  }
  return [...files];
}

/** Registers round-trip tests for the translation files of a folder, some of them damaged. */
import { describe, expect, test } from "vitest";
import { FORMATS } from "../../../src/formats/supported-formats.ts";
import { damages, tryDamaged } from "./damaged-files.ts";
import { asidesAllowed, type Failure, type SampleFile, sampleFiles, tryFile } from "./round-trip.ts";

/** A file in which a step is known to leave another file behind. */
export interface Known {
  /** How the path ends. */
  readonly path: string;
  readonly steps: readonly Failure["step"][];
  readonly why: string;
}

/** The files below a folder, by the name of their format. */
export async function filesByFormat(root: string): Promise<ReadonlyMap<string, readonly SampleFile[]>> {
  const byFormat = new Map<string, SampleFile[]>();
  for await (const file of sampleFiles(root)) {
    const list = byFormat.get(file.format.name) ?? [];
    byFormat.set(file.format.name, [...list, file]);
  }
  return byFormat;
}

const describeFailure = ({ path, step, key, detail }: Failure): string =>
  `${path}: ${step} ${JSON.stringify(key.slice(0, 60))}: ${detail}`;

/**
 * `known`: exceptions, file by file. `damagedOf`: of so many files one is damaged, in every way.
 * `timeout`: milliseconds for the files of one format.
 */
export function describeRoundTrips(
  byFormat: ReadonlyMap<string, readonly SampleFile[]>,
  { known = [], damagedOf, timeout }: { known?: readonly Known[]; damagedOf: number; timeout: number },
): void {
  const isKnown = ({ path, step, aside }: Failure): boolean =>
    aside !== null || known.some((each) => path.endsWith(each.path) && each.steps.includes(step));

  for (const { name: format } of FORMATS) {
    const files = byFormat.get(format) ?? [];
    if (files.length === 0) continue;
    describe(`${format}: ${files.length} files`, () => {
      test("round trip", { timeout }, async () => {
        const failures: Failure[] = [];
        let entries = 0;
        for (const file of files) {
          const tried = await tryFile(file);
          entries += tried.entries;
          failures.push(...tried.failures);
        }
        expect(failures.filter((failure) => !isKnown(failure)).map(describeFailure)).toEqual([]);
        const asides = new Set(failures.flatMap(({ aside }) => aside ?? []));
        expect([...asides].filter((aside) => !asidesAllowed(format).includes(aside))).toEqual([]);
        expect(entries).toBeGreaterThan(0);
      });

      test("damaged", { timeout }, async () => {
        const wrong: string[] = [];
        for (const file of files.filter((_, index) => index % damagedOf === 0)) {
          for (const [damage, bytes] of damages(file)) {
            const fault = await tryDamaged({ ...file, bytes });
            if (fault !== null) wrong.push(`${file.path} (${damage}): ${fault}`);
          }
        }
        expect(wrong).toEqual([]);
      });
    });
  }
}

/**
 * Every real translation file that is here, beside the repository and where `PROJECT_TRANSLATIONS_REAL_FILES` says
 * (REAL-FILES.md tells which), goes through its format: unchanged it keeps its bytes, a change touches its own value
 * alone, and taking it back gives the file back; damaged, it is never written wrongly.
 */
import { describe, expect, test } from "vitest";
import { FORMATS } from "../../../../src/core/formats/registry.ts";
import { asidesAllowed, KNOWN } from "./real-exceptions.ts";
import { CORPORA, type Failure, REAL_FILES, type RealFile, realFiles, tryFile } from "./real-files.ts";
import { damages, tryDamaged } from "./real-damages.ts";

/** Of so many files one is damaged, in every way. */
const DAMAGED_OF = 9;

async function filesOf(root: string): Promise<ReadonlyMap<string, readonly RealFile[]>> {
  const byFormat = new Map<string, RealFile[]>();
  for await (const file of realFiles(root)) {
    const list = byFormat.get(file.format.name);
    if (list === undefined) byFormat.set(file.format.name, [file]);
    else list.push(file);
  }
  return byFormat;
}

const ROOTS = [
  ...(CORPORA === null ? [] : [{ name: "beside the repository", root: CORPORA }]),
  ...(REAL_FILES === null ? [] : [{ name: "of the environment", root: REAL_FILES }]),
];

const FOLDERS = await Promise.all(
  ROOTS.map(async ({ root, ...folder }) => ({ ...folder, formats: await filesOf(root) })),
);

const said = ({ path, step, key, detail }: Failure): string =>
  `${path}: ${step} ${JSON.stringify(key.slice(0, 60))}: ${detail}`;

function isKnown({ path, step, aside }: Failure): boolean {
  return aside !== null || KNOWN.some((each) => path.endsWith(each.path) && each.steps.includes(step));
}

describe.runIf(FOLDERS.length > 0)("real files", () => {
  for (const { name, formats } of FOLDERS) {
    for (const { name: format } of FORMATS) {
      const files = formats.get(format) ?? [];
      if (files.length === 0) continue;

      test(`${format}: ${files.length} ${name} round trip`, { timeout: 3_600_000 }, async () => {
        const failures: Failure[] = [];
        let entries = 0;
        for (const file of files) {
          const tried = await tryFile(file);
          entries += tried.entries;
          failures.push(...tried.failures);
        }
        expect(failures.filter((failure) => !isKnown(failure)).map(said)).toEqual([]);
        const asides = new Set(failures.flatMap(({ aside }) => aside ?? []));
        expect([...asides].filter((aside) => !asidesAllowed(format).includes(aside))).toEqual([]);
        expect(entries).toBeGreaterThan(0);
      });

      const some = files.filter((_, index) => index % DAMAGED_OF === 0);
      test(`${format}: ${some.length} ${name}, damaged`, { timeout: 3_600_000 }, async () => {
        const wrong: string[] = [];
        for (const file of some) {
          for (const [damage, bytes] of damages(file)) {
            const fault = await tryDamaged({ ...file, bytes });
            if (fault !== null) wrong.push(`${file.path} (${damage}): ${fault}`);
          }
        }
        expect(wrong).toEqual([]);
      });
    }
  }
});

test.runIf(CORPORA !== null)("files of every kind of project are beside the repository", () => {
  const counts = FOLDERS[0]?.formats;
  const least = {
    laravel_php: 70,
    json_js: 7,
    wordpress_jed: 10,
    wordpress_php: 3,
    mo: 3,
    po: 7,
    xliff12: 60,
  };
  for (const [format, count] of Object.entries(least)) {
    expect(counts?.get(format)?.length ?? 0, format).toBeGreaterThanOrEqual(count);
  }
});

/**
 * The recorded differences from the frameworks' extractors: each has a reason that AGREEMENT.md explains, and what
 * only ours finds it finds still, where the projects are at hand.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FOLDER, needsProject } from "../folder.ts";
import { candidatesIn, optionsOf } from "./places.ts";
import { projects } from "./projects.ts";

interface Difference {
  readonly why: string;
  readonly keys: number;
  /** `file:line`; not written out for whole kinds of files. */
  readonly places: readonly string[];
}

interface Agreement {
  readonly extractor: string;
  readonly project: string;
  readonly commit: string;
  readonly both: number;
  readonly onlyOurs: readonly Difference[];
  readonly onlyTheirs: readonly Difference[];
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");
const agreements = JSON.parse(read("agreement.json")) as readonly Agreement[];

test("every difference has an explained reason, and the table has the counts", () => {
  const words = read("AGREEMENT.md");
  const sum = (differences: readonly Difference[]): number =>
    differences.reduce((count, { keys }) => count + keys, 0);
  for (const { both, onlyOurs, onlyTheirs } of agreements) {
    for (const { why, keys, places } of [...onlyOurs, ...onlyTheirs]) {
      expect(words).toContain(`- **${why}**`);
      expect(keys).toBeGreaterThanOrEqual(places.length);
    }
    const counts = [both, sum(onlyOurs), sum(onlyTheirs)].map((count) => count.toLocaleString("en"));
    expect(words).toMatch(new RegExp(`\\| ${counts.join(" +\\| ")} +\\|`));
  }
});

const sampled = agreements.flatMap((agreement) => {
  const project = projects.find(({ repository }) => repository === agreement.project);
  return project === undefined ? [] : [{ ...agreement, project }];
});

describe("in real projects", () => {
  test.for(sampled)(
    "what only ours finds beside $extractor in $project.name",
    ({ project, commit, onlyOurs }, context) => {
      const places = onlyOurs.flatMap((difference) => difference.places);
      needsProject(
        context,
        project.name,
        project.repository,
        commit,
        join(project.root, places[0]?.split(":")[0] ?? ".git"),
      );
      const root = join(FOLDER, project.name, project.root);
      const options = optionsOf(root, project);
      for (const place of places) {
        const [file = "", line] = place.split(":");
        const found = candidatesIn(file, readFileSync(join(root, file), "utf8"), options);
        expect(
          found.some((candidate) => candidate.uses.length > 0 && candidate.line === Number(line)),
          place,
        ).toBe(true);
      }
    },
  );
});

/**
 * What the engine says of 600 places in six real projects, compared with what was judged of them by hand. The projects
 * are not part of the repository (README.md).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FOLDER, needsProject } from "../folder.ts";
import { candidatesIn, optionsOf } from "./places.ts";
import { projects, type SampledProject } from "./projects.ts";
import { expected, scoreOf, sum, type Sample, type Score } from "./verdicts.ts";

const samples = projects.map((project) => ({
  project,
  sample: JSON.parse(readFileSync(join(import.meta.dirname, `${project.name}.json`), "utf8")) as Sample,
}));

describe.each(samples)("the sample of $project.name", ({ project, sample }) => {
  test("has 100 different positions of its project and commit, each with a verdict", () => {
    expect([sample.project, sample.commit]).toEqual([project.repository, project.commit]);
    const places = sample.uses.map(({ file, line, column }) => `${file}:${line}:${column}`);
    expect(new Set(places).size).toBe(100);
    expect(places).toHaveLength(100);
    expect(sample.places).toBeGreaterThan(100);
    for (const verdict of sample.uses) {
      expect(["key", "pattern", "none"]).toContain(verdict.verdict);
      expect(expected(verdict).length > 0).toBe(verdict.verdict !== "none");
    }
  });

  test("contains both usages and false candidates", () => {
    const keys = sample.uses.filter(({ verdict }) => verdict === "key").length;
    expect(keys).toBeGreaterThan(60);
    expect(keys).toBeLessThan(100);
  });
});

describe("usage search in real projects", () => {
  const scores: Score[] = [];

  test.for(samples)(
    "$project.name: at least 97 % of what it says is right, 98 % of the keys are found",
    ({ project, sample }, context) => {
      const { name, repository, commit, root } = project;
      needsProject(context, name, repository, commit, join(root, sample.uses[0]?.file ?? ""));
      const score = measure(FOLDER, project, sample);
      scores.push(score);
      console.log(line(name, score));
      expect(precision(score), score.wrong.join("\n")).toBeGreaterThanOrEqual(0.97);
      expect(recall(score), score.wrong.join("\n")).toBeGreaterThanOrEqual(0.98);
    },
  );

  test("has an overall precision of at least 99.5 % and recall of at least 98 %", (context) => {
    if (scores.length < samples.length) context.skip("not all of the projects are there");
    const all = sum(scores);
    console.log(line("all", all));
    expect(precision(all), all.wrong.join("\n")).toBeGreaterThanOrEqual(0.995);
    expect(recall(all), all.wrong.join("\n")).toBeGreaterThanOrEqual(0.98);
  });
});

function measure(within: string, project: SampledProject, { uses }: Sample): Score {
  const root = join(within, project.name, project.root);
  const options = optionsOf(root, project);
  const byFile = Map.groupBy(uses, ({ file }) => file);
  const scores = [...byFile].flatMap(([file, verdicts]) => {
    const candidates = candidatesIn(file, readFileSync(join(root, file), "utf8"), options);
    return verdicts.map((verdict) => {
      const candidate = candidates.find(
        (each) => each.line === verdict.line && each.column === verdict.column,
      );
      return scoreOf(verdict, candidate?.uses ?? []);
    });
  });
  return sum(scores);
}

function precision({ said, right }: Score): number {
  return right / said;
}

function recall({ keys, foundKeys }: Score): number {
  return foundKeys / keys;
}

function line(name: string, score: Score): string {
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  return [
    name.padEnd(22),
    `precision ${percent(precision(score))} (${score.right} of ${score.said})`,
    `recall ${percent(recall(score))} (${score.foundKeys} of ${score.keys})`,
    ...score.wrong,
  ].join("  ");
}

/**
 * Draws the sample of a project and prints it to be judged: each place with the code around it. What the
 * engine says stands at the end, apart. `node test/corpora/usage-sample/main.ts FOLDER NAME [SEED]`
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { candidatesOf } from "./places.ts";
import { projects } from "./projects.ts";
import { sample as drawSample } from "../../unit/support/random.ts";
import { said } from "./verdicts.ts";

const COUNT = 100;
const [folder = "", name = "", seed = "20261121"] = process.argv.slice(2);
const project = projects.find((each) => each.name === name);
if (project === undefined) throw new Error(`one of ${projects.map((each) => each.name).join(", ")}`);

const candidates = candidatesOf(folder, project);
const sample = drawSample(candidates, COUNT, Number(seed));
const beside = candidates.filter((candidate) => !candidate.wide).length;
console.log(`${name}: ${candidates.length} places, ${beside} of them found by the engine alone`);
for (const [index, { file, line, column }] of sample.entries()) {
  const lines = readFileSync(join(folder, name, project.root, file), "utf8").split("\n");
  const around = lines.slice(line - 1, line + 3).map((text) => text.trim().slice(0, 160));
  console.log(`${index} ${file}:${line}:${column}\n    ${around.join("\n    ")}`);
}
console.log(
  JSON.stringify(
    sample.map(({ file, line, column, uses }, index) => ({ index, file, line, column, says: said(uses) })),
  ),
);

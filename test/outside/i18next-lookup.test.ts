/** The keys that i18next looks up for the calls of its own tests of plurals, contexts, separators and fallbacks. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import type { KeyConventions } from "../../src/frameworks/framework.ts";
import type { FindOptions } from "../../src/scanners/key-usage.ts";
import { resolveKey } from "../../src/workspace/usages/resolve-usage-to-key.ts";
import { usageLanguageFor } from "../../src/scanners/supported-source-languages.ts";
import { createKeyNames } from "../unit/support/key-database.ts";
import { callsIn, objectsIn, parseTest, valueOf } from "./support/javascript-tests.ts";
import { expectShare, type OutsideCase, projectFolder } from "./outside-suite.ts";

const TESTS = "test/runtime/translator";
const I18NEXT: FindOptions = { frameworks: new Set(["i18next"]), functions: [] };

type Resources = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Options = Readonly<Record<string, unknown>>;

/** What i18next says of a look-up; `exactUsedKey` only if it found a text. */
interface Resolved {
  readonly res?: unknown;
  readonly usedNS?: string;
  readonly exactUsedKey?: string;
}

interface I18next {
  createInstance: () => {
    init: (options: Options) => unknown;
    readonly translator: { resolve: (keys: unknown, options: Options) => Resolved };
  };
}

/** Returns the paths of all texts. */
function pathsOf(tree: unknown, separator: string | false, prefix = ""): readonly string[] {
  if (typeof tree !== "object" || tree === null) return [prefix];
  return Object.entries(tree).flatMap(([name, value]) =>
    pathsOf(value, separator, prefix === "" ? name : `${prefix}${separator || "."}${name}`),
  );
}

/** Returns a value as it is written in code. */
function written(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}

test("keys of its calls", async (context) => {
  const folder = projectFolder(
    context,
    "i18next",
    "i18next/i18next",
    `${TESTS}/translator.translate.plural.test.js`,
  );
  const { default: i18next } = (await import(pathToFileURL(join(folder, "src/index.js")).href)) as {
    default: I18next;
  };
  const files = readdirSync(join(folder, TESTS)).filter(
    (name) => name.includes(".translate.") || name.includes("fallback"),
  );
  const cases = files.flatMap((file): readonly OutsideCase[] => {
    const program = parseTest(join(folder, TESTS, file));
    const resources = valueOf(callsIn(program, new Set(["ResourceStore"]))[0]?.arguments[0]) as
      | Resources
      | undefined;
    const options = (valueOf(callsIn(program, new Set(["Translator"]))[0]?.arguments[1]) ?? {}) as Options;
    const calls = objectsIn(program, "args").map((node) => (valueOf(node) as { args: unknown }).args);
    if (resources === undefined) return [];
    const instance = i18next.createInstance();
    instance.init({
      ...options,
      resources,
      lng: "en",
      fallbackLng: "en",
      initAsync: false,
      showSupportNotice: false,
    });
    const conventions: KeyConventions = {
      defaultNamespaces: ["translation"],
      ...(options["keySeparator"] === undefined ? {} : { keySeparator: options["keySeparator"] as string }),
      ...(options["nsSeparator"] === undefined
        ? {}
        : { namespaceSeparator: options["nsSeparator"] as string }),
      ...(options["pluralSeparator"] === undefined
        ? {}
        : { pluralSeparator: options["pluralSeparator"] as string }),
      ...(options["contextSeparator"] === undefined
        ? {}
        : { contextSeparator: options["contextSeparator"] as string }),
    };
    const keys = new Map(
      Object.values(resources)
        .flatMap((namespaces) => Object.entries(namespaces))
        .flatMap(([namespace, tree]) =>
          pathsOf(tree, conventions.keySeparator ?? ".").map(
            (key) => [`${namespace}:${key}`, { namespace, key }] as const,
          ),
        ),
    );
    const names = createKeyNames([...keys].map(([hash, name]) => ({ hash, ...name, context: null })));
    return calls.flatMap((args): readonly OutsideCase[] => {
      const [name, values = {}] = (Array.isArray(args) ? args : [args]) as [unknown, Options?];
      // Separators of a single call are nobody's convention.
      if ("keySeparator" in values || "nsSeparator" in values) return [];
      const { res, usedNS = "", exactUsedKey = "" } = instance.translator.resolve(name, { ...values });
      // Groups (`returnObjects`) are no keys, and without a text there is none.
      if (typeof res !== "string" || !keys.has(`${usedNS}:${exactUsedKey}`)) return [];
      const code = `t(${written(name)}, ${written(values)})`;
      const usages = usageLanguageFor("a.ts")?.find(code, I18NEXT) ?? [];
      const found = usages.flatMap((usage) => {
        const resolution = resolveKey(usage, names, { frameworks: I18NEXT.frameworks, ...conventions });
        return resolution.kind === "known"
          ? [resolution.key, ...resolution.variants].map(({ hash }) => hash)
          : [];
      });
      return [
        {
          name: `${file}: ${code} is ${usedNS}:${exactUsedKey}, not ${found.join(", ")}`,
          isRight: found.includes(`${usedNS}:${exactUsedKey}`),
        },
      ];
    });
  });
  expectShare("i18next look-up", cases, 0.95);
});

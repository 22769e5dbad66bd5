/** What a file shows of its names: the modules that they are imported from, and the types of objects. */
import { cachedByObject, getOrCreate } from "../../util/maps.ts";
import { escapeRegExp } from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";

const IMPORT = /\bimport\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^{}]*)\}\s*from\s*(["'])([^"'\n]{1,200})\2/g;
const REQUIRE = /\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*require\s*\(\s*(["'])([^"'\n]{1,200})\2/g;

/** An imported name, and its module. */
export interface ImportedName {
  readonly name: string;
  readonly module: string;
}

/** Returns the imported names of the file by their local names. */
export const importedNames = cachedByObject(({ text, code }: Source): ReadonlyMap<string, ImportedName> => {
  const names = new Map<string, ImportedName>();
  for (const pattern of [IMPORT, REQUIRE]) {
    for (const { index, 1: list = "", 3: module = "" } of text.matchAll(pattern)) {
      // In a string, such as the template of a generator, it is no import.
      if (code[index] === " ") continue;
      for (const part of list.split(",")) {
        const [name = "", local = name] = part
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s*:\s*|\s+as\s+/);
        if (name !== "") names.set(local, { name, module });
      }
    }
  }
  return names;
});

const objectsByType = cachedByObject<Source, Map<string, ReadonlySet<string>>>(() => new Map());

/**
 * Whether the file declares the object with one of the types, or injects it by that type: `(private a: Type)`, `a =
 * inject(Type)`.
 */
export function isOfType(source: Source, name: string, types: readonly string[]): boolean {
  const known = objectsByType(source);
  return types.some((type) => getOrCreate(known, type, () => objectsOfType(source, type)).has(name));
}

function objectsOfType({ code }: Source, type: string): ReadonlySet<string> {
  if (!code.includes(type)) return new Set();
  const declared = new RegExp(
    `([\\w$]+)\\s*[?!]?\\s*(?::\\s*|(?::(?:[^=;,\\n(){}<>]|<[^<>=;\\n]{0,100}>){1,100})?=\\s*(?:[\\w$.]+\\.)?(?:inject|get)\\s*(?:<[^()]{1,100}>)?\\(\\s*)${escapeRegExp(type)}(?![\\w$])`,
    "g",
  );
  return new Set(Array.from(code.matchAll(declared), ([, name = ""]) => name));
}

/**
 * Finds key usages in Python files, and in template expressions with similar syntax: calls of gettext functions by
 * name. The imports of a file decide which names refer to gettext.
 */
import { cachedByObject } from "../util/maps.ts";
import { pythonSource, readArguments, receiverBefore, type Source } from "./lexed-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./key-usage.ts";
import {
  addCallUsages,
  DEFAULT_SCOPE,
  type TranslatorScope,
  sortByOffset,
} from "./function-calls/call-usages.ts";
import { escapeRegExp, isWord, lastBefore, wordStart } from "./lexers/characters.ts";
import { matchesQualifier, pythonShapes, type CallShape } from "./function-calls/function-signatures.ts";
import { literalText } from "./evaluate-key-expression.ts";

export const python: UsageLanguage = {
  languageIds: ["python"],
  extensions: [".pyi", ".pyw", ".py"],
  comments: "line",
  find: findInPython,
};

function findInPython(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = pythonFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const usages: KeyUsage[] = [];
  addPythonUsages(pythonSource(text), functions, usages);
  return sortByOffset(usages);
}

/** The functions and patterns of a project, computed once per options. */
interface PythonFunctions {
  readonly shapes: ReadonlyMap<string, readonly CallShape[]>;
  readonly calls: RegExp;
  /** Cheap test whether a text may contain key usages at all. */
  readonly prefilter: RegExp;
  /**
   * Whether the project uses gettext in Python, or its frameworks are unknown; otherwise a file must import gettext.
   */
  readonly isExpected: boolean;
}

/** Name bindings from a file's imports and assignments. */
interface NameBindings {
  /** The functions that names in this file refer to; `null`: not one of gettext. */
  readonly aliases: ReadonlyMap<string, Alias | null>;
  /** Whether the file imports anything from gettext. */
  readonly importsGettext: boolean;
}

interface Alias {
  readonly functionName: string;
  readonly scope: TranslatorScope;
}

/** Returns the functions that apply with these options. */
export const pythonFunctions = cachedByObject((options: FindOptions): PythonFunctions => {
  const shapes = pythonShapes(options);
  const names = [...shapes.keys()].map(escapeRegExp).join("|");
  return {
    shapes,
    calls: callsOf(names),
    prefilter: new RegExp(`\\b(?:${names})\\s*\\(|gettext|[tT]ranslation|MessageFactory`),
    isExpected: options.frameworks.size === 0 || options.frameworks.has("gettext"),
  };
});

function callsOf(names: string): RegExp {
  return new RegExp(`\\b(${names})\\s*\\(`, "g");
}

/** Adds the key usages of a Python file to `out`. */
function addPythonUsages(source: Source, functions: PythonFunctions, out: KeyUsage[]): void {
  const names = readNameBindings(source, functions);
  const holds = functions.isExpected || names.importsGettext;
  const extra = [...names.aliases.keys()].filter((name) => !functions.shapes.has(name)).map(escapeRegExp);
  const calls =
    extra.length === 0
      ? functions.calls
      : callsOf([...[...functions.shapes.keys()].map(escapeRegExp), ...extra].join("|"));
  for (const found of source.code.matchAll(calls)) {
    const name = found[1] ?? "";
    const alias = names.aliases.get(name);
    const shapes = alias === null ? undefined : functions.shapes.get(alias?.functionName ?? name);
    if (shapes !== undefined) addCall(source, found, shapes, alias?.scope ?? DEFAULT_SCOPE, { holds, out });
  }
}

/** Adds the key usages in a template's expressions, which have no imports. */
export function addExpressionUsages(source: Source, functions: PythonFunctions, out: KeyUsage[]): void {
  for (const found of source.code.matchAll(functions.calls)) {
    const shapes = functions.shapes.get(found[1] ?? "");
    if (shapes !== undefined) addCall(source, found, shapes, DEFAULT_SCOPE, { holds: true, out });
  }
}

function addCall(
  source: Source,
  found: RegExpExecArray,
  shapes: readonly CallShape[],
  scope: TranslatorScope,
  { holds, out }: { readonly holds: boolean; readonly out: KeyUsage[] },
): void {
  const { code } = source;
  const start = found.index;
  const name = found[1] ?? "";
  if (isWord(code.charCodeAt(start - 1))) return;
  const before = lastBefore(code, start);
  if (/^(?:def|class)$/.test(code.slice(wordStart(code, before + 1), before + 1))) return;
  const receiver = receiverBefore(source, start);
  const path = receiver === null || receiver.path === "" ? "" : `${receiver.path}.`;
  const shape = shapes.find((each) => matchesQualifier(each, path));
  // Custom functions always count; others are gettext's only where gettext is used.
  if (shape === undefined || (shape.qualifier === undefined && !holds)) return;
  const call = { start: receiver?.start ?? start, open: start + found[0].length - 1, callee: path + name };
  addCallUsages(source, call, shape, scope, out);
}

const IMPORT = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^()]*\)|[^\n;]*)/gm;
const PLAIN_IMPORT = /^[ \t]*import\b([^\n;]*)/gm;
const ASSIGNED = /^[ \t]*(\w+)[ \t]*(?::[^\n=]{1,80})?=[ \t]*((?:\w+\.){0,4}\w+)[ \t]*(\(|$|[;\n\r])/gm;
/** Modules that deal with translations, whatever their functions are called. */
const TRANSLATION_MODULE = /gettext|transl|i18n|l10n|locali[sz]ation|babel/i;
/** Factories that create a function for a domain: `_ = MessageFactory("shop")`. */
const FACTORY = /^(?:MessageFactory|TranslationStringFactory|TranslatorFactory)$/;

function readNameBindings(source: Source, functions: PythonFunctions): NameBindings {
  const { code } = source;
  const aliases = new Map<string, Alias | null>();
  let importsGettext = [...code.matchAll(PLAIN_IMPORT)].some(([, modules = ""]) =>
    /\b(?:gettext|translation|i18n)\b/.test(modules),
  );
  for (const found of code.matchAll(IMPORT)) {
    const isAboutTranslations = TRANSLATION_MODULE.test(found[1] ?? "");
    for (const part of (found[2] ?? "").replaceAll(/[()\\]/g, " ").split(",")) {
      const [name = "", as, alias] = part.trim().split(/\s+/);
      const given = as === "as" && alias !== undefined ? alias : name;
      if (functions.shapes.has(name)) {
        if (name !== "_" || isAboutTranslations) importsGettext = true;
        if (given !== name) aliases.set(given, { functionName: name, scope: DEFAULT_SCOPE });
      } else if (functions.shapes.has(given)) {
        if (isAboutTranslations) importsGettext = true;
        else if (!aliases.has(given)) aliases.set(given, null);
      }
    }
  }
  for (const found of code.matchAll(ASSIGNED)) {
    const [all, given = "", path = "", next] = found;
    const name = path.slice(path.lastIndexOf(".") + 1);
    if (next === "(") {
      const open = found.index + all.length - 1;
      const domain = FACTORY.test(name) ? readArguments(source, open)[0] : undefined;
      if (domain === undefined) continue;
      const text = literalText(source, domain);
      aliases.set(given, {
        functionName: "gettext",
        scope: { namespaces: text === null ? "unknown" : [text], keyPrefix: "" },
      });
      importsGettext = true;
    } else if (functions.shapes.has(name) && name !== given) {
      aliases.set(given, { functionName: name, scope: DEFAULT_SCOPE });
      if (name !== "_") importsGettext = true;
    }
  }
  return { aliases, importsGettext };
}

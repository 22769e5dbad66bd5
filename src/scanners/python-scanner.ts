/**
 * Finds key usages in Python files, and in template expressions with similar syntax: calls of gettext functions by
 * name. The imports of a file decide which names refer to gettext.
 */
import { cachedByObject } from "../util/maps.ts";
import { literalText } from "./evaluate-key-expression.ts";
import { addCallUsages, DEFAULT_SCOPE, type TranslatorScope } from "./function-calls/call-usages.ts";
import type { CallShape } from "../frameworks/framework.ts";
import { hasCalls, matchesQualifier, pythonShapes } from "./function-calls/function-signatures.ts";
import { sortByOffset, type FindOptions, type KeyUsage, type UsageLanguage } from "./key-usage.ts";
import { pythonSource, type Source } from "./source-reader.ts";
import { escapeRegExp, isWord, wordBefore } from "./lexers/characters.ts";

export const python: UsageLanguage = {
  languageIds: ["python"],
  extensions: [".pyi", ".pyw", ".py"],
  comments: "line",
  find: findInPython,
};

function findInPython(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = pythonFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const source = pythonSource(text);
  const usages: KeyUsage[] = [];
  addCalls(source, functions, readBindings(source, functions), usages);
  return sortByOffset(usages);
}

/** Adds the key usages in a template's expressions, which have no imports. */
export function addExpressionUsages(source: Source, functions: PythonFunctions, out: KeyUsage[]): void {
  addCalls(source, functions, { aliases: new Map(), usesGettext: true }, out);
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
  readonly usesGettext: boolean;
}

/** What the imports and assignments of a file bind its names to. */
interface NameBindings {
  /** The functions that names in this file refer to; `null`: not one of gettext. */
  readonly aliases: ReadonlyMap<string, Alias | null>;
  readonly usesGettext: boolean;
}

interface Alias {
  readonly functionName: string;
  readonly scope: TranslatorScope;
}

/** Returns the functions that apply with these options. */
export const pythonFunctions = cachedByObject((options: FindOptions): PythonFunctions => {
  const shapes = pythonShapes(options);
  const names = alternatives([...shapes.keys()]);
  return {
    shapes,
    calls: new RegExp(`\\b(${names})\\s*\\(`, "g"),
    prefilter: new RegExp(`\\b(?:${names})\\s*\\(|gettext|[tT]ranslat|MessageFactory`),
    usesGettext: options.frameworks.size === 0 || hasCalls(options, ({ python }) => python !== undefined),
  };
});

function alternatives(names: readonly string[]): string {
  return names.map(escapeRegExp).join("|");
}

function addCalls(source: Source, functions: PythonFunctions, bindings: NameBindings, out: KeyUsage[]): void {
  const { code } = source;
  const { aliases, usesGettext } = bindings;
  const extra = [...aliases.keys()].filter((name) => !functions.shapes.has(name));
  const calls =
    extra.length === 0
      ? functions.calls
      : new RegExp(`\\b(${alternatives([...functions.shapes.keys(), ...extra])})\\s*\\(`, "g");
  for (const { index: start, 0: head, 1: name = "" } of code.matchAll(calls)) {
    const alias = aliases.get(name);
    const shapes = alias === null ? undefined : functions.shapes.get(alias?.functionName ?? name);
    if (shapes === undefined || isWord(code.charCodeAt(start - 1))) continue;
    if (/^(?:def|class)$/.test(wordBefore(code, start))) continue;
    const receiver = source.receiverBefore(start);
    const path = receiver === null || receiver.path === "" ? "" : `${receiver.path}.`;
    const shape = shapes.find((candidate) => matchesQualifier(candidate, path));
    // Custom functions always count; others are gettext's only where gettext is used.
    if (shape === undefined || (shape.qualifier === undefined && !usesGettext)) continue;
    const call = { start: receiver?.start ?? start, open: start + head.length - 1, callee: path + name };
    addCallUsages(source, call, shape, alias?.scope ?? DEFAULT_SCOPE, out);
  }
}

const IMPORT = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^()]*\)|[^\n;]*)/gm;
const PLAIN_IMPORT = /^[ \t]*import\b([^\n;]*)/gm;
const ASSIGNED = /^[ \t]*(\w+)[ \t]*(?::[^\n=]{1,80})?=[ \t]*((?:\w+\.){0,4}\w+)[ \t]*(\(|$|[;\n\r])/gm;
/** Modules that deal with translations, whatever their functions are called. */
const TRANSLATION_MODULE = /gettext|transl|i18n|l10n|locali[sz]ation|babel/i;
/** Factories that create a function for a domain: `_ = MessageFactory("shop")`. */
const FACTORY = /^(?:MessageFactory|TranslationStringFactory|TranslatorFactory)$/;

function readBindings(source: Source, functions: PythonFunctions): NameBindings {
  const { code } = source;
  const aliases = new Map<string, Alias | null>();
  let usesGettext =
    functions.usesGettext ||
    [...code.matchAll(PLAIN_IMPORT)].some(([, modules = ""]) =>
      /\b(?:gettext|translation|i18n)\b/.test(modules),
    );
  for (const [, module = "", imported = ""] of code.matchAll(IMPORT)) {
    const isAboutTranslations = TRANSLATION_MODULE.test(module);
    for (const part of imported.replaceAll(/[()]/g, " ").split(",")) {
      const [name = "", as, alias] = part.trim().split(/\s+/);
      const localName = as === "as" && alias !== undefined ? alias : name;
      if (functions.shapes.has(name)) {
        if (name !== "_" || isAboutTranslations) usesGettext = true;
        if (localName !== name) aliases.set(localName, { functionName: name, scope: DEFAULT_SCOPE });
      } else if (functions.shapes.has(localName)) {
        if (isAboutTranslations) usesGettext = true;
        else if (!aliases.has(localName)) aliases.set(localName, null);
      }
    }
  }
  for (const { index, 0: assignment, 1: variable = "", 2: path = "", 3: next } of code.matchAll(ASSIGNED)) {
    const name = path.slice(path.lastIndexOf(".") + 1);
    if (next !== "(") {
      if (!functions.shapes.has(name) || name === variable) continue;
      aliases.set(variable, { functionName: name, scope: DEFAULT_SCOPE });
      if (name !== "_") usesGettext = true;
    } else if (FACTORY.test(name)) {
      const [domain] = source.readArguments(index + assignment.length - 1);
      if (domain === undefined) continue;
      const text = literalText(source, domain);
      const scope: TranslatorScope = { namespaces: text === null ? "unknown" : [text], keyPrefix: "" };
      aliases.set(variable, { functionName: "gettext", scope });
      usesGettext = true;
    }
  }
  return { aliases, usesGettext };
}

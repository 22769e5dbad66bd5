/**
 * The uses in a lexed Python source, and in templates' expressions that are written like it: calls of gettext's
 * functions by name. A file's imports say which names are gettext's there.
 */
import { addCallUses, DEFAULT_SCOPE, type TranslatorScope } from "./call-usages.ts";
import { escapeRegExp, isWord, lastBefore, wordStart } from "../lexers/characters.ts";
import { receiverBefore } from "../javascript/receiver.ts";
import { pythonShapes } from "./function-shapes.ts";
import type { CallShape } from "./call-shape.ts";
import { readArguments, type Source } from "../source.ts";
import type { FindOptions, KeyUsage } from "../usage.ts";
import { literalText } from "../javascript/expression-values.ts";

/** What a project's options come down to, made once. */
export interface PythonFunctions {
  readonly shapes: ReadonlyMap<string, readonly CallShape[]>;
  readonly calls: RegExp;
  /** Whether a text can hold a use at all; cheap. */
  readonly prefilter: RegExp;
  /** The project uses gettext in Python, or nothing is known of it; else only a file's imports make it so. */
  readonly isExpected: boolean;
}

/** What a file's imports and assignments say of names. */
interface Names {
  /** Names in this file that stand for a known function. */
  readonly aliases: ReadonlyMap<string, Alias>;
  /** Known names that are something else in this file. */
  readonly foreign: ReadonlySet<string>;
  /** The file takes something of gettext's in. */
  readonly takesGettext: boolean;
}

interface Alias {
  readonly stands: string;
  readonly scope: TranslatorScope;
}

const prepared = new WeakMap<FindOptions, PythonFunctions>();

/** The functions that hold under these options. */
export function pythonFunctions(options: FindOptions): PythonFunctions {
  let functions = prepared.get(options);
  if (functions === undefined) {
    const shapes = pythonShapes(options);
    const names = [...shapes.keys()].map(escapeRegExp).join("|");
    functions = {
      shapes,
      calls: callsOf(names),
      prefilter: new RegExp(`\\b(?:${names})\\s*\\(|gettext|[tT]ranslation|MessageFactory`),
      isExpected: options.frameworks.size === 0 || options.frameworks.has("gettext"),
    };
    prepared.set(options, functions);
  }
  return functions;
}

function callsOf(names: string): RegExp {
  return new RegExp(`\\b(${names})\\s*\\(`, "g");
}

/** Adds the uses of a Python file to `out`. */
export function addPythonUses(source: Source, functions: PythonFunctions, out: KeyUsage[]): void {
  const names = namesOf(source, functions);
  const holds = functions.isExpected || names.takesGettext;
  const extra = [...names.aliases.keys()].filter((name) => !functions.shapes.has(name)).map(escapeRegExp);
  const calls =
    extra.length === 0
      ? functions.calls
      : callsOf([...[...functions.shapes.keys()].map(escapeRegExp), ...extra].join("|"));
  for (const found of source.code.matchAll(calls)) {
    const name = found[1] ?? "";
    const alias = names.aliases.get(name);
    if (alias === undefined && names.foreign.has(name)) continue;
    const shapes = functions.shapes.get(alias?.stands ?? name);
    if (shapes !== undefined) addCall(source, found, shapes, alias?.scope ?? DEFAULT_SCOPE, { holds, out });
  }
}

/** Adds the uses of a template's expressions, where no import can say anything. */
export function addExpressionUses(source: Source, functions: PythonFunctions, out: KeyUsage[]): void {
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
  const shape = shapes.find((each) => fits(each, path));
  // The project's own functions are the user's word; others are gettext's only where gettext is.
  if (shape === undefined || (shape.qualifier === undefined && !holds)) return;
  const call = { start: receiver?.start ?? start, open: start + found[0].length - 1, callee: path + name };
  addCallUses(source, call, shape, scope, out);
}

function fits({ qualifier }: CallShape, path: string): boolean {
  return qualifier === undefined || qualifier === "" || path === qualifier || path.endsWith(`.${qualifier}`);
}

const IMPORT = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^()]*\)|[^\n;]*)/gm;
const PLAIN_IMPORT = /^[ \t]*import\b([^\n;]*)/gm;
const ASSIGNED = /^[ \t]*(\w+)[ \t]*(?::[^\n=]{1,80})?=[ \t]*((?:\w+\.){0,4}\w+)[ \t]*(\(|$|[;\n\r])/gm;
/** Modules that are about translations, whatever they call their functions. */
const OF_TRANSLATIONS = /gettext|transl|i18n|l10n|locali[sz]ation|babel/i;
/** They make a function for a domain: `_ = MessageFactory("shop")`. */
const FACTORY = /^(?:MessageFactory|TranslationStringFactory|TranslatorFactory)$/;

function namesOf(source: Source, functions: PythonFunctions): Names {
  const { code } = source;
  const aliases = new Map<string, Alias>();
  const foreign = new Set<string>();
  let takesGettext = [...code.matchAll(PLAIN_IMPORT)].some(([, modules = ""]) =>
    /\b(?:gettext|translation|i18n)\b/.test(modules),
  );
  for (const found of code.matchAll(IMPORT)) {
    const isAboutTranslations = OF_TRANSLATIONS.test(found[1] ?? "");
    for (const part of (found[2] ?? "").replaceAll(/[()\\]/g, " ").split(",")) {
      const [name = "", as, alias] = part.trim().split(/\s+/);
      const given = as === "as" && alias !== undefined ? alias : name;
      if (functions.shapes.has(name)) {
        if (name !== "_" || isAboutTranslations) takesGettext = true;
        if (given !== name) aliases.set(given, { stands: name, scope: DEFAULT_SCOPE });
      } else if (functions.shapes.has(given)) {
        if (isAboutTranslations) takesGettext = true;
        else foreign.add(given);
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
        stands: "gettext",
        scope: { namespaces: text === null ? "unknown" : [text], keyPrefix: "" },
      });
      takesGettext = true;
    } else if (functions.shapes.has(name) && name !== given) {
      aliases.set(given, { stands: name, scope: DEFAULT_SCOPE });
      if (name !== "_") takesGettext = true;
    }
  }
  return { aliases, foreign, takesGettext };
}

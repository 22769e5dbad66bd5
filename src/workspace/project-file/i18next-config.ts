/**
 * What a project tells i18next about keys: separators, default and fallback namespaces. Read from the text of its
 * `init` call or of its tools' configuration; nothing is run, and what the text does not show keeps the default.
 */
import type { KeyResolutionOptions } from "../usages/key-resolution.ts";
import { isFallbackMode, readNames } from "../../scanners/functions/call-usages.ts";
import { constantsAt } from "../../scanners/javascript/constants.ts";
import { lexJavaScript } from "../../scanners/lexers/javascript-lexer.ts";
import { Mask } from "../../scanners/lexers/masked-source.ts";
import { makeSource, readArguments, readObject, type Source } from "../../scanners/source.ts";
import type { FindOptions } from "../../scanners/usage.ts";
import { literalText } from "../../scanners/javascript/expression-values.ts";
import type { Span } from "../../model/span.ts";

/** What of the conventions i18next's options decide. */
export type I18nextConventions = Pick<
  KeyResolutionOptions,
  "defaultNamespaces" | "fallbackNamespaces" | "namespaceSeparator" | "keySeparator"
> &
  Pick<FindOptions, "nsMode">;

/** Globs of the files to hand in, where the project uses i18next. */
export const I18NEXT_GLOBS: readonly string[] = [
  "{i18next,next-i18next,i18next-parser,i18n}.config.{js,ts,mjs,cjs,mts,json}",
  "**/{i18n,i18next,i18nConfig,i18n.config,i18n-config,i18n.client,i18n.server,initI18n,init-i18n}.{js,ts,jsx,tsx,mjs}",
  "**/{i18n,i18next}/{index,config,init,setup,settings,options,client,server,i18n,i18next,instance}.{js,ts,jsx,tsx,mjs}",
];

/** i18next's own default, where the service has keys without a namespace too. */
const WITHOUT_NAMESPACE = "*";
const SIZE_LIMIT = 200_000;

/** The conventions that the files tell; a running application's `init` counts more than its tools' files. */
export function readI18nextConfig(
  files: readonly { readonly path: string; readonly text: string }[],
): I18nextConventions {
  const initialised: I18nextConventions[] = [];
  const configured: I18nextConventions[] = [];
  for (const { path, text } of files) {
    if (text.length > SIZE_LIMIT || !/i18n|defaultNS|Separator/i.test(text)) continue;
    const source = lexed(text);
    for (const found of source.code.matchAll(/\binit\s*(?:<[\w\s,.]*>)?\s*\(/g)) {
      const [argument] = readArguments(source, found.index + found[0].length - 1);
      if (argument !== undefined) initialised.push(fromOptions(source, argument, true));
    }
    if (/(?:^|\/)[\w-]*i18n[\w-]*\.config\.\w+$/i.test(path)) configured.push(...fromConfig(source));
  }
  return Object.assign({}, ...configured.reverse(), ...initialised.reverse()) as I18nextConventions;
}

function lexed(text: string): Source {
  const mask = new Mask(text);
  lexJavaScript(text, 0, text.length, mask, false);
  return makeSource(mask.done(), "javascript");
}

/** Every object of a tool's file that holds one of the options, as `extract` of i18next-cli does. */
function fromConfig(source: Source): readonly I18nextConventions[] {
  const found: I18nextConventions[] = [];
  for (const option of source.code.matchAll(
    /\b(?:defaultNS|fallbackNS|nsSeparator|keySeparator|defaultNamespace|namespaceSeparator)["']?\s*:/g,
  )) {
    const open = source.brackets.enclosing(option.index, "{");
    const close = open === -1 ? -1 : source.brackets.closing(open);
    if (close !== -1) found.push(fromOptions(source, { start: open, end: close + 1 }, false));
  }
  return found;
}

/** Reads the object, or the constant that holds it. */
function fromOptions(source: Source, span: Span, isInit: boolean): I18nextConventions {
  const object =
    source.code[span.start] === "{"
      ? span
      : constantsAt(source, span.start, span.end)?.find((one) => one !== null);
  if (object === undefined || object === null) return {};
  const options = readObject(source, object);
  const of = (...names: readonly string[]): Span | undefined => {
    const option = options.find(({ name }) => names.includes(name));
    return option && (option.value ?? shorthand(source, object, option.name));
  };
  const namespaceSeparator = separator(source, of("nsSeparator", "namespaceSeparator"));
  const keySeparator = separator(source, of("keySeparator"));
  const fallback = namespacesOf(source, of("fallbackNS"));
  const react = of("react");
  const isFallback = react !== undefined && isFallbackMode(source, readObject(source, react));
  const first = defaultsOf(source, of("defaultNS", "defaultNamespace"), isInit ? of("ns") : undefined);
  return {
    ...(namespaceSeparator === undefined ? {} : { namespaceSeparator }),
    ...(keySeparator === undefined ? {} : { keySeparator }),
    ...(fallback === undefined ? {} : { fallbackNamespaces: fallback }),
    ...(isFallback ? { nsMode: "fallback" as const } : {}),
    ...(first === undefined ? {} : { defaultNamespaces: [...new Set([...first, WITHOUT_NAMESPACE])] }),
  };
}

/** Without `defaultNS` the namespaces that are loaded decide, unless `translation` is one of them. */
function defaultsOf(
  source: Source,
  given: Span | undefined,
  loaded: Span | undefined,
): readonly string[] | undefined {
  const named = namespacesOf(source, given);
  if (named !== undefined) return named;
  const all = namespacesOf(source, loaded);
  return all === undefined || all.includes("translation") ? undefined : all.slice(0, 1);
}

function namespacesOf(source: Source, value: Span | undefined): readonly string[] | undefined {
  const names = value === undefined ? null : readNames(source, value);
  return Array.isArray(names) && names.length > 0 ? names : undefined;
}

function separator(source: Source, value: Span | undefined): string | false | undefined {
  if (value === undefined) return undefined;
  if (source.code.slice(value.start, value.end) === "false") return false;
  const text = literalText(source, value);
  // An empty separator separates nothing.
  return text === null ? undefined : text || false;
}

/** `{ defaultNS }`: the name stands for its own value. */
function shorthand(source: Source, object: Span, name: string): Span | undefined {
  const start = source.code.slice(object.start, object.end).search(new RegExp(`\\b${name}\\s*[,}]`));
  return start === -1 ? undefined : { start: object.start + start, end: object.start + start + name.length };
}

/**
 * Reads a project's i18next conventions (separators, default and fallback namespaces) from the source of its `init`
 * call or tool configuration. Nothing is executed; what the source does not show keeps its default.
 */
import type { KeyResolutionOptions } from "../usages/resolve-usage-to-key.ts";
import { isFallbackMode, readNames } from "../../scanners/function-calls/call-usages.ts";
import { constantsAt } from "../../scanners/javascript/constant-resolution.ts";
import { javascriptSource, type Source } from "../../scanners/source-reader.ts";
import type { FindOptions } from "../../scanners/key-usage.ts";
import { literalText } from "../../scanners/evaluate-key-expression.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import type { Span } from "../../util/span.ts";

/** The conventions that i18next's options set. */
export type I18nextConventions = Pick<
  KeyResolutionOptions,
  "defaultNamespaces" | "fallbackNamespaces" | "namespaceSeparator" | "keySeparator"
> &
  Pick<FindOptions, "nsMode">;

/** Globs of the files to pass to `readI18nextConfig` if the project uses i18next. */
export const I18NEXT_GLOBS: readonly string[] = [
  "{i18next,next-i18next,i18next-parser,i18n}.config.{js,ts,mjs,cjs,mts,json}",
  "**/{i18n,i18next,i18nConfig,i18n.config,i18n-config,i18n.client,i18n.server,initI18n,init-i18n}.{js,ts,jsx,tsx,mjs}",
  "**/{i18n,i18next}/{index,config,init,setup,settings,options,client,server,i18n,i18next,instance}.{js,ts,jsx,tsx,mjs}",
];

const MAX_CONFIG_CHARACTERS = 200_000;

/** Returns the conventions in the files; the application's `init` takes precedence over tool configurations. */
export function readI18nextConfig(
  files: readonly { readonly path: string; readonly text: string }[],
): I18nextConventions {
  const initialised: I18nextConventions[] = [];
  const configured: I18nextConventions[] = [];
  for (const { path, text } of files) {
    if (text.length > MAX_CONFIG_CHARACTERS || !/i18n|defaultNS|Separator/i.test(text)) continue;
    const source = javascriptSource(text);
    for (const found of source.code.matchAll(/\binit\s*(?:<[\w\s,.]*>)?\s*\(/g)) {
      const [argument] = source.readArguments(found.index + found[0].length - 1);
      if (argument !== undefined) initialised.push(conventionsFromOptions(source, argument, true));
    }
    if (/(?:^|\/)[\w-]*i18n[\w-]*\.config\.\w+$/i.test(path))
      configured.push(...conventionsFromConfig(source));
  }
  return Object.assign({}, ...configured.reverse(), ...initialised.reverse()) as I18nextConventions;
}

/** Reads every object in a tool's configuration that has one of the options, as i18next-cli's `extract` does. */
function conventionsFromConfig(source: Source): readonly I18nextConventions[] {
  const found: I18nextConventions[] = [];
  for (const option of source.code.matchAll(
    /\b(?:defaultNS|fallbackNS|nsSeparator|keySeparator|defaultNamespace|namespaceSeparator)["']?\s*:/g,
  )) {
    const open = source.brackets.enclosing(option.index, "{");
    const close = open === -1 ? -1 : source.brackets.closing(open);
    if (close !== -1) found.push(conventionsFromOptions(source, { start: open, end: close + 1 }, false));
  }
  return found;
}

/** Reads an options object, or the constant that it is assigned to. */
function conventionsFromOptions(source: Source, span: Span, isInit: boolean): I18nextConventions {
  const object =
    source.code[span.start] === "{" ? span : constantsAt(source, span)?.find((value) => value !== null);
  if (object === undefined || object === null) return {};
  const options = source.readObject(object);
  const optionValue = (...names: readonly string[]): Span | undefined =>
    options.find(({ name }) => names.includes(name))?.value ?? undefined;
  const namespaceSeparator = readSeparator(source, optionValue("nsSeparator", "namespaceSeparator"));
  const keySeparator = readSeparator(source, optionValue("keySeparator"));
  const fallback = readNamespaces(source, optionValue("fallbackNS"));
  const react = optionValue("react");
  const isFallback = react !== undefined && isFallbackMode(source, source.readObject(react));
  // Without `defaultNS` the loaded namespaces decide, unless `translation` is one of them.
  const loaded = isInit ? readNamespaces(source, optionValue("ns")) : undefined;
  const first =
    readNamespaces(source, optionValue("defaultNS", "defaultNamespace")) ??
    (loaded?.includes("translation") === true ? undefined : loaded?.slice(0, 1));
  return {
    ...(namespaceSeparator === undefined ? {} : { namespaceSeparator }),
    ...(keySeparator === undefined ? {} : { keySeparator }),
    ...(fallback === undefined ? {} : { fallbackNamespaces: fallback }),
    ...(isFallback ? { nsMode: "fallback" as const } : {}),
    ...(first === undefined ? {} : { defaultNamespaces: [...new Set([...first, NO_NAMESPACE])] }),
  };
}

function readNamespaces(source: Source, value: Span | undefined): readonly string[] | undefined {
  const names = value === undefined ? null : readNames(source, value);
  return Array.isArray(names) && names.length > 0 ? names : undefined;
}

function readSeparator(source: Source, value: Span | undefined): string | false | undefined {
  if (value === undefined) return undefined;
  if (source.code.slice(value.start, value.end) === "false") return false;
  const text = literalText(source, value);
  // An empty separator disables splitting.
  return text === null ? undefined : text || false;
}

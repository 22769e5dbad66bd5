/**
 * Reads the options of a project's frameworks (separators, namespaces, delimiters of placeholders) from the source of
 * the call that takes them, or from the configuration of a tool. Nothing is executed; what the source does not show
 * keeps its default.
 */
import type { Configuration, FrameworkOptions, OptionReader } from "../../frameworks/framework.ts";
import {
  type FrameworkName,
  frameworksOf,
  supportedFrameworks,
} from "../../frameworks/supported-frameworks.ts";
import { readNames } from "../../scanners/function-calls/call-usages.ts";
import { constantsAt } from "../../scanners/javascript/constant-resolution.ts";
import { javascriptSource, type Property, type Source } from "../../scanners/source-reader.ts";
import { literalText } from "../../scanners/evaluate-key-expression.ts";
import type { Span } from "../../util/span.ts";

const MAX_CONFIG_CHARACTERS = 200_000;

function configurationsOf(frameworks: ReadonlySet<FrameworkName>): readonly Configuration[] {
  return frameworksOf(frameworks).flatMap(({ configuration }) => configuration ?? []);
}

/** Globs of the files that may have the options of a framework, in any folder. */
export const OPTION_WATCH_GLOBS: readonly string[] = [...supportedFrameworks.values()].flatMap(
  ({ configuration }) => configuration?.watch ?? [],
);

/** Returns globs of the files to pass to `readFrameworkOptions`; none if no framework has options. */
export function optionFileGlobs(frameworks: ReadonlySet<FrameworkName>): readonly string[] {
  return configurationsOf(frameworks).flatMap(({ globs }) => globs);
}

/** Returns the options in the files; the application's own take precedence over those of tools. */
export function readFrameworkOptions(
  files: readonly { readonly path: string; readonly text: string }[],
  frameworks: ReadonlySet<FrameworkName>,
): FrameworkOptions {
  const found = configurationsOf(frameworks).map((configuration) => optionsIn(files, configuration));
  return mergeOptions(found);
}

/** Merges options; later ones take precedence. */
function mergeOptions(options: readonly FrameworkOptions[]): FrameworkOptions {
  const aliases = options.map(({ namespaceAliases }) => namespaceAliases);
  const names = new Set(options.flatMap(({ packageNames }) => packageNames ?? []));
  const packageNames = names.size === 0 ? {} : { packageNames: [...names] };
  const merged = Object.assign({}, ...options, packageNames) as FrameworkOptions;
  return aliases.every((each) => each === undefined)
    ? merged
    : { ...merged, namespaceAliases: Object.assign({}, ...aliases) as Record<string, string> };
}

function optionsIn(
  files: readonly { readonly path: string; readonly text: string }[],
  configuration: Configuration,
): FrameworkOptions {
  const initialised: FrameworkOptions[] = [];
  const configured: FrameworkOptions[] = [];
  for (const { path, text } of files) {
    if (text.length > MAX_CONFIG_CHARACTERS || !configuration.mayHave.test(text)) continue;
    if (configuration.readCode !== undefined) {
      initialised.push(configuration.readCode(text));
      continue;
    }
    const source = javascriptSource(text);
    for (const found of source.code.matchAll(configuration.call)) {
      const [argument] = source.readArguments(found.index + found[0].length - 1);
      if (argument !== undefined) initialised.push(configuration.read(readerOf(source, argument), false));
    }
    if (configuration.toolFile?.test(path) === true) configured.push(...toolOptions(source, configuration));
  }
  return mergeOptions([...configured.reverse(), ...initialised.reverse()]);
}

/** Reads every object in a tool's configuration that has one of the options. */
function toolOptions(source: Source, { toolOption, read }: Configuration): readonly FrameworkOptions[] {
  const found: FrameworkOptions[] = [];
  for (const option of toolOption === undefined ? [] : source.code.matchAll(toolOption)) {
    const open = source.brackets.enclosing(option.index, "{");
    const close = open === -1 ? -1 : source.brackets.closing(open);
    if (close !== -1) found.push(read(readerOf(source, { start: open, end: close + 1 }), true));
  }
  return found;
}

/** Reads an options object, or the constant that it is assigned to. */
function readerOf(source: Source, span: Span): OptionReader {
  const isObject = source.code[span.start] === "{";
  const object = isObject ? span : constantsAt(source, span)?.find((value) => value !== null);
  return new ObjectReader(source, object == null ? [] : source.readObject(object));
}

class ObjectReader implements OptionReader {
  readonly #source: Source;
  readonly #properties: readonly Property[];

  constructor(source: Source, properties: readonly Property[]) {
    this.#source = source;
    this.#properties = properties;
  }

  text(...names: readonly string[]): string | false | undefined {
    const value = this.#value(names);
    if (value === undefined) return undefined;
    if (this.#source.code.slice(value.start, value.end) === "false") return false;
    return literalText(this.#source, value) ?? undefined;
  }

  names(...names: readonly string[]): readonly string[] | undefined {
    const value = this.#value(names);
    const found = value === undefined ? null : readNames(this.#source, value);
    return Array.isArray(found) ? found : undefined;
  }

  object(name: string): OptionReader | undefined {
    const value = this.#value([name]);
    return value === undefined ? undefined : readerOf(this.#source, value);
  }

  has(name: string): boolean {
    return this.#value([name]) !== undefined;
  }

  entries(): readonly (readonly [name: string, text: string])[] {
    return this.#properties.flatMap(({ name, value }) => {
      const text = value === null ? null : literalText(this.#source, value);
      return text === null ? [] : [[name, text] as const];
    });
  }

  isTrue(name: string): boolean {
    const value = this.#value([name]);
    return value !== undefined && this.#source.code.slice(value.start, value.end) === "true";
  }

  #value(names: readonly string[]): Span | undefined {
    return this.#properties.find(({ name }) => names.includes(name))?.value ?? undefined;
  }
}

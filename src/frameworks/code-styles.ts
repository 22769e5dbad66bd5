/** How code refers to a new key, and how its text contains values, in styles that several frameworks share. */
import type { Delimiters } from "../model/placeholders.ts";

/** A value in a text: the name of its placeholder and its code. */
export interface Value {
  readonly name: string;
  readonly code: string;
}

/** How a text contains values. */
export interface PlaceholderStyle {
  readonly write: (name: string, index: number) => string;
  /** Escapes literal text; `null` if that is impossible. `beforeValue`: a placeholder follows. */
  readonly escape: (text: string, values: readonly Value[], beforeValue: boolean) => string | null;
  /** Names with a special meaning in the call's options. */
  readonly reserved?: ReadonlySet<string>;
}

/** What a call is written from. */
export interface CallParts {
  readonly key: string;
  readonly values: readonly Value[];
  /** Returns a string literal in the language of the code. */
  readonly literal: (text: string) => string;
  /** The text domain that the call must name; `null` if it is unknown, or the framework has none. */
  readonly domain: string | null;
}

/** The parts of a call in a script. */
export interface ScriptCallParts extends CallParts {
  /** The function that the file calls. */
  readonly translator: string;
}

/** A call and the texts that it shows. */
export interface CallStyle<Parts extends CallParts = CallParts> {
  readonly placeholders: PlaceholderStyle;
  readonly write: (parts: Parts) => string;
}

export interface ScriptStyle extends CallStyle<ScriptCallParts> {
  /** The style of texts where the project has chosen delimiters. */
  readonly withDelimiters?: (delimiters: Delimiters) => PlaceholderStyle;
  /** The usual names of the function in scripts, and in templates of Vue and files of Svelte. Default: `t`, and `$t` there. */
  readonly translator?: { readonly script: string; readonly template?: string; readonly svelte?: string };
  /** Components in markup, in place of calls; `null` where only a call can be written. */
  readonly component?: (parts: CallParts) => string | null;
  /** What a file must import to use components and calls. */
  readonly imports?: { readonly component?: ImportedNameStyle; readonly call?: ImportedNameStyle };
  /** It comes first in files of this language. */
  readonly language?: "vue" | "svelte";
}

/** A name that new code uses, and its module. */
interface ImportedNameStyle {
  readonly name: string;
  readonly module: string;
  /** A module of older versions, which a file that imports from it goes on using. */
  readonly olderModule?: string;
  /** Names whose import is enough, since they provide it. */
  readonly providers?: readonly string[];
}

/** How new calls are written. */
export interface CodeStyle {
  readonly php?: CallStyle;
  readonly twig?: CallStyle;
  readonly script?: ScriptStyle;
  /** An expression in a template of an Angular component. */
  readonly template?: CallStyle;
  /** Where Python code imports the function from, also for code that runs before the language is known. */
  readonly python?: { readonly module: string; readonly name: string; readonly lazyName: string };
}

/** Returns the values of a call as a list, one for each name. */
export function valueList(
  values: readonly Value[],
  write: (value: Value) => string,
  separator = ", ",
): string {
  const byName = new Map(values.map((value) => [value.name, value]));
  return Array.from(byName.values(), write).join(separator);
}

/** Returns the values as members with their names, also where an object literal has no shorthands. */
export function namedValues(values: readonly Value[]): string {
  return valueList(values, ({ name, code }) => `${name}: ${code}`);
}

/** Returns the members of an object literal with the values. */
export function objectMembers(values: readonly Value[]): string {
  return valueList(values, ({ name, code }) => (name === code ? name : `${name}: ${code}`));
}

/** Returns the arguments of a function whose keys are texts. */
export function textArguments({ key, literal, domain }: CallParts): string {
  return domain === null ? literal(key) : `${literal(key)}, ${literal(domain)}`;
}

/** Returns the call with its values in the text. */
function formatted(call: string, values: readonly Value[]): string {
  return values.length === 0 ? call : `sprintf( ${[call, ...values.map(({ code }) => code)].join(", ")} )`;
}

/** `t("key", { name })`. */
export function translatorCall({ key, values, literal, translator }: ScriptCallParts): string {
  const list = objectMembers(values);
  return list === "" ? `${translator}(${literal(key)})` : `${translator}(${literal(key)}, { ${list} })`;
}

/** `%1$s`: a text without values is not formatted. */
export const PRINTF: PlaceholderStyle = {
  write: (_name, index) => `%${index + 1}$s`,
  escape: (text, values) => (values.length === 0 ? text : text.replaceAll("%", "%%")),
};

/** A call whose result is formatted with the values. */
export function printfCall(call: (parts: CallParts) => string): CallStyle {
  return { placeholders: PRINTF, write: (parts) => formatted(call(parts), parts.values) };
}

/** The named placeholders of Python. */
export const NAMED_PRINTF: PlaceholderStyle = { ...PRINTF, write: (name) => `%(${name})s` };

export const BRACES: PlaceholderStyle = {
  write: (name) => `{${name}}`,
  escape: (text) => (/[{}]/.test(text) ? null : text),
};

/** `{{name}}`, which cannot be escaped. */
function bracedTwice({ prefix, suffix }: Delimiters): PlaceholderStyle {
  return {
    write: (name) => `${prefix}${name}${suffix}`,
    escape: (text) => (text.includes(prefix) ? null : text),
  };
}

const DOUBLE_BRACES: Delimiters = { prefix: "{{", suffix: "}}" };

/** Scripts of frameworks with a service, whose method is `script`, and double braces or the project's delimiters. */
export function doubleBraces(script: string): ScriptStyle {
  return {
    placeholders: bracedTwice(DOUBLE_BRACES),
    withDelimiters: bracedTwice,
    translator: { script },
    write: translatorCall,
  };
}

/** `'key' | pipe: { name: name }`. */
export function angularTemplate(pipe: string): CallStyle {
  return {
    placeholders: bracedTwice(DOUBLE_BRACES),
    write: ({ key, values, literal }) => {
      // Shorthand members are not part of the template's grammar before Angular 14.
      const list = namedValues(values);
      return `${literal(key)} | ${pipe}${list === "" ? "" : `: { ${list} }`}`;
    },
  };
}

/** ICU messages: an apostrophe quotes a following brace or angle bracket; two are one apostrophe. */
const ICU: PlaceholderStyle = {
  write: (name) => `{${name}}`,
  escape: (text, _values, beforeValue) =>
    text.replaceAll(/[{}<>][{}<>']*|'/g, (signs, at: number) => {
      if (signs !== "'") return `'${signs.replaceAll("'", "''")}'`;
      const next = text[at + 1] ?? (beforeValue ? "{" : "");
      return /['{}<>]/.test(next) ? "''" : "'";
    }),
};

/** Scripts of frameworks with ICU messages. */
export const ICU_SCRIPT: ScriptStyle = { placeholders: ICU, write: translatorCall };

/** Scripts where no framework is known. */
export const USUAL_SCRIPT: ScriptStyle = { placeholders: BRACES, write: translatorCall };

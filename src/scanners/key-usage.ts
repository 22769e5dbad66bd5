/**
 * Interface of a source language, which finds usages of translation keys in a text. Each language family has a file
 * in this folder; `supported-source-languages.ts` lists them. Pure functions: independent of projects and the service.
 */
import type { MacroOptions } from "../frameworks/framework.ts";
import type { FrameworkName } from "../frameworks/supported-frameworks.ts";
import type { Delimiters } from "../model/placeholders.ts";
import type { Span } from "../util/span.ts";

/** A key as it is expressed in code. */
export type KeyExpression =
  /** A complete key, unescaped (`auth.failed`, `ns:a.b`). */
  | { readonly kind: "static"; readonly key: string }
  /** Only parts are known: `t("a." + x)` has the prefix `a.` and an empty suffix. */
  | { readonly kind: "pattern"; readonly prefix: string; readonly suffix: string };

/** A usage of a key. A conditional (`t(a ? "x" : "y")`) yields one usage per branch. */
export interface KeyUsage {
  readonly expression: KeyExpression;
  /**
   * Range of the key within its quotes, before unescaping; of a concatenation, from its first to its last quote; of a
   * pattern, the complete expression.
   */
  readonly keySpan: Span;
  /** Range of the literal within its quotes, if `keySpan` is the name of a constant. */
  readonly literalSpan?: Span;
  /**
   * Whether the code may not use the key, so that it is never reported as unknown: it is made of the values of a type, of
   * which the code before may exclude some, or the function also takes other texts.
   */
  readonly isUncertain?: true;
  /** Whether the function was recognised by its calls, so that it may complete its keys. */
  readonly isLearned?: true;
  /** The complete call, from the function's name to the closing parenthesis, or the directive or attribute. */
  readonly callSpan: Span;
  /** The function, directive or component, as written (`__`, `@lang`, `$t`, `Trans`). */
  readonly callee: string;
  /**
   * Namespaces that the translator is bound to (`useTranslation(["a", "b"])`, a domain argument); `null`: none;
   * `unknown`: bound elsewhere, so the key must not be reported as missing.
   */
  readonly namespaces: readonly string[] | null | "unknown";
  /** Prefix of the binding (`keyPrefix`), empty if none. Not part of `key`. */
  readonly keyPrefix: string;
  readonly context: string | null;
  /** Whether the call has a dynamic context, so that `key` with any context may be used. */
  readonly dynamicContext?: true;
  /** Whether the call has a count (`trans_choice`, `{ count }`). */
  readonly plural: boolean;
  /** Whether the count may be an ordinal number (`{ count, ordinal: true }`). */
  readonly ordinal?: true;
  /** Whether the call has options that the code does not show (`t("key", options)`, `{ ...options }`). */
  readonly openOptions?: true;
  /** Whether the expression is a source message, from which the framework computes the key. */
  readonly isMessage?: true;
  /** Default text in the call, if any. */
  readonly defaultText: string | null;
  /** Whether the key is a text whose values are code (t`Hello ${name}`), so that another name cannot take its place. */
  readonly hasValues?: true;
  /** Whether the usage is in HTML, also where a script contains it, so that comments are those of HTML. */
  readonly isInHtml?: true;
}

/** A message that a component defines itself, which is not a key of the project. */
export interface LocalMessage {
  readonly key: string;
  /** `null`: not shown. */
  readonly locale: string | null;
  /** `null`: a list, or calculated. */
  readonly text: string | null;
  /** Range of the last part of the key within its quotes. */
  readonly keySpan: Span;
}

/** The messages that a component defines itself, and where it uses them. */
export interface LocalMessages {
  readonly messages: readonly LocalMessage[];
  /** Usages of these messages. */
  readonly usages: readonly KeyUsage[];
  /** Files with more of them, by paths relative to the component. Their usages are among those of the project. */
  readonly files: readonly { readonly path: string; readonly locale: string | null }[];
}

/** A translation function of the project's own: in the project file, or learned from its calls. */
export interface CustomFunction {
  readonly name: string;
  /** Position of the key argument, counted from 0. */
  readonly key: number;
  readonly namespace?: number | undefined;
  readonly context?: number | undefined;
  readonly plural?: number | undefined;
  /**
   * Position of a literal with which keys begin. The keys are the names of members in the object at `key`:
   * `defineMessages("page", { title: "Title" })`.
   */
  readonly prefix?: number | undefined;
  /** Learned from its calls, not in the project file. */
  readonly isLearned?: true;
  /** Learned from calls of which some have other texts than keys. */
  readonly takesOthers?: true;
}

/** Search options. Pass the same object for every text: compiled patterns are cached by its identity. */
export interface FindOptions {
  /** The frameworks in use; detected from the project's files, never from function names alone. */
  readonly frameworks: ReadonlySet<FrameworkName>;
  readonly functions: readonly CustomFunction[];
  /** Text domains of the project; if known, calls for other domains are ignored. */
  readonly domains?: ReadonlySet<string>;
  /** The project's own delimiters of placeholders. */
  readonly interpolation?: Delimiters;
  /** Hooks search all of their namespaces, not only the first. */
  readonly nsMode?: "fallback";
  readonly macros?: MacroOptions;
  /** Default `.`. */
  readonly keySeparator?: string | false;
}

/** A value that another file exports, as far as it is finite; `null`: unknown. Plain JSON. */
export type ExportedValue =
  | null
  | string
  | { readonly anyOf: readonly ExportedValue[] }
  | { readonly elements: readonly ExportedValue[] }
  | { readonly members: readonly (readonly [name: string, value: ExportedValue])[] }
  | { readonly returns: ExportedValue };

/** What a file imports: `* as name` has the name `*`, and a default import `default`. */
export interface ImportedName {
  /** Empty in a component's template: the component's class, whose field has the name. */
  readonly specifier: string;
  readonly name: string;
  readonly isType: boolean;
  /** Names of the members that lead to what is needed, since all of the value may be too much; or `CALLED`. */
  readonly path?: readonly string[];
}

/** In place of a member's name: what the function returns. */
export const CALLED = "()";

/** Returns the values of what a file imports. */
export type Imports = (imported: ImportedName) => ExportedValue;

/** One language family. */
export interface UsageLanguage {
  /** VS Code language identifiers. */
  readonly languageIds: readonly string[];
  /** File extensions with the dot, longest first (`.blade.php`). */
  readonly extensions: readonly string[];
  /** Exact file names, for ambiguous extensions. */
  readonly fileNames?: readonly string[];
  /**
   * Where a comment about a key can be inserted: inside the expression (`block`), inside it or before the tag in
   * markup (`markup`), in braces before the expression (`template`), or on a separate line (`line`). Absent: nowhere.
   */
  readonly comments?: "block" | "markup" | "template" | "line";
  /** Whether files with these extensions are in this language; absent: always. */
  readonly appliesTo?: (options: FindOptions) => boolean;
  /** Whether a text may be split at top-level lines and searched in parts (bindings do not span parts). */
  readonly canSplit?: true;
  /**
   * Returns the usages by offset. Never throws; linear in the text's length.
   * @param imports default: imported values are unknown
   */
  find(text: string, options: FindOptions, imports?: Imports): readonly KeyUsage[];
  /** Returns the messages that the text defines for itself; their usages are not those of `find`. */
  findLocal?(text: string, options: FindOptions): LocalMessages;
}

/** Sorts usages by offset, in place; the sort is stable. */
export function sortByOffset(usages: KeyUsage[]): readonly KeyUsage[] {
  return usages.sort((a, b) => a.keySpan.start - b.keySpan.start);
}

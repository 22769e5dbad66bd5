/**
 * What a source language must do: find the uses of translation keys in a text. One file per language family
 * beside this one; `registry.ts` lists them. Pure: text in, uses out; knows no project and no service.
 */
import type { Span } from "../model/span.ts";

/** How the key was said in the code. */
export type UsedKey =
  /** One known key, as written and unescaped (`auth.failed`, `ns:a.b`). */
  | { readonly kind: "static"; readonly key: string }
  /** Only parts are known: `t("a." + x)` is prefix `a.`, suffix empty. */
  | { readonly kind: "pattern"; readonly prefix: string; readonly suffix: string };

/** One use of a key. A conditional (`t(a ? "x" : "y")`) gives one use per branch. */
export interface KeyUsage {
  readonly used: UsedKey;
  /**
   * The key's text inside its quotes, escapes as written; of a concatenation from its first to its last quote;
   * of a pattern the whole expression.
   */
  readonly keySpan: Span;
  /** Where the key's text stands inside its quotes, when `keySpan` is only the name of a constant of the file. */
  readonly written?: Span;
  /** The whole call, from the function's name to the closing parenthesis, directive or attribute. */
  readonly callSpan: Span;
  /** The function, directive or component, as written (`__`, `@lang`, `$t`, `Trans`). */
  readonly callee: string;
  /**
   * Namespaces the translator is bound to (`useTranslation(["a", "b"])`, a domain argument); `null`: none is
   * said; `unknown`: it is bound somewhere out of sight, so nothing may be called missing.
   */
  readonly namespaces: readonly string[] | null | "unknown";
  /** Prefix of the binding (`keyPrefix`), empty when there is none. It is not part of `key`. */
  readonly keyPrefix: string;
  readonly context: string | null;
  /** The call gives a context that the code does not show: `key` with any context may be meant. */
  readonly dynamicContext?: true;
  /** The call gives a count (`trans_choice`, `{ count }`). */
  readonly plural: boolean;
  /** Default text given in the call, if any. */
  readonly defaultText: string | null;
}

/** A user's own function from the project file. */
export interface CustomFunction {
  readonly name: string;
  /** Index of the key's argument, 0 first. */
  readonly key: number;
  readonly namespace?: number;
  readonly context?: number;
  readonly plural?: number;
}

/** Which conventions hold in the project; decided from its files, never by a function's name alone. */
export type Framework =
  | "laravel"
  | "i18next"
  | "vue-i18n"
  | "next-intl"
  | "svelte-i18n"
  | "formatjs"
  | "wordpress"
  | "gettext"
  /** With `gettext`: HTML files are templates of Django, or of Jinja. */
  | "django"
  | "jinja"
  | "symfony"
  | "craft";

/** Pass the same object again for the next text: what is made ready for it is kept with it. */
export interface FindOptions {
  readonly frameworks: ReadonlySet<Framework>;
  readonly functions: readonly CustomFunction[];
  /** Text domains of the project (WordPress); where they are known, calls for another domain are none of its uses. */
  readonly domains?: ReadonlySet<string>;
  /** react-i18next's `nsMode`: hooks look into all of their namespaces, not only into the first. */
  readonly nsMode?: "fallback";
}

/** One language family. */
export interface UsageLanguage {
  /** VS Code language ids. */
  readonly languageIds: readonly string[];
  /** File name endings with the dot, longest first (`.blade.php`). */
  readonly extensions: readonly string[];
  /** Whole names of files, where an ending says too little. */
  readonly fileNames?: readonly string[];
  /**
   * How a comment is written beside a key: in its expression, there or before the markup's tags, in braces before the
   * expression, or in a line of its own. Left out: nowhere.
   */
  readonly comments?: "block" | "markup" | "template" | "line";
  /** Whether files of these endings are of the language at all; left out: always. */
  readonly holds?: (options: FindOptions) => boolean;
  /** A text may be cut at top-level lines and searched in parts (then no binding holds over a cut). */
  readonly inParts?: true;
  /** Uses in order of place. Never throws on any input; linear in the text's length. */
  find(text: string, options: FindOptions): readonly KeyUsage[];
}

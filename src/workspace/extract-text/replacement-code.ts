/**
 * Writes an extraction: the text of the new key with a placeholder for each value, in the style of the project's
 * framework, and the call that replaces the text in PHP, Twig and JavaScript.
 */
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../util/span.ts";
import type { Delimiters } from "../../model/placeholders.ts";
import { type Quote, quoted } from "../../scanners/lexers/string-literals.ts";
import type { FindOptions } from "../../scanners/key-usage.ts";
import type { FrameworkName } from "../../frameworks/supported-frameworks.ts";

/** A part of a text: literal text, or the code of a value. */
export type TextPart = string | { readonly code: string };

/** A value in the text: the name of its placeholder and its code. */
export interface Value {
  readonly name: string;
  readonly code: string;
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

/** Names each value by the last word of its code; duplicates get a number. */
export function nameValues(parts: readonly TextPart[], reserved?: ReadonlySet<string>): Value[] {
  const values: Value[] = [];
  for (const part of parts) {
    if (typeof part === "string") continue;
    const same = values.find(({ code }) => code === part.code);
    const word = valueNameOf(part.code, reserved);
    const isTaken = (wanted: string): boolean => values.some((value) => value.name === wanted);
    let name = same?.name ?? word;
    if (same === undefined) for (let number = 2; isTaken(name); number++) name = `${word}${number}`;
    values.push({ name, code: part.code });
  }
  return values;
}

/** Words that cannot be the name of a value. */
const RESERVED_WORDS = new Set(["this", "true", "false", "null", "undefined", "new", "await", "typeof"]);

function valueNameOf(code: string, reserved: ReadonlySet<string> | undefined): string {
  const word = /([A-Za-z_]\w*)\W*$/.exec(code.replace(/\([^()]*\)\s*$/, ""))?.[1] ?? "value";
  return RESERVED_WORDS.has(word) || reserved?.has(word) === true ? "value" : word;
}

/** The project options that determine how its code refers to keys. */
export type ProjectConventions = Pick<FindOptions, "frameworks" | "domains" | "interpolation">;

/** Frameworks whose JavaScript functions take precedence over gettext's and WordPress's. */
const COMPONENT_FRAMEWORKS: readonly FrameworkName[] = ["i18next", "vue-i18n", "next-intl", "svelte-i18n"];
const SCRIPT_FRAMEWORKS: readonly FrameworkName[] = [...COMPONENT_FRAMEWORKS, "formatjs", "laravel"];

/** Returns the framework whose texts JavaScript uses as keys; `null` if another framework is in use there. */
function scriptTextFramework({ frameworks }: ProjectConventions): "wordpress" | "django" | "gettext" | null {
  if (SCRIPT_FRAMEWORKS.some((framework) => frameworks.has(framework))) return null;
  return (["wordpress", "django", "gettext"] as const).find((framework) => frameworks.has(framework)) ?? null;
}

/** Returns the text domain that WordPress calls must name; `null` if unknown, or without WordPress. */
export function textDomainOf({ frameworks, domains }: ProjectConventions): string | null {
  return (frameworks.has("wordpress") ? domains?.values().next().value : undefined) ?? null;
}

/** Returns the arguments of a function whose keys are texts. */
function textArguments(project: ProjectConventions, key: string, literal: (text: string) => string): string {
  const domain = textDomainOf(project);
  return domain === null ? literal(key) : `${literal(key)}, ${literal(domain)}`;
}

/** Returns the call with its values in the text. */
function formatted(call: string, values: readonly Value[]): string {
  return values.length === 0 ? call : `sprintf( ${[call, ...values.map(({ code }) => code)].join(", ")} )`;
}

/** The quote of the surrounding attribute, which code must not contain. */
export type AvoidedQuote = '"' | "'" | "";

/** Returns the call as a PHP expression. */
export function phpCall(
  project: ProjectConventions,
  key: string,
  values: readonly Value[],
  avoided: AvoidedQuote = "",
): string {
  const { frameworks } = project;
  const quote = avoided === "'" ? '"' : "'";
  const literal = (text: string): string =>
    `${quote}${quoted(text, quote, quote === "'" ? "" : quote)}${quote}`;
  if (frameworks.has("wordpress") || frameworks.has("gettext")) {
    const args = textArguments(project, key, literal);
    const call = frameworks.has("wordpress") ? `__( ${args} )` : `_(${args})`;
    return formatted(call, values);
  }
  const list = valueList(values, ({ name, code }) => `${literal(name)} => ${code}`);
  return list === "" ? `__(${literal(key)})` : `__(${literal(key)}, [${list}])`;
}

/** Returns the framework whose filters and functions Twig has in the project. */
function twigFrameworkOf({ frameworks }: ProjectConventions): "symfony" | "craft" | "laravel" | "wordpress" {
  return (
    (["wordpress", "craft", "laravel"] as const).find((framework) => frameworks.has(framework)) ?? "symfony"
  );
}

/** Returns the call as a Twig expression. */
export function twigCall(
  project: ProjectConventions,
  key: string,
  values: readonly Value[],
  avoided: AvoidedQuote = "",
): string {
  const quote = avoided === "'" ? '"' : "'";
  const literal = (text: string): string => {
    const written = quoted(text, quote, "").replaceAll("\n", String.raw`\n`);
    return `${quote}${quote === '"' ? written.replaceAll("#{", String.raw`\#{`) : written}${quote}`;
  };
  const list = (write: (name: string) => string): string =>
    valueList(values, ({ name, code }) => `${write(name)}: ${code}`);
  const ifValues = (code: string): string => (values.length === 0 ? "" : code);
  switch (twigFrameworkOf(project)) {
    case "wordpress": {
      const args = values.map(({ code }) => code).join(", ");
      return `__(${textArguments(project, key, literal)})${ifValues(`|format(${args})`)}`;
    }
    case "craft":
      return `${literal(key)}|t${ifValues(`(${literal("site")}, { ${list((name) => name)} })`)}`;
    case "laravel":
      return `trans(${literal(key)}${ifValues(`, { ${list(literal)} }`)})`;
    case "symfony":
      return `${literal(key)}|trans${ifValues(`({ ${list((name) => literal(`%${name}%`))} })`)}`;
  }
}

/** Whether the project's components use FormatJS. */
export function isFormatjs({ frameworks }: ProjectConventions): boolean {
  return frameworks.has("formatjs") && !COMPONENT_FRAMEWORKS.some((framework) => frameworks.has(framework));
}

/** The function name and quotes of a call in a script. */
export interface ScriptCall {
  readonly translator: string;
  readonly quote: Quote;
  /** Quote of the attribute around the script. */
  readonly avoided: AvoidedQuote;
}

/** Returns the call as a JavaScript expression. */
export function jsCall(
  project: ProjectConventions,
  { translator, quote, avoided }: ScriptCall,
  key: string,
  values: readonly Value[],
): string {
  const literal = (text: string): string => `${quote}${jsText(text, quote, avoided)}${quote}`;
  const list = objectMembers(values);
  const texts = scriptTextFramework(project);
  if (texts === null) {
    const argument = isFormatjs(project) ? `{ id: ${literal(key)} }` : literal(key);
    const isStore = translator.startsWith("$") && project.frameworks.has("svelte-i18n");
    const options = isStore ? `{ values: { ${list} } }` : `{ ${list} }`;
    return list === "" ? `${translator}(${argument})` : `${translator}(${argument}, ${options})`;
  }
  if (texts === "django") {
    return list === ""
      ? `gettext(${literal(key)})`
      : `interpolate(gettext(${literal(key)}), { ${list} }, true)`;
  }
  const args = textArguments(project, key, literal);
  const call = texts === "wordpress" ? `__( ${args} )` : `gettext(${args})`;
  return formatted(call, values);
}

/** Returns FormatJS's component. */
export function formattedMessage(key: string, values: readonly Value[]): string {
  const isPlain = !/["&\\]/.test(key);
  const id = isPlain ? `"${key}"` : `{"${jsText(key, '"', "")}"}`;
  const given = values.length === 0 ? "" : ` values={{ ${objectMembers(values)} }}`;
  return `<FormattedMessage id=${id}${given} />`;
}

/** Returns the members of an object literal with the values. */
function objectMembers(values: readonly Value[]): string {
  return valueList(values, ({ name, code }) => (name === code ? name : `${name}: ${code}`));
}

function jsText(text: string, quote: Quote, avoided: AvoidedQuote): string {
  const written = quoted(text, quote, quote === "`" ? quote : "")
    .replaceAll("\n", String.raw`\n`)
    .replaceAll("\r", String.raw`\r`);
  if (avoided === "") return written;
  return written.replaceAll(avoided, avoided === '"' ? String.raw`\u0022` : String.raw`\u0027`);
}

/** The language of the code that uses the text. */
export type CallLanguage = "php" | "js" | "vue" | "svelte" | "twig" | "python" | "django" | "jinja";

interface PlaceholderStyle {
  readonly write: (name: string, index: number) => string;
  /** Escapes literal text; `null` if that is impossible. `beforeValue`: a placeholder follows. */
  readonly escape: (text: string, values: readonly Value[], beforeValue: boolean) => string | null;
  /** Names with a special meaning in the call's options. */
  readonly reserved?: ReadonlySet<string>;
}

/** `%1$s`: a text without values is not formatted. */
const PRINTF: PlaceholderStyle = {
  write: (_name, index) => `%${index + 1}$s`,
  escape: (text, values) => (values.length === 0 ? text : text.replaceAll("%", "%%")),
};

/** Laravel's `:name`, which also matches in other case and at the start of longer words. */
const COLON: PlaceholderStyle = {
  write: (name) => `:${name}`,
  escape: (text, values) => {
    const lower = text.toLowerCase();
    return values.some(({ name }) => lower.includes(`:${name.toLowerCase()}`)) ? null : text;
  },
};

const SYMFONY: PlaceholderStyle = {
  write: (name) => `%${name}%`,
  escape: (text, values) => (values.some(({ name }) => text.includes(`%${name}%`)) ? null : text),
};

const BRACES: PlaceholderStyle = {
  write: (name) => `{${name}}`,
  escape: (text) => (/[{}]/.test(text) ? null : text),
};

/** The named placeholders of Django's scripts, of Python and of Django's and Jinja's templates. */
const DJANGO: PlaceholderStyle = {
  write: (name) => `%(${name})s`,
  escape: (text, values) => (values.length > 0 && /%\(\w+\)s/.test(text) ? null : text),
};
const PYTHON: PlaceholderStyle = { ...PRINTF, write: DJANGO.write };
const DJANGO_TEMPLATE: PlaceholderStyle = {
  write: DJANGO.write,
  escape: (text) => text.replaceAll("%", "%%"),
};

/** Names between delimiters, of which neither they nor links to other keys can be escaped. */
function delimited({ prefix, suffix }: Delimiters): PlaceholderStyle {
  return {
    ...I18NEXT,
    write: (name) => `${prefix}${name}${suffix}`,
    escape: (text) => (text.includes(prefix) || text.includes("$t(") ? null : text),
  };
}

const I18NEXT: PlaceholderStyle = {
  write: (name) => `{{${name}}}`,
  // i18next cannot escape values and nested texts.
  escape: (text) => (/\{\{|\$t\(/.test(text) ? null : text),
  reserved: new Set(
    (
      "context defaultValue fallbackLng interpolation joinArrays keySeparator lng lngs ns nsSeparator ordinal " +
      "postProcess replace returnObjects returnDetails skipInterpolation"
    ).split(" "),
  ),
};

const VUE: PlaceholderStyle = {
  write: (name) => `{${name}}`,
  escape: (text) => text.replaceAll(/[{}@$|]+/g, (signs) => `{'${signs}'}`),
};

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

/** Returns the placeholder style of the texts that this code uses. */
function placeholderStyleOf(project: ProjectConventions, language: CallLanguage): PlaceholderStyle {
  const { frameworks } = project;
  if (language === "django") return DJANGO_TEMPLATE;
  if (language === "python" || language === "jinja") return PYTHON;
  if (language === "twig") {
    return { wordpress: PRINTF, symfony: SYMFONY, craft: BRACES, laravel: COLON }[twigFrameworkOf(project)];
  }
  const isPrintf = frameworks.has("wordpress") || frameworks.has("gettext");
  if (language === "php") return isPrintf ? PRINTF : COLON;
  const texts = scriptTextFramework(project);
  if (texts !== null) return texts === "django" ? DJANGO : PRINTF;
  if (frameworks.has("laravel") && frameworks.size === 1) return COLON;
  if (language === "vue" && frameworks.has("vue-i18n")) return VUE;
  if (language === "svelte" && frameworks.has("svelte-i18n")) return ICU;
  if (frameworks.has("i18next"))
    return project.interpolation === undefined ? I18NEXT : delimited(project.interpolation);
  if (frameworks.has("vue-i18n")) return VUE;
  const isIcu = (["next-intl", "svelte-i18n", "formatjs"] as const).some((each) => frameworks.has(each));
  return isIcu ? ICU : BRACES;
}

/** Returns the text with its values, or `null` if the project's format cannot escape it. */
export function keyTextOf(
  parts: readonly TextPart[],
  project: ProjectConventions,
  language: CallLanguage,
): { readonly text: string; readonly values: readonly Value[] } | null {
  const style = placeholderStyleOf(project, language);
  const values = nameValues(parts, style.reserved);
  let index = 0;
  let text = "";
  for (const [position, part] of parts.entries()) {
    const written =
      typeof part === "string"
        ? style.escape(part, values, typeof parts[position + 1] === "object")
        : style.write(values[index]?.name ?? "", index++);
    if (written === null) return null;
    text += written;
  }
  return parts.some((part) => typeof part === "string" && /\p{L}/u.test(part)) ? { text, values } : null;
}

/** Whether the selection covers the range within quotes, but for whitespace. */
export function coversContent(text: string, { start, end }: Span, selected: Span): boolean {
  const before = text.slice(start, Math.max(selected.start, start));
  const after = text.slice(Math.min(selected.end, end), end);
  return `${before}${after}`.trim() === "";
}

export interface ExtractionDraft {
  readonly parts: readonly TextPart[];
  /** What of the document is replaced. */
  readonly span: Span;
  /** Whether whitespace collapses, as in markup. */
  readonly collapsesWhitespace?: boolean;
  readonly codeFor: (key: string, values: readonly Value[]) => string;
  /** Additional edits. */
  readonly extraSplices?: readonly Splice[];
}

/** Functions whose argument is a key. */
export const TRANSLATORS =
  /^(?:\$?t[ce]?|\$?_|__|_[enx]x?|_nx|esc_(?:html|attr)_(?:_|e|x)|n?p?gettext|trans|trans_choice|wTrans|\$?formatMessage|translate|lang|choice)$/;

/** Attributes with names, URLs and code. */
const NON_TEXT_ATTRIBUTE =
  /^(?:class(?:Name)?|id|key|ref|slot|is|name|href|src(?:set)?|style|type|for|htmlFor|role|rel|method|action|target|lang|dir|xmlns|tabindex|i18nKey|keypath|path|ns|data-(?:test.*|id|key|target|toggle|controller|action|cy|qa)|on[A-Za-z:-]+)$/;

/** Whether the attribute's value may be displayed text: not in bound attributes (`:title`, `@click`, `x-on:click`). */
export function isTextAttribute(name: string): boolean {
  return !NON_TEXT_ATTRIBUTE.test(name) && !/[^\w-]/.test(name);
}

/**
 * What an extraction writes: the text of the new key with a placeholder for each value, in the style of the project's framework,
 * and the call that replaces the text in PHP, Twig and JavaScript.
 */
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../model/span.ts";
import { type Quote, quoted } from "../../scanners/lexers/quotes.ts";
import type { FindOptions, Framework } from "../../scanners/usage.ts";

/** A text as the code has it: what it says, and the code of the values between. */
export type Part = string | { readonly code: string };

/** A value in the text: its placeholder's name and the code that gives it. */
export interface Value {
  readonly name: string;
  readonly code: string;
}

/** The values by name, each once. */
function uniqueValues(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [value.name, value])).values()];
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** A name for each value: the last word of its code; one that two would have gets a number. */
export function named(parts: readonly Part[], reserved: ReadonlySet<string> = NO_NAMES): Value[] {
  const values: Value[] = [];
  for (const part of parts) {
    if (typeof part === "string") continue;
    const same = values.find(({ code }) => code === part.code);
    const word = wordOf(part.code, reserved);
    const isTaken = (wanted: string): boolean => values.some((value) => value.name === wanted);
    let name = same?.name ?? word;
    if (same === undefined) for (let number = 2; isTaken(name); number++) name = `${word}${number}`;
    values.push({ name, code: part.code });
  }
  return values;
}

/** Words that no value can be called by. */
const WORDS = new Set(["this", "true", "false", "null", "undefined", "new", "await", "typeof"]);

function wordOf(code: string, reserved: ReadonlySet<string>): string {
  const word = /([A-Za-z_]\w*)\W*$/.exec(code.replace(/\([^()]*\)\s*$/, ""))?.[1] ?? "value";
  return WORDS.has(word) || reserved.has(word) ? "value" : word;
}

/** What of a project decides how its code says a key. */
export type ExtractProject = Pick<FindOptions, "frameworks" | "domains">;

/** Frameworks whose functions in JavaScript come before gettext's and WordPress's. */
const SCRIPTS: readonly Framework[] = [
  "i18next",
  "vue-i18n",
  "next-intl",
  "svelte-i18n",
  "formatjs",
  "laravel",
];

/** How JavaScript asks for a text in a project that has no other framework there. */
function textsInScripts({ frameworks }: ExtractProject): "wordpress" | "django" | "gettext" | null {
  if (SCRIPTS.some((framework) => frameworks.has(framework))) return null;
  return (["wordpress", "django", "gettext"] as const).find((framework) => frameworks.has(framework)) ?? null;
}

/** The text domain that the call has to name; `null`: none is known, or it is none of WordPress's. */
export function domainOf({ frameworks, domains }: ExtractProject): string | null {
  return (frameworks.has("wordpress") ? domains?.values().next().value : undefined) ?? null;
}

/** Quotes that a piece of code may use: not those of the attribute around it. */
export type AvoidedQuote = '"' | "'" | "";

/** PHP's expression. */
export function phpCall(
  project: ExtractProject,
  key: string,
  values: readonly Value[],
  avoided: AvoidedQuote = "",
): string {
  const { frameworks } = project;
  const quote = avoided === "'" ? '"' : "'";
  const literal = (text: string): string =>
    `${quote}${quoted(text, quote, quote === "'" ? "" : quote)}${quote}`;
  if (frameworks.has("wordpress") || frameworks.has("gettext")) {
    const domain = domainOf(project);
    const args = domain === null ? literal(key) : `${literal(key)}, ${literal(domain)}`;
    const call = frameworks.has("wordpress") ? `__( ${args} )` : `_(${args})`;
    return values.length === 0 ? call : `sprintf( ${[call, ...values.map(({ code }) => code)].join(", ")} )`;
  }
  const list = uniqueValues(values)
    .map(({ name, code }) => `${literal(name)} => ${code}`)
    .join(", ");
  return list === "" ? `__(${literal(key)})` : `__(${literal(key)}, [${list}])`;
}

/** Whose filters and functions Twig has in the project. */
function twigOf({ frameworks }: ExtractProject): "symfony" | "craft" | "laravel" | "wordpress" {
  return (
    (["wordpress", "craft", "laravel"] as const).find((framework) => frameworks.has(framework)) ?? "symfony"
  );
}

/** The expression between Twig's brackets. */
export function twigCall(
  project: ExtractProject,
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
    uniqueValues(values)
      .map(({ name, code }) => `${write(name)}: ${code}`)
      .join(", ");
  switch (twigOf(project)) {
    case "wordpress": {
      const domain = domainOf(project);
      const args = domain === null ? literal(key) : `${literal(key)}, ${literal(domain)}`;
      return values.length === 0
        ? `__(${args})`
        : `__(${args})|format(${values.map(({ code }) => code).join(", ")})`;
    }
    case "craft":
      return values.length === 0
        ? `${literal(key)}|t`
        : `${literal(key)}|t(${literal("site")}, { ${list((name) => name)} })`;
    case "laravel":
      return values.length === 0 ? `trans(${literal(key)})` : `trans(${literal(key)}, { ${list(literal)} })`;
    case "symfony":
      return values.length === 0
        ? `${literal(key)}|trans`
        : `${literal(key)}|trans({ ${list((name) => literal(`%${name}%`))} })`;
  }
}

/** FormatJS is what the project's components ask. */
export function isFormatjs({ frameworks }: ExtractProject): boolean {
  const others = ["i18next", "vue-i18n", "next-intl", "svelte-i18n"] as const;
  return frameworks.has("formatjs") && !others.some((framework) => frameworks.has(framework));
}

/** How a script says a call: by which name, and between which quotes. */
export interface ScriptCall {
  readonly translator: string;
  readonly quote: Quote;
  /** The quote of the attribute that the script stands in. */
  readonly avoided: AvoidedQuote;
}

/** JavaScript's expression. */
export function jsCall(
  project: ExtractProject,
  { translator, quote, avoided }: ScriptCall,
  key: string,
  values: readonly Value[],
): string {
  const literal = (text: string): string => `${quote}${jsText(text, quote, avoided)}${quote}`;
  const list = objectOf(values);
  const texts = textsInScripts(project);
  if (texts === null) {
    if (isFormatjs(project)) {
      const message = `{ id: ${literal(key)} }`;
      return list === "" ? `${translator}(${message})` : `${translator}(${message}, { ${list} })`;
    }
    if (list === "") return `${translator}(${literal(key)})`;
    const isStore = translator.startsWith("$") && project.frameworks.has("svelte-i18n");
    return `${translator}(${literal(key)}, ${isStore ? `{ values: { ${list} } }` : `{ ${list} }`})`;
  }
  if (texts === "django") {
    return list === ""
      ? `gettext(${literal(key)})`
      : `interpolate(gettext(${literal(key)}), { ${list} }, true)`;
  }
  const domain = domainOf(project);
  const args = domain === null ? literal(key) : `${literal(key)}, ${literal(domain)}`;
  const call = texts === "wordpress" ? `__( ${args} )` : `gettext(${args})`;
  return values.length === 0 ? call : `sprintf( ${[call, ...values.map(({ code }) => code)].join(", ")} )`;
}

/** FormatJS's component, between tags. */
export function formattedMessage(key: string, values: readonly Value[]): string {
  const isPlain = !/["&\\]/.test(key);
  const id = isPlain ? `"${key}"` : `{"${jsText(key, '"', "")}"}`;
  return values.length === 0
    ? `<FormattedMessage id=${id} />`
    : `<FormattedMessage id=${id} values={{ ${objectOf(values)} }} />`;
}

/** The members of an object of values. */
function objectOf(values: readonly Value[]): string {
  return uniqueValues(values)
    .map((value) => (value.name === value.code ? value.name : `${value.name}: ${value.code}`))
    .join(", ");
}

function jsText(text: string, quote: Quote, avoided: AvoidedQuote): string {
  const written = quoted(text, quote, quote === "`" ? quote : "")
    .replaceAll("\n", String.raw`\n`)
    .replaceAll("\r", String.raw`\r`);
  if (avoided === "") return written;
  return written.replaceAll(avoided, avoided === '"' ? String.raw`\u0022` : String.raw`\u0027`);
}

/** Whose code asks for the text. */
export type TextSide = "php" | "js" | "vue" | "svelte" | "twig";

interface PlaceholderStyle {
  readonly write: (name: string, index: number) => string;
  /** The plain text as it has to be written; `null`: there is no way. `beforeValue`: a placeholder follows. */
  readonly escape: (text: string, values: readonly Value[], beforeValue: boolean) => string | null;
  /** Names that mean something else beside the key. */
  readonly reserved: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** `%1$s`: a text is formatted only where there are values. */
const PRINTF: PlaceholderStyle = {
  write: (_name, index) => `%${index + 1}$s`,
  escape: (text, values) => (values.length === 0 ? text : text.replaceAll("%", "%%")),
  reserved: NONE,
};

/** Laravel's `:name`, which is also looked for in other letters and at the beginning of longer words. */
const COLON: PlaceholderStyle = {
  write: (name) => `:${name}`,
  escape: (text, values) => {
    const lower = text.toLowerCase();
    return values.some(({ name }) => lower.includes(`:${name.toLowerCase()}`)) ? null : text;
  },
  reserved: NONE,
};

const SYMFONY: PlaceholderStyle = {
  write: (name) => `%${name}%`,
  escape: (text, values) => (values.some(({ name }) => text.includes(`%${name}%`)) ? null : text),
  reserved: NONE,
};

const BRACES: PlaceholderStyle = {
  write: (name) => `{${name}}`,
  escape: (text) => (/[{}]/.test(text) ? null : text),
  reserved: NONE,
};

const DJANGO: PlaceholderStyle = {
  write: (name) => `%(${name})s`,
  escape: (text, values) => (values.length > 0 && /%\(\w+\)s/.test(text) ? null : text),
  reserved: NONE,
};

const I18NEXT: PlaceholderStyle = {
  write: (name) => `{{${name}}}`,
  // Nothing escapes a value or a nested text there.
  escape: (text) => (/\{\{|\$t\(/.test(text) ? null : text),
  reserved: new Set([
    "context",
    "defaultValue",
    "fallbackLng",
    "interpolation",
    "joinArrays",
    "keySeparator",
    "lng",
    "lngs",
    "ns",
    "nsSeparator",
    "ordinal",
    "postProcess",
    "replace",
    "returnObjects",
    "returnDetails",
    "skipInterpolation",
  ]),
};

const VUE: PlaceholderStyle = {
  write: (name) => `{${name}}`,
  escape: (text) => text.replaceAll(/[{}@$|]+/g, (signs) => `{'${signs}'}`),
  reserved: NONE,
};

/** ICU messages: an apostrophe quotes the brace or angle that follows it, two are one. */
const ICU: PlaceholderStyle = {
  write: (name) => `{${name}}`,
  escape: (text, _values, beforeValue) =>
    text.replaceAll(/[{}<>][{}<>']*|'/g, (signs, at: number) => {
      if (signs !== "'") return `'${signs.replaceAll("'", "''")}'`;
      const next = text[at + 1] ?? (beforeValue ? "{" : "");
      return /['{}<>]/.test(next) ? "''" : "'";
    }),
  reserved: NONE,
};

/** The style of the texts that such code asks for. */
function placeholdersOf(project: ExtractProject, side: TextSide): PlaceholderStyle {
  const { frameworks } = project;
  if (side === "twig") {
    return { wordpress: PRINTF, symfony: SYMFONY, craft: BRACES, laravel: COLON }[twigOf(project)];
  }
  const isScript = side !== "php";
  if (isScript && textsInScripts(project) === "django") return DJANGO;
  if (
    (!isScript || textsInScripts(project) !== null) &&
    (frameworks.has("wordpress") || frameworks.has("gettext"))
  )
    return PRINTF;
  if (!isScript || (frameworks.has("laravel") && frameworks.size === 1)) return COLON;
  if (side === "vue" && frameworks.has("vue-i18n")) return VUE;
  if (side === "svelte" && frameworks.has("svelte-i18n")) return ICU;
  if (frameworks.has("i18next")) return I18NEXT;
  if (frameworks.has("vue-i18n")) return VUE;
  const isIcu = (["next-intl", "svelte-i18n", "formatjs"] as const).some((each) => frameworks.has(each));
  return isIcu ? ICU : BRACES;
}

/** The text with its values, or `null` where the project's texts cannot say it (no way to escape what it holds). */
export function textOf(
  parts: readonly Part[],
  project: ExtractProject,
  side: TextSide,
): { readonly text: string; readonly values: readonly Value[] } | null {
  const style = placeholdersOf(project, side);
  const values = named(parts, style.reserved);
  let index = 0;
  const textParts: string[] = [];
  for (const [place, part] of parts.entries()) {
    if (typeof part !== "string") {
      textParts.push(style.write(values[index]?.name ?? "", index++));
      continue;
    }
    const escaped = style.escape(part, values, typeof parts[place + 1] === "object");
    if (escaped === null) return null;
    textParts.push(escaped);
  }
  if (!parts.some((part) => typeof part === "string" && /\p{L}/u.test(part))) return null;
  return { text: textParts.join(""), values };
}

export interface Draft {
  /** Whose texts these are. */
  readonly side: TextSide;
  readonly parts: readonly Part[];
  /** What of the document is replaced. */
  readonly span: Span;
  /** White space between words is one blank, as markup shows it. */
  readonly collapses?: boolean;
  readonly codeFor: (key: string, values: readonly Value[]) => string;
  /** What else the code needs. */
  readonly also?: readonly Splice[];
}

/** What a language finds whose texts are written in one way only. */
export interface Written {
  readonly text: string;
  readonly span: Span;
  readonly codeFor: (key: string) => string;
  /** What else the code needs: an import, a tag that loads something. */
  readonly also?: readonly Splice[];
}

/** The same at another place of the document. */
export function shifted(draft: Draft | null, by: number): Draft | null {
  if (draft === null) return null;
  const { start, end } = draft.span;
  return { ...draft, span: { start: start + by, end: end + by } };
}

/** Functions that take a key. */
export const TRANSLATORS =
  /^(?:\$?t[ce]?|\$?_|__|_[enx]x?|_nx|esc_(?:html|attr)_(?:_|e|x)|n?p?gettext|trans|trans_choice|wTrans|\$?formatMessage|translate|lang|choice)$/;

/** Attributes that hold names, addresses and code. */
const NAMES =
  /^(?:class(?:Name)?|id|key|ref|slot|is|name|href|src(?:set)?|style|type|for|htmlFor|role|rel|method|action|target|lang|dir|xmlns|tabindex|i18nKey|keypath|path|ns|data-(?:test.*|id|key|target|toggle|controller|action|cy|qa)|on[A-Za-z:-]+)$/;

/** Whether the attribute's value may be a text that people read. */
export function isTextAttribute(name: string): boolean {
  return !NAMES.test(name);
}

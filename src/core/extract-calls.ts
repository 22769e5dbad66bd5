/** The call that stands for an extracted text, in PHP and JavaScript, as the project's frameworks have it. */
import { quoted, type Quote } from "./usages/quotes.ts";
import type { FindOptions, Framework } from "./usages/usage.ts";

/** A value in the text: its placeholder's name and the code that gives it. */
export interface Value {
  readonly name: string;
  readonly code: string;
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

/** Writes a placeholder by its name and place, as the texts of code in the language have it. */
export function placeholderWriter(
  project: ExtractProject,
  language: "php" | "js" | "twig",
): (name: string, index: number) => string {
  const { frameworks } = project;
  const inPhp = language === "php";
  if (language === "twig") {
    const own = twigOf(project);
    if (own === "symfony") return (name) => `%${name}%`;
    if (own === "craft") return (name) => `{${name}}`;
    return own === "laravel" ? (name) => `:${name}` : (_name, index) => `%${index + 1}$s`;
  }
  if (!inPhp && textsInScripts(project) === "django") return (name) => `%(${name})s`;
  if (frameworks.has("wordpress") || frameworks.has("gettext")) return (_name, index) => `%${index + 1}$s`;
  if (inPhp || (frameworks.has("laravel") && frameworks.size === 1)) return (name) => `:${name}`;
  return frameworks.has("i18next") ? (name) => `{{${name}}}` : (name) => `{${name}}`;
}

export function phpCall(project: ExtractProject, key: string, values: readonly Value[]): string {
  const { frameworks } = project;
  const literal = `'${quoted(key, "'")}'`;
  if (frameworks.has("wordpress") || frameworks.has("gettext")) {
    const call = frameworks.has("wordpress") ? `__( ${withDomain(project, literal, "'")} )` : `_(${literal})`;
    return values.length === 0 ? call : `sprintf( ${[call, ...values.map(({ code }) => code)].join(", ")} )`;
  }
  const list = unique(values)
    .map(({ name, code }) => `'${name}' => ${code}`)
    .join(", ");
  return list === "" ? `__(${literal})` : `__(${literal}, [${list}])`;
}

/** Whose filters and functions Twig has in the project. */
function twigOf({ frameworks }: ExtractProject): "symfony" | "craft" | "laravel" | "wordpress" {
  return (
    (["wordpress", "craft", "laravel"] as const).find((framework) => frameworks.has(framework)) ?? "symfony"
  );
}

/** The expression between Twig's brackets. */
export function twigCall(project: ExtractProject, key: string, values: readonly Value[]): string {
  const literal = `'${quoted(key, "'")}'`;
  const list = (write: (name: string) => string): string =>
    unique(values)
      .map(({ name, code }) => `${write(name)}: ${code}`)
      .join(", ");
  switch (twigOf(project)) {
    case "wordpress": {
      const call = `__(${withDomain(project, literal, "'")})`;
      return values.length === 0 ? call : `${call}|format(${values.map(({ code }) => code).join(", ")})`;
    }
    case "craft":
      return values.length === 0 ? `${literal}|t` : `${literal}|t('site', { ${list((name) => name)} })`;
    case "laravel":
      return values.length === 0
        ? `trans(${literal})`
        : `trans(${literal}, { ${list((name) => `'${name}'`)} })`;
    case "symfony":
      return values.length === 0
        ? `${literal}|trans`
        : `${literal}|trans({ ${list((name) => `'%${name}%'`)} })`;
  }
}

export function jsCall(
  project: ExtractProject,
  name: string,
  key: string,
  values: readonly Value[],
  quote: Quote,
): string {
  const literal = `${quote}${quoted(key, quote, "`")}${quote}`;
  const list = unique(values)
    .map((value) => (value.name === value.code ? value.name : `${value.name}: ${value.code}`))
    .join(", ");
  const texts = textsInScripts(project);
  if (texts === null) {
    if (list === "") return `${name}(${literal})`;
    const isStore = name.startsWith("$") && project.frameworks.has("svelte-i18n");
    return `${name}(${literal}, ${isStore ? `{ values: { ${list} } }` : `{ ${list} }`})`;
  }
  if (texts === "django") {
    return list === "" ? `gettext(${literal})` : `interpolate(gettext(${literal}), { ${list} }, true)`;
  }
  const call = texts === "wordpress" ? `__( ${withDomain(project, literal, quote)} )` : `gettext(${literal})`;
  return values.length === 0 ? call : `sprintf( ${[call, ...values.map(({ code }) => code)].join(", ")} )`;
}

function withDomain(project: ExtractProject, literal: string, quote: Quote): string {
  const domain = domainOf(project);
  return domain === null ? literal : `${literal}, ${quote}${quoted(domain, quote)}${quote}`;
}

/** The values by name, each once. */
function unique(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [value.name, value])).values()];
}

/** A name for each value: the last word of its code; one that two would have gets a number. */
export function named(parts: readonly (string | { readonly code: string })[]): Value[] {
  const values: Value[] = [];
  for (const part of parts) {
    if (typeof part === "string") continue;
    const word = /([A-Za-z_]\w*)\W*$/.exec(part.code.replace(/\([^()]*\)\s*$/, ""))?.[1] ?? "value";
    const same = values.find(({ code }) => code === part.code);
    const isTaken = (wanted: string): boolean => values.some((value) => value.name === wanted);
    let name = same?.name ?? word;
    if (same === undefined) for (let number = 2; isTaken(name); number++) name = `${word}${number}`;
    values.push({ name, code: part.code });
  }
  return values;
}

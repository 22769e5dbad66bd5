/**
 * Transloco: methods of `TranslocoService` and functions of the same names, the pipe, attribute and structural directive
 * `transloco`. Files of a scope are in a folder of their own; its keys begin with its alias, by default the scope's
 * name in camel case (`TranslocoService.getMappedScope`).
 */
import { angularTemplate, doubleBraces } from "./code-styles.ts";
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import type { Delimiters } from "../model/placeholders.ts";
import { escapeRegExp } from "../model/translation-text.ts";
import { getOrCreate } from "../util/maps.ts";
import {
  type CallShape,
  type Configuration,
  type Framework,
  type KeyConventions,
  type KeyRules,
  type LinkSyntax,
  shapeTable,
  type TextLink,
} from "./framework.ts";
import { noCandidates, PATHS, withKeyPrefix } from "./key-candidates.ts";

const CALL: CallShape = {
  key: 0,
  // A language, or a scope with or without one.
  namespace: 2,
  namespaceProperty: "scope",
  unbound: true,
  receivers: "transloco translocoService translate translateService translationService".split(" "),
  receiverTypes: ["TranslocoService"],
  modules: /^@(?:jsverse|ngneat)\/transloco$/,
};

/** A language, as the argument after the values may also be. */
const LANGUAGE = /^[a-z]{2,3}(?:[-_](?:[A-Z][a-z]{3}|[A-Za-z]{2}|\d{3}))*$/;

/** Returns the name of a scope in keys (`toCamelCase` of @jsverse/utils). */
function camelCase(scope: string): string {
  return scope
    .replaceAll(/(?:^\w|[A-Z]|\b\w)/g, (letter, at: number) =>
      at === 0 ? letter.toLowerCase() : letter.toUpperCase(),
    )
    .replaceAll(/\s+|_|-|\//g, "");
}

/** Returns the scopes that may have this name in keys: `todosPage` is `todos-page` or `todos/page`. */
function scopesOf(name: string): readonly string[] {
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return words.length === 1 ? [] : ["-", "/"].map((separator) => words.join(separator));
}

const candidates: KeyRules["candidates"] = function* (
  usage,
  key,
  conventions,
  isPartial,
): Generator<KeyName> {
  const path = withKeyPrefix(usage.keyPrefix, key, conventions);
  const given = Array.isArray(usage.namespaces) ? (usage.namespaces as readonly string[]) : [];
  const unscoped = given.length > 0 ? { ...usage, namespaces: null } : usage;
  const plain = [
    ...PATHS.candidates(unscoped, key, { ...conventions, namespaceSeparator: false }, isPartial),
  ];
  const scoped = given.flatMap((argument) => {
    // `todos/en` is the scope `todos` in one language.
    const namespace = argument.replace(/\/([^/]*)$/, (end, last: string) => (LANGUAGE.test(last) ? "" : end));
    const prefix =
      aliasOf(namespace, conventions) ??
      (conventions.keepsNamespaceCase === true ? namespace : camelCase(namespace));
    return [
      { namespace, key: path, context: null },
      { namespace: NO_NAMESPACE, key: `${prefix}.${path}`, context: null },
    ];
  });
  yield* given.every((argument) => LANGUAGE.test(argument)) ? [...plain, ...scoped] : [...scoped, ...plain];
  const dot = path.indexOf(".");
  const [name, rest] = [path.slice(0, dot), path.slice(dot + 1)];
  if (dot <= 0 || (rest === "" && !isPartial)) return;
  const alias = conventions.namespaceAliases?.[name];
  const scopes = conventions.keepsNamespaceCase === true ? [name] : scopesOf(name);
  for (const namespace of [...(alias === undefined ? [] : [alias]), ...scopes])
    yield { namespace, key: rest, context: null };
};

function aliasOf(scope: string, { namespaceAliases = {} }: KeyConventions): string | undefined {
  return Object.keys(namespaceAliases).find((alias) => namespaceAliases[alias] === scope);
}

const DELIMITERS: Delimiters = { prefix: "{{", suffix: "}}" };
const linkPatterns = new Map<string, RegExp>();

/**
 * `DefaultTranspiler` replaces a placeholder by the text of that key, unless the call has a value of that name. Names
 * without dots are values.
 */
const links: LinkSyntax = {
  marker: ({ interpolation = DELIMITERS }) => interpolation.prefix,
  find: (text, { interpolation: { prefix, suffix } = DELIMITERS }) => {
    const pattern = getOrCreate(
      linkPatterns,
      `${prefix}\0${suffix}`,
      () =>
        new RegExp(`${escapeRegExp(prefix)}\\s*([\\w-]+(?:\\.[\\w-]+)+)\\s*${escapeRegExp(suffix)}`, "gd"),
    );
    return Array.from(text.matchAll(pattern), ({ 1: key = "", indices }): TextLink => {
      const [start, end] = indices?.[1] ?? [0, 0];
      return { span: { start, end }, key, usage: { context: null } };
    });
  },
  canWrite: (key) => /^[\w-]+(?:\.[\w-]+)+$/.test(key),
};

const configuration: Configuration = {
  globs: [
    "{src,ui/src,client/src,UI/Web/src}/{main,app/app.config,app/app.module,app/transloco-root.module,app/transloco/transloco-root.module}.ts",
    "{apps,projects,packages,libs}/*/src/{main,app/app.config,app/app.module,app/transloco-root.module}.ts",
    "**/*{transloco*,routes,routing,-routing.module}.ts",
    "**/*.{module,providers}.ts",
  ],
  watch: "**/{main,app.config,*.module,*routes,*transloco*}.ts",
  mayHave: /transloco/i,
  call: /\b(?:translocoConfig|provideTransloco)\s*\(/g,
  // `provideTranslocoScope({ scope, alias })`, or the value of `TRANSLOCO_SCOPE`.
  toolFile: /\.ts$/,
  toolOption: /\balias["']?\s*:/g,
  read: (options) => {
    const inner = options.object("config") ?? options;
    const [prefix, suffix = prefix] = inner.names("interpolation") ?? [];
    const [scope, alias] = [options.text("scope"), options.text("alias")];
    const aliases = [
      ...(inner.object("scopeMapping")?.entries() ?? []),
      ...(scope && alias ? [[scope, alias] as const] : []),
    ];
    return {
      ...(prefix === undefined || suffix === undefined ? {} : { interpolation: { prefix, suffix } }),
      ...(aliases.length === 0
        ? {}
        : { namespaceAliases: Object.fromEntries(aliases.map(([name, key]) => [key, name])) }),
      ...(inner.object("scopes")?.isTrue("keepCasing") === true ? { keepsNamespaceCase: true } : {}),
    };
  },
};

export const transloco: Framework = {
  evidence: { npm: /^@(?:jsverse|ngneat)\/transloco$/ },
  calls: {
    javascript: {
      functions: shapeTable({
        "translate translateObject selectTranslate selectTranslateObject": CALL,
        "translateSignal translateObjectSignal": { ...CALL, receivers: [], mayBeScoped: true },
        marker: {
          key: 0,
          unbound: true,
          modules: /^@(?:jsverse|ngneat)\/transloco-keys-manager(?:\/marker)?$/,
        },
      }),
    },
    usesTranslator: () => false,
    // The default `marker` of transloco-keys-manager.
    keyComment: "t",
    htmlTemplates: { dialect: "angular-html", languageIds: [] },
    componentTemplates: {
      pipes: ["transloco"],
      attributes: ["transloco"],
      structural: { name: "transloco", prefixes: ["prefix", "read"] },
    },
  },
  code: {
    script: doubleBraces("this.translocoService.translate"),
    template: angularTemplate("transloco"),
  },
  placeholders: "double-braces",
  hasOwnDelimiters: true,
  keys: { kind: "path", candidates },
  links,
  configuration,
  sourceLanguage: {
    globs: ["transloco.config.{ts,js,mjs,cjs}", ...configuration.globs.slice(0, 2)],
    names: ["fallbackLang", "defaultLang", "setDefaultLang"],
  },
};

/**
 * Its plugin, and that of ngx-translate, whose texts are ICU messages after values in double braces are filled in
 * (`MessageFormatTranspiler`).
 */
export const messageFormat: Framework = {
  evidence: {
    npm: /^(?:@(?:jsverse|ngneat)\/transloco-messageformat|ngx-translate-messageformat-compiler)$/,
  },
  calls: { usesTranslator: () => false },
  placeholders: "icu",
  keys: { kind: "path", candidates: noCandidates },
};

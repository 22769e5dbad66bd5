/**
 * The translation functions, hooks and components of a project by name, with the positions of their arguments, as its
 * frameworks define them and its project file adds.
 */
import {
  type CallShape,
  type Calls,
  type ComponentMessagesShape,
  type HookShape,
  type Macros,
  type MessageProperties,
  type Shapes,
  shapeTable,
  type TemplateDialect,
  type TranslatorType,
  WITH_OPTIONS,
} from "../../frameworks/framework.ts";
import { frameworksOf, supportedFrameworks } from "../../frameworks/supported-frameworks.ts";
import { cachedByObject } from "../../util/maps.ts";
import { escapeRegExp } from "../lexers/characters.ts";
import type { FindOptions } from "../key-usage.ts";

/** Kinds of code whose functions frameworks define. */
type CodeKind = "javascript" | "php" | "python" | "twig";

/**
 * Returns the calls of this kind of code that apply in a project: those of its frameworks, or the usual ones if none of
 * its frameworks has any.
 */
export function callsOf<Kind extends CodeKind>(
  { frameworks }: FindOptions,
  kind: Kind,
): readonly NonNullable<Calls[Kind]>[] {
  const own = frameworksOf(frameworks).flatMap(({ calls }) => calls[kind] ?? []);
  return own.length > 0 ? own : usualCalls(kind);
}

function usualCalls<Kind extends CodeKind>(kind: Kind): readonly NonNullable<Calls[Kind]>[] {
  return [...supportedFrameworks.values()].flatMap(({ calls }) => {
    const found = calls[kind];
    return found?.isUsual === true ? found : [];
  });
}

/** Returns the functions of a kind of code; later ones take precedence. */
function functionsOf(options: FindOptions, kind: CodeKind): readonly Shapes[] {
  return callsOf(options, kind).map(({ functions, hasDomains }) =>
    hasDomains === true ? withDomains(functions, options) : functions,
  );
}

/**
 * Returns the PHP functions of a project.
 * @param templateShapes functions of the template language, which take precedence
 */
export function phpShapes(
  options: FindOptions,
  templateShapes: readonly Shapes[] = [],
): ReadonlyMap<string, readonly CallShape[]> {
  return mergeShapes(options, [...functionsOf(options, "php"), ...templateShapes]);
}

/** Returns the Python functions of a project; the imports of each file decide which names refer to gettext. */
export function pythonShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  return mergeShapes(options, functionsOf(options, "python"));
}

/** Restricts the shapes to the project's text domains, if known. */
function withDomains(shapes: Shapes, { domains }: FindOptions): Shapes {
  if (domains === undefined) return shapes;
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { ...shape, domains }]));
}

/** The name of a function after its qualifier. */
export const FUNCTION_NAME = /[@$\w]+$/;

/** Merges shape tables, with later ones taking precedence, and adds the custom functions. */
function mergeShapes(
  { functions }: FindOptions,
  tables: readonly Shapes[],
): ReadonlyMap<string, readonly CallShape[]> {
  const shapes = new Map<string, CallShape[]>();
  for (const table of tables) {
    for (const [name, shape] of Object.entries(table)) {
      // A method of certain objects leaves the other functions of that name.
      const isConditional = shape.receivers !== undefined || shape.modules !== undefined;
      shapes.set(name, isConditional ? [shape, ...(shapes.get(name) ?? [])] : [shape]);
    }
  }
  for (const { name: path, key, prefix, namespace, context, plural, isLearned, takesOthers } of functions) {
    const name = FUNCTION_NAME.exec(path)?.[0];
    if (name === undefined) continue;
    const qualifier = path.slice(0, -name.length);
    const flags = { ...(isLearned && { isLearned }), ...(takesOthers && { takesOthers }) };
    const shape: CallShape =
      namespace === undefined && context === undefined && plural === undefined
        ? { key, qualifier, passesOptions: true, prefix, ...flags }
        : { key, namespace, context, plural, qualifier, prefix };
    // Custom functions come first: they may be more specific than a known function of that name.
    shapes.set(name, [shape, ...(shapes.get(name) ?? [])]);
  }
  return shapes;
}

/** Whether a call with these names before the function (`i18n.`; empty for none) may be of the shape. */
export function matchesQualifier({ qualifier }: CallShape, path: string): boolean {
  return qualifier === undefined || qualifier === "" || path === qualifier || path.endsWith(`.${qualifier}`);
}

/** The translator as most frameworks call it. */
const TRANSLATOR = shapeTable({ "t $t": WITH_OPTIONS });

const allCalls: readonly Calls[] = Array.from(supportedFrameworks.values(), ({ calls }) => calls);

/** Hooks of all frameworks by name. */
export const HOOKS: Readonly<Record<string, HookShape>> = Object.assign(
  {},
  ...allCalls.map(({ hooks }) => hooks),
) as Readonly<Record<string, HookShape>>;

/** Components of all frameworks, and the attributes that contain their key. `*` matches any component. */
export const COMPONENTS: ReadonlyMap<string, readonly string[]> = new Map(
  allCalls.flatMap(({ components = {} }) => Object.entries(components)),
);

/** Functions of all frameworks that wrap components. */
export const COMPONENT_WRAPPERS: Readonly<Record<string, HookShape>> = Object.assign(
  {},
  ...allCalls.map(({ componentWrappers }) => componentWrappers),
) as Readonly<Record<string, HookShape>>;

/** Types of translators of all frameworks. */
export const TRANSLATOR_TYPES: readonly TranslatorType[] = allCalls.flatMap(
  ({ translatorTypes }) => translatorTypes ?? [],
);

/** Objects of all frameworks with a global translator. */
export const GLOBAL_TRANSLATORS: readonly string[] = [
  ...new Set(allCalls.flatMap(({ globalTranslators }) => globalTranslators ?? [])),
];

/** Modules whose hooks search all of their namespaces. */
export const MODULES_WITH_ALL_NAMESPACES: readonly string[] = allCalls.flatMap(
  ({ modulesWithAllNamespaces }) => modulesWithAllNamespaces ?? [],
);

/** The attributes of components that contain a key, and those that name its namespace. */
const KEY_ATTRIBUTES: ReadonlySet<string> = new Set(["ns", ...[...COMPONENTS.values()].flat()]);

/** Components of all frameworks that scripts may contain, by name. */
export const COMPONENT_NAMES: readonly string[] = [...COMPONENTS.keys()].filter((name) =>
  /^[A-Z]/.test(name),
);

/** A cheap test whether code may have a component with a key. */
export const MAY_HAVE_COMPONENT = new RegExp(
  [...new Set([...COMPONENTS].flatMap(([name, attributes]) => [name, ...attributes]))]
    .filter((name) => /[a-z][A-Z]|keypath/.test(name))
    .join("|"),
);

/** Whether an attribute contains a key or a namespace. */
export function isKeyAttribute(name: string): boolean {
  return KEY_ATTRIBUTES.has(name);
}

/** Where components of all frameworks define messages of their own. */
export const COMPONENT_MESSAGES: readonly ComponentMessagesShape[] = allCalls.flatMap(
  ({ componentMessages }) => componentMessages ?? [],
);

/** Components of all frameworks that may have a source message instead of a key. */
export const MESSAGE_COMPONENTS: Readonly<Record<string, MessageProperties>> = Object.assign(
  {},
  ...allCalls.map(({ messageComponents }) => messageComponents),
) as Readonly<Record<string, MessageProperties>>;

/** The functions of all frameworks that take a key and need no receiver, and a usual name of wrappers. */
const TRANSLATION_FUNCTIONS: ReadonlySet<string> = new Set([
  "translate",
  ...Object.keys(TRANSLATOR),
  ...allCalls
    .flatMap(({ javascript, php, python, twig }) => [javascript, php, python, twig])
    .flatMap((calls) => Object.entries(calls?.functions ?? {}))
    .filter(([, { receivers, qualifier }]) => receivers === undefined && qualifier === undefined)
    .map(([name]) => name),
  ...allCalls.flatMap(({ php }) => Object.keys(php?.directives ?? {}).map((name) => name.slice(1))),
]);

/** Whether a function of this name takes a key in one of the frameworks, so that its arguments are no texts. */
export function isTranslationFunction(name: string): boolean {
  return TRANSLATION_FUNCTIONS.has(name);
}

/** Whether scripts may call `t`. */
function mayUseTranslator({ frameworks }: FindOptions): boolean {
  if (frameworks.size === 0) return true;
  return frameworksOf(frameworks).some(({ calls }) => calls.usesTranslator?.(frameworks) !== false);
}

/** The functions and patterns of a project, computed once per options. */
export interface JavaScriptFunctions {
  readonly shapes: ReadonlyMap<string, readonly CallShape[]>;
  /** Alternation of their names, for use in a pattern. */
  readonly names: string;
  readonly nsMode: FindOptions["nsMode"];
  readonly keySeparator: string | false;
  /** Cheap test whether a text may contain key usages at all. */
  readonly prefilter: RegExp;
  /** Alternation of the translator methods that take a key like the translator itself (`t.rich`). */
  readonly methods: string;
  /** `<Trans>` without a key takes its children as the key. */
  readonly children: boolean;
  /** Translators may be stores. */
  readonly stores: boolean;
  readonly macros: Macros | undefined;
  readonly macroOptions: FindOptions["macros"];
}

/** Frameworks whose scripts are not of one kind are tried together, if none is known. */
function javascriptCalls({ frameworks }: FindOptions): readonly NonNullable<Calls["javascript"]>[] {
  return frameworks.size === 0
    ? usualCalls("javascript")
    : frameworksOf(frameworks).flatMap(({ calls }) => calls.javascript ?? []);
}

/** Returns the functions that apply with these options. */
export const javascriptFunctions = cachedByObject((options: FindOptions): JavaScriptFunctions => {
  const calls = javascriptCalls(options);
  const shapes = mergeShapes(options, [
    mayUseTranslator(options) ? TRANSLATOR : {},
    ...calls.map(({ functions, hasDomains }) =>
      hasDomains === true ? withDomains(functions, options) : functions,
    ),
  ]);
  // Also the types and components that pass a hook's translator on.
  const hooks = `[Tt]ranslation|I18n|i18n|\\b(?:${Object.keys(HOOKS).join("|")})\\b`;
  const names = nameAlternatives([...shapes.keys()]);
  const components = `${MAY_HAVE_COMPONENT.source}|v-t\\b|<Trans\\b|["']ttag\\b`;
  const stores = hasCalls(options, ({ javascript }) => javascript?.hasStores === true);
  const macros = calls.find((each) => each.macros !== undefined)?.macros;
  return {
    shapes,
    names,
    nsMode: options.nsMode,
    keySeparator: options.keySeparator ?? ".",
    stores,
    macros,
    macroOptions: options.macros,
    children: hasCalls(options, ({ javascript }) => javascript?.hasTextComponent === true),
    methods: `rich|markup|raw|has${stores ? "|get" : ""}`,
    prefilter: new RegExp(
      [
        `(?:${names})!?\\s*(?:[(<\`]|!?\\?\\.|\\)\\s*(?:\\?\\.\\s*)?\\(|(?:as|satisfies)\\b)`,
        // A renamed translator: `const { t: tr } = props`, `const tr = props.t;`.
        `(?:${names})\\s*:\\s*[\\w$]+\\s*[,}=]|=\\s*[\\w$?!.]{0,100}(?:${names})!?\\s*(?:[;,\\n]|\\.bind\\b|$)`,
        hooks,
        components,
        ...(macros === undefined ? [] : [macroPrefilter(macros)]),
      ].join("|"),
    ),
  };
});

function macroPrefilter(macros: Macros): string {
  const functions = [...macros.tags, ...Object.keys(macros.choices), ...macros.hooks, ...macros.methods];
  const components = [...macros.components, ...Object.keys(macros.choiceComponents)];
  // Also those that are renamed, as in `const { t: tr } = require("…")`.
  return `(?:${nameAlternatives(functions)})\\s*(?:[(\`]|as\\b|:\\s*[\\w$]+\\s*[,}])|\\b(?:${components.join("|")})\\b`;
}

/**
 * Returns an alternation of the names. Those that start with a word character need a `\b` before them; `$` and `@` do
 * not.
 */
export function nameAlternatives(names: readonly string[]): string {
  const words = names.filter((name) => /^\w/.test(name)).map(escapeRegExp);
  const others = names.filter((name) => !/^\w/.test(name)).map(escapeRegExp);
  const alternatives = [...(words.length === 0 ? [] : [`\\b(?:${words.join("|")})`]), ...others];
  // Without names nothing matches.
  return alternatives.join("|") || "(?!)";
}

/** Returns the languages of HTML files that are templates; none if they are not. Of Django and Jinja the last one counts. */
export function htmlTemplatesOf({ frameworks }: FindOptions): readonly TemplateDialect[] {
  const dialects = frameworksOf(frameworks).flatMap(({ calls }) => calls.htmlTemplates?.dialect ?? []);
  const isAngular = (dialect: TemplateDialect): boolean => dialect === "angular-html";
  return [
    ...dialects.filter((dialect) => !isAngular(dialect)).slice(-1),
    ...dialects.filter(isAngular).slice(-1),
  ];
}

/** Returns VS Code's ids of a template language. */
export function templateLanguageIds(dialect: TemplateDialect): readonly string[] {
  return allCalls.flatMap(({ htmlTemplates }) =>
    htmlTemplates?.dialect === dialect ? htmlTemplates.languageIds : [],
  );
}

/** Returns whether one of the project's known frameworks has such calls. */
export function hasCalls({ frameworks }: FindOptions, test: (calls: Calls) => boolean): boolean {
  return frameworksOf(frameworks).some(({ calls }) => test(calls));
}

/**
 * Selects a project's PHP and Python translation functions by name. Those of JavaScript are in
 * translation-functions.ts.
 */
import type { ArgumentNames, Shapes, CallShape } from "./argument-positions.ts";
import { GETTEXT, PYTHON, WORDPRESS_PHP } from "./gettext-functions.ts";
import type { CustomFunction, FindOptions, Framework } from "../usage.ts";

const KEY: ArgumentNames = { key: ["key"] };
const LARAVEL_PHP: Shapes = {
  __: { key: 0, names: KEY },
  trans: { key: 0, names: KEY },
  trans_choice: { key: 0, plural: true, names: KEY },
};

/** Methods of Laravel's translator; the receiver decides whether a call is one of them. */
export const LARAVEL_TRANSLATOR: Shapes = {
  get: { key: 0, names: KEY },
  has: { key: 0, names: KEY },
  hasForLocale: { key: 0, names: KEY },
  getFromJson: { key: 0, names: KEY },
  trans: { key: 0, names: KEY },
  transChoice: { key: 0, plural: true, names: KEY },
  choice: { key: 0, plural: true, names: KEY },
};

/** Blade's translation directives. */
export const BLADE_DIRECTIVES: Shapes = {
  "@lang": { key: 0, names: KEY },
  "@choice": { key: 0, plural: true, names: KEY },
};

/** Whether calls of `__` in PHP may be Laravel's. */
export function mayUseLaravel({ frameworks }: FindOptions): boolean {
  return frameworks.has("laravel") || !OTHER_PHP_FRAMEWORKS.some((framework) => frameworks.has(framework));
}

/** PHP frameworks other than Laravel. */
const OTHER_PHP_FRAMEWORKS: readonly Framework[] = ["wordpress", "gettext", "symfony", "craft"];
const MESSAGE: ArgumentNames = { key: ["id", "message"], namespace: ["domain"] };
/** Symfony's translator methods, on any receiver, and its message function. */
const SYMFONY_PHP: Shapes = {
  trans: { key: 0, namespace: 2, names: MESSAGE, qualifier: "" },
  t: { key: 0, namespace: 2, names: MESSAGE },
  TranslatableMessage: { key: 0, namespace: 2, names: MESSAGE, constructs: true },
};
/** The category is the first argument. */
const CRAFT_PHP: Shapes = { t: { key: 1, namespace: 0, qualifier: "Craft::" } };

/**
 * Returns the PHP functions of a project. Its frameworks decide whether `__` is Laravel's, WordPress's or gettext's.
 */
export function phpShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  const { frameworks } = options;
  return mergeShapes(options.functions, [
    frameworks.has("gettext") ? GETTEXT : {},
    frameworks.has("craft") ? CRAFT_PHP : {},
    frameworks.has("symfony") ? SYMFONY_PHP : {},
    mayUseLaravel(options) ? LARAVEL_PHP : {},
    // WordPress defines its functions before a Laravel package bundled with a plugin can.
    frameworks.has("wordpress") ? withDomains(WORDPRESS_PHP, options) : {},
  ]);
}

/** Returns the Python functions of a project; the imports of each file decide which names refer to gettext. */
export function pythonShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  return mergeShapes(options.functions, [PYTHON]);
}

/** Restricts the shapes to the project's text domains, if known. */
export function withDomains(shapes: Shapes, { domains }: FindOptions): Shapes {
  if (domains === undefined) return shapes;
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { ...shape, domains }]));
}

/** Merges shape tables, with later ones taking precedence, and adds the custom functions. */
export function mergeShapes(
  functions: readonly CustomFunction[],
  tables: readonly Shapes[],
): ReadonlyMap<string, readonly CallShape[]> {
  const shapes = new Map<string, CallShape[]>();
  for (const table of tables) {
    for (const [name, shape] of Object.entries(table)) shapes.set(name, [shape]);
  }
  for (const own of functions) {
    const name = /[@$\w]+$/.exec(own.name)?.[0];
    if (name === undefined) continue;
    const { key, namespace, context, plural } = own;
    const shape: CallShape = {
      key,
      ...(namespace === undefined ? {} : { namespace }),
      ...(context === undefined ? {} : { context }),
      ...(plural === undefined ? {} : { plural }),
      qualifier: own.name.slice(0, -name.length),
    };
    // Custom functions come first: they may be more specific than a known function of that name.
    shapes.set(name, [shape, ...(shapes.get(name) ?? [])]);
  }
  return shapes;
}

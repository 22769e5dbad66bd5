/**
 * What a function that takes a key looks like: where its key, namespace, context and count stand; and the tables of
 * PHP and Python. Those of JavaScript are in translation-functions.ts. Finding the calls is not done here.
 */
import type { ArgumentNames, Shapes, CallShape } from "./call-shape.ts";
import { GETTEXT, PYTHON, WORDPRESS_PHP } from "./gettext-functions.ts";
import type { CustomFunction, FindOptions, Framework } from "../usage.ts";

const KEY: ArgumentNames = { key: ["key"] };
const LARAVEL_PHP: Shapes = {
  __: { key: 0, names: KEY },
  trans: { key: 0, names: KEY },
  trans_choice: { key: 0, plural: true, names: KEY },
};

/** Methods of Laravel's translator; a receiver decides whether a call is one. */
export const LARAVEL_TRANSLATOR: Shapes = {
  get: { key: 0, names: KEY },
  has: { key: 0, names: KEY },
  hasForLocale: { key: 0, names: KEY },
  getFromJson: { key: 0, names: KEY },
  trans: { key: 0, names: KEY },
  transChoice: { key: 0, plural: true, names: KEY },
  choice: { key: 0, plural: true, names: KEY },
};

/** Blade's directives. */
export const BLADE_DIRECTIVES: Shapes = {
  "@lang": { key: 0, names: KEY },
  "@choice": { key: 0, plural: true, names: KEY },
};

/** Whether calls of `__` in PHP may be Laravel's. */
export function holdsLaravel({ frameworks }: FindOptions): boolean {
  return frameworks.has("laravel") || !OTHERS.some((framework) => frameworks.has(framework));
}

/** Frameworks of PHP beside Laravel. */
const OTHERS: readonly Framework[] = ["wordpress", "gettext", "symfony", "craft"];
const MESSAGE: ArgumentNames = { key: ["id", "message"], namespace: ["domain"] };
/** Symfony's translator, on whatever object it is reached, and its function for messages. */
const SYMFONY_PHP: Shapes = {
  trans: { key: 0, namespace: 2, names: MESSAGE, qualifier: "" },
  t: { key: 0, namespace: 2, names: MESSAGE },
  TranslatableMessage: { key: 0, namespace: 2, names: MESSAGE, constructs: true },
};
/** The category comes first. */
const CRAFT_PHP: Shapes = { t: { key: 1, namespace: 0, qualifier: "Craft::" } };

/** The functions that hold in PHP: `__` is Laravel's, WordPress's or gettext's by the project alone. */
export function phpShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  const { frameworks } = options;
  return collect(options.functions, [
    frameworks.has("gettext") ? GETTEXT : {},
    frameworks.has("craft") ? CRAFT_PHP : {},
    frameworks.has("symfony") ? SYMFONY_PHP : {},
    holdsLaravel(options) ? LARAVEL_PHP : {},
    // WordPress defines its functions before any package of Laravel that a plugin brings along can.
    frameworks.has("wordpress") ? withDomains(WORDPRESS_PHP, options) : {},
  ]);
}

/** Python has one family only; the file's imports say whose names these are. */
export function pythonShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  return collect(options.functions, [PYTHON]);
}

/** The shapes as they hold for the text domains of the project, where these are known. */
export function withDomains(shapes: Shapes, { domains }: FindOptions): Shapes {
  if (domains === undefined) return shapes;
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { ...shape, domains }]));
}

/** A later table wins over an earlier one; the user's own functions stand beside them. */
export function collect(
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
    // The user's word comes first: a more special function may have the name of a known one.
    shapes.set(name, [shape, ...(shapes.get(name) ?? [])]);
  }
  return shapes;
}

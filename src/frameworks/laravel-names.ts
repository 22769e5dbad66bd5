/** Names that Laravel derives from PHP code: of routes, columns and models. Apps build keys from them. */

const RESOURCE_ROUTES = ["index", "create", "store", "show", "edit", "update", "destroy"];
/** `Route::resource("photos", …)`, also of an API. */
const RESOURCE = /(?:::|->)(?:api)?resource\(\s*["']([\w./-]{1,60})["']/gi;
/** `$table->timestamps()` and other methods that name their columns themselves. */
const COLUMNS =
  /->(timestamps|softDeletes|rememberToken|(?:nullable)?(?:uuid|ulid)?morphs)(?:Tz)?\(\s*(?:["'](\w{1,60})["'])?/gi;
const COLUMN_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["timestamps", ["created_at", "updated_at"]],
  ["softdeletes", ["deleted_at"]],
  ["remembertoken", ["remember_token"]],
]);
const CLASS = /\b(?:class|enum)[ \t]+([A-Z]\w{0,59})/g;

/** Yields the names that the code of a file gives to routes, columns and models. */
export function* laravelNames(text: string): Generator<string> {
  for (const [, name = ""] of text.matchAll(RESOURCE)) {
    // Early versions put folders before the name.
    for (const route of [name.slice(name.lastIndexOf("/") + 1), name.replaceAll("/", ".")])
      for (const action of RESOURCE_ROUTES) yield `${route}.${action}`;
  }
  for (const [, method = "", name] of text.matchAll(COLUMNS)) {
    yield* COLUMN_NAMES.get(method.toLowerCase()) ?? [];
    if (name !== undefined) yield* [name, `${name}_id`, `${name}_type`];
  }
  for (const [, name = ""] of text.matchAll(CLASS)) {
    const snake = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
    yield* [snake, `${snake}s`, snake.replaceAll("_", "-"), name.toLowerCase()];
  }
}

/** Where the arguments of a translation function are: key, namespace, context, plural. */

/** Where a call holds what. Numbers are argument positions, 0 first. */
export interface CallShape {
  readonly key: number;
  /** The key is a property of the object at `key` (`formatMessage({ id })`); with `options` it may also be plain. */
  readonly keyProperty?: string;
  /** The argument holds objects that say their keys by that property (`defineMessages({ a: { id } })`). */
  readonly messages?: true;
  readonly namespace?: number;
  readonly context?: number;
  /** Always a plural, or only when this argument is there. */
  readonly plural?: true | number;
  /** What follows the key may be a default text, an object of options, a count, as i18next and vue-i18n do. */
  readonly options?: true;
  /** What the arguments are called where they can be given by name (PHP, Python). */
  readonly names?: ArgumentNames;
  /** The function belongs to an object, whose last name must be one of these. */
  readonly receivers?: readonly string[];
  /** The namespace is a text domain, and these are the project's: calls for another one are none of its uses. */
  readonly domains?: ReadonlySet<string>;
  /** Names written before it, as the user configured it (`globalize.`, `Foo::`). */
  readonly qualifier?: string;
  /** It is a class, and `new` makes the call (PHP). */
  readonly constructs?: true;
  /** Its keys are the same whatever it is called on: nothing binds them to a namespace or prefix. */
  readonly unbound?: true;
}

export type Shapes = Readonly<Record<string, CallShape>>;

/** The names that the argument of a role may have. */
export type ArgumentNames = Readonly<Partial<Record<"key" | "context" | "namespace", readonly string[]>>>;

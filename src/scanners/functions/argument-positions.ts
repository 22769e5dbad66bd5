/** Argument positions of a translation function: key, namespace, context, plural. */

/** Argument positions of a function, counted from 0. */
export interface CallShape {
  readonly key: number;
  /**
   * The key is a property of the object at `key` (`formatMessage({ id })`); with `options` it may also be a plain
   * string.
   */
  readonly keyProperty?: string;
  /** The argument contains objects with their keys in that property (`defineMessages({ a: { id } })`). */
  readonly messages?: true;
  readonly namespace?: number;
  readonly context?: number;
  /** Always plural, or only if this argument is present. */
  readonly plural?: true | number;
  /** The argument after the key may be a default text, an options object or a count, as in i18next and vue-i18n. */
  readonly options?: true;
  /** Argument names, in languages with named arguments (PHP, Python). */
  readonly names?: ArgumentNames;
  /** The function is a method of an object with one of these names. */
  readonly receivers?: readonly string[];
  /** The namespace is a text domain, and these are the project's domains: calls for other domains are ignored. */
  readonly domains?: ReadonlySet<string>;
  /** Qualifier before the function name, as configured by the user (`globalize.`, `Foo::`). */
  readonly qualifier?: string;
  /** A class that is instantiated with `new` (PHP). */
  readonly constructs?: true;
  /** The receiver does not bind its keys to a namespace or prefix. */
  readonly unbound?: true;
}

export type Shapes = Readonly<Record<string, CallShape>>;

/** Possible argument names by role. */
export type ArgumentNames = Readonly<Partial<Record<"key" | "context" | "namespace", readonly string[]>>>;

/** The one entry point to `setContext`: every context key of the manifest's `when` clauses, with its type. */
import { commands, EventEmitter } from "vscode";

/** Named `projectTranslations.<name>` in `when` clauses. */
export interface ContextKeys {
  /**
   * What the window is to its user: nothing to work on, not trusted, signed out, refused, or at work. `several`: more
   * than one project, each with a row of its own.
   */
  readonly state:
    | "unknown"
    | "no-project"
    | "untrusted"
    | "signed-out"
    | "rejected"
    | "archived"
    | "signed-in"
    | "several";
  /** A project shows its local files, since nobody is signed in. */
  readonly local: boolean;
  /** Somebody may write: a token with the scope `write` is in use. */
  readonly canWrite: boolean;
  /** The project has no key yet. */
  readonly empty: boolean;
  /** The service could not be reached and nothing is cached. */
  readonly unreachable: boolean;
  /** There is a usage report to look at. */
  readonly usageReport: boolean;
  /** A local service of this window runs. */
  readonly serviceRunning: boolean;
  /** This window listens for webhooks of some project. */
  readonly listening: boolean;
  /** Language ids and file endings of the code that is searched for keys; `when` clauses ask with `in`. */
  readonly codeNames: readonly string[];
}

const known = new Map<keyof ContextKeys, unknown>();
const changed = new EventEmitter<keyof ContextKeys>();

/** A context key has another value. */
export const onDidChangeContextKey = changed.event;

/** The value of a context key; `undefined` before it was set. */
export function contextKey<Name extends keyof ContextKeys>(name: Name): ContextKeys[Name] | undefined {
  return known.get(name) as ContextKeys[Name] | undefined;
}

/** Sets a context key; setting what it is already costs nothing. */
export function setContextKey<Name extends keyof ContextKeys>(name: Name, value: ContextKeys[Name]): void {
  if (known.get(name) === value) return;
  known.set(name, value);
  changed.fire(name);
  void commands.executeCommand("setContext", `projectTranslations.${name}`, value);
}

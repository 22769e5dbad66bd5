/** The only module that calls `setContext`: every context key of the manifest's `when` clauses, typed. */
import { commands, EventEmitter } from "vscode";

/** Named `projectTranslations.<name>` in `when` clauses. */
export interface ContextKeys {
  /** The state of the window's only project, or `several` if the window has more than one project that is not signed out. */
  readonly state:
    | "unknown"
    | "no-project"
    | "untrusted"
    | "signed-out"
    | "refused"
    | "archived"
    | "signed-in"
    | "several";
  /** Nobody is signed in to some project, so it shows its local files. */
  readonly local: boolean;
  /** Some project is signed in with a token that has the scope `write`. */
  readonly canWrite: boolean;
  /** The project has no keys. */
  readonly empty: boolean;
  /** The service could not be reached and nothing is cached. */
  readonly unreachable: boolean;
  /** A usage report is available. */
  readonly usageReport: boolean;
  /** A local service started by this window is running. */
  readonly serviceRunning: boolean;
  /** This window listens for webhook deliveries. */
  readonly listening: boolean;
  /** Language ids and file extensions of the source files that are searched for keys; tested with `in`. */
  readonly codeNames: readonly string[];
}

const known = new Map<keyof ContextKeys, unknown>();
const changed = new EventEmitter<keyof ContextKeys>();

/** Fires when the value of a context key changed. */
export const onDidChangeContextKey = changed.event;

/** Returns the value of a context key; `undefined` before it was set. */
export function contextKey<Name extends keyof ContextKeys>(name: Name): ContextKeys[Name] | undefined {
  return known.get(name) as ContextKeys[Name] | undefined;
}

/** Sets a context key; a no-op if it already has the value. */
export function setContextKey<Name extends keyof ContextKeys>(name: Name, value: ContextKeys[Name]): void {
  if (known.get(name) === value) return;
  known.set(name, value);
  changed.fire(name);
  void commands.executeCommand("setContext", `projectTranslations.${name}`, value);
}

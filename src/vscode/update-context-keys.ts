/** Keeps the context keys in sync with the state of the window's projects. */
import { workspace, type Disposable } from "vscode";
import type { Store } from "../database/store.ts";
import type { OpenProject } from "./projects/open-project.ts";
import type { Projects } from "./projects/project-registry.ts";
import { CODE_NAMES } from "./usages/document-usages.ts";
import { setContextKey, type ContextKeys } from "./context-keys.ts";

/** Sets the context keys now and after every change of a project. */
export function syncContextKeys(projects: Projects, store: Store<object>): Disposable {
  const set = (): void => {
    setContextKey("state", stateOf(projects.all));
    const sources = projects.all.map(({ source }) => source);
    setContextKey(
      "canWrite",
      sources.some(({ refusal }) => refusal === null),
    );
    setContextKey(
      "local",
      sources.some(({ hasService, isKnown }) => isKnown && !hasService),
    );
    const onlyProject = projects.all.length === 1 ? projects.all[0] : undefined;
    const { stats, freshness } = onlyProject ?? { stats: null, freshness: null };
    setContextKey("empty", stats !== null && stats.languages.every((language) => language.totalKeys === 0));
    setContextKey("unreachable", stats === null && freshness?.kind === "offline");
  };
  setContextKey("codeNames", CODE_NAMES);
  projects.whenReady(set);
  return store.subscribe(["projects", "session", "stats"], set);
}

function stateOf(all: readonly OpenProject[]): ContextKeys["state"] {
  if (!workspace.isTrusted) return "untrusted";
  if (all.length === 0) return workspace.workspaceFolders === undefined ? "no-project" : "signed-out";
  if (all.length > 1 && all.some(({ session }) => session.kind !== "signed-out")) return "several";
  const session = all[0]?.session;
  return session?.kind === "refused" && session.reason === "archived"
    ? "archived"
    : (session?.kind ?? "unknown");
}

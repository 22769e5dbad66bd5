/** A project whose state is stored in its database, and still being loaded. */
import type { Language } from "../../../src/api/response-schemas.ts";
import type { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { Project } from "../../../src/database/project-state.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import type { ToolProject } from "../../../src/agent-tools/tool.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { createKeyDatabase } from "./key-database.ts";
import { COMPLETE_CURSOR } from "./complete-cursor.ts";

/** The only key of the project. */
export const TITLE = { namespace: "cart", key: "title", context: null };

/**
 * Opens a project in English and Dutch, whose keys are complete in the database, and whose languages are known when its
 * refresher is there.
 */
export function openStoredProject(personal?: PersonalData): OpenProject {
  const database = createKeyDatabase([{ ...TITLE, hash: keyHash(TITLE), text: { value: "Your cart" } }]);
  const project = new Project("id", "shop", database, personal);
  project.syncMetadata.setCursor(COMPLETE_CURSOR);
  const languages = ["en", "nl"].map((locale) => ({ locale, isSource: locale === "en" }) as Language);
  const refresher = Promise.resolve().then(() => {
    project.setStats({ contentVersion: 1, languages }, { kind: "never" });
    return { ensureLocale: async () => {} };
  });
  return Object.assign(project, {
    refresher,
    connection: project,
    hasEnded: false,
  }) as unknown as OpenProject;
}

/** The same project, as tools for agents get it in a window. */
export function openStoredToolProject(personal?: PersonalData): ToolProject & { hasEnded: boolean } {
  const project = openStoredProject(personal);
  const { refresher } = project;
  const lookup = { frameworks: new Set<never>() };
  const window = { push: () => Promise.reject(new Error("nothing is pushed")) };
  return { project, refresher, lookup, window, hasEnded: false } as unknown as ToolProject & {
    hasEnded: boolean;
  };
}

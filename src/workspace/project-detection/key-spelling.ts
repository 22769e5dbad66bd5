/** How the code of a project names its keys, which is how they are shown. */
import type { Project } from "../../database/project-state.ts";
import { frameworksOf } from "../../frameworks/supported-frameworks.ts";
import {
  isGettextOnly,
  type KeyResolutionOptions,
  unwrittenNamespaces,
} from "../usages/resolve-usage-to-key.ts";

/** Sets how the project's keys are shown: as its code names them. */
export function spellKeys(
  project: Pick<Project, "namespaceSeparator" | "unwrittenNamespaces">,
  lookup: KeyResolutionOptions,
): void {
  project.namespaceSeparator = separatorOf(lookup);
  project.unwrittenNamespaces = unwrittenNamespaces(lookup);
}

/** Returns the separator between namespace and key in code, or a display separator if code never combines them. */
function separatorOf(options: KeyResolutionOptions): string {
  if (isGettextOnly(options)) return " › ";
  const usual = frameworksOf(options.frameworks).find(({ keys }) => keys.separator !== undefined)?.keys
    .separator;
  if (usual === undefined) return ".";
  const { namespaceSeparator = usual } = options;
  return namespaceSeparator === false ? " › " : namespaceSeparator;
}

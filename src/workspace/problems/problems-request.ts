/** What is looked for in the files of a project, by what is known of it and its settings. */
import type { Project } from "../../database/project-state.ts";
import type { LocalEntries } from "../local-files/local-entries.ts";
import type { ProjectFile } from "../project-file/project-file.ts";
import { isEveryKeyKnown } from "../usages/key-completeness.ts";
import { isGettextOnly, type KeyResolutionOptions } from "../usages/resolve-usage-to-key.ts";
import type { ProblemsRequest } from "./project-problems.ts";

export interface ProblemsRequestOptions {
  readonly project: Project;
  readonly local: Pick<LocalEntries, "sourceLocale" | "namespaces" | "unreadNamespaces" | "loaded">;
  readonly file: ProjectFile;
  readonly lookup: KeyResolutionOptions;
  /** Whether all source files have been scanned. */
  readonly areUsagesComplete: boolean;
  /** By setting; what is `off` is not looked for. */
  readonly severities: Readonly<
    Record<"diagnostics.unknownKey" | "diagnostics.missingTranslation" | "diagnostics.qaIssues", string>
  >;
  readonly limit: number;
}

export function problemsRequestOf(options: ProblemsRequestOptions): ProblemsRequest {
  const { project, local, file, lookup, areUsagesComplete, severities, limit } = options;
  const areKeysKnown = (areKeysTexts: boolean): boolean =>
    isEveryKeyKnown({ project, local: local.loaded, areKeysTexts, areUsagesComplete });
  const isUnknownOn = severities["diagnostics.unknownKey"] !== "off";
  const areIssuesOn = severities["diagnostics.qaIssues"] !== "off";
  const sourceLocale = project.sourceLocale ?? local.sourceLocale;
  const targets = project.loadedLocales().filter((locale) => locale !== sourceLocale);
  const complete = project.completeLocales();
  return {
    lookup,
    unknown: {
      keys: isUnknownOn && areKeysKnown(isGettextOnly(lookup)),
      messages: isUnknownOn && areKeysKnown(true),
    },
    missing:
      severities["diagnostics.missingTranslation"] === "off"
        ? []
        : targets.filter((locale) => complete.has(locale)),
    issues: areIssuesOn ? targets : [],
    files: areIssuesOn,
    sourceLocale,
    localNamespaces: local.namespaces,
    unreadNamespaces: local.unreadNamespaces,
    layout: file.files ?? [],
    ignore: file.diagnostics?.ignore ?? [],
    limit,
  };
}

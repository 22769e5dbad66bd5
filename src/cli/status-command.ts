/** `status`: the languages of projects and their progress, of the files or of the service. */
import type { Language } from "../api/response-schemas.ts";
import type { Project } from "../database/project-state.ts";
import { languageCounts } from "../messages/language-counts.ts";
import { languageLabel, projectDisplayName } from "../messages/labels.ts";
import { oneLine } from "../messages/escape-text.ts";
import { issueCounts } from "../sync/qa-issues.ts";
import { l10n } from "../util/l10n.ts";
import { projectPlaceholderFamilies } from "../workspace/problems/project-placeholder-families.ts";
import { openFolder } from "../projects/open-folder.ts";
import { EXIT, existingFolders, print } from "./arguments.ts";
import { programCommand } from "./command.ts";
import { accessTo, hasToken } from "./service-access.ts";
import { createProgress } from "./progress.ts";

const SOURCES = ["files", "service"] as const;

/** The languages of a project. */
interface ProjectStatus {
  /** The folder of the project. */
  readonly folder: string;
  readonly project: string;
  readonly of: (typeof SOURCES)[number];
  readonly languages: readonly Language[];
}

export const status = programCommand({
  operands: "[FOLDER…]",
  options: { of: { type: "string", choices: SOURCES }, json: { type: "boolean" } },
  run: async ({ operands, values }, signal) => {
    const of = values.of ?? (hasToken() ? "service" : "files");
    const found: ProjectStatus[] = [];
    const lines: string[] = [];
    const add = (folder: string, project: Project): void => {
      const languages = (project.stats?.languages ?? []).map((each) => ({
        ...each,
        qaErrors: issueCounts(project, each).errors,
      }));
      const name = projectDisplayName(project);
      found.push({ folder, project: name, of, languages });
      const from = of === "service" ? l10n.t("From the service.") : l10n.t("From the local files.");
      lines.push(
        oneLine(`${name} · ${from}`),
        ...languages.map((each) => `  ${languageLine(project, each)}`),
      );
    };
    const progress = createProgress();
    for (const folder of existingFolders(operands)) {
      const opened = await openFolder(folder, {
        signal,
        reads: of === "service" ? "nothing" : "texts",
        connect: of === "service" ? { accessTo, progress } : undefined,
      });
      try {
        progress.clear();
        for (const { root, project, indexing, lookup, file } of opened.projects) {
          // Of the service, its own issues are counted.
          if (of === "files")
            await indexing.problems.check(projectPlaceholderFamilies(lookup, file.files ?? []), signal);
          add(root, project);
        }
      } finally {
        await opened.close();
      }
    }
    if (values.json) print(JSON.stringify({ projects: found }, null, 2));
    else print(lines.join("\n"));
    return EXIT.nothing;
  },
});

function languageLine(project: Project, language: Language): string {
  const counts = languageCounts(language, {
    issues: issueCounts(project, language),
    localOnly: 0,
    now: Date.now(),
  });
  return oneLine([languageLabel(language), ...counts].join(" · "));
}

/** `unused`: which keys the code uses, in four groups. */
import { parseArgs } from "node:util";
import type { KeyName } from "../model/key-hash.ts";
import { formatCount, formatNumber } from "../messages/counts-and-times.ts";
import { oneLine } from "../messages/escape-text.ts";
import { projectKeyLabel } from "../messages/labels.ts";
import { type UsageGroups, usageGroups } from "../operations/usage-groups.ts";
import { l10n } from "../util/l10n.ts";
import { COMMON_OPTIONS, COMMON_USAGE, EXIT, existingFolders, oneOf, print } from "./arguments.ts";
import { type OpenedProject, openFolder } from "./open-folder.ts";
import type { UsageReport } from "../workspace/usages/find-unused-keys.ts";
import {
  type IndexedProject,
  mentioningScope,
  reportProjectUsage,
} from "../workspace/usages/report-project-usage.ts";

const FAIL_ON = ["unused", "never"] as const;

export const UNUSED_USAGE = `unused [FOLDER…] [--json] [--fail-on ${FAIL_ON.join("|")}] [--cache FOLDER] ${COMMON_USAGE}`;

/** Returns the exit code. */
export async function unused(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...COMMON_OPTIONS,
      json: { type: "boolean", default: false },
      "fail-on": { type: "string", default: "unused" },
      cache: { type: "string" },
    },
  });
  const failOn = oneOf("--fail-on", values["fail-on"], FAIL_ON);
  const found: object[] = [];
  let isAnyUnused = false;
  for (const folder of existingFolders(positionals)) {
    const opened = await openFolder(folder, { cache: values.cache, signal });
    try {
      for (const open of opened.projects) {
        const groups = usageGroups(await usageReport(open, opened.projects, signal));
        isAnyUnused ||= groups.unused.length > 0;
        found.push({ folder: open.root, ...groups });
        if (!values.json) print(groupLines(open, groups).join("\n"));
      }
    } finally {
      await opened.close();
    }
  }
  if (values.json) print(JSON.stringify({ projects: found }, null, 2));
  return isAnyUnused && failOn === "unused" ? EXIT.findings : EXIT.nothing;
}

function groupLines(
  { project }: OpenedProject,
  { used, unused: never, probablyUnused, undeterminable }: UsageGroups,
): readonly string[] {
  const list = (
    heading: string,
    keys: readonly (KeyName & { readonly pattern?: string })[],
  ): readonly string[] =>
    keys.length === 0
      ? []
      : [
          `${heading}:`,
          ...keys.map((key) => {
            const reason = key.pattern === undefined || key.pattern === "" ? "" : ` (${key.pattern})`;
            return `  ${projectKeyLabel(project, key)}${oneLine(reason)}`;
          }),
        ];
  return [
    `${oneLine(project.label)}: ${l10n.t(
      "{0} used, {1} unused, {2} probably unused, {3} that may be used.",
      formatCount.keys(used),
      formatNumber(never.length),
      formatNumber(probablyUnused.length),
      formatNumber(undeterminable.length),
    )}`,
    ...list(l10n.t("Unused"), never),
    ...list(l10n.t("Probably unused"), probablyUnused),
    ...list(l10n.t("May be used"), undeterminable),
  ];
}

/**
 * Returns the usage report of a project.
 * @param all the projects of the folder, whose code may use the keys too
 * @throws the signal's reason when aborted
 */
export function usageReport(
  open: OpenedProject,
  all: readonly OpenedProject[],
  signal?: AbortSignal,
): Promise<UsageReport> {
  const others = all.filter((each) => each !== open).map((each) => indexedProject(each, signal));
  const { project, file, local, indexing, lookup } = open;
  return reportProjectUsage(
    {
      ...indexedProject(open, signal),
      keys: project.keys,
      keep: file.usage?.keep ?? [],
      texts: (markers) => local.entriesContaining(markers),
      findEvidence: () => indexing.usages.findEvidence(lookup, file.usage?.calls ?? [], new Map(), signal),
    },
    others,
    signal,
  );
}

function indexedProject(
  { root, usages, keyNames, lookup, local, indexing, options }: OpenedProject,
  signal: AbortSignal | undefined,
): IndexedProject {
  return {
    root,
    usages,
    names: keyNames,
    lookup,
    findOccurrences: async (names) => {
      const translationFiles = [...(await local.paths(signal))];
      const scope = mentioningScope(options);
      return indexing.usages.findOccurrences(
        names,
        scope,
        translationFiles,
        lookup.frameworks,
        new Map(),
        signal,
      );
    },
  };
}

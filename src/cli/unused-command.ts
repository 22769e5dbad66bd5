/** `unused`: which keys the code uses, in four groups. */
import type { KeyName } from "../model/key-hash.ts";
import { formatCount, formatNumber } from "../messages/counts-and-times.ts";
import { oneLine } from "../messages/escape-text.ts";
import { projectKeyLabel } from "../messages/labels.ts";
import { type UsageGroups, usageGroups } from "../operations/usage-groups.ts";
import { l10n } from "../util/l10n.ts";
import { EXIT, existingFolders, print } from "./arguments.ts";
import { programCommand } from "./command.ts";
import { type OpenedProject, openFolder } from "../projects/open-folder.ts";
import { usageReport } from "../projects/usage-report.ts";

export const unused = programCommand({
  operands: "[FOLDER…]",
  options: {
    json: { type: "boolean" },
    "fail-on": { type: "string", choices: ["unused", "never"], default: "unused" },
    cache: { type: "string", value: "FOLDER" },
  },
  run: async ({ operands, values }, signal) => {
    const found: object[] = [];
    let isAnyUnused = false;
    for (const folder of existingFolders(operands)) {
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
    return isAnyUnused && values["fail-on"] === "unused" ? EXIT.findings : EXIT.nothing;
  },
});

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

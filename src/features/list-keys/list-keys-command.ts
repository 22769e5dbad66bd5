/** List Keys: the keys of a project as plain data, for tasks and other extensions. */
import { allKeys } from "../../api/pagination.ts";
import type { Key } from "../../api/response-schemas.ts";
import type { App, Command } from "../../vscode/app.ts";
import type { CommonOptions } from "../../vscode/commands/command-types.ts";
import { plainKey } from "../../vscode/commands/key-result.ts";
import { ensureRefreshed } from "../../vscode/projects/refresh-project.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of `projectTranslations.listKeys`; `tag: "untagged"` selects keys without tags (§ GET /keys). */
interface ListKeysOptions extends CommonOptions {
  readonly namespace?: string;
  readonly tag?: string;
  readonly archived?: boolean;
}

/** Registers `projectTranslations.listKeys`. */
export function registerListKeys(app: App): void {
  app.command("projectTranslations.listKeys", l10n.t("List Keys"), listKeys);
}

const listKeys: Command<ListKeysOptions, { readonly keys: readonly Key[] }> = async (app, options, run) => {
  const open = await app.projects.choose(options);
  const { namespace, tag } = options;
  run.report(l10n.t("Reading keys"));
  if (options.archived === true) {
    // Neither the cache nor local files contain archived keys.
    const client = open.client();
    const query = {
      archived: true,
      ...(namespace === undefined ? {} : { namespace }),
      ...(tag === undefined ? {} : { tag }),
    };
    const keys = await allKeys(client, query, { signal: run.signal, priority: "person" });
    return { outcome: "done", keys: keys.filter((key) => key.archived) };
  }
  await ensureRefreshed(open, run.signal);
  const keys = [...open.project.keys.values()].filter(
    (key) =>
      (namespace === undefined || key.namespace === namespace) &&
      (tag === undefined || (tag === "untagged" ? key.tags.length === 0 : key.tags.includes(tag))),
  );
  return { outcome: "done", keys: keys.map(plainKey) };
};

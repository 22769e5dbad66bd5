/** List Keys: the keys of a project as plain data, for tasks and other extensions. */
import { collectInSlices } from "../../util/event-loop.ts";
import { allKeys } from "../../api/pagination.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { plainKey } from "../../vscode/commands/key-result.ts";
import { ensureRefreshed } from "../../vscode/projects/refresh-project.ts";
import { l10n } from "../../util/l10n.ts";
import * as v from "valibot";
import type { Key } from "../../api/response-schemas.ts";
import { defineCommand, resolvesWith } from "../../commands/define-command.ts";
import { option } from "../../commands/option-schemas.ts";

export const listKeysCommand = defineCommand({
  id: "listKeys",
  title: "List Keys",
  needs: "project",
  description: "The keys in the shape of the service.",
  options: {
    namespace: option(v.string(), "Only keys of this namespace."),
    tag: option(v.string(), "Only keys with this tag; `untagged`: only keys without tags."),
    archived: option(v.boolean(), "The archived keys instead of the active ones."),
  },
  resolvesWith: resolvesWith<{ readonly keys: readonly Key[] }>("`keys`"),
});

/** Registers `projectTranslations.listKeys`. */
export function registerListKeys(app: App): void {
  app.command(listKeysCommand, listKeys);
}

const listKeys: CommandWork<typeof listKeysCommand> = async (_app, options, run) => {
  const { open } = run;
  const { namespace, tag } = options;
  run.report(l10n.t("Reading keys"));
  if (options.archived === true) {
    // Neither the cache nor local files contain archived keys.
    const client = run.connection.client();
    const query = {
      archived: true,
      ...(namespace === undefined ? {} : { namespace }),
      ...(tag === undefined ? {} : { tag }),
    };
    const keys = await allKeys(client, query, { signal: run.signal, priority: "person" });
    return { outcome: "done", keys: keys.filter((key) => key.archived) };
  }
  await ensureRefreshed(open, run.signal);
  const keys = await collectInSlices(
    open.keys.values(),
    (key) =>
      (namespace === undefined || key.namespace === namespace) &&
      (tag === undefined || (tag === "untagged" ? key.tags.length === 0 : key.tags.includes(tag))),
  );
  return { outcome: "done", keys: keys.map(plainKey) };
};

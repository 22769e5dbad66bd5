/** List keys: the keys of the service as plain data, for tasks and other extensions; it shows nothing. */
import { keyPages } from "../../api/pages.ts";
import type { Key } from "../../api/schemas.ts";
import type { App } from "../../host/app.ts";
import { chooseSignedIn } from "../../host/needs.ts";
import type { CommandResult, CommonOptions } from "../../host/outcome.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.listKeys`; `tag: "untagged"` is keys without one. */
export interface ListKeysOptions extends CommonOptions {
  readonly namespace?: string;
  readonly tag?: string;
  readonly archived?: boolean;
}

/** Registers `projectTranslations.listKeys`. */
export function registerListKeys(app: App): void {
  app.command(
    "projectTranslations.listKeys",
    l10n.t("List keys"),
    async (options: ListKeysOptions, run): Promise<CommandResult<{ keys: Key[] }>> => {
      const chosen = await chooseSignedIn(app, options, "read");
      if (chosen === undefined) return { outcome: "cancelled" };
      const { namespace, tag, archived } = options;
      const query = {
        ...(namespace === undefined ? {} : { namespace }),
        ...(tag === undefined ? {} : { tag }),
        ...(archived === undefined ? {} : { archived }),
      };
      const keys: Key[] = [];
      for await (const page of keyPages(chosen.client, query, { signal: run.signal, priority: "person" })) {
        // The service's default of `archived` is not shown; without the option the active ones are meant.
        keys.push(...page.filter((key) => key.archived === (archived ?? false)));
        run.report(l10n.t("{0} keys read", keys.length));
      }
      return { outcome: "done", keys };
    },
  );
}

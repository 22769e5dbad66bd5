/** Set local: writes one entry into its local file, only its own bytes; a new key goes where its neighbours are. */
import * as vscode from "vscode";
import type { App } from "../../host/app.ts";
import { keyOf, textOf, type KeyOptions } from "../../host/key-options.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.setLocal`; `locale` is the service's, default the source. */
export interface SetLocalOptions extends CommonOptions, KeyOptions {
  readonly locale?: string;
  readonly value?: string;
  readonly forms?: Readonly<Record<string, string>>;
}

export interface SetLocalFields {
  /** Relative to the project's root. */
  readonly file: string;
  /** The key was not in a file before. */
  readonly created: boolean;
}

/** Registers `projectTranslations.setLocal`. */
export function registerSetLocal(app: App): void {
  app.command(
    "projectTranslations.setLocal",
    l10n.t("Set local text"),
    async (options: SetLocalOptions, run): Promise<CommandResult<SetLocalFields>> => {
      const open = await app.projects.choose(options);
      if (open === undefined) return { outcome: "cancelled" };
      const name = keyOf(options);
      const { sourceLocale } = await open.local.load(run.signal);
      const locale = options.locale ?? sourceLocale;
      const before = open.local.find(name.hash, locale);
      let text = textOf(options);
      if (text === null && options.confirm !== false) {
        const value = await vscode.window.showInputBox({
          title: name.key,
          prompt: l10n.t("Text in {0}", locale),
          value: before !== undefined && "value" in before.text ? before.text.value : "",
          ignoreFocusOut: true,
        });
        if (value === undefined) return { outcome: "cancelled" };
        text = { value };
      }
      if (text === null)
        throw new CommandError("invalid", l10n.t("No text was given: set “value” or “forms”."));
      const plan = await open.local.planEdit([{ name, locale, text }], run.signal);
      const [refused] = plan.refused;
      if (refused !== undefined)
        throw new CommandError("invalid", refusalWords(name.key, refused), { reason: refused.reason });
      const [write] = plan.writes;
      if (write === undefined) return { outcome: "unchanged", file: before?.path ?? "", created: false };
      const written = await open.files.write(plan.writes);
      if (written.kind === "changed") {
        throw new CommandError(
          "file_changed",
          l10n.t("{0} changed meanwhile, so nothing was written. Try again.", written.paths.join(", ")),
        );
      }
      open.local.invalidate(plan.writes.map((each) => each.path));
      open.project.localChanged();
      return { outcome: "done", file: write.path, created: before === undefined };
    },
  );
}

function refusalWords(
  key: string,
  refused: { readonly path: string | null; readonly reason: string },
): string {
  const file = refused.path ?? "";
  switch (refused.reason) {
    case "no_file":
      return l10n.t(
        "No translation file of this project can hold the key {0}. Look at “files” in project-translations.json.",
        key,
      );
    case "expression":
    case "interpolation":
      return l10n.t("The text of {0} in {1} is an expression, so it can only be changed by hand.", key, file);
    case "encoding":
      return l10n.t("{0} is not UTF-8, so it is only read. Save it as UTF-8, then try again.", file);
    case "syntax":
      return l10n.t(
        "{0} has a mistake in its syntax, so nothing was written. Mend it, then try again.",
        file,
      );
    default:
      return l10n.t(
        "{0} cannot be written in {1} without changing other entries, so nothing was written.",
        key,
        file,
      );
  }
}

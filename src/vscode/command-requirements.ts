/** What every command that talks to the service begins with: the project that is meant, and leave to read or write. */
import type { Client } from "../api/client.ts";
import type { App } from "./app.ts";
import type { OpenProject } from "./projects/project-handle.ts";
import { CommandError, type CommonOptions } from "./command-result.ts";
import { l10n } from "./l10n.ts";

/** A project and its client. */
export interface Chosen {
  readonly open: OpenProject;
  readonly client: Client;
}

/**
 * The project of the options, signed in. `undefined`: the user closed the pick. Throws CommandError `untrusted`,
 * `not_signed_in`, and with `write` also `forbidden` when the token may only read.
 */
export async function chooseSignedIn(
  app: App,
  options: CommonOptions,
  scope: "read" | "write",
): Promise<Chosen | undefined> {
  const open = await app.projects.choose(options);
  if (open === undefined) return undefined;
  await open.ready;
  const client = open.client();
  const { session } = open.project;
  if (scope === "write" && session.kind === "signed-in" && !session.canWrite) {
    throw new CommandError(
      "forbidden",
      l10n.t(
        "The token for {0} is read-only. Sign in with a token that has write access.",
        session.name || session.slug,
      ),
    );
  }
  return { open, client };
}

/** The project's name for people. */
export function nameOf(open: OpenProject): string {
  const { session, label } = open.project;
  return session.kind === "signed-in" ? session.name || session.slug || label : label;
}

/** @throws CommandError `not_found` when the languages of the project are known and this one is not among them. */
export function requireLanguage({ project }: OpenProject, locale: string): void {
  const languages = project.stats?.languages ?? [];
  if (languages.length > 0 && !languages.some((language) => language.locale === locale)) {
    throw new CommandError("not_found", l10n.t("The project has no language {0}.", locale));
  }
}

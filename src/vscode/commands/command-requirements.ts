/** Preconditions shared by commands that call the service: a project, a signed-in session, write access, a language. */
import type { Client } from "../../api/client.ts";
import type { EditDependencies } from "../../sync/edit/send-translations.ts";
import type { App } from "../app.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { CommandError, type CommonOptions } from "./command-types.ts";
import { l10n } from "../l10n.ts";

/** A project with the API client of its signed-in session. */
export interface SignedInProject {
  readonly open: OpenProject;
  readonly client: Client;
}

/**
 * Resolves the project that the options refer to and its client.
 *
 * @throws {CommandError} `untrusted`, `not_signed_in`, `cancelled` if the user dismissed the pick or, for the scope `write`
 *   with a read-only token, `forbidden`.
 */
export async function chooseSignedIn(
  app: App,
  options: CommonOptions,
  scope: "read" | "write",
): Promise<SignedInProject> {
  const open = await app.projects.choose(options);
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

/** Returns the dependencies of writes to the service. */
export async function editDependencies({ open, client }: SignedInProject): Promise<EditDependencies> {
  return { client, project: open.project, refresher: await open.refresher };
}

/** Returns the project's display name. */
export function projectDisplayName(open: OpenProject): string {
  const { session, label } = open.project;
  return session.kind === "signed-in" ? session.name || session.slug || label : label;
}

/** Whether somebody is signed in with a token that has the scope `write`. */
export function canWrite({ project: { session } }: OpenProject): boolean {
  return session.kind === "signed-in" && session.canWrite;
}

/** @throws {CommandError} `not_found` if the project's languages are known and do not include `locale`. */
export function requireLanguage({ project }: OpenProject, locale: string): void {
  const languages = project.stats?.languages ?? [];
  if (languages.length > 0 && !languages.some((language) => language.locale === locale)) {
    throw new CommandError("not_found", l10n.t("The project has no language {0}.", locale));
  }
}

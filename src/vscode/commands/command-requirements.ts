/** Preconditions of commands: a project, a trusted workspace, a signed-in session, write access, a language. */
import { workspace } from "vscode";
import type { Requirement } from "../../commands/define-command.ts";
import type { EditDependencies } from "../../sync/edit/send-translations.ts";
import type { SignedInProject } from "../app.ts";
import type { OpenProject } from "../projects/open-project.ts";
import type { ProjectConnection } from "../projects/project-connection.ts";
import type { Client } from "../../api/client.ts";
import { archivedError, readOnlyError, untrustedError } from "../../messages/error-messages.ts";
import { CommandError } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";

/**
 * Checks what a command needs, before it does anything. Returns its project and client, as far as it needs them.
 *
 * @throws {CommandError} `no_project`, `untrusted`, `not_signed_in`, `cancelled` if the user dismissed the pick or, for
 *   `write-access` with a read-only token, `forbidden`.
 */
export async function requireNeeds(
  needs: Requirement,
  choose: () => Promise<OpenProject>,
): Promise<Partial<SignedInProject>> {
  if (needs === "window") return {};
  const open = await choose();
  await open.ready;
  const { connection } = open;
  if (needs === "project") return { open, connection };
  if (!workspace.isTrusted) throw untrustedError();
  if (needs === "trusted-workspace") return { open, connection };
  return needs === "write-access"
    ? requireWriteAccess(open, connection)
    : { open, connection, client: await requireClient(connection) };
}

/** Returns the client of a connection, of which an archived project is read first: it may have been restored. */
async function requireClient(connection: ProjectConnection): Promise<Client> {
  const isArchived = (): boolean => connection.source.refusal === "archived";
  if (isArchived()) {
    await (await connection.refresher).refresh({ priority: "person" });
    if (isArchived()) throw archivedError();
  }
  return connection.client();
}

/**
 * Returns the project with the client of a connection.
 *
 * @param connection that of the project now, or when a command began
 * @throws {CommandError} `untrusted`, `not_signed_in`, `unauthorized` or, with a read-only token or for an archived project,
 *   `forbidden`.
 */
export async function requireWriteAccess(
  open: OpenProject,
  connection: ProjectConnection = open.connection,
): Promise<SignedInProject> {
  const client = await requireClient(connection);
  if (connection.source.refusal === "read-only") throw readOnlyError(open);
  return { open, connection, client };
}

/** Returns the dependencies of writes to the service. */
export async function editDependencies({
  connection,
  client,
}: Pick<SignedInProject, "connection" | "client">): Promise<EditDependencies> {
  return { client, project: connection, refresher: await connection.refresher };
}

/** @throws {CommandError} `not_found` if the project's languages are known and do not include `locale`. */
export function requireLanguage({ stats }: OpenProject, locale: string): void {
  const languages = stats?.languages ?? [];
  if (languages.length > 0 && !languages.some((language) => language.locale === locale)) {
    throw new CommandError("not_found", l10n.t("The project has no language {0}.", locale));
  }
}

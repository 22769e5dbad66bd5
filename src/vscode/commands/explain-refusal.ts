/** Says why the service refused a request: a token that is not accepted or read-only, or an archived project. */
import { isApiError } from "../../api/errors.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { archivedError, readOnlyError } from "../../messages/error-messages.ts";
import { KeptInputError } from "../../commands/command-types.ts";

/**
 * Returns the error of a command with what a `403` means: "the token lacks the scope of the endpoint, or the project is
 * archived" (§ Authentication 6), which a read tells apart. Other errors are returned as they are; after a `401`, too, the
 * session shows what a read finds.
 */
export async function explainRefusal(open: OpenProject | undefined, error: unknown): Promise<unknown> {
  if (error instanceof KeptInputError)
    return new KeptInputError(await explainRefusal(open, error.cause), error.retry);
  const isForbidden = isApiError(error, "forbidden");
  if (open === undefined || !(isForbidden || isApiError(error, "unauthorized"))) return error;
  if (open.source.isConnected) await (await open.refresher).refresh({ priority: "person" });
  if (!isForbidden) return error;
  if (open.source.refusal === "archived") return archivedError();
  return open.source.isConnected ? readOnlyError(open, { status: 403 }) : error;
}

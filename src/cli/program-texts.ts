/** What this program says otherwise than the editor. */
import type { ProgramTexts } from "../messages/program-texts.ts";
import { l10n } from "../util/l10n.ts";
import { TOKEN_VARIABLE } from "./service-access.ts";

export const PROGRAM_TEXTS: ProgramTexts = {
  unauthorized: () =>
    l10n.t(
      "The service does not accept the token. Set the environment variable {0} to another one.",
      TOKEN_VARIABLE,
    ),
  forbidden: () =>
    l10n.t(
      "This token is not allowed to do that, or the project is archived. Set the environment variable {0} to a token that has write access, or have the project restored.",
      TOKEN_VARIABLE,
    ),
  readOnly: (project) =>
    l10n.t(
      "The token for {0} is read-only. Set the environment variable {1} to one that has write access.",
      project,
      TOKEN_VARIABLE,
    ),
  cancelled: () =>
    l10n.t(
      "Cancelled before the service answered, so it may have been written. See what is left with --dry-run.",
    ),
  sent: (files) =>
    l10n.t(
      "Before you cancelled, {0} had been sent, and the service had not answered yet: it may import it anyway. Check in a minute whether the texts are there before you import again.",
      files,
    ),
};

/** What the view "Languages" shows of a project: message, origin of the numbers, its row among several, the welcome row. */
import type { Freshness } from "../../database/project-state.ts";
import type { Session } from "../../database/session/session.ts";
import type { TextSource } from "../../database/session/text-source.ts";
import { signInCommand, startLocalServiceCommand } from "../../commands/declarations/session-commands.ts";
import { showMenuCommand } from "../../commands/declarations/window-commands.ts";
import { sessionText } from "../../messages/connection-messages.ts";
import { relativeTime } from "../../messages/counts-and-times.ts";
import { toFailure } from "../../messages/error-messages.ts";
import { l10n } from "../../util/l10n.ts";
import type { RowContent } from "../../vscode/ui/tree-view/row-content.ts";

/** The state of a project, as far as the view shows it. */
export interface ProjectViewState {
  /** How the project is called at the service. */
  readonly name: string;
  /** How its folder is called. */
  readonly label: string;
  readonly session: Session;
  readonly source: Pick<TextSource, "hasService" | "isKnown" | "isConnected" | "refusal">;
  readonly freshness: Freshness;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns where the numbers come from. */
export function originText({ name, source }: ProjectViewState): string {
  const { hasService, isKnown, refusal } = source;
  if (!isKnown) return "";
  if (!hasService) return l10n.t("local files");
  return refusal === null ? name : `${name} · ${l10n.t("read-only")}`;
}

/** Returns why no data of the service is shown, or how old it is when the service cannot be reached; else `null`. */
export function viewMessage({ source, freshness, now }: ProjectViewState): string | null {
  if (source.refusal === "untrusted")
    return l10n.t("This folder is not trusted, so nothing is sent to the service.");
  if (!source.isConnected || freshness.kind !== "offline") return null;
  const { message } = toFailure(freshness.error);
  if (freshness.at === null) return message;
  return l10n.t("Not up to date: as of {0}. {1}", relativeTime(freshness.at, now), message);
}

/** Returns the row of a project among several. */
export function projectContent(state: ProjectViewState): RowContent {
  const { label, session, source } = state;
  const { isConnected, isKnown } = source;
  const kind = isConnected ? "project" : "signedOutProject";
  if (!isKnown)
    return {
      label,
      description: sessionText(session),
      icon: { status: "inactive" },
      kind,
      click: signInCommand,
    };
  return {
    label,
    description: (isConnected ? viewMessage(state) : null) ?? originText(state),
    icon: isConnected ? "globe" : "folder",
    kind,
    children: "expanded",
  };
}

/** What a window says to somebody who works without a service. */
export type Welcome = "none" | "sign-in" | "local-service";

/** Decides which welcome row is shown above the languages. */
export function decideWelcome(
  projects: readonly Pick<ProjectViewState, "source">[],
  { isServiceRunning, isClosed }: { readonly isServiceRunning: boolean; readonly isClosed: boolean },
): Welcome {
  const local = projects.filter(({ source }) => source.isKnown && !source.hasService);
  if (local.length === 0 || local.some(({ source }) => source.refusal === "untrusted")) return "none";
  if (isServiceRunning) return "local-service";
  return isClosed ? "none" : "sign-in";
}

/** Returns the row that offers to sign in, or to start a service. */
export function signInContent(): RowContent {
  return {
    label: l10n.t("Connect to a translation service…"),
    description: l10n.t("sign in, or start one here"),
    tooltip: [
      l10n.t(
        "These are the translations of your files. Sign in, or start a local service, to push, pull and edit together.",
      ),
    ],
    icon: "sign-in",
    kind: "welcome",
    click: showMenuCommand,
  };
}

/** Returns the row that offers to sign in to the service of this window. */
export function localServiceContent(): RowContent {
  return {
    label: l10n.t("Sign In to the Local Service"),
    tooltip: [l10n.t("The local service is running on this machine.")],
    icon: "sign-in",
    click: startLocalServiceCommand,
  };
}

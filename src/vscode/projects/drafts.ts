/**
 * What a person typed and what could not be written: kept until it is written or given up, also when the window is
 * reloaded.
 */
import { InputDraftRepository } from "../../database/input-draft-repository.ts";
import type { OpenProject } from "./project-handle.ts";
import { failureOf, nextStep } from "../ui/error-messages.ts";
import { showInformation } from "../notifications.ts";
import { CommandError, type OwnStep } from "../command-result.ts";
import { l10n } from "../l10n.ts";

/** What was typed in one place. `Value` is plain JSON. */
export class Draft<Value> {
  readonly #drafts: InputDraftRepository;
  readonly #name: string;

  /**
   * @param projectId of the service's project that it is for; `null`: it is for a local file.
   * @param place tells this from others of the project: a command, a key's hash, a language.
   */
  constructor(open: OpenProject, projectId: string | null, ...place: readonly string[]) {
    this.#drafts = new InputDraftRepository(open.database, projectId ?? "");
    this.#name = place.join(" ");
  }

  /** `undefined`: nothing is kept. */
  get value(): Value | undefined {
    return this.#drafts.get(this.#name) as Value | undefined;
  }

  keep(value: Value): void {
    this.#drafts.put(this.#name, value);
  }

  /** It was written or given up. */
  discard(): void {
    this.#drafts.remove(this.#name);
  }

  /** Tells that something is still kept, and offers to give it up. `name`: what it is for. Waits for no answer. */
  notifyKept(name: string): void {
    if (this.value === undefined) return;
    const discard = l10n.t("Discard");
    const message = l10n.t("What you typed for {0} is kept: the next edit starts from it.", name);
    void showInformation(message, discard).then((answer) =>
      answer === discard ? this.discard() : undefined,
    );
  }
}

/**
 * The error to throw instead when what was typed is kept. `again` begins the edit once more, with what was typed; its
 * button stands wherever signing in or trust would not be what helps.
 */
export function keptError(error: unknown, again: () => unknown): CommandError {
  const { code, message, ...details } = failureOf(error);
  const needsOther = ["sign-in", "manage-trust"].includes(nextStep(code));
  const step: OwnStep | undefined = needsOther ? undefined : { label: l10n.t("Try Again"), act: again };
  const kept = new CommandError(code, `${message} ${l10n.t("What you typed is kept.")}`, details, step);
  kept.cause = error;
  return kept;
}

/**
 * User input that could not be written. Stored until it is written or discarded; survives a window reload.
 */
import { LOCAL_PROJECT, PersonalData } from "../../database/personal/personal-data.ts";
import { UnsavedInputRepository } from "../../database/personal/unsaved-input-repository.ts";
import { commandAction, offerActions, showInformation } from "../notifications.ts";
import type { CommandDeclaration, CommandRunner, OptionsOf } from "../../commands/define-command.ts";
import { KeptInputError, type NextAction } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";

/** The stored input of one command for one target. `Value` is plain JSON. */
export class UnsavedInput<Value> {
  readonly #repository: UnsavedInputRepository;
  readonly #name: string;

  /**
   * @param project what was connected when the command began
   * @param where the project of the service, or the local files whether somebody is signed in or not
   * @param target identifies the input within the project, such as command, key hash and locale
   */
  constructor(
    { personal }: { readonly personal: PersonalData },
    where: "project" | "files",
    ...target: readonly string[]
  ) {
    const local = new PersonalData(personal.database, LOCAL_PROJECT);
    this.#repository = new UnsavedInputRepository(where === "files" ? local : personal);
    this.#name = target.join(" ");
  }

  /** The stored input; `undefined` if there is none. */
  get value(): Value | undefined {
    return this.#repository.get(this.#name) as Value | undefined;
  }

  save(value: Value): void {
    this.#repository.put(this.#name, value);
  }

  /** Deletes the stored input. */
  discard(): void {
    this.#repository.remove(this.#name);
  }

  /**
   * Writes the input, which stays stored until that has succeeded. After a failure `action`, which starts from the input,
   * is offered.
   */
  async write<Result>(
    value: Value,
    write: () => Promise<Result>,
    retry: { readonly action: NextAction; readonly signal: AbortSignal },
  ): Promise<Result> {
    this.save(value);
    try {
      const result = await write();
      this.discard();
      return result;
    } catch (error) {
      const { aborted, reason } = retry.signal;
      throw aborted && error === reason ? error : new KeptInputError(error, retry.action);
    }
  }

  /** Shows that input for `name` is stored and offers to discard it. Does not wait for the user. */
  notifySaved(name: string): void {
    if (this.value === undefined) return;
    const message = l10n.t("What you typed for {0} is kept: the next edit starts from it.", name);
    offerActions(showInformation, message, { label: l10n.t("Discard"), act: () => this.discard() });
  }
}

/** Returns the action that runs a command which starts from the stored input. */
export function retryAction<Declared extends CommandDeclaration>(
  app: CommandRunner,
  declaration: Declared,
  options: OptionsOf<Declared>,
): NextAction {
  return commandAction(app, l10n.t("Try Again"), declaration, options);
}

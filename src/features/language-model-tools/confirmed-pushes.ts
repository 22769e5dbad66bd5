/** What the user confirmed of the calls of the push tool, of which a model may make several at once. */
import type { ToolInput } from "./tool-inputs.ts";
import { areTextsEqual, type Text } from "../../model/text.ts";

type Item = { readonly hash: string; readonly text: Text };
type Input = Pick<ToolInput<"push_changes">, "keys">;

/** The confirmed changes of one project, by the keys of the call. */
export class ConfirmedPushes {
  readonly #confirmed = new Map<string, readonly Item[]>();

  /** Records the changes that are shown for confirmation. */
  show(input: Input, items: readonly Item[]): void {
    this.#confirmed.set(idOf(input), items);
  }

  /** Returns a test for changes that were shown for this call, once; `undefined` if none were shown for it. */
  take(input: Input): ((item: Item) => boolean) | undefined {
    const shown = this.#confirmed.get(idOf(input));
    if (shown === undefined) return undefined;
    this.#confirmed.delete(idOf(input));
    const texts = new Map(shown.map(({ hash, text }) => [hash, text]));
    return ({ hash, text }) => {
      const seen = texts.get(hash);
      return seen !== undefined && areTextsEqual(text, seen);
    };
  }
}

function idOf({ keys }: Input): string {
  return JSON.stringify(keys ?? null);
}

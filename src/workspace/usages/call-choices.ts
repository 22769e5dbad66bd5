/** What the project file says of calls whose keys the code does not show: `usage.calls`. */
import type { UsageRepository } from "../../database/key-usage-repository.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { ReferenceChoices } from "./find-evidence.ts";

/** A call, or equal calls, and the patterns of the only keys that it may mean; without `keys` it is ignored. */
export interface CallChoice {
  /** Of the file, relative to the project's folder, with `/`; absent: in every file. */
  readonly path?: string | undefined;
  /** The expression of the key, as in the code. */
  readonly key: string;
  readonly only?: readonly string[] | undefined;
}

/** Returns the expression of a key on one line, as choices have it. */
export function expressionText(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return text.slice(start, end).trim().replaceAll(/\s+/gu, " ");
}

/** Returns the choice for a call: that for its file, or else the one for every file; of several, the last. */
export function choiceOf(choices: readonly CallChoice[], path: string, key: string): CallChoice | undefined {
  const equal = choices.filter((choice) => choice.key === key);
  return (
    equal.findLast((choice) => choice.path === path) ?? equal.findLast((choice) => choice.path === undefined)
  );
}

/**
 * Returns what was chosen for each reference all of whose places have a choice.
 * @param textOf returns the text of a file; `undefined` if there is none
 */
export function chosenReferences(
  choices: readonly CallChoice[],
  usages: Pick<UsageRepository, "openReferences" | "usagesOfPattern">,
  textOf: (path: string) => string | undefined,
): ReferenceChoices {
  const chosen = new Map<number, readonly string[]>();
  if (choices.length === 0) return chosen;
  const paths = new Set(choices.map(({ path }) => path));
  const texts = new Map<string, string>();
  for (const reference of usages.openReferences()) {
    const only = new Set<string>();
    const places = usages.usagesOfPattern(reference);
    const areChosen = places.every(({ path, span }) => {
      if (!paths.has(path) && !paths.has(undefined)) return false;
      const expression = expressionText(
        getOrCreate(texts, path, () => textOf(path) ?? ""),
        span,
      );
      const choice = choiceOf(choices, path, expression);
      for (const pattern of choice?.only ?? []) only.add(pattern);
      return choice !== undefined;
    });
    if (areChosen && places.length > 0) chosen.set(reference.id, [...only]);
  }
  return chosen;
}

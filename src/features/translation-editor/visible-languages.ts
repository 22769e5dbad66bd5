/** Which languages are columns of the translation editor. */

export interface VisibleLanguages {
  /** All languages, the source first. */
  readonly known: readonly string[];
  /** The languages that were asked for, in their order. */
  readonly chosen: readonly string[];
  /** Languages of drafts that the project no longer has: they can be discarded in their columns. */
  readonly removed: readonly string[];
}

/** Returns the columns: the source, the chosen languages that there are, and the removed ones. */
export function visibleLanguages({ known, chosen, removed }: VisibleLanguages): readonly string[] {
  const [source, ...others] = known;
  if (source === undefined) return [];
  return [source, ...new Set([...chosen.filter((locale) => others.includes(locale)), ...removed])];
}

/** Columns of languages until the user chooses others. */
const MAX_AT_FIRST = 6;

/** Returns the languages that are shown until the user chooses: those of `preview`, else all, up to six with the source. */
export function languagesAtFirst(
  known: readonly string[],
  preview: readonly string[] | null,
): readonly string[] {
  return preview ?? known.slice(0, MAX_AT_FIRST);
}

/** Returns the newly chosen languages: those that were visible keep their order, the others follow. */
export function inVisibleOrder(visible: readonly string[], chosen: readonly string[]): readonly string[] {
  return [
    ...visible.filter((locale) => chosen.includes(locale)),
    ...chosen.filter((locale) => !visible.includes(locale)),
  ];
}

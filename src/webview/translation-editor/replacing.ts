/** Find and replace: what is searched, which texts would change, and which of them are chosen. */
import { computed, signal } from "@preact/signals-core";
import { matchPattern, type Replacement } from "../../model/translation-text.ts";
import type { Match, Matches } from "./editor-protocol.ts";
import { editor, listed, locales } from "./page-state.ts";

const NO_REPLACEMENT: Replacement = {
  find: "",
  replacement: "",
  matchCase: false,
  wholeWord: false,
  isRegExp: false,
};

export class Replacing {
  readonly #replacement = signal(NO_REPLACEMENT);
  /** The language to search; empty for all that are shown. */
  readonly #locale = signal("");
  /** The texts that the replacement changes; `null` before a preview, or if it has changed since. */
  readonly #matches = signal<Matches | null>(null);
  readonly #excluded = signal<ReadonlySet<Match>>(new Set());
  /** The number of changes and previews: the answer to an earlier preview is of no use. */
  #count = 0;
  readonly #chosen = computed(() =>
    (this.#matches.value?.matches ?? []).filter((match) => !this.#excluded.value.has(match)),
  );

  get replacement(): Replacement {
    return this.#replacement.value;
  }

  get locale(): string {
    return this.#locale.value;
  }

  get matches(): Matches | null {
    return this.#matches.value;
  }

  /** The matches that `replace` changes. */
  get chosen(): readonly Match[] {
    return this.#chosen.value;
  }

  /** Whether something is to be found, and can be. */
  get isValid(): boolean {
    return matchPattern(this.replacement) !== null;
  }

  /** Changes the search; the matches belong to another one. */
  change(changes: Partial<Replacement> & { readonly locale?: string }): void {
    const { locale = this.locale, ...others } = changes;
    this.#count++;
    this.#locale.value = locale;
    this.#replacement.value = { ...this.replacement, ...others };
    this.#matches.value = null;
  }

  /** Finds the texts in the rows of the table as they are now. */
  async preview(): Promise<void> {
    if (!this.isValid) return;
    const count = ++this.#count;
    const searched = locales.value.filter((each) => this.locale === "" || each === this.locale);
    const found = await editor.findMatches(listed.value ?? [], searched, this.replacement);
    if (count !== this.#count) return;
    this.#matches.value = found;
  }

  /** Chooses a match, or leaves it out. */
  toggle(match: Match): void {
    const next = new Set(this.#excluded.value);
    if (!next.delete(match)) next.add(match);
    this.#excluded.value = next;
  }

  /** Replaces the chosen texts. */
  replace(): void {
    const cells = this.chosen.map(({ cell }) => cell);
    if (cells.length > 0) void editor.replace(cells, this.replacement);
  }
}

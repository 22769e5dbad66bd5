/**
 * Whether texts of any kind name a key anywhere, outside of what is known to be its use: in a string, a template, a
 * comment, a document. It only tells that a key cannot be called unused, never that it is used.
 */

/** A word with what keys are made of; what ends a sentence is taken off. */
const WORD = /[\p{L}\p{N}_$][\p{L}\p{N}_$.:/-]*/gu;
const WORD_ONLY = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:/-]*$/u;
const WORD_END = /[.:/-]+$/;
/** What stands in quotes on one line, or between tags. */
const QUOTED = /"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\\n])*)`|>([^<>{}\n]+)</g;
/** One character says nothing: too many words are that. */
const SHORTEST = 2;

/** Looks for names in texts, one text after the other. */
export class Mentions<Id> {
  readonly #words = new Map<string, Id[]>();
  readonly #sentences = new Map<string, Id[]>();
  readonly #found = new Map<Id, string>();

  /** By name, whom it stands for; a name may stand for several. */
  add(name: string, id: Id): void {
    if (name.length < SHORTEST) return;
    const names = WORD_ONLY.test(name) && !WORD_END.test(name) ? this.#words : this.#sentences;
    const ids = names.get(name);
    if (ids === undefined) names.set(name, [id]);
    else ids.push(id);
  }

  /** Notes which names the text of the file at `path` has. Linear in its length. */
  search(path: string, text: string): void {
    if (this.#words.size > 0) {
      for (const [word] of text.matchAll(WORD)) {
        this.#note(this.#words.get(word) ?? this.#words.get(word.replace(WORD_END, "")), path);
      }
    }
    if (this.#sentences.size === 0) return;
    for (const [, double, single, back, between] of text.matchAll(QUOTED)) {
      const said = double ?? single ?? back ?? between?.trim() ?? "";
      this.#note(this.#sentences.get(said), path);
      if (said.includes("\\")) this.#note(this.#sentences.get(said.replaceAll(/\\(.)/gs, "$1")), path);
    }
  }

  /** The first file that names it; `undefined`: none does. */
  pathOf(id: Id): string | undefined {
    return this.#found.get(id);
  }

  #note(ids: readonly Id[] | undefined, path: string): void {
    for (const id of ids ?? []) if (!this.#found.has(id)) this.#found.set(id, path);
  }
}

/** What a person sets in the translation editor: the text of a key in a language. */
import type { Text } from "./translation-text.ts";

/** The key's hash and the language of a text. */
export interface CellId {
  readonly locale: string;
  readonly hash: string;
}

/** A text that a person set. */
export interface TextEdit extends CellId {
  readonly text: Text;
  /** The text that the person saw and changed, empty forms left out; default: the current one. */
  readonly before?: Text;
}

/** Words of a text put in place of others, as they stand: no patterns. */
import { isForms, type Text } from "./text.ts";

export interface Replacement {
  readonly find: string;
  readonly replacement: string;
  readonly matchCase: boolean;
}

/** The text with every place replaced; `null`: nothing changes. */
export function replaceIn(text: Text, asked: Replacement): Text | null {
  const pattern = patternOf(asked);
  if (pattern === null) return null;
  // As a function, since `$` means something in a text.
  const replaced = (value: string): string => value.replaceAll(pattern, () => asked.replacement);
  if (!isForms(text)) {
    const value = replaced(text.value);
    return value === text.value ? null : { value };
  }
  const forms = Object.fromEntries(Object.entries(text.forms).map(([name, form]) => [name, replaced(form)]));
  return Object.entries(text.forms).every(([name, form]) => forms[name] === form) ? null : { forms };
}

function patternOf({ find, matchCase }: Replacement): RegExp | null {
  if (find === "") return null;
  return new RegExp(find.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), matchCase ? "gu" : "giu");
}

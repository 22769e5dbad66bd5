/** Literal search and replace in texts. */
import { isForms, type Text } from "./text.ts";

export interface Replacement {
  readonly find: string;
  readonly replacement: string;
  readonly matchCase: boolean;
}

/** Replaces all matches; `null` when nothing changes. */
export function replaceInText(text: Text, options: Replacement): Text | null {
  if (options.find === "") return null;
  const pattern = searchPattern(options);
  // A function, since `$` is special in a replacement string.
  const replaced = (value: string): string => value.replaceAll(pattern, () => options.replacement);
  if (!isForms(text)) {
    const value = replaced(text.value);
    return value === text.value ? null : { value };
  }
  const forms = Object.fromEntries(Object.entries(text.forms).map(([name, form]) => [name, replaced(form)]));
  return Object.entries(text.forms).every(([name, form]) => forms[name] === form) ? null : { forms };
}

function searchPattern({ find, matchCase }: Replacement): RegExp {
  return new RegExp(find.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), matchCase ? "gu" : "giu");
}

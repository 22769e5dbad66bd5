/**
 * Renaming of keys that are the text of a template block (`{% blocktranslate %}`, `{% trans %}`), with variables in braces.
 * Accepted only if scanning the changed template yields the new name.
 */
import { applySplices } from "../../formats/edit.ts";
import type { Splice } from "../../formats/format.ts";
import { quoteAround } from "../../scanners/lexers/literals.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/usage.ts";

const VALUE = /(%\([^()]*\)s)/;

/** Returns the splice for the block's text; `null` if the usage is not a block or its variables would change. */
export function blockSplice(
  text: string,
  use: KeyUsage,
  name: string,
  language: UsageLanguage,
  options: FindOptions,
): Splice | null {
  const { used, keySpan, callee } = use;
  if (used.kind !== "static" || language.comments !== "template" || !/^(?:block)?trans/.test(callee))
    return null;
  if (quoteAround(text, keySpan) !== null) return null;
  // Changed variables would also require changes of the tag.
  if (valuesOf(name).join("\n") !== valuesOf(used.key).join("\n")) return null;
  const uses = language.find(text, options);
  for (const single of [true, false]) {
    const written = name
      .split(VALUE)
      .map((part, index) =>
        index % 2 === 1 ? `{{ ${part.slice(2, -2)} }}` : single ? part.replaceAll("%%", "%") : part,
      )
      .join("");
    const splice = { start: keySpan.start, end: keySpan.end, text: written };
    const after = language.find(applySplices(text, [splice]), options);
    const is = after.find(({ callSpan }) => callSpan.start === use.callSpan.start)?.used;
    if (after.length === uses.length && is?.kind === "static" && is.key === name) return splice;
  }
  return null;
}

function valuesOf(key: string): readonly string[] {
  return [...new Set(key.split(VALUE).filter((_, index) => index % 2 === 1))].toSorted();
}

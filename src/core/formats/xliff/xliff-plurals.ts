/**
 * Plural forms in XLIFF, whose units have one value (contract.md): the value of a key that is known to be plural is
 * an ICU message, as Angular and Symfony write it. Of any other key it is one text, whatever stands in it.
 */
import { CATEGORIES, isForms, type Text } from "../../text.ts";
import type { Change, ReadOptions } from "../format.ts";
import { formsOfIcu, hasIcuPlural, joinIcu, newIcu, splitIcu } from "../icu-plural.ts";

/** A value as the text of its key. `readOnly`: its plural could not be put together again. */
export function readPlural(
  value: string,
  key: string,
  namespace: string | null,
  options: ReadOptions,
): { readonly text: Text; readonly readOnly: boolean } {
  if (value === "" || options.isPlural?.(key, null, namespace) !== true)
    return { text: { value }, readOnly: false };
  const icu = splitIcu(value);
  if (icu !== null) return { text: { forms: formsOfIcu(icu) }, readOnly: false };
  return { text: { forms: { other: value } }, readOnly: hasIcuPlural(value) };
}

/** The value that says the text; `old` is the one that it replaces, if any. `null`: no value says all its forms. */
export function writePlural(text: Text, old: string): string | null {
  if (!isForms(text)) return text.value;
  const { forms } = text;
  const names: readonly string[] = CATEGORIES;
  const other = forms["other"];
  if (other === undefined || Object.keys(forms).some((name) => !names.includes(name))) return null;
  const icu = splitIcu(old);
  if (icu !== null) return joinIcu(icu, forms);
  if (Object.keys(forms).length === 1 && !hasIcuPlural(other)) return other;
  return newIcu("count", forms);
}

/** The same for a file that has to say something: without a way to say all, the most general form. */
export function saidAtLeast(text: Text): string {
  if (!isForms(text)) return text.value;
  return writePlural(text, "") ?? text.forms["other"] ?? Object.values(text.forms)[0] ?? "";
}

/** The source that a change names; `undefined`: unknown. */
export function sourceOf({ source }: Pick<Change, "source">): string | undefined {
  return source === undefined || source === null ? undefined : saidAtLeast(source);
}

/** The fields of list items that name a key and its text (§ POST /keys/sync, § PUT /translations/{locale}). */
import * as v from "valibot";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { Forms, Text } from "../../model/text.ts";
import { FormsBodySchema, text } from "../http/validate-request.ts";
import { LENGTHS } from "../specification-decisions.ts";

export const ITEM_FIELDS = {
  namespace: v.nullish(text(LENGTHS.namespace)),
  context: v.nullish(text(LENGTHS.context)),
  value: v.nullish(text(LENGTHS.text)),
  forms: v.nullish(FormsBodySchema),
};

interface TextFields {
  readonly value?: string | null | undefined;
  readonly forms?: Forms | null | undefined;
}

/** Returns whether at most one of `value` and `forms` is set. */
export function hasOneText({ value, forms }: TextFields): boolean {
  return value == null || forms == null;
}

/** Returns the text; `null` without one. */
export function itemText({ value, forms }: TextFields): Text | null {
  if (forms != null) return { forms };
  return value == null ? null : { value };
}

/** Returns the name. Forms and PHP programs cannot distinguish an empty namespace or context from a missing one. */
export function itemName(
  key: string,
  {
    namespace,
    context,
  }: { readonly namespace?: string | null | undefined; readonly context?: string | null | undefined },
): KeyName {
  return { namespace: namespace || NO_NAMESPACE, key, context: context || null };
}

/**
 * next-intl, use-intl and next-international: `useTranslations("group")`, and `useExtracted()`, whose calls contain the
 * source message in place of a key.
 */
import { createHash } from "node:crypto";
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import { ICU_SCRIPT } from "./code-styles.ts";
import type { Framework, HookShape, KeyRules } from "./framework.ts";
import { PATHS, withKeyPrefix } from "./key-candidates.ts";

const PREFIX_HOOK: HookShape = { returns: "translator", keyPrefix: 0 };
const EXTRACTED_HOOK: HookShape = { ...PREFIX_HOOK, takesMessages: true };

const ID_LENGTH = 6;

/** Returns the ids of a source message: by the current rule, and by that of versions before 4.9. */
function messageIds(message: string): readonly string[] {
  const digest = createHash("sha512").update(message).digest();
  const ids = (["base64url", "base64"] as const).map((encoding) =>
    digest.toString(encoding).slice(0, ID_LENGTH),
  );
  return [...new Set(ids)];
}

/**
 * A path; in PO files, what is before its last dot is the context. In those whose keys are the messages, the context is
 * the whole path.
 */
const candidates: KeyRules["candidates"] = function* (
  usage,
  key,
  conventions,
  isPartial,
): Generator<KeyName> {
  for (const written of usage.isMessage === true ? messageIds(key) : [key]) {
    yield* PATHS.candidates(usage, written, conventions, isPartial);
    const path = withKeyPrefix(usage.keyPrefix, written, conventions);
    const dot = path.lastIndexOf(".");
    if (!isPartial && dot > 0)
      yield { namespace: NO_NAMESPACE, key: path.slice(dot + 1), context: path.slice(0, dot) };
    if (usage.isMessage === true) yield { namespace: NO_NAMESPACE, key, context: path };
  }
};

export const nextIntl: Framework = {
  evidence: { npm: /^(?:next-intl|use-intl|next-international)$/ },
  calls: {
    translatorTypes: [
      {
        word: "ReturnType",
        pattern: /(?:Awaited\s*<\s*)?ReturnType\s*<\s*typeof\s+(?:useTranslations|getTranslations)\s*</,
        arguments: ["keyPrefix"],
      },
      { word: "ReturnType", pattern: /ReturnType\s*<\s*typeof\s+getI18n\s*>/, arguments: [] },
    ],
    hooks: {
      useTranslations: PREFIX_HOOK,
      getTranslations: PREFIX_HOOK,
      createTranslator: PREFIX_HOOK,
      useExtracted: EXTRACTED_HOOK,
      getExtracted: EXTRACTED_HOOK,
      useScopedI18n: PREFIX_HOOK,
      getScopedI18n: PREFIX_HOOK,
      getI18n: { returns: "either" },
    },
  },
  code: { script: ICU_SCRIPT },
  placeholders: "icu-tags",
  keys: { kind: "path", candidates },
};

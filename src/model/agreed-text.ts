/**
 * The three sides of a text: what the file and the service last agreed on, the file, and the service. A fingerprint of
 * the agreed text is enough to tell which of the others changed since.
 */
import { sha1 } from "./key-hash.ts";
import { isEmptyText, isForms, type Text, withoutEmptyForms, withOrderedForms } from "./translation-text.ts";

/** The agreed text of a key in one language. */
export interface AgreedText {
  readonly locale: string;
  readonly hash: string;
  readonly fingerprint: string;
}

/**
 * Which side changed since both were last equal. `unknown`: they differ, and were not seen to be equal before; or the
 * text is missing in the file and was never there.
 */
export type ChangedSide = "none" | "file" | "service" | "both" | "unknown";

/** Characters of a fingerprint: 64 bits. */
const FINGERPRINT_LENGTH = 16;

/** Returns the same fingerprint for texts that differ only in empty forms, which the service does not store. */
export function textFingerprint(text: Text): string {
  const stored = isForms(text) ? withOrderedForms(withoutEmptyForms(text)) : text;
  return sha1(JSON.stringify(stored)).slice(0, FINGERPRINT_LENGTH);
}

/**
 * Compares the sides of a text that the service has.
 * @param file The text in the file; an empty one counts as missing.
 * @param agreed The fingerprint of the agreed text; `undefined` without one.
 */
export function changedSide(file: Text | undefined, service: Text, agreed: string | undefined): ChangedSide {
  const isMissing = file === undefined || isEmptyText(file);
  const inFile = isMissing ? null : textFingerprint(file);
  const atService = textFingerprint(service);
  if (inFile === atService) return "none";
  if (agreed === undefined) return "unknown";
  if (inFile === agreed) return "service";
  return atService === agreed ? "file" : "both";
}

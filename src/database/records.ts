/** A key, a translation and a rename of a project, as stored in the database. */
import * as v from "valibot";
import type { QaIssue } from "../api/response-schemas.ts";
import { isForms, type Text, withOrderedForms } from "../model/translation-text.ts";
import type { KeyName } from "../model/key-hash.ts";

/** One active key (§ Key). `text` is `null` when the service has no source text. */
export interface ProjectKey extends KeyName {
  readonly hash: string;
  readonly isPlural: boolean;
  readonly text: Text | null;
  readonly sourceHash: string | null;
  readonly description: string | null;
  readonly maxLength: number | null;
  readonly tags: readonly string[];
  readonly updatedAt: string | null;
}

/** One translation row (§ Translation row); `hash` identifies its key. */
export interface ProjectRow {
  readonly hash: string;
  readonly text: Text | null;
  readonly isTranslated: boolean;
  readonly isOutdated: boolean;
  readonly issues: readonly QaIssue[];
  readonly version: number | null;
  readonly updatedAt: string | null;
}

/** The old and the new name of a key that was renamed in the files but not yet at the service. */
export interface PendingRename {
  readonly from: KeyName;
  readonly to: KeyName;
}

/** Returns a text as stored in a column: with ordered forms, so that equal texts are identical. */
export function textToJson(text: Text | null): string | null {
  if (text === null) return null;
  return isForms(text) ? JSON.stringify(withOrderedForms(text)) : `{"value":${JSON.stringify(text.value)}}`;
}

/** Parses a text as stored in a column. */
export function parsedText(json: unknown): Text | null {
  return json === null ? null : (JSON.parse(json as string) as Text);
}

/** Parses a value that is stored as JSON; `null` if it is missing or does not match the schema. */
export function parsedJson<Value>(json: unknown, schema: v.GenericSchema<unknown, Value>): Value | null {
  if (typeof json !== "string") return null;
  const result = v.safeParse(schema, JSON.parse(json));
  return result.success ? result.output : null;
}

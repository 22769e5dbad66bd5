/** What the parts of the other service share: its variants, and how its answers and hashes look. */
import { createHash } from "node:crypto";

/** What differs from service to service. Everything is optional; without it the service is as it is below. */
export interface Variant {
  /** The diff's answer: near words, words that nobody could guess, or numbers without hashes. */
  readonly diff?: "near" | "unreadable" | "counts";
  /** What `updatedSince` may be: any timestamp, one without a fraction, or nothing. */
  readonly updatedSince?: "any" | "seconds" | "refused";
  /** How the service writes its times. */
  readonly times?: "micro" | "seconds" | "null";
  /** `PUT /translations`: how `skipped` is written. */
  readonly skipped?: "objects" | "by-reason" | "by-index" | "nested" | "count";
  readonly exportProfiles?: unknown;
  /** The file of an export is one JSON file, not a zip; its `Content-Disposition`. */
  readonly disposition?: string;
  /** How often an export answers 202 before the file is there. */
  readonly slowExports?: number;
  /** What a job that succeeded, and one that failed, tells. */
  readonly jobResult?: unknown;
  readonly jobError?: { readonly code: string; readonly message: string };
  /** The body is looked at before the token's scope. */
  readonly bodyFirst?: boolean;
  /** Issues of each translated row. */
  readonly issues?: readonly unknown[];
  readonly pageSize?: number;
  /** Names of an item of the bulk write. */
  readonly itemHash?: string;
}

export type Json = Record<string, unknown>;

export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly raw?: Uint8Array;
  readonly headers?: Record<string, string>;
}

export const sha1 = (text: string): string => createHash("sha1").update(text, "utf8").digest("hex");
export const UNIT = "\u001f";

/** As PHP writes it: an object without members is a list. */
export const php = (object: Record<string, unknown>): unknown =>
  Object.keys(object).length === 0 ? [] : object;

export function refuse(status: number): Answer {
  return { status, body: { message: "Nee", requestId: "x" } };
}

export function unprocessable(field: string): Answer {
  return {
    status: 422,
    body: { message: "Ongeldig", errors: { [field]: [`Het veld ${field} klopt niet.`] } },
  };
}

export function sameJson(a: unknown, b: unknown): boolean {
  return sourceHashOf(a as string) === sourceHashOf(b as string);
}

export function sourceHashOf(text: string | Record<string, string> | null): string | null {
  if (text === null || text === "") return null;
  if (typeof text === "string") return sha1(text);
  const sorted = Object.fromEntries(Object.entries(text).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sha1(JSON.stringify(sorted).replaceAll("/", "\\/"));
}

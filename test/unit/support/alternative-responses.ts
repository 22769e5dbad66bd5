/** Variants of the alternative service, and helpers for its responses and hashes. */
import { createHash } from "node:crypto";

/** What a variant of the service does differently. */
export interface Variant {
  /** The members of the diff's response: similar names, unrecognizable names, or counts without hashes. */
  readonly diff?: "near" | "unreadable" | "counts";
  /** Which `updatedSince` is accepted: any timestamp, only one without a fraction, or none. */
  readonly updatedSince?: "any" | "seconds" | "refused";
  /** The format of timestamps. */
  readonly times?: "micro" | "seconds" | "null";
  /** It removes whitespace around the texts that are written. */
  readonly trims?: true;
  /** The shape of `skipped` in the response of `PUT /translations`. */
  readonly skipped?: "objects" | "by-reason" | "by-index" | "nested" | "count" | "absent";
  readonly exportProfiles?: unknown;
  /** The `Content-Disposition` of exports that are a single JSON file instead of a zip. */
  readonly disposition?: string;
  /** The number of 202 responses before an export returns its file. */
  readonly slowExports?: number;
  /** The results of successful and failed jobs. */
  readonly jobResult?: unknown;
  readonly jobError?: { readonly code: string; readonly message: string };
  /** Whether the body is validated before the token's scope. */
  readonly validatesBodyFirst?: boolean;
  /** The QA issues of each translated row. */
  readonly issues?: readonly unknown[];
  readonly pageSize?: number;
  /** The name of the hash in items of the bulk write. */
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

/** Serializes like PHP: an empty object becomes an empty list. */
export const php = (object: Record<string, unknown>): unknown =>
  Object.keys(object).length === 0 ? [] : object;

export function errorResponse(status: number): Answer {
  return { status, body: { message: "Nee", requestId: "x" } };
}

export function validationError(field: string): Answer {
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

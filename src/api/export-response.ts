/**
 * Parses the response of `GET /exports/{profileKey}` (§ GET /exports): a file, the job that builds it, or "not
 * modified".
 */
import type { HttpResponse } from "./http-request.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { badResponse } from "./errors.ts";
import { mediaType, parseResponse } from "./parse-response.ts";
import type { Job } from "./response-schemas.ts";

/** An export's file, its job, or that the requested ETag is current. */
export type ExportResult =
  | {
      readonly kind: "file";
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** Including its quotes, for the next `If-None-Match`; `null` when a proxy removed it. */
      readonly etag: string | null;
      /** A safe base name; `null` when the service sent none. */
      readonly fileName: string | null;
      readonly mediaType: string;
    }
  /** The file is being built: request it again when the job has `succeeded`. */
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "not_modified"; readonly etag: string };

/**
 * Parses a `200`, `202` or `304`.
 * @param requestEtag The ETag that the request had.
 * @throws {ApiError} `bad_response`.
 */
export function parseExport(response: HttpResponse, requestEtag: string | undefined): ExportResult {
  const { headers, status, label } = response;
  if (status === 304) return { kind: "not_modified", etag: headers.get("etag") ?? requestEtag ?? "" };
  if (status === 202) return { kind: "job", job: parseResponse(response, ENDPOINTS.export.response).data };
  const type = mediaType(headers) ?? "application/octet-stream";
  const etag = headers.get("etag");
  const disposition = headers.get("content-disposition");
  // The service sends both headers; the page of a captive portal has neither.
  if (etag === null && disposition === null)
    throw badResponse(label, `200 with ${type} that is not an export`, "content-disposition", status);
  return {
    kind: "file",
    bytes: response.bytes,
    etag,
    fileName: disposition === null ? null : fileNameFromDisposition(disposition),
    mediaType: type,
  };
}

/**
 * Returns the safe base name in a `Content-Disposition` header; `filename*` (RFC 5987) takes precedence over
 * `filename`.
 */
export function fileNameFromDisposition(disposition: string): string | null {
  const extended = /(?:^|;)\s*filename\*\s*=\s*"?(utf-8|iso-8859-1)'[^']*'([^";]+)/iu.exec(disposition);
  const [, charset, encoded] = extended ?? [];
  const name = charset === undefined || encoded === undefined ? null : decodePercent(charset, encoded.trim());
  // Unquoted names with spaces violate the grammar, but occur and are unambiguous.
  const plain = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/iu.exec(disposition);
  const found = name ?? plain?.[1]?.replaceAll(/\\(.)/gu, "$1") ?? plain?.[2] ?? null;
  return found === null ? null : baseName(found);
}

function decodePercent(charset: string, encoded: string): string | null {
  if (!/^(?:[^%]|%[0-9a-f]{2})*$/iu.test(encoded)) return null;
  if (charset.toLowerCase() !== "utf-8")
    return encoded.replaceAll(/%(..)/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/**
 * Removes folders, drives, control characters and characters that are invalid on some systems; `null` if nothing is
 * left.
 */
function baseName(name: string): string | null {
  const last = name.split(/[/\\]/u).at(-1) ?? "";
  const clean = last
    // oxlint-disable-next-line no-control-regex -- control characters are what is removed
    .replaceAll(/[\u0000-\u001f\u007f<>:"|?*]/gu, "")
    .replace(/[. ]+$/u, "")
    .trim();
  return clean === "" || clean === "." || clean === ".." ? null : clean;
}

/** What `GET /exports/{profileKey}` answers (§ GET /exports): a file, a job that builds it, or nothing new. */
import type { Incoming } from "./http-request.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { ApiError } from "./errors.ts";
import { mediaType, readAnswer } from "./response-reader.ts";
import type { Job } from "./schemas.ts";

export type ExportAnswer =
  | {
      readonly kind: "file";
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** As it came, quotes and all, for the next `If-None-Match`; `null` when a proxy took it away. */
      readonly etag: string | null;
      /** A plain name without folders; `null` when the service gave none. */
      readonly fileName: string | null;
      readonly mediaType: string;
    }
  /** Large and not built yet: ask again when the job has `succeeded`. */
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "not_modified"; readonly etag: string };

/** Reads a 200, 202 or 304. `asked`: the ETag that was sent. Throws `bad_response`. */
export function readExport(incoming: Incoming, asked: string | undefined): ExportAnswer {
  const { headers, status, label } = incoming;
  if (status === 304) return { kind: "not_modified", etag: headers.get("etag") ?? asked ?? "" };
  if (status === 202) return { kind: "job", job: readAnswer(incoming, ENDPOINTS.export.answer).data };
  const type = mediaType(headers) ?? "application/octet-stream";
  const etag = headers.get("etag");
  const disposition = headers.get("content-disposition");
  // A file of the service has both headers; a page that a hotel's network puts in its place has neither.
  if (etag === null && disposition === null)
    throw new ApiError("bad_response", `${label}: 200 with ${type} that is no export`, {
      status,
      field: "content-disposition",
      endpoint: label,
    });
  return {
    kind: "file",
    bytes: incoming.bytes,
    etag,
    fileName: disposition === null ? null : fileNameOf(disposition),
    mediaType: type,
  };
}

/** The name in a `Content-Disposition`: `filename*` (RFC 5987) before `filename`, cut to a safe base name. */
export function fileNameOf(disposition: string): string | null {
  const extended = /(?:^|;)\s*filename\*\s*=\s*"?(utf-8|iso-8859-1)'[^']*'([^";]+)/iu.exec(disposition);
  const [, charset, encoded] = extended ?? [];
  const name =
    charset === undefined || encoded === undefined ? null : percentDecoded(charset, encoded.trim());
  // Without quotes a name with blanks breaks the rule, but it is written so, and there is nothing else it could be.
  const plain = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/iu.exec(disposition);
  const found = name ?? plain?.[1]?.replaceAll(/\\(.)/gu, "$1") ?? plain?.[2] ?? null;
  return found === null ? null : baseName(found);
}

function percentDecoded(charset: string, encoded: string): string | null {
  if (!/^(?:[^%]|%[0-9a-f]{2})*$/iu.test(encoded)) return null;
  if (charset.toLowerCase() !== "utf-8")
    return encoded.replaceAll(/%(..)/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** No folders, no drive, no control characters, nothing that a system forbids; `null` when nothing is left. */
function baseName(name: string): string | null {
  const last = name.split(/[/\\]/u).at(-1) ?? "";
  const clean = last
    // oxlint-disable-next-line no-control-regex -- these are what is taken out
    .replaceAll(/[\u0000-\u001f\u007f<>:"|?*]/gu, "")
    .replace(/[. ]+$/u, "")
    .trim();
  return clean === "" || clean === "." || clean === ".." ? null : clean;
}

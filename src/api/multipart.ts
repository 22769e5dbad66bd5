/** Builds the `multipart/form-data` body of an import (§ POST /imports), whose length is known before it is sent. */
import type { ImportFields, ImportFile } from "./endpoints.ts";

/**
 * Returns the body; its `type` is the `Content-Type` header.
 * @param random Returns a number from 0 up to 1.
 */
export function importBody(files: readonly ImportFile[], fields: ImportFields, random: () => number): Blob {
  const boundary = `----translations${Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join("")}`;
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const text = typeof value === "boolean" ? (value ? "1" : "0") : value;
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);
  }
  for (const file of files) {
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="files[]"; filename="${escapeFileName(file.path)}"\r\n` +
        "Content-Type: application/octet-stream\r\n\r\n",
      // The Blob copies the bytes, so a shared buffer is fine too.
      file.bytes as Uint8Array<ArrayBuffer>,
      "\r\n",
    );
  }
  parts.push(`--${boundary}--\r\n`);
  return new Blob(parts, { type: `multipart/form-data; boundary=${boundary}` });
}

/** Escapes a file name as browsers do in forms: UTF-8 with three characters percent-encoded. */
function escapeFileName(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

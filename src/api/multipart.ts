/** The body of an import as `multipart/form-data` (§ POST /imports), with a length that is known before it is sent. */
import type { ImportFields, ImportFile } from "./endpoints.ts";

/** The body; its `type` is the `Content-Type` to send. `random` gives 0 up to 1. */
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
      `--${boundary}\r\nContent-Disposition: form-data; name="files[]"; filename="${quoted(file.path)}"\r\n` +
        "Content-Type: application/octet-stream\r\n\r\n",
      // A Blob copies what it is given, so whose memory it was does not matter.
      file.bytes as Uint8Array<ArrayBuffer>,
      "\r\n",
    );
  }
  parts.push(`--${boundary}--\r\n`);
  return new Blob(parts, { type: `multipart/form-data; boundary=${boundary}` });
}

/** As browsers write a file's name into a form: UTF-8, and three characters escaped. */
function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/** `POST /imports`: stores the upload and queues its job. */
import {
  JOB_LOCK_WAIT_MS,
  JOB_TYPE_IMPORT,
  LIMITS,
  MULTIPART_BYTES,
  MULTIPART_DRAIN_BYTES,
} from "../specification-decisions.ts";
import { importFieldsSchema, type ImportFields } from "../imports/read-import.ts";
import { isSmallUpload, type UploadedFile } from "../imports/upload-files.ts";
import type { Message } from "../http/localised-messages.ts";
import { invalid, invalidField } from "../http/error-responses.ts";
import { parseParameters, readBody } from "../http/validate-request.ts";
import { addJob } from "../jobs.ts";
import { listedLanguages } from "../store/store-rows.ts";
import { runInThread } from "../run-in-worker-thread.ts";
import { jobResponse, type Handler } from "./endpoint.ts";

export const postImports: Handler = async (service, c) => {
  const { store, now } = service;
  const locales = listedLanguages(store.reader).map((language) => language.locale);
  const { files, fields } = await readUpload(c.req.raw, locales);
  const refused = await runInThread("inspect", [files, fields.format], isSmallUpload(files));
  if (refused.size > 0) throw invalid(refused);
  return store.write(JOB_LOCK_WAIT_MS, (connection) => {
    const id = addJob(connection, JOB_TYPE_IMPORT, { fields }, now());
    for (const [position, file] of files.entries()) {
      connection.run(
        "INSERT INTO uploads (job_id, position, name, bytes) VALUES (?, ?, ?, ?)",
        id,
        position,
        file.name,
        file.bytes,
      );
    }
    return jobResponse(service, c, connection, id);
  });
};

/**
 * Reads the multipart request and validates what is possible without reading the files.
 * @param locales The project's locales.
 * @throws {Problem} `422`
 */
async function readUpload(
  request: Request,
  locales: readonly string[],
): Promise<{ readonly files: readonly UploadedFile[]; readonly fields: ImportFields }> {
  const files: UploadedFile[] = [];
  const texts = new URLSearchParams();
  for (const [field, value] of await readForm(request)) {
    if (typeof value === "string") texts.set(field, value);
    else if (/^files(?:\[\d*\])?$/u.test(field)) {
      files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
    }
  }
  const fields = parseParameters(texts, importFieldsSchema(locales));
  if (files.length === 0) throw invalidField("files", { code: "required", values: { field: "files" } });
  const errors = new Map<string, Message[]>();
  let size = 0;
  for (const [index, file] of files.entries()) {
    size += file.bytes.length;
    if (size > LIMITS.uploadBytes) errors.set(`files.${index}`, [tooLarge(file.name)]);
  }
  if (errors.size > 0) throw invalid(errors);
  return { files, fields };
}

async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/iu.test(type)) throw invalidField("files", { code: "not_multipart" });
  const body = await readBody(request, MULTIPART_BYTES, MULTIPART_DRAIN_BYTES);
  if (body === undefined) throw invalidField("files.0", tooLarge("files"));
  try {
    return await new Response(body, { headers: { "content-type": type } }).formData();
  } catch {
    throw invalidField("files", { code: "not_multipart" });
  }
}

function tooLarge(name: string): Message {
  return { code: "file_too_large", values: { name, megabytes: LIMITS.uploadBytes / 1024 / 1024 } };
}

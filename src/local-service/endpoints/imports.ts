/** `POST /imports`: stores the upload and queues its job. */
import {
  JOB_LOCK_WAIT_MS,
  JOB_TYPE_IMPORT,
  LIMITS,
  MAX_MULTIPART_BYTES,
  MAX_DRAINED_BYTES,
} from "../specification-decisions.ts";
import { importFieldsSchema, type ImportFields } from "../imports/read-import-lines.ts";
import { isSmallUpload, type UploadedFile } from "../imports/check-upload.ts";
import type { Message } from "../http/localised-messages.ts";
import { invalid, invalidField } from "../http/error-responses.ts";
import { parseParameters, readBody } from "../http/validate-request.ts";
import { addJob } from "../jobs.ts";
import { listedLocales } from "../store/store-rows.ts";
import { runInThread } from "../run-in-worker-thread.ts";
import { jobResponse, type Handler } from "./endpoint.ts";

export const postImports: Handler = async (service, c) => {
  const { files, fields } = await readUpload(c.req.raw, listedLocales(service.store.reader));
  const refused = await runInThread("checkFiles", [files, fields.format], isSmallUpload(files));
  if (refused.size > 0) throw invalid(refused);
  return service.store.write((connection) => {
    const id = addJob(connection, JOB_TYPE_IMPORT, { fields }, service.now());
    const sql = "INSERT INTO uploads (job_id, position, name, bytes) VALUES (?, ?, ?, ?)";
    for (const [position, { name, bytes }] of files.entries()) connection.run(sql, id, position, name, bytes);
    return jobResponse(service, c, connection, id);
  }, JOB_LOCK_WAIT_MS);
};

/**
 * Reads the multipart request and validates what is possible without reading the files.
 * @param locales of the project
 * @throws {Problem} `422`
 */
async function readUpload(
  request: Request,
  locales: readonly string[],
): Promise<{ readonly files: readonly UploadedFile[]; readonly fields: ImportFields }> {
  const files: UploadedFile[] = [];
  const parameters: Record<string, string> = {};
  for (const [field, value] of await readForm(request)) {
    if (typeof value === "string") parameters[field] = value;
    else if (/^files(?:\[\d*\])?$/u.test(field)) {
      files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
    }
  }
  const fields = parseParameters(parameters, importFieldsSchema(locales));
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
  const body = await readBody(request, MAX_MULTIPART_BYTES, MAX_DRAINED_BYTES);
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

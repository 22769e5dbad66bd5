/** Parses the multipart request of `POST /imports` and validates what is possible without reading the files. */
import { type FormatName, FORMAT_NAMES } from "../../model/format-name.ts";
import { LENGTHS, LIMITS, MULTIPART_BYTES, MULTIPART_DRAIN_BYTES } from "../specification-decisions.ts";
import type { Message } from "../http/localised-messages.ts";
import { invalidField } from "../http/error-responses.ts";
import { readBody, TextParameters } from "../http/validate-request.ts";

export interface UploadedFile {
  /** As sent, including folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Fields that force a value (§ POST /imports); `undefined`: recognised from each path. */
export interface ImportFields {
  readonly locale?: string | undefined;
  readonly format?: FormatName | undefined;
  readonly namespace?: string | undefined;
  readonly overwrite: boolean;
  readonly createUnknownKeys: boolean;
  readonly tag?: string | undefined;
}

/**
 * Reads the request.
 * @param locales The project's locales.
 * @throws {Problem} `422`
 */
export async function readUpload(
  request: Request,
  locales: readonly string[],
): Promise<{ readonly files: readonly UploadedFile[]; readonly fields: ImportFields }> {
  const form = await readForm(request);
  const files: UploadedFile[] = [];
  const texts = new URLSearchParams();
  for (const [name, value] of form) {
    if (typeof value === "string") texts.set(name, value);
    else if (/^files(?:\[\d*\])?$/u.test(name)) {
      files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
    }
  }
  const parameters = new TextParameters(texts);
  const fields = fieldsOf(parameters, locales);
  if (files.length === 0) parameters.addError("files", { code: "required", values: { field: "files" } });
  let size = 0;
  for (const [index, file] of files.entries()) {
    size += file.bytes.length;
    if (size > LIMITS.uploadBytes) parameters.addError(`files.${index}`, tooLarge(file.name));
  }
  parameters.throwIfInvalid();
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

function fieldsOf(parameters: TextParameters, locales: readonly string[]): ImportFields {
  const flag = (field: string): boolean | undefined => {
    const value = parameters.oneOf(field, ["0", "1"]);
    return value === undefined ? undefined : value === "1";
  };
  const locale = parameters.text("locale");
  if (locale !== undefined && !locales.includes(locale)) {
    parameters.addError("locale", { code: "locale_unknown", values: { locale } });
  }
  return {
    locale,
    format: parameters.oneOf("format", FORMAT_NAMES),
    namespace: parameters.text("namespace", LENGTHS.namespace),
    overwrite: flag("overwrite") ?? false,
    createUnknownKeys: flag("createUnknownKeys") ?? true,
    tag: parameters.text("tag", LENGTHS.tag),
  };
}

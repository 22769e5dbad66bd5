/** Parses the multipart request of `POST /imports` and validates what is possible without reading the files. */
import { type FormatName, FORMAT_NAMES } from "../../model/format-name.ts";
import { LENGTHS, LIMITS, MULTIPART_BYTES, MULTIPART_DRAIN_BYTES } from "../specification-decisions.ts";
import type { Message } from "../http/messages.ts";
import { invalid, invalidField } from "../http/problem.ts";
import { readBody } from "../http/validate.ts";

export interface UploadedFile {
  /** As sent, including folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Fields that force a value (§ POST /imports); `undefined`: recognised from each path. */
export interface ImportFields {
  readonly locale?: string;
  readonly format?: FormatName;
  readonly namespace?: string;
  readonly overwrite: boolean;
  readonly createUnknownKeys: boolean;
  readonly tag?: string;
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
  const texts = new Map<string, string>();
  for (const [name, value] of form) {
    if (typeof value === "string") texts.set(name, value);
    else if (/^files(?:\[\d*\])?$/u.test(name)) {
      files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
    }
  }
  const errors = new Map<string, Message[]>();
  const fields = fieldsOf(texts, locales, errors);
  if (files.length === 0) errors.set("files", [{ code: "required", values: { field: "files" } }]);
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

function fieldsOf(
  texts: ReadonlyMap<string, string>,
  locales: readonly string[],
  errors: Map<string, Message[]>,
): ImportFields {
  const text = (field: string, max: number): string | undefined => {
    const value = texts.get(field) ?? "";
    if (value.length > max) errors.set(field, [{ code: "too_long", values: { field, max } }]);
    return value === "" ? undefined : value;
  };
  const flag = (field: string, otherwise: boolean): boolean => {
    const value = text(field, LENGTHS.filter);
    if (value !== undefined && value !== "0" && value !== "1") {
      errors.set(field, [{ code: "must_be_one_of", values: { field, values: "0, 1" } }]);
    }
    return value === undefined ? otherwise : value === "1";
  };
  const locale = text("locale", LENGTHS.filter);
  if (locale !== undefined && !locales.includes(locale)) {
    errors.set("locale", [{ code: "locale_unknown", values: { locale } }]);
  }
  const givenFormat = text("format", LENGTHS.filter);
  const format = FORMAT_NAMES.find((name) => name === givenFormat);
  if (givenFormat !== undefined && format === undefined) {
    errors.set("format", [
      { code: "must_be_one_of", values: { field: "format", values: FORMAT_NAMES.join(", ") } },
    ]);
  }
  const namespace = text("namespace", LENGTHS.namespace);
  const tag = text("tag", LENGTHS.tag);
  return {
    ...(locale === undefined ? {} : { locale }),
    ...(format === undefined ? {} : { format }),
    ...(namespace === undefined ? {} : { namespace }),
    overwrite: flag("overwrite", false),
    createUnknownKeys: flag("createUnknownKeys", true),
    ...(tag === undefined ? {} : { tag }),
  };
}

/** Parses and validates requests, with messages by field as in § Errors (`keys.12.value`). */
import * as v from "valibot";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { Forms, Text } from "../../model/translation-text.ts";
import { getOrCreate } from "../../util/maps.ts";
import { MAX_JSON_BODY_BYTES, LENGTHS, LIMITS, UPDATED_SINCE_PATTERN } from "../specification-decisions.ts";
import { isMessageCode, type Message } from "./localised-messages.ts";
import { invalid, invalidField } from "./error-responses.ts";

/** Maximum number of fields with errors in a response; 5,000 invalid items usually have the same mistake. */
const MAX_FIELDS = 100;

/**
 * Parses a JSON request body by its schema.
 * @throws {Problem} `422`
 */
export async function jsonBody<S extends v.GenericSchema>(
  request: Request,
  schema: S,
): Promise<v.InferOutput<S>> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await readBody(request, MAX_JSON_BODY_BYTES);
  if (bytes === undefined) throw invalidField("body", { code: "body_too_large" });
  let json: unknown;
  try {
    if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/iu.test(type)) throw new SyntaxError(type);
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalidField("body", { code: "not_json" });
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw invalidField("body", { code: "must_be_object", values: { field: "body" } });
  }
  return parse(schema, json);
}

/**
 * Parses the parameters of a URL or form; an empty one counts as absent.
 * @throws {Problem} `422`
 */
export function parseParameters<S extends v.GenericSchema>(
  parameters: Readonly<Record<string, string>>,
  schema: S,
): v.InferOutput<S> {
  return parse(schema, Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== "")));
}

/**
 * Reads a body of at most `limit` bytes; `undefined` if it is larger, after reading up to `drain` bytes so that the
 * client receives the response.
 */
export async function readBody(
  request: Request,
  limit: number,
  drain = limit,
): Promise<Uint8Array | undefined> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length <= limit) return new Uint8Array(await request.arrayBuffer());
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > drain) return undefined;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > limit ? undefined : Buffer.concat(chunks);
}

function parse<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const errors = new Map<string, Message[]>();
  for (const issue of result.issues) {
    const field = v.getDotPath(issue) ?? "body";
    if (errors.has(field) || errors.size < MAX_FIELDS)
      getOrCreate(errors, field, () => []).push(toMessage(issue, field));
  }
  throw invalid(errors);
}

function toMessage(issue: v.BaseIssue<unknown>, field: string): Message {
  if (issue.received === "undefined") return { code: "required", values: { field } };
  const code = isMessageCode(issue.message) ? issue.message : "not_valid";
  const max = typeof issue.requirement === "number" ? issue.requirement : 0;
  // Valibot describes a picklist as ("a" | "b").
  const values = (issue.expected ?? "").replaceAll(/[()"]/gu, "").replaceAll(" | ", ", ");
  return { code, values: { field, max, min: 1, values, locale: String(issue.input) } };
}

/** Schema of a string of at most `max` UTF-16 code units. */
export function text(max: number) {
  return v.pipe(v.string("must_be_string"), v.maxLength(max, "too_long"));
}

/** Schema of a non-empty string of at most `max` UTF-16 code units. */
export function name(max: number) {
  return v.pipe(text(max), v.minLength(1, "must_not_be_empty"));
}

export const HashSchema = v.pipe(v.string("must_be_string"), v.regex(/^[0-9a-f]{40}$/u, "must_be_hash"));

/** Schema of texts by plural category. PHP encodes an empty object as `[]`. */
export const FormsSchema = v.pipe(
  v.unknown(),
  v.transform((forms) => (Array.isArray(forms) && forms.length === 0 ? {} : forms)),
  v.check((forms) => !Array.isArray(forms), "must_be_object"),
  v.record(name(LENGTHS.category), text(LENGTHS.text), "must_be_object"),
);

/** Schema of `maxLength`, without the limit of a key update. */
export const PositiveIntegerSchema = v.pipe(
  v.number("must_be_integer"),
  // The store cannot read larger integers.
  v.safeInteger("must_be_integer"),
  v.minValue(1, "must_be_at_least"),
);
export const MaxLengthSchema = v.pipe(PositiveIntegerSchema, v.maxValue(LIMITS.maxLength, "must_be_at_most"));

/** Schema of a list of at most `max` items. */
export function list<S extends v.GenericSchema>(item: S, max: number) {
  // The length is checked first, so that the items of a list that is far too long are not validated.
  return v.pipe(
    v.array(v.unknown(), "must_be_list"),
    v.maxLength(max, "too_many"),
    v.array(item, "must_be_list"),
  );
}

/** Schema of a parameter that is one of these values. */
export function oneOf<const T extends readonly string[]>(values: T) {
  return v.picklist(values, "must_be_one_of");
}

/** Schema of a date parameter; its output is a `<timestamp>`. */
export const TimestampSchema = v.pipe(
  v.string(),
  // An unencoded "+" of a time zone arrives as a space.
  v.transform((value) => value.replace(" ", "+")),
  v.check((value) => UPDATED_SINCE_PATTERN.test(value) && !Number.isNaN(Date.parse(value)), "must_be_date"),
  v.transform((value) => new Date(value).toISOString()),
);

/** Schema of the parameter `limit` (§ Pagination). */
export const LimitSchema = v.optional(
  v.pipe(
    v.string(),
    v.transform((value) => (/^\d{1,6}$/u.test(value) && Number(value)) || Number.POSITIVE_INFINITY),
    v.maxValue(LIMITS.maxPageSize, "must_be_between"),
  ),
  String(LIMITS.defaultPageSize),
);

/** Schemas of the fields that items of `POST /keys/sync` and `PUT /translations/{locale}` share. */
export const ITEM_FIELDS = {
  namespace: v.nullish(text(LENGTHS.namespace)),
  context: v.nullish(text(LENGTHS.context)),
  value: v.nullish(text(LENGTHS.text)),
  forms: v.nullish(FormsSchema),
};

interface TextFields {
  readonly value?: string | null | undefined;
  readonly forms?: Forms | null | undefined;
}

/** Returns whether at most one of `value` and `forms` is set. */
export function hasOneText({ value, forms }: TextFields): boolean {
  return value == null || forms == null;
}

/** Returns the text; `null` without one. */
export function itemText({ value, forms }: TextFields): Text | null {
  if (forms != null) return { forms };
  return value == null ? null : { value };
}

/** Returns the name. An empty namespace or context counts as missing, since forms and PHP cannot tell them apart. */
export function itemName(
  key: string,
  item: { readonly namespace?: string | null | undefined; readonly context?: string | null | undefined },
): KeyName {
  return { namespace: item.namespace || NO_NAMESPACE, key, context: item.context || null };
}

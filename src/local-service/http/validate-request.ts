/** Validates requests, and creates messages per field as in § Errors (`keys.12.value`). */
import * as v from "valibot";
import { JSON_BODY_BYTES, LENGTHS, LIMITS, UPDATED_SINCE_PATTERN } from "../specification-decisions.ts";
import { isMessageCode, type Message } from "./localised-messages.ts";
import { invalid, invalidField } from "./error-responses.ts";

/** Fields with errors per response; 5,000 invalid items usually are one mistake. */
const MAX_ERRORS = 100;

/**
 * Parses a JSON request body by its schema.
 * @throws {Problem} `422`
 */
export async function jsonBody<S extends v.GenericSchema>(
  request: Request,
  schema: S,
): Promise<v.InferOutput<S>> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await readBody(request, JSON_BODY_BYTES);
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
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  throw invalid(groupByField(result.issues));
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

function groupByField(issues: readonly v.BaseIssue<unknown>[]): Map<string, Message[]> {
  const errors = new Map<string, Message[]>();
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? "body";
    const list = errors.get(field);
    if (list !== undefined) list.push(toMessage(issue, field));
    else if (errors.size < MAX_ERRORS) errors.set(field, [toMessage(issue, field)]);
  }
  return errors;
}

function toMessage(issue: v.BaseIssue<unknown>, field: string): Message {
  if (issue.received === "undefined") return { code: "required", values: { field } };
  const code = isMessageCode(issue.message) ? issue.message : "not_valid";
  const limit = typeof issue.requirement === "number" ? issue.requirement : 0;
  return { code, values: { field, max: limit, min: limit, values: issue.expected ?? "" } };
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
export const FormsBodySchema = v.pipe(
  v.unknown(),
  v.transform((given) => (Array.isArray(given) && given.length === 0 ? {} : given)),
  v.check((given) => !Array.isArray(given), "must_be_object"),
  v.record(name(LENGTHS.category), text(LENGTHS.text), "must_be_object"),
);

/** Schema of `maxLength`, without the limit of a key update. */
export const PositiveIntegerSchema = v.pipe(
  v.number("must_be_integer"),
  // The store can neither write nor read larger ones.
  v.safeInteger("must_be_integer"),
  v.minValue(1, "must_be_at_least"),
);
export const MaxLengthSchema = v.pipe(PositiveIntegerSchema, v.maxValue(LIMITS.maxLength, "must_be_at_most"));

/** Schema of a list of at most `max` items. */
export function list<S extends v.GenericSchema>(item: S, max: number) {
  // The length is checked first, so that the items of a far too long list are not validated.
  return v.pipe(
    v.array(v.unknown(), "must_be_list"),
    v.maxLength(max, "too_many"),
    v.array(item, "must_be_list"),
  );
}

/** Parses the parameters of a URL or form and collects errors; `throwIfInvalid` throws them as `422`. */
export class TextParameters {
  readonly #parameters: URLSearchParams;
  readonly #errors = new Map<string, Message[]>();

  constructor(parameters: URLSearchParams) {
    this.#parameters = parameters;
  }

  /** Returns a parameter; `undefined` if it is absent or empty. */
  text(field: string, max: number = LENGTHS.filter): string | undefined {
    const value = this.#parameters.get(field) ?? "";
    if (value.length > max) this.addError(field, { code: "too_long", values: { field, max } });
    return value === "" ? undefined : value;
  }

  oneOf<T extends string>(field: string, values: readonly T[]): T | undefined {
    const value = this.text(field);
    const known = values.find((one) => one === value);
    if (value !== undefined && known === undefined) {
      this.addError(field, { code: "must_be_one_of", values: { field, values: values.join(", ") } });
    }
    return known;
  }

  /** Returns a date parameter as `<timestamp>`. */
  timestamp(field: string): string | undefined {
    const value = this.text(field);
    if (value === undefined) return undefined;
    // An unencoded "+" of a time zone arrives as a space.
    const milliseconds = UPDATED_SINCE_PATTERN.test(value.replace(" ", "+"))
      ? Date.parse(value.replace(" ", "+"))
      : Number.NaN;
    if (!Number.isNaN(milliseconds)) return new Date(milliseconds).toISOString();
    this.addError(field, { code: "must_be_date", values: { field } });
    return undefined;
  }

  /** § Pagination, `limit`. */
  limit(): number {
    const value = this.text("limit");
    if (value === undefined) return LIMITS.pageDefault;
    const limit = /^\d{1,6}$/u.test(value) ? Number(value) : Number.NaN;
    if (limit >= 1 && limit <= LIMITS.pageMost) return limit;
    this.addError("limit", {
      code: "must_be_between",
      values: { field: "limit", min: 1, max: LIMITS.pageMost },
    });
    return LIMITS.pageDefault;
  }

  addError(field: string, message: Message): void {
    this.#errors.set(field, [...(this.#errors.get(field) ?? []), message]);
  }

  throwIfInvalid(): void {
    if (this.#errors.size > 0) throw invalid(this.#errors);
  }
}

/** Checks what a request brings, and words the faults per field as § Errors shows them (`keys.12.value`). */
import * as v from "valibot";
import { JSON_BODY_BYTES, LENGTHS, LIMITS, UPDATED_SINCE_PATTERN } from "./specification-decisions.ts";
import { isMessageCode, type Message } from "./messages.ts";
import { invalid, invalidField } from "./problem.ts";

/** More faults than this are not told; nobody reads them, and 5,000 bad items are one mistake. */
const MAX_FAULTS = 100;

/** A JSON request body of this shape, or `422`. */
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
  throw invalid(faults(result.issues));
}

/** The body's bytes; `undefined` when there are more than `limit`, after reading them so that the answer arrives. */
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

function faults(issues: readonly v.BaseIssue<unknown>[]): Map<string, Message[]> {
  const errors = new Map<string, Message[]>();
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? "body";
    const list = errors.get(field);
    if (list !== undefined) list.push(worded(issue, field));
    else if (errors.size < MAX_FAULTS) errors.set(field, [worded(issue, field)]);
  }
  return errors;
}

function worded(issue: v.BaseIssue<unknown>, field: string): Message {
  if (issue.received === "undefined") return { code: "required", values: { field } };
  const code = isMessageCode(issue.message) ? issue.message : "not_valid";
  const limit = typeof issue.requirement === "number" ? issue.requirement : 0;
  return { code, values: { field, max: limit, min: limit, values: issue.expected ?? "" } };
}

/** A text of at most `max` characters (UTF-16 units). */
export function text(max: number) {
  return v.pipe(v.string("must_be_string"), v.maxLength(max, "too_long"));
}

/** A text that is not empty. */
export function name(max: number) {
  return v.pipe(text(max), v.minLength(1, "must_not_be_empty"));
}

export const HashSchema = v.pipe(v.string("must_be_string"), v.regex(/^[0-9a-f]{40}$/u, "must_be_hash"));

/** Plural category to text. PHP writes an empty object as `[]`, so that is taken for one. */
export const FormsBodySchema = v.pipe(
  v.unknown(),
  v.transform((given) => (Array.isArray(given) && given.length === 0 ? {} : given)),
  v.check((given) => !Array.isArray(given), "must_be_object"),
  v.record(name(LENGTHS.category), text(LENGTHS.text), "must_be_object"),
);

export const MaxLengthSchema = v.pipe(
  v.number("must_be_integer"),
  v.integer("must_be_integer"),
  v.minValue(1, "must_be_at_least"),
  v.maxValue(LIMITS.maxLength, "must_be_at_most"),
);

/** A list of at most `max` items. */
export function list<S extends v.GenericSchema>(item: S, max: number) {
  // The length first: checking the items of a list that is far too long would be for nothing.
  return v.pipe(
    v.array(v.unknown(), "must_be_list"),
    v.maxLength(max, "too_many"),
    v.array(item, "must_be_list"),
  );
}

/** Reads the query, collecting faults; `done` throws them as `422`. */
export class Query {
  readonly #parameters: URLSearchParams;
  readonly #errors = new Map<string, Message[]>();

  constructor(url: string) {
    this.#parameters = new URL(url).searchParams;
  }

  /** An absent and an empty parameter are the same. */
  text(field: string, max: number = LENGTHS.filter): string | undefined {
    const value = this.#parameters.get(field) ?? "";
    if (value.length > max) this.fault(field, { code: "too_long", values: { field, max } });
    return value === "" ? undefined : value;
  }

  oneOf<T extends string>(field: string, values: readonly T[]): T | undefined {
    const value = this.text(field);
    const known = values.find((one) => one === value);
    if (value !== undefined && known === undefined) {
      this.fault(field, { code: "must_be_one_of", values: { field, values: values.join(", ") } });
    }
    return known;
  }

  /** A moment as `<timestamp>`. */
  moment(field: string): string | undefined {
    const value = this.text(field);
    if (value === undefined) return undefined;
    // A "+" of a zone that was not percent-encoded arrives as a blank.
    const milliseconds = UPDATED_SINCE_PATTERN.test(value.replace(" ", "+"))
      ? Date.parse(value.replace(" ", "+"))
      : Number.NaN;
    if (!Number.isNaN(milliseconds)) return new Date(milliseconds).toISOString();
    this.fault(field, { code: "must_be_date", values: { field } });
    return undefined;
  }

  /** § Pagination, `limit`. */
  limit(): number {
    const value = this.text("limit");
    if (value === undefined) return LIMITS.pageDefault;
    const limit = /^\d{1,6}$/u.test(value) ? Number(value) : Number.NaN;
    if (limit >= 1 && limit <= LIMITS.pageMost) return limit;
    this.fault("limit", {
      code: "must_be_between",
      values: { field: "limit", min: 1, max: LIMITS.pageMost },
    });
    return LIMITS.pageDefault;
  }

  fault(field: string, message: Message): void {
    this.#errors.set(field, [...(this.#errors.get(field) ?? []), message]);
  }

  done(): void {
    if (this.#errors.size > 0) throw invalid(this.#errors);
  }
}

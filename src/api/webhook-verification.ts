/**
 * Verifies and parses the service's webhook deliveries (§ Events). A body is not parsed before its signature is
 * verified.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import * as v from "valibot";

/** A delivery as received. `header` looks a header up case-insensitively. */
export interface RawDelivery {
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/** A verified delivery. Fields that its event does not have are `null`. */
export interface Delivery {
  /** The same for each attempt of one delivery. */
  readonly id: string;
  readonly event: string;
  /** Slug of the project. */
  readonly slug: string;
  readonly contentVersion: number | null;
  /** Id of the finished job (`import.finished`). */
  readonly jobId: number | null;
  readonly aiJob: AiJob | null;
  /** The completed language (`language.completed`). */
  readonly completed: { readonly locale: string; readonly name: string } | null;
}

/**
 * `unsigned`: no signature, or one of another secret. `late`: the timestamp is out of tolerance. `unreadable`: signed
 * by the service, but not in the documented shape.
 */
export type VerificationResult =
  | { readonly kind: "delivery"; readonly delivery: Delivery }
  | { readonly kind: "refused"; readonly reason: "unsigned" | "late" | "unreadable" };

/** "reject a timestamp more than 300 seconds from the receiver's clock" (§ Delivery). */
const MAX_CLOCK_SKEW_SECONDS = 300;

const DeliverySchema = v.object({
  id: v.string(),
  event: v.string(),
  project: v.object({ slug: v.string() }),
  // Unknown events may have any data.
  data: v.optional(v.unknown(), null),
});

const VersionSchema = v.object({ contentVersion: v.number() });
const JobSchema = v.object({ job: v.object({ id: v.number() }) });
const LanguageSchema = v.object({ language: v.object({ locale: v.string(), name: v.string() }) });
const count = v.optional(v.number(), 0);
const AiJobSchema = v.object({
  job: v.object({
    locale: v.string(),
    /** `completed`, `failed`, `cancelled`, `budget_exceeded`, or a status added later. */
    status: v.string(),
    totalItems: count,
    translatedItems: count,
    flaggedItems: count,
    failedItems: count,
  }),
});
/** A finished AI translation job, which no endpoint shows (§ Event kinds, `ai_job.finished`). */
export type AiJob = Readonly<v.InferOutput<typeof AiJobSchema>["job"]>;

/**
 * Verifies the signature and the timestamp of a delivery, and parses it. Never throws.
 * @param now Milliseconds since the epoch.
 */
export function verifyDelivery(
  { header, body }: RawDelivery,
  secret: string,
  now = Date.now(),
): VerificationResult {
  const timestamp = header("X-Service-Timestamp") ?? "";
  const signature = header("X-Service-Signature") ?? "";
  if (!/^\d{1,12}$/.test(timestamp)) return { kind: "refused", reason: "unsigned" };
  const hmac = createHmac("sha256", secret).update(`${timestamp}.`).update(body);
  const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
  const received = Buffer.from(signature);
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) {
    return { kind: "refused", reason: "unsigned" };
  }
  if (Math.abs(now / 1000 - Number(timestamp)) > MAX_CLOCK_SKEW_SECONDS) {
    return { kind: "refused", reason: "late" };
  }
  const delivery = parseDelivery(body);
  return delivery === null ? { kind: "refused", reason: "unreadable" } : { kind: "delivery", delivery };
}

function parseDelivery(body: Uint8Array): Delivery | null {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
  const parsed = v.safeParse(DeliverySchema, content);
  if (!parsed.success) return null;
  const { id, event, project, data } = parsed.output;
  const dataOf = <Schema extends v.GenericSchema>(
    eventKind: string,
    schema: Schema,
  ): v.InferOutput<Schema> | null => {
    const result = event === eventKind ? v.safeParse(schema, data) : null;
    return result?.success === true ? result.output : null;
  };
  return {
    id,
    event,
    slug: project.slug,
    contentVersion: dataOf("translations.updated", VersionSchema)?.contentVersion ?? null,
    jobId: dataOf("import.finished", JobSchema)?.job.id ?? null,
    aiJob: dataOf("ai_job.finished", AiJobSchema)?.job ?? null,
    completed: dataOf("language.completed", LanguageSchema)?.language ?? null,
  };
}

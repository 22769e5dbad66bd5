/**
 * Deliveries of the service's webhooks (§ Events): whether one is the service's own, and what it tells. Nothing of a
 * body is looked at before its signature fits.
 */
import * as v from "valibot";

/** What checking needs of the platform. */
export interface DeliveryDependencies {
  /** HMAC-SHA256 of the parts, one behind the other, as 64 lowercase hex characters. */
  hmac(secret: string, ...parts: readonly (string | Uint8Array)[]): string;
  /** Compares two texts of equal length in constant time. */
  isSame(a: string, b: string): boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** One delivery as it arrived. `header` gives a header's value by its name, however that is written. */
export interface RawDelivery {
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/** An AI translation job that ended, which no endpoint shows (§ Event kinds, `ai_job.finished`). */
export interface AiJob {
  readonly locale: string;
  /** `completed`, `failed`, `cancelled`, `budget_exceeded`, or what the service says next. */
  readonly status: string;
  readonly totalItems: number;
  readonly translatedItems: number;
  readonly flaggedItems: number;
  readonly failedItems: number;
}

/** What a delivery tells; what its event does not have is `null`. */
export interface Delivery {
  /** Kept when the same delivery is sent again. */
  readonly id: string;
  readonly event: string;
  /** Of the project. */
  readonly slug: string;
  readonly contentVersion: number | null;
  /** The job that ended (`import.finished`). */
  readonly jobId: number | null;
  readonly aiJob: AiJob | null;
  /** The language that became complete. */
  readonly completed: { readonly locale: string; readonly name: string } | null;
}

/**
 * `unsigned`: no signature, or none of this secret. `late`: sent too long ago, or by a clock that is wrong.
 * `unreadable`: the service's own, and not as the document shows it.
 */
export type Received =
  | { readonly kind: "delivery"; readonly delivery: Delivery }
  | { readonly kind: "refused"; readonly reason: "unsigned" | "late" | "unreadable" };

/** "reject a timestamp more than 300 seconds from the receiver's clock" (§ Delivery). */
const TOLERANCE_SECONDS = 300;

const DeliverySchema = v.object({
  id: v.string(),
  event: v.string(),
  project: v.object({ slug: v.string() }),
  // Of an event that is not known here nothing is expected.
  data: v.optional(v.unknown(), null),
});

const VersionSchema = v.object({ contentVersion: v.number() });
const JobSchema = v.object({ job: v.object({ id: v.number() }) });
const LanguageSchema = v.object({ language: v.object({ locale: v.string(), name: v.string() }) });
const count = v.optional(v.number(), 0);
const AiJobSchema = v.object({
  job: v.object({
    locale: v.string(),
    status: v.string(),
    totalItems: count,
    translatedItems: count,
    flaggedItems: count,
    failedItems: count,
  }),
});

/** Checks and reads one delivery. Never throws. */
export function receive(
  { header, body }: RawDelivery,
  secret: string,
  dependencies: DeliveryDependencies,
): Received {
  const timestamp = header("X-Service-Timestamp") ?? "";
  const signature = header("X-Service-Signature") ?? "";
  if (!/^\d{1,12}$/.test(timestamp)) return { kind: "refused", reason: "unsigned" };
  const wanted = `sha256=${dependencies.hmac(secret, `${timestamp}.`, body)}`;
  if (signature.length !== wanted.length || !dependencies.isSame(signature, wanted)) {
    return { kind: "refused", reason: "unsigned" };
  }
  if (Math.abs(dependencies.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return { kind: "refused", reason: "late" };
  }
  const delivery = read(body);
  return delivery === null ? { kind: "refused", reason: "unreadable" } : { kind: "delivery", delivery };
}

function read(body: Uint8Array): Delivery | null {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
  const shown = v.safeParse(DeliverySchema, content);
  if (!shown.success) return null;
  const { id, event, project, data } = shown.output;
  const as = <Schema extends v.GenericSchema>(
    wanted: string,
    schema: Schema,
  ): v.InferOutput<Schema> | null => {
    const result = event === wanted ? v.safeParse(schema, data) : null;
    return result?.success === true ? result.output : null;
  };
  return {
    id,
    event,
    slug: project.slug,
    contentVersion: as("translations.updated", VersionSchema)?.contentVersion ?? null,
    jobId: as("import.finished", JobSchema)?.job.id ?? null,
    aiJob: as("ai_job.finished", AiJobSchema)?.job ?? null,
    completed: as("language.completed", LanguageSchema)?.language ?? null,
  };
}

/** Faulty responses and connections of the proxy, used by faults.ts. */
import type { Answer, Fault } from "../support/fault-proxy.ts";
import type { SimulatedNetwork } from "../support/simulated-network.ts";
import type { Action } from "./user-actions.ts";

/** Made anew for each cell, since an effect may count. */
export type FaultEffect = (network: SimulatedNetwork, action: Action) => Fault;

export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(JSON.stringify(body)),
});
export const html = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { "content-type": "text/html", ...headers },
  body: Buffer.from("<!doctype html><title>Welcome</title><form action='/pay'>Room number?</form>"),
});

export const answers =
  (answer: Answer): FaultEffect =>
  () =>
  (passage) =>
    passage.answer(answer);
/** The service does what was asked, and its answer is changed on the way back. */
export const rewrites =
  (rewrite: (answer: Answer, action: Action) => Answer): FaultEffect =>
  (_, action) =>
  async (passage) => {
    const answer = await passage.forward();
    passage.answer(answer.status < 300 ? rewrite(answer, action) : answer);
  };
/** The job's polls are answered so; `null`: it is unknown. */
export const jobSays =
  (changes: Readonly<Record<string, unknown>> | null): FaultEffect =>
  () =>
  async (passage) => {
    const id = Number(passage.request.path.split("/").at(-1));
    // Exports of this size need no job of their own, so the one that is told of is the proxy's.
    if (id !== EXPORT_JOB) await passage.forward();
    if (changes === null) return passage.answer(json(404, { message: "Niet gevonden" }));
    passage.answer(json(200, { data: { ...JOB, id, ...changes } }));
  };

/** An id that no job of the local service gets in a test. */
export const EXPORT_JOB = 990_001;
export const TIME = "2026-01-01T00:00:00Z";
const JOB = {
  type: "import",
  status: "running",
  progress: { done: 1, total: 4 },
  result: null,
  error: null,
  createdAt: TIME,
  startedAt: TIME,
  finishedAt: null,
};
/** "A large export not built yet" (§ GET /exports). */
export const exportJob = (): Answer => json(202, { data: { ...JOB, id: EXPORT_JOB, type: "export" } });
export const exportBuilt = (): Answer =>
  json(200, { data: { ...JOB, id: EXPORT_JOB, type: "export", status: "succeeded", finishedAt: TIME } });

function bodyOf(answer: Answer): unknown {
  return JSON.parse(answer.body.toString());
}

const withBody = (answer: Answer, body: unknown): Answer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(body)),
});

/** The answer with the shown field of the action changed; an export has no fields, so it loses its headers. */
export const bend =
  (change: (parent: Record<string | number, unknown>, name: string | number) => void) =>
  (answer: Answer, { shown }: Action): Answer => {
    if (shown === undefined) return { ...answer, headers: { "content-type": "application/octet-stream" } };
    const body = bodyOf(answer);
    let at = body as Record<string | number, unknown>;
    for (const name of shown.slice(0, -1)) at = at[name] as Record<string | number, unknown>;
    change(at, shown.at(-1) ?? "");
    return withBody(answer, body);
  };

/** Every object with fields of a later day, and words that no list has yet (§ General conventions 4). */
function ofLater(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ofLater);
  if (typeof value !== "object" || value === null) return value;
  const fields: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    fields[name] = ofLater(member);
    if (name === "issues" && Array.isArray(member))
      fields[name] = [
        { rule: "later.rule", level: "whim", placeholder: "", form: "", suggestion: "", x: {} },
      ];
    if (name === "type") fields[name] = "later_type";
  }
  // An object of plural forms is a list of its own, not a record with fields.
  const isForms = "other" in fields;
  return isForms ? fields : { ...fields, laterField: { deep: [1, null] }, anotherOne: null };
}

export const later: FaultEffect = rewrites((answer) =>
  (answer.headers["content-type"] ?? "").startsWith("application/json")
    ? withBody(answer, ofLater(bodyOf(answer)))
    : { ...answer, headers: { ...answer.headers, "x-later": "yes" } },
);

export const fieldError = (...fields: readonly string[]): Answer =>
  json(422, {
    message: "De gegevens zijn ongeldig.",
    errors: Object.fromEntries(fields.map((field) => [field, ["Dit veld is ongeldig."]])),
  });
export const until = (count: number, refuse: Answer): FaultEffect => {
  return () => {
    let left = count;
    return async (passage) => passage.answer(left-- > 0 ? refuse : await passage.forward());
  };
};
export const busy = (reason: string): Answer => json(409, { message: "Bezet", reason });
export const limited = (headers: Readonly<Record<string, string>>): Answer =>
  json(429, { message: "Te veel" }, headers);
/** So many items are on a page where pages matter: the service's own cursors, though the project is small. */
export const FEW = { limit: "3" } as const;

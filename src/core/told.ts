/**
 * What the service tells of itself through webhooks, made use of: a followed job ends early, what changed is read, and
 * what no endpoint shows is passed on. Each delivery counts once, however often it arrives.
 */
import type { AiJob, Delivery } from "../api/deliveries.ts";
import type { Jobs } from "./jobs.ts";
import type { Project } from "./project.ts";
import type { Refresher } from "./refresh.ts";

export interface ToldNeeds {
  readonly project: Project;
  readonly jobs: Jobs;
  readonly refresher: () => Promise<Refresher>;
  readonly onAiJob: (job: AiJob) => void;
  readonly onCompleted: (language: { readonly locale: string; readonly name: string }) => void;
}

/** `again`: it was taken before. `other`: it is of another project. */
export type Taken = "new" | "again" | "other";

/** More than the service has under way at any time. */
const REMEMBERED = 1000;

export class Told {
  readonly #needs: ToldNeeds;
  readonly #seen = new Set<string>();

  constructor(needs: ToldNeeds) {
    this.#needs = needs;
  }

  /** Notes a delivery; nothing is done yet, so that it can be answered. `act` does the rest. */
  take({ id, slug }: Delivery): Taken {
    const { session } = this.#needs.project;
    if (session.kind === "signed-in" && slug !== session.slug) return "other";
    if (this.#seen.has(id)) return "again";
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    return "new";
  }

  /** Does what the delivery calls for. Rejects only where reading again fails for a reason of this program. */
  async act({ jobId, aiJob, completed, contentVersion }: Delivery): Promise<void> {
    const { project, jobs, refresher, onAiJob, onCompleted } = this.#needs;
    if (jobId !== null) jobs.hurry(jobId);
    if (aiJob !== null) onAiJob(aiJob);
    if (completed !== null) onCompleted(completed);
    // What this window itself wrote is known already.
    const isKnown = contentVersion !== null && project.stats?.contentVersion === contentVersion;
    if (!isKnown) await (await refresher()).refresh({ priority: "person" });
  }
}

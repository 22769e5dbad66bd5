/**
 * Handles webhook deliveries: a followed job is asked for at once, what changed is read, and what no endpoint shows is
 * passed on. Each delivery counts once, however often it arrives.
 */
import type { Client } from "../api/client.ts";
import type { AiJob, Delivery } from "../api/webhook-verification.ts";
import { isApiError } from "../api/errors.ts";
import type { ProjectRecord } from "../api/undocumented-fields.ts";
import type { Jobs } from "./jobs.ts";
import type { Project } from "../database/project-state.ts";
import type { Refresher } from "./refresh.ts";

export interface WebhookHandlerDependencies {
  readonly project: Project;
  readonly jobs: Jobs;
  readonly client: () => Client | null;
  readonly refresher: () => Promise<Refresher>;
  /** The service gave the project another slug. */
  readonly onRenamed: (record: ProjectRecord) => void;
  readonly onAiJob: (job: AiJob) => void;
  readonly onCompleted: (language: { readonly locale: string; readonly name: string }) => void;
}

/** `again`: it was taken before. */
export type ReceiveResult = "new" | "again";

/** `other`: it is of another project, so nothing was done. */
export type HandleResult = "done" | "other";

/** More than the service has under way at any time. */
const REMEMBERED = 1000;

export class WebhookHandler {
  readonly #dependencies: WebhookHandlerDependencies;
  readonly #seen = new Set<string>();

  constructor(dependencies: WebhookHandlerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Notes a delivery; nothing is done yet, so that it can be answered. `act` does the rest. */
  take({ id }: Delivery): ReceiveResult {
    if (this.#seen.has(id)) return "again";
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    return "new";
  }

  /** Does what the delivery calls for. Rejects only where reading again fails for a reason of this program. */
  async act({ slug, jobId, aiJob, completed, contentVersion }: Delivery): Promise<HandleResult> {
    const { project, jobs, refresher, onAiJob, onCompleted } = this.#dependencies;
    if (!(await this.#isOwn(slug))) return "other";
    if (jobId !== null) jobs.hurry(jobId);
    if (aiJob !== null) onAiJob(aiJob);
    if (completed !== null) onCompleted(completed);
    // What this window itself wrote is known already.
    const isKnown = contentVersion !== null && project.stats?.contentVersion === contentVersion;
    if (!isKnown) await (await refresher()).refresh({ priority: "person" });
    return "done";
  }

  /**
   * Whether the delivery is of the project. Another slug than the one that is known may be the project's new one, which
   * the service is asked for; where nobody can tell, the delivery counts: its signature is right, and it only makes the
   * window look.
   */
  async #isOwn(slug: string): Promise<boolean> {
    const { project, client, onRenamed } = this.#dependencies;
    const { session } = project;
    if (session.kind !== "signed-in" || session.slug === "" || session.slug === slug) return true;
    try {
      const record = await client()?.project({ priority: "person" });
      if (record?.slug === slug) onRenamed(record);
      return record === undefined || record.slug === "" || record.slug === slug;
    } catch (error) {
      if (!isApiError(error)) throw error;
      return true;
    }
  }
}

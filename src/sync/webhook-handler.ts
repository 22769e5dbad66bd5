/**
 * Processes webhook deliveries: polls a followed job, refreshes changed data, and passes on events that no endpoint
 * shows. Repeated deliveries are ignored.
 */
import type { Client } from "../api/client.ts";
import type { AiJob, Delivery } from "../api/webhook-verification.ts";
import { isApiError } from "../api/errors.ts";
import type { ProjectRecord } from "../api/undocumented-fields.ts";
import type { Jobs } from "./poll-jobs.ts";
import type { Project } from "../database/project-state.ts";
import type { Refresher } from "./refresh/refresh.ts";

export interface WebhookHandlerDependencies {
  readonly project: Project;
  readonly jobs: Jobs;
  readonly client: () => Client | null;
  readonly refresher: () => Promise<Refresher>;
  /** Called when the project's slug has changed. */
  readonly onRenamed: (record: ProjectRecord) => void;
  readonly onAiJob: (job: AiJob) => void;
  readonly onCompleted: (language: { readonly locale: string; readonly name: string }) => void;
}

/** Ids of deliveries that are remembered, to detect repeated ones. */
const MAX_SEEN_IDS = 1000;

/** Processes the webhook deliveries of a project. */
export class WebhookHandler {
  readonly #dependencies: WebhookHandlerDependencies;
  readonly #seen = new Set<string>();

  constructor(dependencies: WebhookHandlerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Records a delivery without processing it, so that the response can be sent before `process`. Returns `again` for one
   * that was accepted before.
   */
  accept({ id }: Delivery): "new" | "again" {
    if (this.#seen.has(id)) return "again";
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > MAX_SEEN_IDS && oldest !== undefined) this.#seen.delete(oldest);
    return "new";
  }

  /**
   * Processes an accepted delivery; returns `other` if it belongs to another project and was ignored. Failed requests
   * show in the project's state and do not reject.
   */
  async process({ slug, jobId, aiJob, completed, contentVersion }: Delivery): Promise<"done" | "other"> {
    const { project, jobs, refresher, onAiJob, onCompleted } = this.#dependencies;
    if (!(await this.#isOfProject(slug))) return "other";
    if (jobId !== null) jobs.pollNow(jobId);
    if (aiJob !== null) onAiJob(aiJob);
    if (completed !== null) onCompleted(completed);
    // Changes of this window are already known, unless they could not be read.
    const isKnown =
      contentVersion !== null &&
      project.freshness.kind === "fresh" &&
      project.stats?.contentVersion === contentVersion;
    if (!isKnown) await (await refresher()).refresh({ priority: "person" });
    return "done";
  }

  /**
   * Returns whether the delivery belongs to the project. An unknown slug may be the project's new one, so the service
   * is queried; if that fails, the delivery is accepted: its signature is valid, and it only causes a refresh.
   */
  async #isOfProject(slug: string): Promise<boolean> {
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

/**
 * The session of one project: the client with the stored token, and the project's `session` and `waiting` state.
 */
import type { Client } from "../../api/client.ts";
import type { OnWait, Wait } from "../../api/rate-limiter.ts";
import type { Project } from "../../database/project-state.ts";
import { canQueryService, type Session } from "../../database/session/session.ts";
import type { SavedToken } from "./token-storage.ts";

interface SessionDependencies {
  readonly project: Project;
  readonly isTrusted: () => boolean;
  /** Creates the client of a token; after `ended` is aborted it sends no more requests. */
  readonly connect: (saved: SavedToken, options: { onWait: OnWait; ended: AbortSignal }) => Client;
}

/** The session of one project of the service. A token of another project needs a new session. */
export class ProjectSession {
  readonly #dependencies: SessionDependencies;
  readonly #ended = new AbortController();
  #saved: SavedToken | null = null;
  #client: Client | null = null;
  #budgetListener: { dispose(): void } | null = null;
  #busy: Wait | null = null;

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The client of the token; `null` if nobody is signed in, the token was refused or the workspace is untrusted. "A token
   * of an archived project works again after the project is restored" (§ Authentication 6), so it is still used.
   */
  get client(): Client | null {
    const { session } = this.#dependencies.project;
    return canQueryService(session) && this.#dependencies.isTrusted() ? this.#client : null;
  }

  /** Applies the stored token; a no-op if it is unchanged. */
  applyToken(saved: SavedToken | null): void {
    const { project, isTrusted } = this.#dependencies;
    if (this.#ended.signal.aborted) return;
    if (!isTrusted() || saved === null) {
      this.#replace(null, { kind: isTrusted() ? "signed-out" : "untrusted" });
    } else if (JSON.stringify(this.#saved) !== JSON.stringify(saved) || project.session.kind === "unknown") {
      this.#replace(saved, signedIn(saved));
    }
  }

  /** Restores the signed-in state of a refused token. */
  retry(): void {
    const { project } = this.#dependencies;
    if (project.session.kind === "refused" && this.#saved !== null) project.setSession(signedIn(this.#saved));
  }

  /** Ends the session; clients already handed out send no more requests. */
  end(): void {
    this.#ended.abort();
    this.#budgetListener?.dispose();
    this.#client = null;
  }

  #replace(saved: SavedToken | null, session: Session): void {
    const { project, connect } = this.#dependencies;
    this.#budgetListener?.dispose();
    this.#saved = saved;
    const onWait: OnWait = (wait) => this.#onWait(wait);
    this.#client = saved === null ? null : connect(saved, { onWait, ended: this.#ended.signal });
    this.#budgetListener = this.#client?.rateLimiter.onDidChange(() => this.#notifyWaiting()) ?? null;
    if (JSON.stringify(project.session) !== JSON.stringify(session)) project.setSession(session);
  }

  #onWait(wait: Wait | null): void {
    this.#busy = wait?.kind === "busy" ? wait : null;
    this.#notifyWaiting();
  }

  /** Publishes why requests wait: the rate limit, the reserve for interactive requests, or a busy project. */
  #notifyWaiting(): void {
    const { project } = this.#dependencies;
    const budget = this.#client?.rateLimiter.budget;
    const until = budget?.pausedUntil ?? budget?.heldUntil ?? null;
    const waiting = until === null ? this.#busy : ({ kind: "rate-limit", until } as const);
    if (JSON.stringify(waiting) !== JSON.stringify(project.activity.waiting))
      project.setActivity({ waiting });
  }
}

function signedIn({ baseUrl, slug, name, canWrite }: SavedToken): Session {
  return { kind: "signed-in", baseUrl, slug, name, canWrite };
}

/**
 * Who is signed in to one project: the client that carries the saved token, and the project's `session` state. VS Code is
 * not imported: what is needed of it is handed in.
 */
import type { Client } from "../../api/client.ts";
import type { OnWait, Wait } from "../../api/platform.ts";
import { mayAsk, type Project, type Session } from "../../database/project-state.ts";
import type { SavedToken } from "./token-storage.ts";

export interface SessionDependencies {
  readonly project: Project;
  readonly isTrusted: () => boolean;
  /** Opens the client of a token; nothing is sent any more once `ended` is aborted. */
  readonly connect: (saved: SavedToken, options: { onWait: OnWait; ended: AbortSignal }) => Client;
}

/** The session of one project of the service. A token of another project is another session's. */
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
   * The client of the signed-in token; `null` when nobody is signed in, the token was refused, or the window is not
   * trusted. "A token of an archived project works again after the project is restored" (§ Authentication 6), so it is
   * still asked with.
   */
  get client(): Client | null {
    const { session } = this.#dependencies.project;
    return mayAsk(session) && this.#dependencies.isTrusted() ? this.#client : null;
  }

  /** Takes the token that is saved now; the same one again changes nothing. */
  take(saved: SavedToken | null): void {
    const { project, isTrusted } = this.#dependencies;
    if (this.#ended.signal.aborted) return;
    if (!isTrusted() || saved === null) {
      this.#replace(null, { kind: isTrusted() ? "signed-out" : "untrusted" });
    } else if (JSON.stringify(this.#saved) !== JSON.stringify(saved) || project.session.kind === "unknown") {
      this.#replace(saved, signedIn(saved));
    }
  }

  /** The service takes the token, or it is tried once more: one that was refused counts as signed in again. */
  retry(): void {
    const { project } = this.#dependencies;
    if (project.session.kind === "rejected" && this.#saved !== null)
      project.setSession(signedIn(this.#saved));
  }

  /** Nothing is sent any more, not even by those who have the client already. */
  end(): void {
    this.#ended.abort();
    this.#budgetListener?.dispose();
    this.#client = null;
  }

  #replace(saved: SavedToken | null, session: Session): void {
    const { project, connect } = this.#dependencies;
    this.#budgetListener?.dispose();
    this.#busy = null;
    this.#saved = saved;
    const onWait: OnWait = (wait) => this.#waits(wait);
    this.#client = saved === null ? null : connect(saved, { onWait, ended: this.#ended.signal });
    this.#budgetListener = this.#client?.rateLimiter.onDidChange(() => this.#notifyWaiting()) ?? null;
    if (JSON.stringify(project.session) !== JSON.stringify(session)) project.setSession(session);
  }

  #waits(wait: Wait | null): void {
    this.#busy = wait?.kind === "busy" ? wait : null;
    this.#notifyWaiting();
  }

  /** A pause that the service asked for, or one kept for people; else somebody else's lock. */
  #notifyWaiting(): void {
    const { project } = this.#dependencies;
    const budget = this.#client?.rateLimiter.budget;
    const until = budget?.pausedUntil ?? ((budget?.waiting ?? 0) > 0 ? (budget?.heldUntil ?? null) : null);
    const waiting = until === null ? this.#busy : ({ kind: "rate-limit", until } as const);
    if (JSON.stringify(waiting) !== JSON.stringify(project.waiting)) project.setWaiting(waiting);
  }
}

function signedIn({ baseUrl, slug, name, canWrite }: SavedToken): Session {
  return { kind: "signed-in", baseUrl, slug, name, canWrite };
}

/**
 * Who is signed in to one project: the token in the secret storage, the client that carries it, and the project's
 * `session` state. The token is kept under the base URL and folder that it was entered for and is sent nowhere else
 *. VS Code is not imported: what is needed of it is handed in.
 */
import type { SecretStorage } from "vscode";
import * as v from "valibot";
import { readBaseUrl } from "../../api/base-url.ts";
import type { Client } from "../../api/client.ts";
import type { ProjectRecord } from "../../api/undocumented-fields.ts";
import type { OnWait, Wait } from "../../api/platform.ts";
import { mayAsk, type Project, type Session } from "../../database/project-state.ts";
import type { Introduced } from "../../sync/sign-in.ts";
import { sha1 } from "../../model/key-identity.ts";

/** A token and what the service said to it. */
export interface VerifiedToken extends Introduced {
  readonly baseUrl: string;
  readonly token: string;
}

/** What the secret storage holds: the token, what it was entered for, and whose it is. */
const SavedTokenSchema = v.object({
  baseUrl: v.string(),
  token: v.string(),
  slug: v.string(),
  name: v.string(),
  canWrite: v.boolean(),
  /** Tells the token's project from others of the base URL; absent where an earlier version saved the token. */
  projectId: v.optional(v.string()),
});
export type SavedToken = v.InferOutput<typeof SavedTokenSchema>;

/** Where a folder's token is saved. */
export interface TokenPlace {
  readonly secrets: Pick<SecretStorage, "get" | "store" | "delete">;
  /** The project's folder, as text. */
  readonly root: string;
  /** Normal form; `null`: none is set. */
  readonly baseUrl: string | null;
}

/** Name of the secret; it tells nothing and says for whom it is. `null`: without a base URL there is none. */
export function secretName({ baseUrl, root }: Pick<TokenPlace, "baseUrl" | "root">): string | null {
  return baseUrl === null ? null : `token.${sha1(`${baseUrl}\u001f${root}`)}`;
}

/** The token that is saved for the folder and base URL; `null`: none. */
export async function readToken({ secrets, ...place }: TokenPlace): Promise<SavedToken | null> {
  const name = secretName(place);
  const text = name === null ? undefined : await secrets.get(name);
  if (text === undefined) return null;
  try {
    const saved = v.parse(SavedTokenSchema, JSON.parse(text));
    // What stands in the storage says itself what it was entered for; the name alone is not trusted.
    return readBaseUrl(saved.baseUrl).kind === "ok" && saved.baseUrl === place.baseUrl ? saved : null;
  } catch {
    return null;
  }
}

/**
 * Saves a verified token; the one before it is gone. Where the service does not tell the project's slug, nobody knows
 * whether two tokens are of the same project, so each is taken for one of its own.
 */
export async function saveToken(place: TokenPlace, verified: VerifiedToken): Promise<void> {
  const { baseUrl, token, record, canWrite } = verified;
  const name = secretName(place);
  if (name === null || baseUrl !== place.baseUrl)
    throw new Error("A token is saved for its own base URL only");
  const { slug } = record;
  const projectId = slug === "" ? crypto.randomUUID() : slug;
  const saved: SavedToken = { baseUrl, token, slug, name: record.name, canWrite, projectId };
  await place.secrets.store(name, JSON.stringify(saved));
}

/** Saves what the service calls the token's project now; it stays the same project. */
export async function saveRecord(
  place: TokenPlace,
  saved: SavedToken,
  { slug, name }: ProjectRecord,
): Promise<SavedToken> {
  const projectId = projectIdOf(saved) ?? slug;
  const next: SavedToken = { ...saved, slug, name, projectId };
  const secret = secretName(place);
  if (secret !== null) await place.secrets.store(secret, JSON.stringify(next));
  return next;
}

/** Removes the token from the secret storage. */
export async function removeToken({ secrets, ...place }: TokenPlace): Promise<void> {
  const name = secretName(place);
  if (name !== null) await secrets.delete(name);
}

/** Which project of its base URL the token is of; `null`: nobody is signed in. */
export function projectIdOf(saved: SavedToken | null): string | null {
  return saved === null ? null : (saved.projectId ?? saved.slug);
}

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

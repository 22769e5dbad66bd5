/**
 * Who is signed in to one project: the token in VS Code's secret storage, the client that carries it, and the
 * project's `session` state. The token is kept under the base URL and folder that it was entered for and is sent
 * nowhere else (R19).
 */
import { workspace, type SecretStorage } from "vscode";
import * as v from "valibot";
import { readBaseUrl } from "../api/base-url.ts";
import { createClient, type Client } from "../api/client.ts";
import type { Wait } from "../api/platform.ts";
import type { Project, Session } from "../core/project.ts";
import { introduce, type Introduced } from "../core/sign-in.ts";
import { clock, sha1 } from "./clock.ts";
import type { LogChannel } from "./log.ts";
import { language } from "./words.ts";

/** A token and what the service said to it. */
export interface Verified extends Introduced {
  readonly baseUrl: string;
  readonly token: string;
}

/** What the secret storage holds: the token and what it was entered for. */
const KeptSchema = v.object({
  baseUrl: v.string(),
  token: v.string(),
  slug: v.string(),
  name: v.string(),
  canWrite: v.boolean(),
});
type Kept = v.InferOutput<typeof KeptSchema>;

export interface SessionNeeds {
  readonly secrets: SecretStorage;
  readonly log: LogChannel;
  readonly project: Project;
  /** The project's folder, as text. */
  readonly root: string;
  /** Normal form; `null`: none is set. */
  readonly baseUrl: string | null;
}

/** A client with the extension host's own `fetch`, the only one that has the user's proxy and certificates. */
export function openClient(
  baseUrl: string,
  token: string,
  log: LogChannel,
  onWait?: (wait: Wait | null) => void,
): Client {
  log.hide(token.trim());
  return createClient({
    baseUrl,
    token,
    fetch: (input, init) => globalThis.fetch(input, init),
    clock,
    log,
    locale: language,
    ...(onWait === undefined ? {} : { onWait }),
  });
}

/** Asks the service who the token is, before it is kept. Changes nothing there. Throws ApiError. */
export async function verifyToken(
  baseUrl: string,
  token: string,
  log: LogChannel,
  signal: AbortSignal,
): Promise<Verified> {
  const client = openClient(baseUrl, token, log);
  return { baseUrl: client.baseUrl, token: token.trim(), ...(await introduce(client, { signal })) };
}

export class ProjectSession {
  readonly #needs: SessionNeeds;
  #kept: Kept | null = null;
  #client: Client | null = null;
  #pace: { dispose(): void } | null = null;
  #busy: Wait | null = null;

  constructor(needs: SessionNeeds) {
    this.#needs = needs;
  }

  /** The client of the signed-in token; `null` when nobody is signed in, or the window is not trusted. */
  get client(): Client | null {
    return workspace.isTrusted && this.#needs.project.session.kind === "signed-in" ? this.#client : null;
  }

  /** Name of the secret; it tells nothing and says for whom it is. */
  get secretName(): string | null {
    const { baseUrl, root } = this.#needs;
    return baseUrl === null ? null : `token.${sha1(`${baseUrl}\u001f${root}`)}`;
  }

  /** Reads the secret storage: at the start, after trust was given, after another window changed it. */
  async restore(): Promise<void> {
    const { secrets, baseUrl, log } = this.#needs;
    if (!workspace.isTrusted) {
      this.#replace(null, { kind: "untrusted" });
      return;
    }
    const name = this.secretName;
    const text = name === null ? undefined : await secrets.get(name);
    const kept = text === undefined ? null : parseKept(text);
    // What stands in the storage says itself what it was entered for; the name alone is not trusted.
    if (kept === null || kept.baseUrl !== baseUrl) {
      this.#replace(null, { kind: "signed-out" });
      return;
    }
    if (this.#kept !== null && JSON.stringify(this.#kept) === JSON.stringify(kept)) return;
    log.hide(kept.token);
    this.#replace(kept, signedIn(kept));
  }

  /** Keeps a verified token; the one before it is gone. */
  async keep({ baseUrl, token, record, canWrite }: Verified): Promise<void> {
    const name = this.secretName;
    if (name === null || baseUrl !== this.#needs.baseUrl)
      throw new Error("A token is kept for its own base URL only");
    const kept: Kept = { baseUrl, token, slug: record.slug, name: record.name, canWrite };
    this.#replace(kept, signedIn(kept));
    await this.#needs.secrets.store(name, JSON.stringify(kept));
  }

  /** Forgets the token, here and in the secret storage. */
  async forget(): Promise<void> {
    const name = this.secretName;
    this.#replace(null, { kind: "signed-out" });
    if (name !== null) await this.#needs.secrets.delete(name);
  }

  /** A token that was refused is tried once more. */
  retry(): void {
    const { project } = this.#needs;
    if (project.session.kind === "rejected" && this.#kept !== null) project.setSession(signedIn(this.#kept));
  }

  /** Nothing is followed any more; what is kept stays. */
  dispose(): void {
    this.#pace?.dispose();
  }

  #replace(kept: Kept | null, session: Session): void {
    const { project, log } = this.#needs;
    this.#pace?.dispose();
    this.#pace = null;
    this.#busy = null;
    this.#kept = kept;
    this.#client =
      kept === null ? null : openClient(kept.baseUrl, kept.token, log, (wait) => this.#waits(wait));
    this.#pace = this.#client?.pace.onDidChange(() => this.#tellWaiting()) ?? null;
    if (JSON.stringify(project.session) !== JSON.stringify(session)) project.setSession(session);
  }

  #waits(wait: Wait | null): void {
    this.#busy = wait?.kind === "busy" ? wait : null;
    this.#tellWaiting();
  }

  /** A pause that the service asked for, or one kept for people; else somebody else's lock. */
  #tellWaiting(): void {
    const { project } = this.#needs;
    const budget = this.#client?.pace.budget;
    const until = budget?.pausedUntil ?? ((budget?.waiting ?? 0) > 0 ? (budget?.heldUntil ?? null) : null);
    const waiting = until === null ? this.#busy : ({ kind: "rate-limit", until } as const);
    if (JSON.stringify(waiting) !== JSON.stringify(project.waiting)) project.setWaiting(waiting);
  }
}

function signedIn({ baseUrl, slug, name, canWrite }: Kept): Session {
  return { kind: "signed-in", baseUrl, slug, name, canWrite };
}

function parseKept(text: string): Kept | null {
  try {
    const kept = v.parse(KeptSchema, JSON.parse(text));
    return readBaseUrl(kept.baseUrl).kind === "ok" ? kept : null;
  } catch {
    return null;
  }
}

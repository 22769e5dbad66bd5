/**
 * The project's token in the secret storage. It is kept under the base URL and folder that it was entered for and is sent
 * nowhere else. VS Code is not imported: what is needed of it is handed in.
 */
import type { SecretStorage } from "vscode";
import * as v from "valibot";
import { readBaseUrl } from "../../api/base-url.ts";
import type { ProjectRecord } from "../../api/undocumented-fields.ts";
import { sha1 } from "../../model/key-identity.ts";
import type { Introduced } from "../../sync/sign-in.ts";

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

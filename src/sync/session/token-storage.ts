/**
 * Tokens in the secret storage, keyed by the base URL and folder they were entered for, and never used for others.
 */
import * as v from "valibot";
import { parseBaseUrl } from "../../api/parse-base-url.ts";
import type { ProjectRecord } from "../../api/undocumented-fields.ts";
import { sha1 } from "../../model/key-hash.ts";
import type { ProjectAccess } from "./verify-token.ts";

/** A verified token with the project access it grants. */
export interface VerifiedToken extends ProjectAccess {
  readonly baseUrl: string;
  readonly token: string;
}

/** The value in the secret storage: the token, its base URL and its project. */
const SavedTokenSchema = v.object({
  baseUrl: v.string(),
  token: v.string(),
  slug: v.string(),
  name: v.string(),
  canWrite: v.boolean(),
  /** Identifies the token's project at the base URL; the slug, or absent, in tokens stored by earlier versions. */
  projectId: v.optional(v.string()),
});
export type SavedToken = v.InferOutput<typeof SavedTokenSchema>;

/** Keeps secrets by name; VS Code’s is encrypted by the operating system. */
export interface SecretStorage {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/** The storage location of a folder's token. */
export interface TokenLocation {
  readonly secrets: SecretStorage;
  /** The URI of the project's folder. */
  readonly root: string;
  /** Normalised; `null` if none is set. */
  readonly baseUrl: string | null;
}

/** Returns the name of the secret: a hash of base URL and folder; `null` without a base URL. */
export function secretName({ baseUrl, root }: Pick<TokenLocation, "baseUrl" | "root">): string | null {
  return baseUrl === null ? null : `token.${sha1(`${baseUrl}\u001f${root}`)}`;
}

/** Reads the token stored for the folder and base URL; `null` if there is none. */
export async function readToken({ secrets, ...location }: TokenLocation): Promise<SavedToken | null> {
  const name = secretName(location);
  const text = name === null ? undefined : await secrets.get(name);
  if (text === undefined) return null;
  try {
    const saved = v.parse(SavedTokenSchema, JSON.parse(text));
    // The stored base URL must match as well; the name of the secret alone is not trusted.
    return parseBaseUrl(saved.baseUrl).kind === "ok" && saved.baseUrl === location.baseUrl ? saved : null;
  } catch {
    return null;
  }
}

/** Stores a verified token of the project with this id (see project-identity.ts), replacing the previous one. */
export async function saveToken(
  location: TokenLocation,
  verified: VerifiedToken,
  projectId: string,
): Promise<void> {
  const { baseUrl, token, record, canWrite } = verified;
  const name = secretName(location);
  if (name === null || baseUrl !== location.baseUrl)
    throw new Error("A token is saved for its own base URL only");
  const { slug } = record;
  const saved: SavedToken = { baseUrl, token, slug, name: record.name, canWrite, projectId };
  await location.secrets.store(name, JSON.stringify(saved));
}

/** Stores the project's current name and slug; the project id stays the same. */
export async function saveRecord(
  location: TokenLocation,
  saved: SavedToken,
  { slug, name }: ProjectRecord,
): Promise<SavedToken> {
  const projectId = projectIdOf(saved) ?? slug;
  const next: SavedToken = { ...saved, slug, name, projectId };
  const secret = secretName(location);
  if (secret !== null) await location.secrets.store(secret, JSON.stringify(next));
  return next;
}

/** Deletes the token from the secret storage. */
export async function removeToken({ secrets, ...location }: TokenLocation): Promise<void> {
  const name = secretName(location);
  if (name !== null) await secrets.delete(name);
}

/** Returns the id of the token's project at its base URL; `null` without a token. */
export function projectIdOf(saved: SavedToken | null): string | null {
  return saved === null ? null : (saved.projectId ?? saved.slug);
}

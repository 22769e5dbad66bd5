/**
 * Which project a token belongs to: a stable id that is made on this machine, since "exact field names of the project
 * record: not shown" (§ GET /project) and its slug can change or repeat. A token keeps its project for good. Another token
 * is of the same project if the slug is the same and the project has the keys that are known of it.
 */
import { createHmac, randomBytes } from "node:crypto";
import * as v from "valibot";
import { diffInBatches } from "../../api/batches.ts";
import type { Client, RequestOptions } from "../../api/client.ts";
import { isApiError } from "../../api/errors.ts";
import type { KnownProject, KnownProjects } from "../../database/personal/known-projects.ts";
import { sha1 } from "../../model/key-hash.ts";
import {
  projectIdOf,
  readToken,
  removeToken,
  type TokenLocation,
  type VerifiedToken,
} from "./token-storage.ts";

/** Fingerprints of tokens, made with a random key, with the ids of their projects. A token cannot be told from them. */
const IdentitiesSchema = v.object({ key: v.string(), projects: v.record(v.string(), v.string()) });
type Identities = v.InferOutput<typeof IdentitiesSchema>;

/** Tokens that are remembered for a folder and base URL. */
const MAX_TOKENS = 50;
/** Of the known keys: with at least this share it is the same project, with at most this one another. */
const SAME_SHARE = 0.8;
const OTHER_SHARE = 0.2;
/** § Pagination. */
const PAGE_SIZE = 1_000;

/** What identifying the project of a token needs. */
export interface IdentifyOptions {
  readonly location: TokenLocation;
  readonly verified: VerifiedToken;
  /** A client with the token. */
  readonly client: Client;
  readonly knownProjects: KnownProjects;
  /** Asks whether the token is of this project, when that is not certain. */
  readonly isSameProject: (known: KnownProject) => Promise<boolean>;
  readonly options?: RequestOptions;
}

/** Returns the id of the token's project: a known one, or a new one. Remembers it, and that of the token in use before. */
export async function identifyProject(needs: IdentifyOptions): Promise<string> {
  const { location, verified } = needs;
  await rememberTokenInUse(location);
  const id =
    (await projectOfToken(location, verified.token)) ?? (await recognise(needs)) ?? crypto.randomUUID();
  await rememberToken(location, verified.token, id);
  return id;
}

/**
 * Deletes the token in use, and remembers its project for when it is entered again.
 * @param endSession ends the session of the token. Called before the token is deleted, since then the session may be
 *   replaced at once
 */
export async function forgetToken(
  location: TokenLocation,
  endSession: () => Promise<unknown>,
): Promise<void> {
  await rememberTokenInUse(location);
  await Promise.all([endSession(), removeToken(location)]);
}

async function rememberTokenInUse(location: TokenLocation): Promise<void> {
  const saved = await readToken(location);
  if (saved !== null) await rememberToken(location, saved.token, projectIdOf(saved) ?? saved.slug);
}

/** Remembers the project of a token after the token is deleted. */
export async function rememberToken(location: TokenLocation, token: string, id: string): Promise<void> {
  const name = identitiesName(location);
  const { key, projects } = await readIdentities(location);
  const fingerprint = tokenFingerprint(key, token);
  if (name === null || projects[fingerprint] === id) return;
  const others = Object.entries(projects).filter(([each]) => each !== fingerprint);
  const all = Object.fromEntries([...others, [fingerprint, id] as const].slice(-MAX_TOKENS));
  await location.secrets.store(name, JSON.stringify({ key, projects: all } satisfies Identities));
}

async function projectOfToken(location: TokenLocation, token: string): Promise<string | null> {
  const { key, projects } = await readIdentities(location);
  return projects[tokenFingerprint(key, token)] ?? null;
}

async function readIdentities(location: TokenLocation): Promise<Identities> {
  const name = identitiesName(location);
  const text = name === null ? undefined : await location.secrets.get(name);
  try {
    return v.parse(IdentitiesSchema, JSON.parse(text ?? ""));
  } catch {
    return { key: randomBytes(32).toString("hex"), projects: {} };
  }
}

function identitiesName({ baseUrl, root }: TokenLocation): string | null {
  return baseUrl === null ? null : `projects.${sha1(`${baseUrl}\u001f${root}`)}`;
}

function tokenFingerprint(key: string, token: string): string {
  return createHmac("sha256", Buffer.from(key, "hex")).update(token).digest("hex");
}

/** Returns the id of the known project that the token is of; `null` if it is of none. */
async function recognise(needs: IdentifyOptions): Promise<string | null> {
  const { verified, knownProjects, isSameProject } = needs;
  const { slug } = verified.record;
  if (slug === "") return null;
  for (const known of knownProjects.withSlug(verified.baseUrl, slug)) {
    const share = await shareOfKeys(needs, knownProjects.keys(known.project));
    if (share !== null && share >= SAME_SHARE) return known.id;
    if ((share === null || share > OTHER_SHARE) && (await isSameProject(known))) return known.id;
  }
  return null;
}

/** Returns about which share of these keys the project has, without changing anything; `null` if it cannot be told. */
async function shareOfKeys(
  { client, verified, options = {} }: IdentifyOptions,
  hashes: readonly string[],
): Promise<number | null> {
  // Nothing says that it is another project, and nothing is known that could get into a wrong one.
  if (hashes.length === 0) return 1;
  const person = { priority: "person", ...options } as const;
  try {
    if (verified.canWrite) {
      const keys = hashes.map((hash) => ({ hash, sourceHash: null }));
      const diff = await diffInBatches(client, keys, person);
      return diff === null ? null : 1 - diff.new.length / hashes.length;
    }
    const page = await client.keys({ limit: PAGE_SIZE }, person);
    const found = new Set(page.data.map(({ hash }) => hash));
    const total = Math.max(found.size, ...verified.stats.languages.map(({ totalKeys }) => totalKeys));
    // Of a larger project only the first page is compared: the known keys are spread evenly over it.
    const expected = (hashes.length * found.size) / Math.max(total, 1);
    if (expected < 1) return null;
    return hashes.filter((hash) => found.has(hash)).length / expected;
  } catch (error) {
    if (isApiError(error)) return null;
    throw error;
  }
}

/**
 * Renaming a key at the service, which has no such thing: a new key with the old one's text and details, its
 * translations copied, and only then the old key archived. Whatever fails, the old key and its translations are there.
 */
import { syncAll, writeAll } from "../api/chunks.ts";
import type { RequestOptions } from "../api/client.ts";
import type { EditNeeds } from "./edit.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "./identity.ts";
import { isEmptyText, isForms, sameText } from "./text.ts";

export type ServiceRename =
  /** `skipped`: translations that the service did not take, by language. */
  | { readonly kind: "done"; readonly copied: number; readonly skipped: readonly string[] }
  /** The service has no such key with a source text, or has the new one with another text. */
  | { readonly kind: "nothing" }
  /** § Sync result: the new key was refused, with the service's word for why. */
  | { readonly kind: "rejected"; readonly reason: string };

/** `onStep` is told before each language, and how many there are. Throws ApiError; then the old key is not archived. */
export async function renameAtService(
  { client, project, refresher, sha1 }: EditNeeds,
  from: KeyName,
  to: KeyName,
  { onStep, ...options }: RequestOptions & { readonly onStep?: (done: number, total: number) => void } = {},
): Promise<ServiceRename> {
  const old = project.keys.get(keyHash(sha1, from));
  if (old?.text == null) return { kind: "nothing" };
  // One with the same text is what a renaming left that was broken off: it is gone on with.
  const there = project.keys.get(keyHash(sha1, to));
  if (there !== undefined && (there.text === null || !sameText(there.text, old.text)))
    return { kind: "nothing" };
  const targets = (project.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  for (const { locale } of targets) await refresher.ensureLocale(locale, { priority: "person", ...options });
  const { namespace, key, context } = to;
  const name = {
    key,
    ...(namespace === NO_NAMESPACE ? {} : { namespace }),
    ...(context === null || context === "" ? {} : { context }),
  };
  const made = {
    ...name,
    ...(isForms(old.text) ? { forms: old.text.forms } : { value: old.text.value }),
    ...(old.description === null ? {} : { description: old.description }),
    ...(old.maxLength === null ? {} : { maxLength: old.maxLength }),
    ...(old.tags.length === 0 ? {} : { tags: [...old.tags] }),
  };
  const { rejected } = await syncAll(client, { keys: [made] }, options);
  if (rejected[0] !== undefined) return { kind: "rejected", reason: rejected[0].reason };
  let copied = 0;
  const skipped: string[] = [];
  const hash = keyHash(sha1, to);
  for (const [at, { locale }] of targets.entries()) {
    onStep?.(at, targets.length);
    const text = project.rows(locale)?.rows.get(old.hash)?.text ?? null;
    if (text === null || isEmptyText(text)) continue;
    const copy = project.rows(locale)?.rows.get(hash)?.text ?? null;
    if (copy !== null && sameText(copy, text)) {
      copied++;
      continue;
    }
    const item = {
      hash,
      namespace,
      key,
      context,
      ...(isForms(text) ? { forms: text.forms } : { value: text.value }),
    };
    // What somebody wrote for the new key meanwhile stays.
    const result = await writeAll(client, locale, [item], "fill_empty", options);
    if (result.skipped.length > 0) skipped.push(locale);
    else copied++;
  }
  if (skipped.length === 0) await syncAll(client, { keys: [], archive: [old.hash] }, options);
  void refresher.refresh({ priority: "person" });
  return { kind: "done", copied, skipped };
}

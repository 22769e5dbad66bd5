/**
 * Which keys are plural, and which files would be read otherwise by what is known of that now: the service's word counts,
 * else in files of other languages what the source file makes of the key.
 */
import type { KeyRepository } from "../../database/key-repository.ts";
import type { LocalFileRepository } from "../../database/local-file-repository.ts";
import { keyHash } from "../../model/key-identity.ts";
import type { FormatName } from "../../model/format-name.ts";
import { CATEGORIES } from "../../model/text.ts";
import type { LocalPlace } from "./local-file.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** Formats whose files say themselves which keys are plural. */
const SAY_KINDS: ReadonlySet<FormatName> = new Set([
  ...(["po", "pot", "mo", "wordpress_php", "wordpress_jed", "xliff12", "xliff20"] as const),
]);

/** Keys looked up between two chances for other work; some 5 ms. */
const BATCH_SIZE = 100;

export interface PluralDependencies {
  readonly repository: LocalFileRepository;
  /** Of the service. */
  readonly keys: Pick<KeyRepository, "isPlural" | "plurals">;
}

/** Whether a key is plural, by its hash; `undefined` when nobody knows. */
export function isPluralKey(
  { repository, keys }: Pick<PluralDependencies, "repository" | "keys">,
  hash: string,
  sourceLocale: string,
  isSource: boolean,
): boolean | undefined {
  return keys.isPlural(hash) ?? (isSource ? undefined : repository.isPlural(hash, sourceLocale));
}

/** The paths of those of the files that would be read otherwise now. */
export async function outdatedKinds(
  dependencies: PluralDependencies,
  places: ReadonlyMap<string, LocalPlace>,
  sourceLocale: string,
): Promise<ReadonlySet<string>> {
  const { repository, keys } = dependencies;
  const outdated = new Set<string>();
  /** Entries of the other kind than the key, which is `isPlural` by what is known for their file. */
  const check = (hash: string, isPlural: boolean, isKey: (isSource: boolean) => boolean): void => {
    for (const path of repository.pathsOf(hash, !isPlural)) {
      const place = places.get(path);
      if (place === undefined || outdated.has(path) || SAY_KINDS.has(place.entry.format)) continue;
      if (isKey(place.locale === sourceLocale)) outdated.add(path);
    }
  };
  const kindOf = (hash: string, isSource: boolean): boolean | undefined =>
    isPluralKey(dependencies, hash, sourceLocale, isSource);
  let seen = 0;
  for (const { hash } of repository.plurals()) {
    check(hash, false, (isSource) => kindOf(hash, isSource) === false);
    if (++seen % BATCH_SIZE === 0) await yieldNow();
  }
  for (const names of [keys.plurals(), repository.plurals(sourceLocale)]) {
    for (const { hash, ...name } of names) {
      check(hash, true, (isSource) => kindOf(hash, isSource) === true);
      // Its forms may have been taken for keys of their own.
      for (const category of CATEGORIES) {
        const form = keyHash({ ...name, key: `${name.key}_${category}` });
        check(
          form,
          true,
          (isSource) => kindOf(form, isSource) === undefined && kindOf(hash, isSource) === true,
        );
      }
      if (++seen % BATCH_SIZE === 0) await yieldNow();
    }
  }
  return outdated;
}

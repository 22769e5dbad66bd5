/**
 * Which keys are plural, and which files must be parsed again when that changes: the service decides, then, for files
 * of other languages, the source file.
 */
import type { KeyRepository } from "../../database/key-repository.ts";
import type { LocalFileRepository } from "../../database/local-file-repository.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { FormatName } from "../../model/format-name.ts";
import { PLURAL_CATEGORIES } from "../../model/text.ts";
import type { LocalFileLocation } from "./local-file.ts";
import { yieldNow } from "../../model/event-loop.ts";

/** Formats whose files state which keys are plural. */
const STATE_PLURALS: ReadonlySet<FormatName> = new Set([
  ...(["po", "pot", "mo", "wordpress_php", "wordpress_jed", "xliff12", "xliff20"] as const),
]);

/** Keys looked up between yields to the event loop; about 5 ms. */
const BATCH_SIZE = 100;

export interface PluralDependencies {
  readonly repository: LocalFileRepository;
  /** The service's keys. */
  readonly keys: Pick<KeyRepository, "isPlural" | "pluralKeys">;
}

/** Whether a key is plural; `undefined` if unknown. */
export function isPluralKey(
  { repository, keys }: Pick<PluralDependencies, "repository" | "keys">,
  hash: string,
  sourceLocale: string,
  isSource: boolean,
): boolean | undefined {
  return keys.isPlural(hash) ?? (isSource ? undefined : repository.isPlural(hash, sourceLocale));
}

/** Returns the paths of the files that would be parsed differently now. */
export async function filesWithOutdatedPlurals(
  dependencies: PluralDependencies,
  locations: ReadonlyMap<string, LocalFileLocation>,
  sourceLocale: string,
): Promise<ReadonlySet<string>> {
  const { repository, keys } = dependencies;
  const outdated = new Set<string>();
  /** Adds the files with an entry whose plurality differs from `isPlural`. */
  const check = (hash: string, isPlural: boolean, isKey: (isSource: boolean) => boolean): void => {
    for (const path of repository.pathsOfKey(hash, !isPlural)) {
      const location = locations.get(path);
      if (location === undefined || outdated.has(path) || STATE_PLURALS.has(location.entry.format)) continue;
      if (isKey(location.locale === sourceLocale)) outdated.add(path);
    }
  };
  const kindOf = (hash: string, isSource: boolean): boolean | undefined =>
    isPluralKey(dependencies, hash, sourceLocale, isSource);
  let seen = 0;
  for (const { hash } of repository.pluralKeys()) {
    check(hash, false, (isSource) => kindOf(hash, isSource) === false);
    if (++seen % BATCH_SIZE === 0) await yieldNow();
  }
  for (const names of [keys.pluralKeys(), repository.pluralKeys(sourceLocale)]) {
    for (const { hash, ...name } of names) {
      check(hash, true, (isSource) => kindOf(hash, isSource) === true);
      // Its forms may have been parsed as separate keys.
      for (const category of PLURAL_CATEGORIES) {
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

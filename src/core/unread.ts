/**
 * What the source files may hold beyond what could be read of them: a key behind a mistake or a piece of code is not
 * missing, so it must not be archived.
 */
import type { KeyName } from "./identity.ts";
import type { LocalSnapshot } from "./local-entries.ts";

/** A place in a source file that was not understood. */
export interface Unread {
  readonly path: string;
  readonly namespace: string;
  /** The key, or the beginning of keys, whose value was not understood; `null`: any key may stand there. */
  readonly key: string | null;
}

/** The places in the source files that were not understood; empty when all was read. */
export function unreadIn({ files, sourceLocale }: Pick<LocalSnapshot, "files" | "sourceLocale">): Unread[] {
  return files.flatMap(({ place: { path, locale, naming }, problems }) =>
    (locale === sourceLocale ? problems : [])
      .filter(({ code }) => code !== "duplicate" && code !== "elsewhere")
      .map(({ code, key }) => ({
        path,
        namespace: naming.namespace,
        key: key === null || code === "syntax" ? null : naming.keyPrefix + key,
      })),
  );
}

/** Whether the key may stand in one of the places. */
export function mayStandIn(unread: readonly Unread[], name: KeyName): boolean {
  return unread.some(
    ({ namespace, key }) =>
      key === null || (namespace === name.namespace && (name.key === key || name.key.startsWith(`${key}.`))),
  );
}

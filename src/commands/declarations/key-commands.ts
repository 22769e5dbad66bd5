/** Commands about keys: reading, archiving, renaming, finding and copying them. */
import type { RefusedItem } from "../../api/errors.ts";
import type { SyncResult } from "../../api/response-schemas.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { defineCommand, resolvesWith } from "../define-command.ts";
import {
  HashesSchema,
  keyOptions,
  KeySchema,
  LocaleSchema,
  option,
  requiredOption,
} from "../option-schemas.ts";

const language = option(LocaleSchema, "The language; default: the source language.");

export const archiveCommand = defineCommand({
  id: "archive",
  title: "Archive Keys",
  needs: "write-access",
  description: "Archives keys on the service.",
  options: {
    hashes: requiredOption(HashesSchema, "Hashes of the keys."),
    alsoOffer: option(HashesSchema, "Hashes of keys that the preview shows too, unchecked."),
  },
  resolvesWith: resolvesWith<{ readonly result: SyncResult }>("`result`"),
});

export const renameAtServiceCommand = defineCommand({
  id: "renameAtService",
  title: "Rename on the Service",
  needs: "write-access",
  description:
    "Renames a key on the service after it was renamed in the files. Outdated translations are not copied, and the old key stays until all translations are.",
  options: {
    from: requiredOption(KeySchema, "The key’s old name."),
    to: requiredOption(KeySchema, "The key’s new name."),
  },
  resolvesWith: resolvesWith<{
    /** Number of copied translations. */
    readonly copied: number;
    /** Languages in which the new key has another translation. */
    readonly skipped: readonly string[];
    /** Languages whose translation is outdated, and was not copied. */
    readonly outdated: readonly string[];
    /** Whether the old key was archived, since everything was copied. */
    readonly archived: boolean;
  }>("`copied` (count), `skipped` and `outdated` (languages), `archived`"),
});

export const giveUpRenameCommand = defineCommand({
  id: "giveUpRename",
  title: "Discard Rename",
  needs: "project",
  audience: "row",
  description: "Forgets a rename in the files that was not made on the service.",
  options: {
    from: requiredOption(KeySchema, "The key’s old name."),
    to: option(KeySchema, "The key’s new name."),
  },
});

/** A usage of a key. `line` and `character` are zero-based. */
export interface PlainUsage {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  /** The pattern of a dynamic usage that may refer to the key (`admin.*`); `null` for an exact usage. */
  readonly pattern: string | null;
}

export const findUsesCommand = defineCommand({
  id: "findUses",
  title: "Find References to Key",
  needs: "project",
  inRowMenus: true,
  description: "Finds where the code uses a key. Lines and characters begin at 0.",
  options: keyOptions,
  resolvesWith: resolvesWith<{ readonly uses: readonly PlainUsage[] }>(
    "`uses: [{ path, line, character, pattern }]`",
  ),
});

export const goToEntryCommand = defineCommand({
  id: "goToEntry",
  title: "Go to Entry",
  needs: "project",
  inRowMenus: true,
  description: "Opens the translation file of a key at its text.",
  options: { ...keyOptions, locale: language },
  resolvesWith: resolvesWith<{
    /** Relative to the project's root. */
    readonly file: string;
  }>("`file`"),
});

const copied = resolvesWith<{ readonly text: string }>("`text`");

export const copyKeyCommand = defineCommand({
  id: "copyKey",
  title: "Copy Key",
  needs: "project",
  audience: "person",
  inRowMenus: true,
  description: "Copies a key as it is written in code.",
  options: keyOptions,
  resolvesWith: copied,
});

export const copyTextCommand = defineCommand({
  id: "copyText",
  title: "Copy Text",
  needs: "project",
  audience: "person",
  inRowMenus: true,
  description: "Copies the text of a key.",
  options: { ...keyOptions, locale: language },
  resolvesWith: copied,
});

export const searchKeysCommand = defineCommand({
  id: "searchKeys",
  title: "Search Keys",
  needs: "project",
  audience: "person",
  description: "Searches keys by their names and texts.",
});

/** A key of the usage report. */
export interface ReportedKey extends KeyName {
  readonly hash: string;
}

/** The usage report as plain data. */
export interface PlainReport {
  readonly used: number;
  readonly unused: readonly ReportedKey[];
  /**
   * `pattern`: of the dynamic usage that may refer to the key; empty if the file `path` contains the name otherwise. With a
   * pattern, `path` is a file with the part that the usage leaves open; `null` if that cannot be looked for.
   */
  readonly undeterminable: readonly (ReportedKey & {
    readonly pattern: string;
    readonly path: string | null;
  })[];
  /** Keys that only the dynamic usage `pattern` may refer to, whose open part is nowhere in the project. */
  readonly probablyUnused: readonly (ReportedKey & { readonly pattern: string })[];
}

export const findUnusedCommand = defineCommand({
  id: "findUnused",
  title: "Find Unused Keys",
  needs: "project",
  description: "Reports which keys the code uses.",
  resolvesWith: resolvesWith<PlainReport>(
    "`used` (count), `unused: [{ hash, namespace, key, context }]`, `undeterminable: [{ …, pattern, path }]`, `probablyUnused: [{ …, pattern }]`",
  ),
});

export const removeUnusedCommand = defineCommand({
  id: "removeUnused",
  title: "Remove Unused Keys",
  needs: "project",
  description:
    "Removes the unused keys of the last report from the translation files; probably unused ones only if they are checked or named.",
  options: { hashes: option(HashesSchema, "Hashes of keys: these are removed, used or not.") },
  resolvesWith: resolvesWith<{
    /** Number of removed keys. */
    readonly removed: number;
    /** Relative to the project's root. */
    readonly files: readonly string[];
    /** Entries that could not be removed, and files that may have more but could not be read completely; absent if none. */
    readonly items?: readonly RefusedItem[];
  }>(
    "`removed` (count), `files`; `items` (as of an error, with `file`, and `*` as `key` for a file as a whole) names entries that could not be removed, and files that may have more of the keys but could not be read completely",
  ),
});

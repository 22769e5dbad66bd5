/** Commands that compare the local files with the service: push, pull, import. */
import * as v from "valibot";
import type { RefusedItem } from "../../api/errors.ts";
import type { Job, SyncResult } from "../../api/response-schemas.ts";
import type { PullFile } from "../../sync/pull/pull-plan.ts";
import type { PushPlanCounts } from "../../sync/push/push-plan.ts";
import { defineCommand, forRows, resolvesWith } from "../define-command.ts";
import {
  FormatSchema,
  HashesSchema,
  LocaleSchema,
  LocalesSchema,
  option,
  UrisSchema,
} from "../option-schemas.ts";

/** Half a character (an unpaired surrogate) would be sent as another text. */
const text = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.check((value) => value.isWellFormed()),
);

export const pushCommand = defineCommand({
  id: "push",
  title: "Push Keys",
  needs: "write-access",
  description: "Sends new and changed source texts to the service, after a preview.",
  options: {
    dryRun: option(v.boolean(), "Only compares; nothing is sent."),
    archiveMissing: option(v.boolean(), "Also archives the keys that are in no file any more."),
    only: option(HashesSchema, "Hashes of keys: only these."),
    files: option(UrisSchema, "Translation files: only their keys."),
  },
  resolvesWith: resolvesWith<{
    readonly plan: PushPlanCounts;
    /** Absent in a dry run. */
    readonly result?: SyncResult;
    /** Source files and folders that could not be read completely, and keys that were left as they are; absent if none. */
    readonly items?: readonly RefusedItem[];
  }>(
    "`plan` (counts) and, unless `dryRun`, `result`; `items` (as of an error, with `file`, and `*` as `key`) names source files that could not be read completely, without which it fails if there is nothing else to push, and keys whose text somebody changed on the service, which are only sent if `only` names them. With nothing else to push the outcome is `conflict` if such a text changed in the files too, and `unchanged` if not",
  ),
});

/** `pushCommand` in the menus of rows. */
export const pushRowCommand = forRows(pushCommand);

export const pullCommand = defineCommand({
  id: "pull",
  title: "Pull Translations",
  needs: "signed-in",
  description: "Applies an export of the service to the local files, after a preview.",
  options: {
    profile: option(text, "The key of an export format of the project; default: that of the project file."),
    locales: option(LocalesSchema, "Languages of the service; default: those of the profile."),
    missing: option(v.picklist(["fallback", "empty", "omit"]), "What is exported for missing texts."),
    files: option(UrisSchema, "Translation files: only these are written."),
    only: option(HashesSchema, "Hashes of keys: only these are pulled."),
    locale: option(LocaleSchema, "With `only`: the language to pull."),
    ignoreEtag: option(v.boolean(), "Compares the files even if nothing changed on the service."),
  },
  resolvesWith: resolvesWith<{
    readonly files: readonly Pick<PullFile, "path" | "change">[];
    /** What was left as it is in the files, or could not be applied; a file as a whole has an empty key. */
    readonly items?: readonly RefusedItem[];
  }>(
    "`files: [{ path, change }]`; `change` is `created`, `updated` or `unchanged`. `items` (as of an error, with `file`, and an empty `key` for a file as a whole) names what it left as it is in the files, and what could not be applied. The outcome is `done` if it wrote anything; else `failed` if a file could not be changed, `conflict` if a text changed on both sides, and `unchanged` if texts changed only in the files",
  ),
});

/** `pullCommand` in the menus of rows. */
export const pullRowCommand = forRows(pullCommand);

export const showPulledCommand = defineCommand({
  id: "showPulled",
  title: "Show Changes",
  needs: "project",
  audience: "row",
  description: "Shows what the last pull changed.",
});

export const undoPullCommand = defineCommand({
  id: "undoPull",
  title: "Undo Last Pull",
  needs: "project",
  inRowMenus: true,
  description: "Undoes the last pull of this window.",
});

/** The jobs of an import. */
export interface ImportResult {
  /** The last job. */
  readonly job: Job;
  /** One job for each namespace and format. */
  readonly jobs: readonly Job[];
}

export const importCommand = defineCommand({
  id: "import",
  title: "Import Translation Files",
  needs: "write-access",
  description:
    "Uploads translation files and waits until the service has imported them. One upload is sent for each namespace and format: `jobs` has all jobs, `job` the last one.",
  options: {
    files: option(UrisSchema, "Files and folders; default: they are asked for."),
    locale: option(LocaleSchema, "The language of all files; default: that of their paths."),
    format: option(FormatSchema, "The format of all files; default: that of their paths."),
    namespace: option(text, "The namespace of all files; default: that of their paths."),
    overwrite: option(v.boolean(), "Whether translations of the service are replaced."),
    createUnknownKeys: option(v.boolean(), "Whether keys that the service does not know are created."),
    tag: option(text, "A tag for the created keys."),
  },
  resolvesWith: resolvesWith<Partial<ImportResult>>("`job`, `jobs`"),
});

/** Translations that were written one by one. */
export interface SentTranslations {
  readonly written: number;
  readonly skipped: readonly { readonly locale: string; readonly key: string; readonly reason: string }[];
}

export const importLocalCommand = defineCommand({
  id: "importLocal",
  title: "Import Local Translations",
  needs: "write-access",
  inRowMenus: true,
  description:
    "Sends translations that are only in local files, and those that changed only there. Replaces nothing that changed on the service and creates no keys.",
  options: { locale: option(LocaleSchema, "Only this language.") },
  resolvesWith: resolvesWith<
    Partial<SentTranslations> & {
      /** Files and folders that could not be read completely; absent if none. */
      readonly items?: readonly RefusedItem[];
    }
  >(
    "`written` (count), `skipped: [{ locale, key, reason }]`; `items` (as of an error, with `file`, and `*` as `key`) names files that could not be read completely, without which it fails if there is nothing else to send",
  ),
});

export const stopWatchingJobCommand = defineCommand({
  id: "stopWatchingJob",
  title: "Stop Following",
  needs: "project",
  audience: "row",
  description: "Stops following a job.",
  options: { job: option(v.pipe(v.number(), v.integer()), "The id of the job.") },
});

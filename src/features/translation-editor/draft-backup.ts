/**
 * VS Code's backup of the translation editor. Drafts are in a database on disk, which a window reads again by itself; only
 * drafts that could not be written there are restored from a backup.
 */
import * as v from "valibot";
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { PersonalData } from "../../database/personal/personal-data.ts";
import type { Project } from "../../database/project-state.ts";

const TextSchema = v.union([
  v.strictObject({ value: v.string() }),
  v.strictObject({ forms: v.record(v.string(), v.string()) }),
]);

const DraftSchema = v.object({
  locale: v.string(),
  hash: v.string(),
  text: TextSchema,
  base: v.nullable(TextSchema),
  baseVersion: v.nullable(v.number()),
  origin: v.picklist(["person", "machine"]),
  model: v.nullable(v.string()),
  source: v.nullable(TextSchema),
});

const BackupSchema = v.object({
  /** As in `PersonalData`. */
  project: v.string(),
  /** Whether the drafts were in a database on disk. */
  isOnDisk: v.boolean(),
  drafts: v.array(DraftSchema),
});

/** Returns the content of a backup. */
export function backupDrafts({ drafts, personal }: Pick<Project, "drafts" | "personal">): string {
  const { isOnDisk } = personal.database;
  const all: readonly TranslationDraft[] = [...drafts.all()];
  return JSON.stringify({ project: personal.project, isOnDisk, drafts: all });
}

/**
 * Restores the drafts of a backup that were only in memory, in the project that they belong to. They are later than those
 * on disk.
 * @param repositoryOf returns the drafts of a project
 * @returns how many were restored
 * @throws {Error} if the content is no backup
 */
export function restoreDrafts(
  content: string,
  repositoryOf: (project: PersonalData["project"]) => Pick<Project["drafts"], "put">,
): number {
  const { project, isOnDisk, drafts } = v.parse(BackupSchema, JSON.parse(content));
  if (isOnDisk) return 0;
  repositoryOf(project).put(drafts);
  return drafts.length;
}

/** Changes of keys in the local files: requests, plans and refusals. */

import type { KeyRepository } from "../../database/key-repository.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import type { ProjectFiles, FileWrite } from "../../model/platform.ts";
import type { LocalFileLocation } from "./local-file.ts";
import type { LocalFiles } from "./locale-entries.ts";
import type { FileOptions, TranslationFiles } from "./translation-files.ts";
import type { Refusal } from "../../formats/format.ts";
import type { Text } from "../../model/text.ts";
import type { KeyName } from "../../model/key-identity.ts";
/** One requested change. `text: null` removes the entry. */
export interface LocalChange {
  readonly name: KeyName;
  /** The service's name of the locale. */
  readonly locale: string;
  readonly text: Text | null;
  /** Description of a new entry; absent: the service's description of the key. */
  readonly description?: string | null;
  /** Source text of a new entry in a bilingual file; absent: the text of the source file or of the service. */
  readonly source?: Text | null;
}

/**
 * A change that cannot be made. `no_file`: no file of the layout can contain the key. `encoding` with a line: the
 * file cannot be decoded.
 */
export interface LocalRefusal {
  readonly change: LocalChange;
  readonly path: string | null;
  readonly reason: Refusal["reason"] | "no_file" | "too_large" | "unreadable";
  /** Line of the syntax error that prevents writing, from 1; `null` if unknown. */
  readonly line: number | null;
  readonly column: number | null;
}

/** The file writes for a list of changes; each write's `before` is the content that the plan is based on. */
export interface LocalEditPlan {
  readonly writes: readonly FileWrite[];
  readonly refused: readonly LocalRefusal[];
}

/** What planning reads. */
export interface LocalEditContext {
  readonly files: ProjectFiles;
  readonly formats: TranslationFiles;
  /** The service's keys, by hash. */
  readonly keys: Pick<KeyRepository, "get">;
  readonly local: LocalFiles;
  readonly layout: readonly FilesEntry[];
  toFile(serviceLocale: string): string;
  locate(path: string): LocalFileLocation | null;
  readOptions(location: LocalFileLocation): FileOptions;
}

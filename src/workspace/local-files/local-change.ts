/** A change of a key in the local files: what is asked for, what is planned, and what is refused. */

import type { KeyRepository } from "../../database/key-repository.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import type { ProjectFiles, FileWrite } from "../../model/platform.ts";
import type { LocalPlace } from "./local-file.ts";
import type { LocalFiles } from "./locale-entries.ts";
import type { FileOptions, TranslationFiles } from "./translation-files.ts";
import type { Refusal } from "../../formats/format.ts";
import type { Text } from "../../model/text.ts";
import type { KeyName } from "../../model/key-identity.ts";
/** One wanted change. `text: null` removes the entry. */
export interface LocalChange {
  readonly name: KeyName;
  /** The service's name. */
  readonly locale: string;
  readonly text: Text | null;
  /** Of a new entry; absent: what the service says of the key. */
  readonly description?: string | null;
  /** Of a new entry in a file that says the source text too; absent: what the source file or the service says. */
  readonly source?: Text | null;
}

/**
 * A change that cannot be made. `no_file`: the layout has no file for such a key. `encoding` with a place: the file
 * itself cannot be read.
 */
export interface LocalRefusal {
  readonly change: LocalChange;
  readonly path: string | null;
  readonly reason: Refusal["reason"] | "no_file" | "too_large" | "unreadable";
  /** From 1: the mistake of the file that keeps it from being written; `null`: of no place. */
  readonly line: number | null;
  readonly column: number | null;
}

/** What is to be written for some changes; each write's `before` is what the plan was made on. */
export interface LocalEditPlan {
  readonly writes: readonly FileWrite[];
  readonly refused: readonly LocalRefusal[];
}

/** What a plan is made of. */
export interface LocalEditContext {
  readonly files: ProjectFiles;
  readonly formats: TranslationFiles;
  /** What the service says of its keys, by hash. */
  readonly keys: Pick<KeyRepository, "get">;
  readonly local: LocalFiles;
  readonly layout: readonly FilesEntry[];
  toFile(serviceLocale: string): string;
  placeOf(path: string): LocalPlace | null;
  readOptions(place: LocalPlace): FileOptions;
}

/** A project folder on a real disk with a database and a usage indexer. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Database } from "../../../src/database/database.ts";
import { KeyNames, type NamedKey } from "../../../src/database/key-name-repository.ts";
import { UsageRepository } from "../../../src/database/key-usage-repository.ts";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import {
  NO_STAMP,
  type SourceFiles,
  sourceFilesOf,
} from "../../../src/workspace/usages/list-source-files.ts";
import { addKeys } from "./key-database.ts";
import { UsageIndexer, type UsageOptions } from "../../../src/workspace/usages/usage-indexer.ts";

export const NO_TEXTS: ReadonlyMap<string, string> = new Map();

export function usageOptions(...frameworks: readonly FrameworkName[]): UsageOptions {
  const find = { frameworks: new Set(frameworks), functions: [] };
  return { find, lookup: { frameworks: find.frameworks } };
}

/** Parses `namespace|key`, which is also the key's hash. */
export function keyOf(text: string): NamedKey {
  const [namespace = "", key = ""] = text.split("|");
  return { hash: text, namespace, key, context: null };
}

export class SourceFolder {
  readonly #parent = mkdtempSync(join(tmpdir(), "source-folder-"));
  readonly root = join(this.#parent, "project");
  readonly databasePath = join(this.#parent, "project.db");
  readonly #databases: Database[] = [];

  /** The paths of the files that were read. */
  reads: string[] = [];
  /** The folders that were listed. */
  readonly lists: string[] = [];
  /** The paths of the ignore files that were looked for. */
  readonly ignoreFiles: string[] = [];
  /** The paths of files that cannot be read. */
  readonly unreadable = new Set<string>();

  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(this.root);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string | Uint8Array): void {
    const absolute = join(this.root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  /** Opens a new database connection, like another window or process. */
  open(): { readonly database: Database; readonly usages: UsageRepository; readonly names: KeyNames } {
    const database = new Database(this.databasePath);
    this.#databases.push(database);
    return { database, usages: new UsageRepository(database), names: new KeyNames(database) };
  }

  indexer(database: Database): UsageIndexer {
    const disk = sourceFilesOf(this.root);
    const files: SourceFiles = {
      list: (path) => {
        this.lists.push(path);
        return disk.list(path);
      },
      read: (path, known) => {
        if (path.endsWith(".gitignore")) this.ignoreFiles.push(path);
        if (this.unreadable.has(path)) return { kind: "skipped", stamp: NO_STAMP, reason: "unreadable" };
        const file = disk.read(path, known);
        if (file.kind === "read" && !path.endsWith(".gitignore")) this.reads.push(path);
        return file;
      },
    };
    return new UsageIndexer(database, files);
  }

  /** Replaces the project's keys (see `keyOf`). */
  setKeys(database: Database, keys: readonly string[]): void {
    database.sql("DELETE FROM keys").run();
    addKeys(database, keys.map(keyOf));
  }

  dispose(): void {
    for (const database of this.#databases) database.close();
    rmSync(this.#parent, { recursive: true });
  }
}

/** A project's files in memory, with globs, stamps and writes. */
import { Database } from "../../../../src/database/database.ts";
import { KeyRepository } from "../../../../src/database/key-repository.ts";
import type { ProjectKey } from "../../../../src/database/records.ts";
import { createHash } from "node:crypto";
import { expect } from "vitest";
import {
  type LocalChange,
  LocalEntries,
  type LocalLayout,
} from "../../../../src/workspace/local-files/local-entries.ts";
import type { FolderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import { globFilter } from "../../../../src/workspace/file-system/globs.ts";
import { LocalFileIndexer } from "../../../../src/workspace/local-files/local-file-indexer.ts";
import { createLocalFileIndexing } from "../../../../src/workspace/local-files/local-file-loader.ts";
import type { KeyName } from "../../../../src/model/key-hash.ts";
import type {
  FileContent,
  FileStamp,
  FileWrite,
  ProjectFiles,
  ReadOutcome,
  WriteOutcome,
} from "../../../../src/model/platform.ts";
import type { Text } from "../../../../src/model/translation-text.ts";

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

class MemoryFiles implements ProjectFiles {
  readonly #files = new Map<string, FileContent>();
  #clock = 0;
  /** Paths in the order in which they were read. */
  readonly reads: string[] = [];

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, text] of Object.entries(files)) this.put(path, text);
  }

  put(path: string, text: string | Uint8Array, dirty = false): void {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const before = this.#files.get(path);
    // Unsaved text leaves the stamp of the file on disk.
    const stamp =
      dirty && before !== undefined ? before.stamp : { size: bytes.length, modified: ++this.#clock };
    this.#files.set(path, { bytes, stamp, dirty });
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  text(path: string): string | undefined {
    const content = this.#files.get(path);
    return content && new TextDecoder("utf-8", { ignoreBOM: true }).decode(content.bytes);
  }

  find(globs: readonly string[]): Promise<readonly string[]> {
    const { matches } = globFilter(globs);
    return Promise.resolve([...this.#files.keys()].filter(matches).sort());
  }

  /** The files on disk, as the indexing process sees them. */
  get folder(): FolderFiles {
    const onDisk = (path: string): FileContent | undefined => this.#files.get(path);
    return {
      find: async ({ matches }) => ({ files: [...this.#files.keys()].filter(matches), unreadable: [] }),
      stat: (path) => {
        const content = onDisk(path);
        return content === undefined
          ? { kind: "missing" }
          : { kind: "file", stamp: content.stamp, realPath: path };
      },
      read: (path) => {
        this.reads.push(path);
        const content = onDisk(path);
        return content === undefined ? { kind: "missing" } : { kind: "read", ...content };
      },
    };
  }

  /** The unsaved texts of editors. */
  unsaved(): ReadonlyMap<string, FileContent> {
    return new Map([...this.#files].filter(([, { dirty }]) => dirty));
  }

  stat(path: string): Promise<FileStamp | undefined> {
    return Promise.resolve(this.#files.get(path)?.stamp);
  }

  read(path: string): Promise<ReadOutcome> {
    this.reads.push(path);
    const content = this.#files.get(path);
    return Promise.resolve(content === undefined ? { kind: "missing" } : { kind: "read", ...content });
  }

  write(writes: readonly FileWrite[]): Promise<WriteOutcome> {
    for (const { path, after } of writes) this.put(path, after);
    return Promise.resolve({ kind: "written" });
  }
}

/** What the service says of a key. */
export type KnownKey = Partial<ProjectKey>;

export interface LocalProject {
  readonly database: Database;
  readonly files: MemoryFiles;
  readonly local: LocalEntries;
  /** Called when the files of the source language were read, others not yet. */
  onPartlyRead: () => Promise<void> | void;
  /** Called before the disk is checked. */
  updateLayout: () => Promise<void>;
  /** That files are being read, that they are not any more, and that they changed. */
  readonly events: ("reading" | "read" | "changed")[];
  /** The extensions of the files whose unsaved texts were asked for. */
  unsavedExtensions: ReadonlySet<string>;
  /** What the service says of keys' kinds, in place of what it said before. */
  setKnown(kinds: Readonly<Record<string, boolean>> | ReadonlyMap<string, KnownKey>): void;
}

/**
 * `kinds` are by `namespace|key`; what else the service knows is by hash.
 * @param readFiles in place of the indexing's own, which it is given
 */
export function createLocalProject(
  files: Readonly<Record<string, string | Uint8Array>>,
  layout: Partial<LocalLayout>,
  readFiles: (indexing: LocalFileIndexer) => LocalFileIndexer["readFiles"] = (own) => own.readFiles.bind(own),
): LocalProject {
  const memory = new MemoryFiles(files);
  const database = new Database();
  const keys = new KeyRepository(database);
  let keysVersion = 0;
  const indexing = new LocalFileIndexer(database);
  indexing.readFiles = readFiles(indexing);
  const fileIndexing = createLocalFileIndexing(database, memory.folder, indexing);
  const fixture: LocalProject = {
    database,
    files: memory,
    local: new LocalEntries({
      database,
      version: "1",
      files: memory,
      keysVersion: () => keysVersion,
      indexing: () => fileIndexing,
      unsavedFiles: (extensions) => {
        fixture.unsavedExtensions = extensions;
        return memory.unsaved();
      },
      onReading: (isReading) => fixture.events.push(isReading ? "reading" : "read"),
      onChanged: () => fixture.events.push("changed"),
      onPartlyRead: () => fixture.onPartlyRead(),
      updateLayout: () => fixture.updateLayout(),
    }),
    onPartlyRead: () => undefined,
    updateLayout: () => Promise.resolve(),
    events: [],
    unsavedExtensions: new Set(),
    setKnown: (kinds) => {
      keysVersion++;
      const known: ReadonlyMap<string, KnownKey> =
        kinds instanceof Map
          ? kinds
          : new Map(
              Object.entries(kinds).map(([id, isPlural]) => [
                hashOf(nameOf(id)),
                { ...nameOf(id), isPlural },
              ]),
            );
      const hashes = [...keys.names()].map(({ hash }) => hash);
      Array.from(keys.remove(hashes, revision));
      keys.put(
        Array.from(known, ([hash, key]) => ({ ...NO_KEY, ...key, hash })),
        ++revision,
      );
    },
  };
  fixture.local.configure({ files: [], locales: {}, sourceLocale: "en", serviceLocales: [], ...layout });
  return fixture;
}

let revision = 1;

/** What a key of the service has besides its name, of one without a text. */
export const NO_DETAILS = {
  text: null,
  sourceHash: null,
  description: null,
  maxLength: null,
  tags: [],
  updatedAt: null,
};

const NO_KEY: ProjectKey = {
  ...NO_DETAILS,
  hash: "",
  namespace: "*",
  key: "",
  context: null,
  isPlural: false,
};

/** `auth|failed`; a bare word has no namespace. */
export function nameOf(id: string): KeyName {
  const [namespace = "*", key = ""] = id.includes("|") ? id.split("|") : ["*", id];
  return { namespace, key, context: null };
}

export function hashOf({ namespace, key, context }: KeyName): string {
  return sha1(`${namespace}\u001f${key}\u001f${context ?? ""}`);
}

/** What a language says, by `namespace|key`, of files that were read. */
export function textsIn({ local }: LocalProject, locale: string): Record<string, Text> {
  const entries = [...local.entries(locale).values()];
  return Object.fromEntries(entries.map(({ name, text }) => [`${name.namespace}|${name.key}`, text]));
}

/** A change of one text; `null` takes it away. */
export const change = (id: string, locale: string, value: string | null): LocalChange => {
  return { name: nameOf(id), locale, text: value === null ? null : { value } };
};

/** Plans, writes, and gives the paths written. */
export async function apply(fixture: LocalProject, changes: readonly LocalChange[]): Promise<string[]> {
  const plan = await fixture.local.planEdit(changes);
  expect(plan.refused).toEqual([]);
  await fixture.files.write(plan.writes);
  fixture.local.invalidate();
  await fixture.local.load();
  return plan.writes.map((write) => write.path);
}

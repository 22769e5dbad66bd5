/** The details of the local translation files in the database, kept in memory and read again where they changed. */
import { createHash } from "node:crypto";
import type { LocalFileRepository, StoredFile } from "../../database/local-file-repository.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";

interface KnownFile {
  readonly version: string;
  readonly file: StoredFile;
}

export class StoredFiles {
  readonly #repository: LocalFileRepository;
  #byId: ReadonlyMap<number, KnownFile> = new Map();
  #byPath: ReadonlyMap<string, StoredFile> = new Map();
  #fingerprint = "";
  /** Read conditions, of which thousands of files would each have their own copy. */
  readonly #strings = new Map<string, string>();

  constructor(repository: LocalFileRepository) {
    this.#repository = repository;
  }

  /** As of the last `update`. */
  get byPath(): ReadonlyMap<string, StoredFile> {
    return this.#byPath;
  }

  /** Changes with each change of a file. */
  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** Reads the files that are new or changed, letting other tasks run in between. */
  async update(): Promise<void> {
    const slices = new TimeSlices();
    const byId = new Map<number, KnownFile>();
    const byPath = new Map<string, StoredFile>();
    const hash = createHash("sha1");
    for (const versions of this.#repository.fileVersions()) {
      for (const { id, version } of versions) {
        const before = this.#byId.get(id);
        const file = before?.version === version ? before.file : this.#read(id);
        if (file === undefined) continue;
        hash.update(`${id} ${version}\n`);
        byId.set(id, { version, file });
        byPath.set(file.path, file);
        if (slices.isOver) await slices.next();
      }
    }
    this.#byId = byId;
    this.#byPath = byPath;
    this.#fingerprint = hash.digest("hex");
  }

  #read(id: number): StoredFile | undefined {
    const file = this.#repository.file(id);
    if (file === undefined) return undefined;
    const { readConditions } = file;
    return { ...file, readConditions: getOrCreate(this.#strings, readConditions, () => readConditions) };
  }
}

/** A project's files in memory, with a glob, stamps and writes like the real ones. */
import { direct } from "../../../src/core/formats/direct.ts";
import { createHash } from "node:crypto";
import { expect } from "vitest";
import {
  type KnownKey,
  type KnownKeys,
  type LocalChange,
  LocalEntries,
  type LocalLayout,
} from "../../../src/core/local-entries.ts";
import type { KeyName } from "../../../src/core/identity.ts";
import type {
  FileContent,
  FileStamp,
  FileWrite,
  ProjectFiles,
  WriteOutcome,
} from "../../../src/core/ports.ts";
import type { Text } from "../../../src/core/text.ts";

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

  find(glob: string): Promise<readonly string[]> {
    const source = glob
      .replaceAll(/[.+^$()|[\]\\]/g, "\\$&")
      .replaceAll("**/", "\u0001")
      .replaceAll("*", "[^/]*")
      .replaceAll("?", "[^/]")
      .replaceAll("\u0001", "(?:.*/)?");
    const regex = new RegExp(`^${source}$`);
    return Promise.resolve([...this.#files.keys()].filter((path) => regex.test(path)).sort());
  }

  stat(path: string): Promise<FileStamp | undefined> {
    return Promise.resolve(this.#files.get(path)?.stamp);
  }

  read(path: string): Promise<FileContent | undefined> {
    this.reads.push(path);
    return Promise.resolve(this.#files.get(path));
  }

  write(writes: readonly FileWrite[]): Promise<WriteOutcome> {
    for (const { path, after } of writes) this.put(path, after);
    return Promise.resolve({ kind: "written" });
  }
}

export interface World {
  readonly files: MemoryFiles;
  readonly local: LocalEntries;
  /** What the service says of keys' kinds; replaced as a whole, like `Project.keys`. */
  setKnown(kinds: Readonly<Record<string, boolean>> | ReadonlyMap<string, KnownKey>): void;
  yields: number;
}

/** `kinds` are by `namespace|key`; what else the service knows is by hash. */
export function worldOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  layout: Partial<LocalLayout>,
): World {
  const memory = new MemoryFiles(files);
  let known = knownBy(new Map());
  const world: World = {
    files: memory,
    local: new LocalEntries({
      files: memory,
      sha1,
      yieldNow: () => {
        world.yields++;
        return Promise.resolve();
      },
      knownKeys: () => known,
      formats: direct,
    }),
    setKnown: (kinds) => {
      known = knownBy(
        kinds instanceof Map
          ? (kinds as ReadonlyMap<string, KnownKey>)
          : new Map(Object.entries(kinds).map(([id, isPlural]) => [hashOf(nameOf(id)), { isPlural }])),
      );
    },
    yields: 0,
  };
  world.local.configure({ files: [], locales: {}, sourceLocale: "en", serviceLocales: [], ...layout });
  return world;
}

function knownBy(keys: ReadonlyMap<string, KnownKey>): KnownKeys {
  return { get: (hash) => keys.get(hash), isPlural: (hash) => keys.get(hash)?.isPlural };
}

/** `auth|failed`; a bare word has no namespace. */
export function nameOf(id: string): KeyName {
  const [namespace = "*", key = ""] = id.includes("|") ? id.split("|") : ["*", id];
  return { namespace, key, context: null };
}

export function hashOf({ namespace, key, context }: KeyName): string {
  return sha1(`${namespace}\u001f${key}\u001f${context ?? ""}`);
}

/** What a language says, by `namespace|key`, of files that were read. */
export function textsIn({ local }: World, locale: string): Record<string, Text> {
  const entries = [...(local.snapshot?.entries(locale).values() ?? [])];
  return Object.fromEntries(entries.map(({ name, text }) => [`${name.namespace}|${name.key}`, text]));
}

/** A change of one text; `null` takes it away. */
export const change = (id: string, locale: string, value: string | null): LocalChange => {
  return { name: nameOf(id), locale, text: value === null ? null : { value } };
};

/** Plans, writes, and gives the paths written. */
export async function apply(world: World, changes: readonly LocalChange[]): Promise<string[]> {
  const plan = await world.local.planEdit(changes);
  expect(plan.refused).toEqual([]);
  await world.files.write(plan.writes);
  world.local.invalidate();
  await world.local.load();
  return plan.writes.map((write) => write.path);
}

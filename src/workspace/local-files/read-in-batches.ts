/** Passes on files in batches: while one is processed, the next one is read. */
import type { ReadOutcome } from "../../model/platform.ts";
import { collectInSlices, forEachInSlices } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { LocalFileLocation } from "./local-file.ts";

/** A file to parse, or that cannot be parsed any more. */
export interface Readable {
  readonly location: LocalFileLocation;
  readonly content: ReadOutcome;
}

/** Files and bytes from which on a batch is passed on; some 2 ms to send to another process. */
const BATCH_FILES = 256;
const BATCH_BYTES = 512 * 1024;

/** Files that were read; `process` gets one batch after the other. */
export class FileBatches {
  readonly #process: (files: readonly Readable[]) => Promise<void>;
  #files: Readable[] = [];
  #bytes = 0;
  #processing: Promise<void> = Promise.resolve();

  constructor(process: (files: readonly Readable[]) => Promise<void>) {
    this.#process = process;
  }

  /**
   * Adds a file. Resolves when the next one can be read.
   * @throws what `process` rejected with
   */
  async add(file: Readable): Promise<void> {
    this.#files.push(file);
    if (file.content.kind === "read") this.#bytes += file.content.bytes.length;
    if (this.#files.length >= BATCH_FILES || this.#bytes >= BATCH_BYTES) await this.#passOn();
  }

  /**
   * Resolves when all files were processed.
   * @throws what `process` rejected with
   */
  async finish(): Promise<void> {
    await this.#passOn();
    await this.#processing;
  }

  /** Resolves when no file is being processed any more, however that ended. Drops files that were not passed on. */
  async stop(): Promise<void> {
    this.#files = [];
    await this.#processing.catch(() => undefined);
  }

  async #passOn(): Promise<void> {
    const files = this.#files;
    if (files.length === 0) return;
    this.#files = [];
    this.#bytes = 0;
    await this.#processing;
    this.#processing = this.#process(files);
    // Handled where it is awaited.
    this.#processing.catch(() => undefined);
  }
}

/**
 * Returns the files namespace by namespace, so that those of all languages with the same keys are stored one after the
 * other: their entries are adjacent in the index.
 */
export async function groupByNamespace(
  locations: readonly LocalFileLocation[],
): Promise<readonly LocalFileLocation[]> {
  const groups = new Map<string, LocalFileLocation[]>();
  await forEachInSlices(locations, (location) =>
    getOrCreate(groups, location.keyNaming.namespace, () => []).push(location),
  );
  return collectInSlices(inTurn(groups.values()));
}

function* inTurn<Item>(lists: Iterable<readonly Item[]>): Generator<Item> {
  for (const list of lists) yield* list;
}

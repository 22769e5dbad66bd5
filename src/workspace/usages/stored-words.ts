/** Stores the words of files while their texts are searched, so that those of unchanged files are not found again. */
import type { FileWords, FileWordRepository } from "../../database/file-word-repository.ts";
import type { FrameworkName } from "../../frameworks/supported-frameworks.ts";
import type { FileStamp } from "../../model/platform.ts";
import { frameworksOf } from "../../frameworks/supported-frameworks.ts";
import type { PackageTexts } from "./find-evidence.ts";
import { NO_STAMP, type SourceFiles } from "./list-source-files.ts";
import { hasWords, wordsIn, WORDS_VERSION } from "./words-in-text.ts";

/** Files written or read at a time. */
const BATCH_SIZE = 100;

/** Yields the words of all files, in batches. */
export function* fileWords(repository: FileWordRepository): Generator<readonly FileWords[]> {
  for (let last = ""; ;) {
    const files = repository.after(last, BATCH_SIZE);
    if (files.length === 0) return;
    yield files;
    last = files.at(-1)?.path ?? "";
  }
}

/** One search of all files. */
export class WordUpdate {
  readonly #repository: FileWordRepository;
  readonly #frameworks: ReadonlySet<FrameworkName>;
  readonly #stamps: ReadonlyMap<string, FileStamp>;
  readonly #found = new Set<string>();
  #writes: (() => void)[] = [];

  constructor(repository: FileWordRepository, frameworks: ReadonlySet<FrameworkName>) {
    this.#repository = repository;
    this.#frameworks = frameworks;
    repository.prepare(JSON.stringify([WORDS_VERSION, [...frameworks].sort()]));
    this.#stamps = repository.stamps();
  }

  /** Stores the words of a file that has changed. */
  update(path: string, text: string, stamp: FileStamp): void {
    if (!hasWords(path)) return;
    this.#found.add(path);
    const known = this.#stamps.get(path);
    const isSame = stamp.size !== NO_STAMP.size && stamp.size === known?.size;
    if (isSame && stamp.modified === known.modified) return;
    const words = wordsIn(path, text, this.#frameworks);
    this.#write(() => this.#repository.put(path, stamp, words));
  }

  /** Deletes the words of the files that were not among those of this search. */
  finish(): void {
    for (const path of this.#stamps.keys())
      if (!this.#found.has(path)) this.#write(() => this.#repository.delete(path));
    this.#flush();
  }

  #write(write: () => void): void {
    this.#writes.push(write);
    if (this.#writes.length >= BATCH_SIZE) this.#flush();
  }

  #flush(): void {
    const writes = this.#writes;
    this.#writes = [];
    if (writes.length > 0) this.#repository.transaction(() => writes.forEach((write) => write()));
  }
}

/** Returns the texts of installed packages that use those of the app's own files, by namespace. */
export async function packageTexts(
  files: SourceFiles,
  frameworks: ReadonlySet<FrameworkName>,
): Promise<ReadonlyMap<string, PackageTexts>> {
  const found = new Map<string, PackageTexts>();
  for (const { provided } of frameworksOf(frameworks)) {
    if (provided?.packageFiles === undefined) continue;
    const { packages, texts, extension } = provided.packageFiles;
    const foldersIn = async (folder: string): Promise<readonly string[]> =>
      (await files.list(folder)).folders.map((name) => `${folder}/${name}`);
    for (const vendor of await foldersIn(packages)) {
      for (const folder of await foldersIn(vendor)) {
        for (const languages of texts.map((path) => `${folder}/${path}`)) {
          const language = (await foldersIn(languages)).find((path) => /\/en(?:[-_]\w+)?$/iu.test(path));
          if (language === undefined) continue;
          for (const name of (await files.list(language)).files) {
            if (!name.endsWith(extension)) continue;
            const path = `${language}/${name}`;
            const file = files.read(path);
            if (file.kind !== "read") continue;
            const words = wordsIn(path, new TextDecoder().decode(file.bytes), frameworks);
            found.set(name.slice(0, -extension.length), { path, words });
          }
        }
      }
    }
  }
  return found;
}

/**
 * Detects folders that are symbolic links. Cached for a short time, since many files of a folder are read at once. Links
 * to files are detected by `lstat` of the file.
 */
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import type { Uri } from "vscode";

const CACHE_MS = 2_000;

interface CachedPath {
  readonly at: number;
  readonly path: Promise<string | null>;
}

export class RealFolders {
  readonly #root: string;
  readonly #answers = new Map<string, CachedPath>();

  constructor(root: Uri) {
    this.#root = root.fsPath;
  }

  /** Whether the file's folder exists and is reached from the root without symbolic links. */
  async isPlain(uri: Uri): Promise<boolean> {
    const folder = dirname(uri.fsPath);
    const [home, own] = await Promise.all([this.#realPathOf(this.#root), this.#realPathOf(folder)]);
    return home !== null && own === home + folder.slice(this.#root.length);
  }

  #realPathOf(folder: string): Promise<string | null> {
    const now = performance.now();
    const known = this.#answers.get(folder);
    if (known !== undefined && now - known.at < CACHE_MS) return known.path;
    // Bounds the cache; nearly all of its entries have expired.
    if (this.#answers.size > 1_000) this.#answers.clear();
    const path = realpath(folder).catch(() => null);
    this.#answers.set(folder, { at: now, path });
    return path;
  }
}

/**
 * Whether the folders of a project are where they seem to be, and not behind a symbolic link: asked once for all files
 * of a folder that are read at about the same time. A file that is a link itself is told by its own stat.
 */
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import type { Uri } from "vscode";

/** So long an answer is taken for true. Milliseconds. */
const LASTS = 2_000;

interface Answer {
  readonly at: number;
  readonly place: Promise<string | null>;
}

export class RealFolders {
  readonly #root: string;
  readonly #answers = new Map<string, Answer>();

  constructor(root: Uri) {
    this.#root = root.fsPath;
  }

  /** Whether the file's folder is there, below the root and without a link on the way from it. */
  async isPlain(uri: Uri): Promise<boolean> {
    if (uri.scheme !== "file") return true;
    const folder = dirname(uri.fsPath);
    const [home, own] = await Promise.all([this.#placeOf(this.#root), this.#placeOf(folder)]);
    return home !== null && own === home + folder.slice(this.#root.length);
  }

  #placeOf(folder: string): Promise<string | null> {
    const now = performance.now();
    const known = this.#answers.get(folder);
    if (known !== undefined && now - known.at < LASTS) return known.place;
    // None of the others is worth keeping by now.
    if (this.#answers.size > 1_000) this.#answers.clear();
    const place = realpath(folder).catch(() => null);
    this.#answers.set(folder, { at: now, place });
    return place;
  }
}

/**
 * Searches everything that a suite leaves behind for tokens: all files below its folders, their names, and texts that are
 * not in files (VS Code's output, browser storage, requested URLs). No location is exempt: VS Code stores secrets
 * encrypted.
 */
import { closeSync, type Dirent, existsSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** A token that was found. */
export interface Leak {
  /** A path, or the name of a stored text. */
  readonly location: string;
  /** In bytes, in the file or its name. */
  readonly offset: number;
  /** How the token is encoded there. */
  readonly encoding: string;
}

/** A text that is not in a file. */
export interface StoredText {
  readonly name: string;
  readonly text: string;
}

interface Needle {
  readonly encoding: string;
  readonly bytes: Buffer;
}

const CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * Returns all occurrences of the secrets, in all common encodings. Does not follow links.
 *
 * @param since when the secrets did not exist yet, in milliseconds since 1970: what is in files that were written earlier is
 *   not read
 */
export function findLeaks(
  folders: readonly string[],
  traces: readonly StoredText[],
  secrets: readonly string[],
  since = 0,
): readonly Leak[] {
  const needles = [...new Set(secrets)].flatMap(encodingsOf);
  const leaks: Leak[] = [];
  const search = (where: string, bytes: Buffer, from = 0): void => {
    for (const { encoding: written, bytes: needle } of needles) {
      for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + needle.length))
        leaks.push({ location: where, offset: from + at, encoding: written });
    }
  };
  for (const { name, text } of traces) search(name, Buffer.from(text));
  const maxLength = Math.max(0, ...needles.map(({ bytes }) => bytes.length));
  const chunk = Buffer.alloc(CHUNK_BYTES + maxLength);
  for (const folder of folders) {
    // Subfolders may disappear during the search, but a wrong root would make the search pass forever.
    if (!existsSync(folder)) throw new Error(`The folder does not exist: ${folder}`);
    for (const path of filesBelow(folder)) {
      search(path, Buffer.from(path.slice(folder.length)));
      const descriptor = openFile(path, since);
      if (descriptor === undefined) continue;
      // Chunks overlap, since a token may cross their boundary; duplicates are removed below.
      for (let start = 0, carried = 0; ;) {
        const count = readSync(descriptor, chunk, carried, CHUNK_BYTES, start + carried);
        if (count === 0) break;
        search(path, chunk.subarray(0, carried + count), start);
        const next = Math.max(0, carried + count - Math.max(0, maxLength - 1));
        chunk.copyWithin(0, next, carried + count);
        carried = carried + count - next;
        start += next;
      }
      closeSync(descriptor);
    }
  }
  return leaks.filter(
    (leak, index) =>
      leaks.findIndex(
        ({ location: where, offset, encoding: written }) =>
          where === leak.location && offset === leak.offset && written === leak.encoding,
      ) === index,
  );
}

/** Returns one line per leak, without the token. */
export function leakLines(leaks: readonly Leak[]): string {
  return leaks
    .slice(0, 50)
    .map(({ location, offset, encoding }) => `a token (${encoding}) in ${location}, at ${offset}`)
    .join("\n");
}

function encodingsOf(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret);
  const needles: Needle[] = [
    { encoding: "plain", bytes },
    // Without the last zero, little endian and big endian are the same.
    { encoding: "UTF-16", bytes: Buffer.from(secret, "utf16le").subarray(0, -1) },
    { encoding: "hexadecimal", bytes: Buffer.from(bytes.toString("hex")) },
    { encoding: "hexadecimal", bytes: Buffer.from(bytes.toString("hex").toUpperCase()) },
    { encoding: "percent-encoded", bytes: Buffer.from(bytes.toString("hex").replaceAll(/../g, "%$&")) },
  ];
  const encoded = encodeURIComponent(secret);
  if (encoded !== secret) needles.push({ encoding: "URL-encoded", bytes: Buffer.from(encoded) });
  // Within a longer text it may start at any of three offsets in a Base64 group; only its middle is certain.
  for (const shift of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const middle = text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
    needles.push({ encoding: "Base64", bytes: Buffer.from(middle) });
    const url = middle.replaceAll("+", "-").replaceAll("/", "_");
    if (url !== middle) needles.push({ encoding: "Base64 for URLs", bytes: Buffer.from(url) });
  }
  return needles;
}

/** Yields all current files; a service or an editor that is exiting may still remove some. */
function* filesBelow(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Returns the entries of a folder; none if it no longer exists. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Opens a file. Returns its descriptor; `undefined` if it is older, not a regular file or no longer exists. */
function openFile(path: string, since: number): number | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.ctimeMs >= since ? openSync(path, "r") : undefined;
  } catch {
    return undefined;
  }
}

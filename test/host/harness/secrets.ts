/**
 * The search for tokens in what a suite has left behind: every file below its folders, their names, and texts that lie
 * in no file (what VS Code printed, the browser's storage, the addresses that were asked for). Knows no place where one
 * would be right: VS Code keeps secrets encrypted, so there a token is not to be read either.
 */
import { closeSync, type Dirent, existsSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** A token that can be read where it should not be. */
export interface Leak {
  /** A path, or the name of a text. */
  readonly where: string;
  /** In bytes; of a name, where in the name. */
  readonly offset: number;
  /** How it is written there. */
  readonly written: string;
}

/** A text that lies in no file. */
export interface Trace {
  readonly name: string;
  readonly text: string;
}

interface Needle {
  readonly written: string;
  readonly bytes: Buffer;
}

/** Read at a time. Bytes. */
const PART = 4 * 1024 * 1024;

/** Every place where one of the secrets can be read, in any way of writing that programs use. Links are not followed. */
export function findLeaks(
  folders: readonly string[],
  traces: readonly Trace[],
  secrets: readonly string[],
): readonly Leak[] {
  const needles = [...new Set(secrets)].flatMap(needlesOf);
  const leaks: Leak[] = [];
  const look = (where: string, bytes: Buffer, from = 0): void => {
    for (const { written, bytes: needle } of needles) {
      for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + needle.length))
        leaks.push({ where, offset: from + at, written });
    }
  };
  for (const { name, text } of traces) look(name, Buffer.from(text));
  const most = Math.max(0, ...needles.map(({ bytes }) => bytes.length));
  for (const folder of folders) {
    // A folder below may go while this reads; one that was never there would make this search find nothing for ever.
    if (!existsSync(folder)) throw new Error(`There is nothing to search: ${folder}`);
    for (const path of filesBelow(folder)) {
      look(path, Buffer.from(path.slice(folder.length)));
      const reading = opened(path);
      if (reading === undefined) continue;
      // Each part begins a little before the last one's end: a token may lie over the cut. None is told twice.
      const part = Buffer.alloc(PART + most);
      for (let start = 0, kept = 0; ;) {
        const count = readSync(reading, part, kept, PART, start + kept);
        if (count === 0) break;
        look(path, part.subarray(0, kept + count), start);
        const next = Math.max(0, kept + count - Math.max(0, most - 1));
        part.copyWithin(0, next, kept + count);
        kept = kept + count - next;
        start += next;
      }
      closeSync(reading);
    }
  }
  return leaks.filter(
    (leak, index) =>
      leaks.findIndex(
        ({ where, offset, written }) =>
          where === leak.where && offset === leak.offset && written === leak.written,
      ) === index,
  );
}

/** One line for each place, without the token. */
export function leakLines(leaks: readonly Leak[]): string {
  return leaks
    .slice(0, 50)
    .map(({ where, offset, written }) => `a token (${written}) stands in ${where}, at ${offset}`)
    .join("\n");
}

function needlesOf(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret);
  const needles: Needle[] = [
    { written: "plain", bytes },
    // Without its last zero it is the same whichever end comes first.
    { written: "UTF-16", bytes: Buffer.from(secret, "utf16le").subarray(0, -1) },
    { written: "hexadecimal", bytes: Buffer.from(bytes.toString("hex")) },
    { written: "hexadecimal", bytes: Buffer.from(bytes.toString("hex").toUpperCase()) },
    { written: "percent-encoded", bytes: Buffer.from(bytes.toString("hex").replaceAll(/../g, "%$&")) },
  ];
  const encoded = encodeURIComponent(secret);
  if (encoded !== secret) needles.push({ written: "URL-encoded", bytes: Buffer.from(encoded) });
  // In a longer text it may begin at any of three places of Base64's groups; what is certain then is its middle.
  for (const shift of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const middle = text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
    needles.push({ written: "Base64", bytes: Buffer.from(middle) });
    const url = middle.replaceAll("+", "-").replaceAll("/", "_");
    if (url !== middle) needles.push({ written: "Base64 for URLs", bytes: Buffer.from(url) });
  }
  return needles;
}

/** What stands at the moment: a service or an editor on its way out still removes what it had made. */
function* filesBelow(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** None where the folder is gone meanwhile. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** `undefined`: no regular file, or gone meanwhile. */
function opened(path: string): number | undefined {
  try {
    return lstatSync(path).isFile() ? openSync(path, "r") : undefined;
  } catch {
    return undefined;
  }
}

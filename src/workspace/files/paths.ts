/**
 * Paths as the systems have them: drive letters, backslashes, disks for which `A` and `a` are one name, and names that
 * Windows has no file for. `system` and `paths` are this machine's by default.
 */
import * as nodePath from "node:path";

type System = NodeJS.Platform;
type Paths = Pick<nodePath.PlatformPath, "basename" | "dirname" | "isAbsolute" | "join" | "relative" | "sep">;

/** Whether usual disks of the system take names that differ in case for one. */
function ignoresCase(system: System): boolean {
  return system === "win32" || system === "darwin";
}

/** What of a Uri's path lies below that of a folder; `null`: it does not. Whatever case drive letters are in. */
export function uriPathBelow(folder: string, path: string, system: System = process.platform): string | null {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  const start = path.slice(0, prefix.length);
  const isBelow = ignoresCase(system) ? start.toLowerCase() === prefix.toLowerCase() : start === prefix;
  return isBelow ? path.slice(prefix.length) : null;
}

/** The way from a folder to what lies in it, with `/`; empty for itself, `null` for what lies elsewhere. */
export function relativePathIn(folder: string, path: string, paths: Paths = nodePath): string | null {
  const way = paths.relative(folder, path);
  // From one drive or share to another there is no way.
  if (way === ".." || way.startsWith(`..${paths.sep}`) || paths.isAbsolute(way)) return null;
  return way.split(paths.sep).join("/");
}

/**
 * The place behind symbolic links. Of a path that is not there yet: that of its nearest folder that is, and the rest as
 * it is written. Rejects with the disk's error where a link cannot be followed.
 * @param realpath rejects with an error for which `isMissing` holds where nothing is there
 */
export async function realPlace(
  path: string,
  realpath: (path: string) => Promise<string>,
  isMissing: (error: unknown) => boolean,
  paths: Paths = nodePath,
): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const folder = paths.dirname(path);
    // `dirname` of a drive or a share is itself.
    if (!isMissing(error) || folder === path) throw error;
    return paths.join(await realPlace(folder, realpath, isMissing, paths), paths.basename(path));
  }
}

/** Devices, with any ending: a file of that name is none. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])[ ]*(?:\.|$)/iu;

/** Whether there can be no file at the path, which is relative and has `/`, on this system. */
export function isForbiddenName(path: string, system: System = process.platform): boolean {
  if (system !== "win32") return false;
  return path
    .split("/")
    .some(
      (part) =>
        part !== "." && (/[<>:"|?*\\]|[. ]$/u.test(part) || /\p{Cc}/u.test(part) || DEVICE.test(part)),
    );
}

/** What two names have in common that are one file on some disk: they differ in case, or in how an accent is composed. */
export function nameOnAnyDisk(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

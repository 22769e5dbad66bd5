/**
 * Platform differences of paths: drive letters, backslashes, case-insensitive file systems, and reserved names of
 * Windows. `system` and `paths` default to this machine's.
 */
import * as nodePath from "node:path";

type System = NodeJS.Platform;
type Paths = Pick<nodePath.PlatformPath, "basename" | "dirname" | "isAbsolute" | "join" | "relative" | "sep">;

/** Whether file systems are usually case-insensitive on the platform. */
function ignoresCase(system: System): boolean {
  return system === "win32" || system === "darwin";
}

/** Returns a Uri path relative to a folder's, `null` if it is not below; drive letters may differ in case. */
export function uriPathBelow(folder: string, path: string, system: System = process.platform): string | null {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  const start = path.slice(0, prefix.length);
  const isBelow = ignoresCase(system) ? start.toLowerCase() === prefix.toLowerCase() : start === prefix;
  return isBelow ? path.slice(prefix.length) : null;
}

/** Returns the path relative to a folder, with `/`; empty for the folder itself, `null` for a path outside it. */
export function relativePathIn(folder: string, path: string, paths: Paths = nodePath): string | null {
  const relative = paths.relative(folder, path);
  // Between drives or shares the result is absolute.
  if (relative === ".." || relative.startsWith(`..${paths.sep}`) || paths.isAbsolute(relative)) return null;
  return relative.split(paths.sep).join("/");
}

/**
 * Resolves symbolic links. Of a path that does not exist yet, the nearest existing folder is resolved.
 * @param realpath rejects with an error that `isMissing` recognises if nothing exists at the path
 * @throws the error of the file system if a link cannot be followed
 */
export async function resolveSymlinks(
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
    return paths.join(await resolveSymlinks(folder, realpath, isMissing, paths), paths.basename(path));
  }
}

/** Reserved device names, with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])[ ]*(?:\.|$)/iu;

/** Whether the platform does not allow a file at the relative path (with `/`). */
export function isForbiddenName(path: string, system: System = process.platform): boolean {
  if (system !== "win32") return false;
  return path
    .split("/")
    .some(
      (part) =>
        part !== "." &&
        (/[<>:"|?*\\]|[. ]$/u.test(part) || /\p{Cc}/u.test(part) || WINDOWS_DEVICE.test(part)),
    );
}

/** Returns a form that is equal for names that some file system takes for the same file. */
export function foldFileName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** The current git branch of a folder, read from the files in `.git`. */
import { isAbsolute } from "node:path";
import { FileType, Uri, workspace } from "vscode";

interface Branch {
  readonly name: string;
  /** Whether it is the HEAD of the remote or, without a remote, has a common name of a default branch. */
  readonly isDefault: boolean;
}

const MAIN_NAMES: ReadonlySet<string> = new Set(["main", "master", "trunk", "develop"]);
const MAX_PARENT_FOLDERS = 20;
const MAX_BYTES = 64 * 1024;

/** Returns the current branch; `null` if the folder is not in a repository or HEAD is detached. */
export async function branchOf(folder: Uri): Promise<Branch | null> {
  const git = await gitFolder(folder);
  if (git === null) return null;
  const name = /^ref: refs\/heads\/(.+)$/mu
    .exec((await readSmallText(Uri.joinPath(git, "HEAD"))) ?? "")?.[1]
    ?.trim();
  if (name === undefined) return null;
  const common = (await readSmallText(Uri.joinPath(git, "commondir")))?.trim();
  const shared = common === undefined ? git : Uri.joinPath(git, common);
  const remote = await readSmallText(Uri.joinPath(shared, "refs/remotes/origin/HEAD"));
  const head = /^ref: refs\/remotes\/origin\/(.+)$/mu.exec(remote ?? "")?.[1]?.trim();
  return { name, isDefault: head === undefined ? MAIN_NAMES.has(name) : head === name };
}

/** Finds `.git` in the folder or its parents; for a linked worktree the folder that the file `.git` refers to. */
async function gitFolder(folder: Uri): Promise<Uri | null> {
  let at = folder;
  for (let up = 0; up < MAX_PARENT_FOLDERS; up++) {
    const git = Uri.joinPath(at, ".git");
    if ((await readSmallText(Uri.joinPath(git, "HEAD"))) !== undefined) return git;
    const link = /^gitdir: (.+)$/mu.exec((await readSmallText(git)) ?? "")?.[1]?.trim();
    // A UNC path: accessing it would send the user's credentials to another machine.
    if (link?.startsWith("//") === true || link?.startsWith("\\\\") === true) return null;
    if (link !== undefined) return isAbsolute(link) ? Uri.file(link) : Uri.joinPath(at, link);
    const above = Uri.joinPath(at, "..");
    if (above.path === at.path) return null;
    at = above;
  }
  return null;
}

async function readSmallText(uri: Uri): Promise<string | undefined> {
  try {
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.File) === 0 || size > MAX_BYTES) return undefined;
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    // The file does not exist.
    return undefined;
  }
}

/** Which branch of git a folder stands on, read from git's own files: no process is started and no extension asked. */
import { FileType, Uri, workspace } from "vscode";

export interface Branch {
  readonly name: string;
  /** It is the branch that the remote calls its head, or has the name of a main branch where no remote says. */
  readonly isDefault: boolean;
}

const MAIN_NAMES: ReadonlySet<string> = new Set(["main", "master", "trunk", "develop"]);
/** Folders above the given one that are looked into. */
const MAX_UP = 20;
/** Git's own files of this kind hold a line. */
const MAX_BYTES = 64 * 1024;

/** The branch of the folder's repository; `null`: none, or a commit without a branch. */
export async function branchOf(folder: Uri): Promise<Branch | null> {
  const git = await gitFolder(folder);
  if (git === null) return null;
  const name = /^ref: refs\/heads\/(.+)$/mu
    .exec((await textOf(Uri.joinPath(git, "HEAD"))) ?? "")?.[1]
    ?.trim();
  if (name === undefined) return null;
  const common = (await textOf(Uri.joinPath(git, "commondir")))?.trim();
  const shared = common === undefined ? git : Uri.joinPath(git, common);
  const remote = await textOf(Uri.joinPath(shared, "refs/remotes/origin/HEAD"));
  const head = /^ref: refs\/remotes\/origin\/(.+)$/mu.exec(remote ?? "")?.[1]?.trim();
  return { name, isDefault: head === undefined ? MAIN_NAMES.has(name) : head === name };
}

/** `.git` of the folder or of one above it; of a linked work tree the folder that its file names. */
async function gitFolder(folder: Uri): Promise<Uri | null> {
  let at = folder;
  for (let up = 0; up < MAX_UP; up++) {
    const git = Uri.joinPath(at, ".git");
    if ((await textOf(Uri.joinPath(git, "HEAD"))) !== undefined) return git;
    const link = /^gitdir: (.+)$/mu.exec((await textOf(git)) ?? "")?.[1]?.trim();
    // Two slashes are another machine's, which a look alone would tell who is looking.
    if (link?.startsWith("//") === true || link?.startsWith("\\\\") === true) return null;
    if (link !== undefined) return link.startsWith("/") ? at.with({ path: link }) : Uri.joinPath(at, link);
    const above = Uri.joinPath(at, "..");
    if (above.path === at.path) return null;
    at = above;
  }
  return null;
}

async function textOf(uri: Uri): Promise<string | undefined> {
  try {
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.File) === 0 || size > MAX_BYTES) return undefined;
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    // Not there.
    return undefined;
  }
}

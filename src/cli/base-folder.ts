/** The files of a folder where a branch began, beside the repository, of which nothing is changed. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { l10n } from "../util/l10n.ts";
import { CommandError } from "../commands/command-types.ts";

const run = promisify(execFile);

/**
 * Calls a function with a temporary folder that has the files of `folder` in the commit that the branch `reference` and the
 * current one have in common. Returns `null` if that has no such folder.
 * @throws {CommandError} without a repository, without Git or such a commit
 */
export async function withBaseFolder<Result>(
  folder: string,
  reference: string,
  work: (base: string) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | null> {
  const temporary = await realpath(await mkdtemp(join(tmpdir(), "project-translations-")));
  const env = {
    ...process.env,
    // Of this copy alone: nothing of the repository is locked or written.
    GIT_INDEX_FILE: join(temporary, "index"),
    GIT_OPTIONAL_LOCKS: "0",
  };
  const git = async (cwd: string, ...args: readonly string[]): Promise<string> => {
    try {
      return (await run("git", [...args], { cwd, env, signal, maxBuffer: 16 * 1024 * 1024 })).stdout.trim();
    } catch (error) {
      signal.throwIfAborted();
      const { stderr = "", message } = error as Error & { readonly stderr?: string };
      const reason = (stderr.trim() || message).split("\n")[0] ?? "";
      throw new CommandError(
        "invalid",
        l10n.t("The changes since “{0}” are not known: {1}", reference, reason),
      );
    }
  };
  try {
    const top = await git(folder, "rev-parse", "--show-toplevel");
    const prefix = await git(folder, "rev-parse", "--show-prefix");
    const base = await git(top, "merge-base", "--end-of-options", reference, "HEAD");
    // Named like the original, since the name of a folder may be that of its project.
    const copy = join(temporary, "base", basename(top));
    await git(top, "read-tree", base);
    await git(top, "checkout-index", "--all", "--quiet", `--prefix=${copy}/`);
    const inBase = join(copy, prefix);
    return existsSync(inBase) ? await work(inBase) : null;
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

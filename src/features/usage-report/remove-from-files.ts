/** Removes keys from the translation files of all languages, and says what it could not remove. */
import type { RefusedItem } from "../../api/errors.ts";
import type { removeUnusedCommand } from "../../commands/declarations/key-commands.ts";
import type { FieldsOf } from "../../commands/define-command.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import type { FileWrite } from "../../model/platform.ts";
import type { App } from "../../vscode/app.ts";
import { CommandError, type CommandResult, type CommandRun } from "../../commands/command-types.ts";
import { reportResult } from "../../vscode/commands/report-result.ts";
import { writeProjectFiles } from "../../vscode/files/write-files.ts";
import { l10n } from "../../util/l10n.ts";
import { showError } from "../../vscode/notifications.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { fileDiff } from "../../vscode/ui/documents/translation-file-content.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { toFailure } from "../../messages/error-messages.ts";
import { unreadItems } from "../../messages/file-problem-messages.ts";
import { localRefusalError } from "../../messages/local-edit-error-messages.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { labelText } from "../../messages/escape-text.ts";
import type { KeySpelling } from "../../messages/labels.ts";
import type { LocalChange, LocalRefusal } from "../../workspace/local-files/local-entries.ts";
import { unparsedRangesOfAll, wholeRanges, type LocalFiles } from "../../workspace/local-files/local-file.ts";

/** The result of a removal that changes nothing. */
export const NOTHING_REMOVED = { outcome: "unchanged", removed: 0, files: [] } as const;

/** A key that is in local files. */
export type UnusedKey = KeyName & { readonly hash: string };

/** Returns those of the keys that are in a file, of any language. */
export async function keysInFiles(
  open: OpenProject,
  hashes: readonly string[],
  run: CommandRun,
): Promise<readonly UnusedKey[]> {
  const local = await open.local.reload(run.signal);
  return hashes.flatMap((hash) => {
    const entry = local.locales.flatMap((locale) => local.entries(locale).get(hash) ?? [])[0];
    return entry === undefined ? [] : [{ hash, ...entry.name }];
  });
}

/** Removes keys from the files of all languages, after a look at the changes. */
export async function removeFromFiles(
  app: App,
  open: OpenProject,
  keys: readonly UnusedKey[],
  run: CommandRun,
): Promise<CommandResult<FieldsOf<typeof removeUnusedCommand>>> {
  if (keys.length === 0) return NOTHING_REMOVED;
  run.report(l10n.t("Reading files"));
  const local = await open.local.reload(run.signal);
  const changes = keys.flatMap(({ hash, namespace, key, context }): LocalChange[] =>
    local.locales
      .filter((locale) => local.entries(locale).has(hash))
      .map((locale) => ({ name: { namespace, key, context }, locale, text: null })),
  );
  const { writes, refused } = await open.local.planEdit(changes, run.signal);
  run.pause();
  const paths = writes.map(({ path }) => path);
  const left = unremovedItems(open, local, keys, refused);
  if (writes.length === 0 && left.length > 0) {
    const leftPaths = new Set(left.map(({ file }) => file));
    throw new CommandError(
      "invalid",
      l10n.t("These files cannot be changed: {0}.", [...leftPaths].join(", ")),
      { reason: "unread_files", items: left },
    );
  }
  if (writes.length === 0) return NOTHING_REMOVED;
  if (!run.quiet) await confirm(app, open, keys.length, writes);
  await writeProjectFiles(open.files, writes);
  await open.loadLocal();
  const refusedChanges = new Set(refused.map(({ change }) => change));
  const removedNames = changes.flatMap((change) => (refusedChanges.has(change) ? [] : keyHash(change.name)));
  const { size: count } = new Set(removedNames);
  const removed = l10n.t("Removed {0} from {1}.", formatCount.keys(count), formatCount.files(writes.length));
  const leftMessages = [...new Set(left.flatMap(({ messages }) => messages))];
  const message =
    left.length === 0
      ? removed
      : `${removed} ${l10n.t("They may still be in these files: {0}.", firstOf(leftMessages).join("; "))}`;
  reportResult(app, open, run, message, {
    isPartial: left.length > 0,
    details: { name: "removed-keys.md", lines: leftMessages },
    actions: [{ label: l10n.t("Undo"), act: () => undo(open, writes) }],
  });
  const items = left.length === 0 ? {} : { items: left };
  return { outcome: "done", removed: count, files: paths, ...items };
}

const MAX_SHOWN_MESSAGES = 3;

function firstOf(messages: readonly string[]): readonly string[] {
  const more = messages.length > MAX_SHOWN_MESSAGES ? ["…"] : [];
  return [...messages.slice(0, MAX_SHOWN_MESSAGES).map((message) => message.replace(/\.$/u, "")), ...more];
}

/** Returns the entries that are not removed, and the files that may have more of the keys but could not be read. */
function unremovedItems(
  project: KeySpelling,
  local: LocalFiles,
  keys: readonly UnusedKey[],
  refused: readonly LocalRefusal[],
): readonly RefusedItem[] {
  const namespaces = new Set(keys.map(({ namespace }) => namespace));
  const unread = wholeRanges(unparsedRangesOfAll(local)).filter(
    ({ namespace }) => namespace === null || namespaces.has(namespace),
  );
  const refusals = refused.map((refusal): RefusedItem => {
    const { change, path } = refusal;
    const messages = [localRefusalError(project, change.name, refusal).message];
    const file = path === null ? {} : { file: path };
    return { ...change.name, locale: change.locale, field: "value", ...file, messages };
  });
  return [...refusals, ...unreadItems(local, unread)];
}

/**
 * Asks for confirmation; the diffs can be viewed first.
 *
 * @throws {CommandError} `cancelled`
 */
async function confirm(
  app: App,
  open: OpenProject,
  count: number,
  writes: readonly FileWrite[],
): Promise<void> {
  const title = l10n.t("Remove {0} from {1}", formatCount.keys(count), formatCount.files(writes.length));
  const prompt = (): Promise<"show" | "remove"> =>
    pickOne(title, l10n.t("Nothing is written before you agree."), [
      { label: `$(diff-multiple) ${l10n.t("Show All Differences")}`, value: "show" },
      {
        label: `$(trash) ${l10n.t("Remove")}`,
        description: labelText(writes.map(({ path }) => path).join(", ")),
        value: "remove",
      },
    ]);
  try {
    while ((await prompt()) === "show") {
      const diffs = await Promise.all(writes.map((write) => fileDiff(open, write, "before")));
      await app.virtualDocuments.diffAll(title, diffs);
    }
  } finally {
    void app.virtualDocuments.closeDifferences(title);
  }
}

/** Returns the writes that undo others: each only over what was written. Files that were created stay. */
export function revertedWrites(writes: readonly FileWrite[]): FileWrite[] {
  return writes.flatMap(({ path, before, after }) =>
    before === undefined ? [] : [{ path, before: after, after: before }],
  );
}

async function undo(open: OpenProject, writes: readonly FileWrite[]): Promise<void> {
  try {
    await writeProjectFiles(open.files, revertedWrites(writes));
  } catch (error) {
    void showError(toFailure(error).message);
  }
}

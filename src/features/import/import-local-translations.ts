/**
 * Import Local Translations: sends translations that exist only in local files, for the languages that the user checks, and
 * those that changed only there. Never replaces a translation that changed at the service, and never creates keys. They are
 * written one by one (§ PUT /translations/{locale}), since an import of their files would also take what does not count as a
 * translation: source texts and fuzzy entries.
 */
import { importLocalCommand, type SentTranslations } from "../../commands/declarations/sync-commands.ts";
import { changedEntries, localOnlyEntries } from "../../sync/count-pending-changes.ts";
import type { TranslationEdit } from "../../api/batches.ts";
import { setTranslations } from "../../sync/edit/send-translations.ts";
import type { WriteMode } from "../../api/endpoints.ts";
import type { RefusedItem } from "../../api/errors.ts";
import {
  unparsedRangesOfAll,
  unsavedPaths,
  wholeRanges,
  type LocalFiles,
} from "../../workspace/local-files/local-file.ts";
import { messagesOf, unreadItems } from "../../messages/file-problem-messages.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import { storeAgreedTranslations } from "../../sync/import/store-agreed-translations.ts";
import type { App, CommandWork, SignedInProject } from "../../vscode/app.ts";
import { editDependencies } from "../../vscode/commands/command-requirements.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { CommandError, type CommandRun } from "../../commands/command-types.ts";
import { reportPartialResult, reportResult } from "../../vscode/commands/report-result.ts";
import { skipReason } from "../../messages/error-messages.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { projectKeyLabel, projectDisplayName } from "../../messages/labels.ts";
import { textDocument } from "../../vscode/ui/documents/virtual-documents.ts";
import type { PreviewRow } from "../../messages/preview-rows.ts";
import { showPreview, textDifference, type Difference } from "../../vscode/ui/preview/show-preview.ts";
import { l10n } from "../../util/l10n.ts";
import { importSections, importTitle, localTranslationsId, type LocalTranslations } from "./import-rows.ts";

/** Registers `projectTranslations.importLocal`. */
export function registerImportLocal(app: App): void {
  app.command(importLocalCommand, importLocal);
}

const importLocal: CommandWork<typeof importLocalCommand> = async (app, options, run) => {
  const { open } = run;
  run.report(l10n.t("Reading the files"));
  const found = await findLocal(open, options.locale, run.signal);
  const items = unreadTranslations(open.local, options.locale);
  const unread = items.length === 0 ? null : l10n.t("Translations were left out: {0}.", messagesOf(items));
  if (found.length === 0) {
    if (unread !== null)
      throw new CommandError("invalid", `${l10n.t("Nothing was imported.")} ${unread}`, {
        reason: "unread_files",
        items,
      });
    if (!run.quiet)
      void showInformation(
        l10n.t("Every local translation is on the service: {0}.", projectDisplayName(open)),
      );
    return { outcome: "unchanged" };
  }
  // Unsaved texts are sent too, but are not what the files have.
  const unsaved = unsavedPaths(open.local);
  const isOnDisk = ({ path }: LocalEntry): boolean => !unsaved.has(path);
  run.pause();
  const chosen = run.quiet ? found : await chooseTranslations(app, open, found);
  if (unread !== null) reportResult(app, open, run, unread, { isPartial: true });
  const unreadFields = unread === null ? {} : { items };
  const sent = await send(app, run, chosen, { run, isOnDisk });
  return { outcome: sent.written === 0 ? "unchanged" : "done", ...sent, ...unreadFields };
};

/** Returns what could not be read of the files of a language; default: of all but the source language. */
function unreadTranslations(local: LocalFiles, only: string | undefined): readonly RefusedItem[] {
  const isWanted = (locale: string): boolean =>
    locale !== local.sourceLocale && (only === undefined || locale === only);
  const files = local.files.filter(({ locales }) => [...locales.keys()].some(isWanted));
  const { unreadableFolders } = local;
  return unreadItems(local, wholeRanges(unparsedRangesOfAll({ files, unreadableFolders })));
}

async function findLocal(
  open: OpenProject,
  only: string | undefined,
  signal: AbortSignal,
): Promise<LocalTranslations[]> {
  const local = await open.local.reload(signal);
  const refresher = await open.refresher;
  const found: LocalTranslations[] = [];
  for (const locale of local.locales) {
    if ((only !== undefined && locale !== only) || locale === local.sourceLocale) continue;
    // Most languages of a large project are not kept up to date.
    await refresher.ensureLocale(locale, { priority: "person", signal });
    const entries = await localOnlyEntries(open.connection, local, locale);
    if (entries.length > 0) found.push({ kind: "new", locale, entries });
    signal.throwIfAborted();
    const changed = await changedEntries(open.connection, local, locale);
    for (const each of changed) found.push({ kind: "changed", ...each });
    signal.throwIfAborted();
  }
  return found;
}

/** What is written to one language. `mode`: whether a translation of the service is replaced, of the version that was read. */
interface Batch {
  readonly locale: string;
  readonly mode: WriteMode;
  readonly entries: readonly LocalEntry[];
  readonly edits: readonly TranslationEdit[];
}

/** Returns the writes: first what the service does not have. */
function batchesOf(chosen: readonly LocalTranslations[]): readonly Batch[] {
  const added = chosen.filter((each) => each.kind === "new");
  const changed = chosen.filter((each) => each.kind === "changed");
  return [
    ...added.map(({ locale, entries }): Batch => {
      const edits = entries.map(({ name, text }) => ({ name, text }));
      return { locale, mode: "fill_empty", entries, edits };
    }),
    ...Array.from(
      Map.groupBy(changed, ({ entry }) => entry.locale),
      ([locale, group]): Batch => {
        const edits = group.map(({ entry: { name, text }, row: { version } }) => ({ name, text, version }));
        return { locale, mode: "overwrite", entries: group.map(({ entry }) => entry), edits };
      },
    ),
  ];
}

/**
 * Writes the translations, each unless somebody wrote one at the service in the meantime.
 *
 * @throws {PartialResultError | ApiError}
 */
async function send(
  app: App,
  chosen: SignedInProject,
  translations: readonly LocalTranslations[],
  { run, isOnDisk }: { readonly run: CommandRun; readonly isOnDisk: (entry: LocalEntry) => boolean },
): Promise<SentTranslations> {
  const { open } = chosen;
  const dependencies = await editDependencies(chosen);
  const fields = { written: 0, skipped: [] as SentTranslations["skipped"][number][] };
  const writtenText = (): string => l10n.t("{0} written.", formatCount.translations(fields.written));
  const batches = batchesOf(translations);
  const total = batches.reduce((sum, { edits }) => sum + edits.length, 0);
  const writing = l10n.t("Writing {0}", formatCount.translations(total));
  let sent = 0;
  run.report(writing, 0);
  for (const { locale, mode, entries, edits } of batches) {
    const before = sent;
    try {
      const result = await setTranslations(dependencies, locale, edits, mode, {
        signal: run.signal,
        onProgress: (done) => run.report(writing, (100 * (before + done)) / total),
      });
      fields.written += result.written;
      fields.skipped.push(
        ...result.skipped.map(({ name, reason }) => ({ locale, key: projectKeyLabel(open, name), reason })),
      );
      sent += result.failure?.sent ?? edits.length;
      await storeAgreed(app, chosen, locale, entries.filter(isOnDisk));
      if (result.failure !== null) throw result.failure.error;
    } catch (error) {
      if (sent === 0) throw error;
      throw reportPartialResult(app, open, writtenText(), total - sent, fields, error);
    }
  }
  const { skipped } = fields;
  const message =
    skipped.length === 0
      ? writtenText()
      : l10n.t(
          "{0} written. The service did not write {1}: {2}.",
          formatCount.translations(fields.written),
          formatCount.translations(skipped.length),
          [...new Set(skipped.map(({ key, reason }) => `${key}: ${skipReason(reason)}`))]
            .slice(0, 3)
            .join("; "),
        );
  reportResult(app, open, run, message, { isPartial: skipped.length > 0 });
  return fields;
}

/** Stores which of the sent texts the service has now. Without an answer the next count of pending changes does. */
async function storeAgreed(
  app: App,
  { connection }: SignedInProject,
  locale: string,
  onDisk: readonly LocalEntry[],
): Promise<void> {
  try {
    const refresher = await connection.refresher;
    await storeAgreedTranslations({ project: connection, refresher }, locale, onDisk);
  } catch (error) {
    app.log.warn(`What was written could not be read back: ${String(error)}`);
  }
}

async function chooseTranslations(
  app: App,
  open: OpenProject,
  found: readonly LocalTranslations[],
): Promise<readonly LocalTranslations[]> {
  const { checked } = await showPreview<LocalTranslations>(app, {
    idOf: localTranslationsId,
    sections: importSections(open, found),
    titleOf: importTitle,
    placeholder: found.some(({ kind }) => kind === "changed")
      ? l10n.t("Selected translations are sent; what changed on the service is kept")
      : l10n.t("Selected languages are sent; translations on the service are kept"),
    differenceOf: (row) => differenceOf(open, row),
  });
  return checked;
}

/** Returns both sides of a changed translation, or the new ones of a language. */
function differenceOf(open: OpenProject, { changes, label }: PreviewRow<LocalTranslations>): Difference {
  const [change] = changes;
  if (change === undefined) throw new Error("a row has a change");
  const title = l10n.t("{0}: service ↔ local", label);
  if (change.kind === "changed") return textDifference(title, label, change.row.text, change.entry.text);
  const texts = change.entries.map(
    (entry) => `# ${projectKeyLabel(open, entry.name)}\n${textDocument(entry.text)}\n`,
  );
  return textDifference(title, label, null, { value: texts.join("\n") });
}

/**
 * Code lenses above the entries of a translation file: the number of languages with a translation, which opens the
 * translation editor, and of usages. Several entries on a line have one lens. Computed from the cache, the local files and
 * the usage index; only for visible lines.
 */
import { commandLink } from "../../vscode/commands/command-links.ts";
import { findUsesCommand } from "../../commands/declarations/key-commands.ts";
import { openEditorCommand } from "../../commands/declarations/window-commands.ts";
import * as vscode from "vscode";
import { isEmptyText } from "../../model/translation-text.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import type { ProjectRow } from "../../database/records.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { loadLanguages } from "../../vscode/projects/load-languages.ts";
import { LOCAL_DOCUMENTS, localDocument } from "../../vscode/files/entry-at-position.ts";
import { localOnlyText } from "../../vscode/files/local-texts.ts";
import { keyOptions } from "../../vscode/ui/input/pick-key.ts";
import { l10n } from "../../util/l10n.ts";

/** Larger files get no lenses, since VS Code lays out all of them. */
const MAX_ENTRIES = 3_000;

class EntryLens extends vscode.CodeLens {
  readonly open: OpenProject;
  /** Those of the line. */
  readonly entries: readonly [LocalEntry, ...LocalEntry[]];
  readonly shows: "languages" | "usages";

  constructor(range: vscode.Range, line: Pick<EntryLens, "open" | "entries" | "shows">) {
    super(range);
    ({ open: this.open, entries: this.entries, shows: this.shows } = line);
  }
}

/** Registers the lenses. */
export function registerCodeLens(app: App): void {
  const changed = new vscode.EventEmitter<void>();
  const queue = new WorkQueue();
  const slices = new TimeSlices();
  app.addDisposable(
    changed,
    app.store.subscribe(
      ["settings", "projects", "usages", "usageReport", "files", "keys", "translations", "stats", "pending"],
      () => changed.fire(),
    ),
    vscode.languages.registerCodeLensProvider(LOCAL_DOCUMENTS, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: (document) => lensesIn(app, document),
      // VS Code resolves all visible lenses at once.
      resolveCodeLens: async (lens: EntryLens) => {
        lens.command = await queue.run(async () => {
          if (slices.isOver) await slices.next();
          return commandOf(app, lens);
        });
        return lens;
      },
    }),
  );
}

async function lensesIn(app: App, document: vscode.TextDocument): Promise<EntryLens[]> {
  if (!app.settings.of(document)["codeLens.enabled"]) return [];
  const local = await localDocument(app, document);
  if (local === undefined || local.file.entries.length > MAX_ENTRIES) return [];
  const { open, file, lines } = local;
  void loadLanguages(app, open);
  // In a spreadsheet the entries of all languages share the key's cell.
  const byKeyStart = new Map(Array.from(file.entries, (entry) => [entry.entry.keySpan.start, entry]));
  const byLine = Map.groupBy(byKeyStart.values(), ({ entry }) => lines.position(entry.keySpan.start).line);
  return [...byLine.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const range = lines.range(first.entry.keySpan);
    const entries = [first, ...others] as const;
    const languages = new EntryLens(range, { open, entries, shows: "languages" });
    return others.length > 0
      ? [languages]
      : [languages, new EntryLens(range, { open, entries, shows: "usages" })];
  });
}

function commandOf(app: App, { open, entries, shows }: EntryLens): vscode.Command {
  const [first] = entries;
  const options = keyOptions(open, first.name);
  if (shows === "usages") return commandLink(findUsesCommand, options, usageText(app, open, first));
  const counts = languageTexts(entries.map(({ hash }) => languageCounts(open, hash)));
  const keys = entries.length === 1 ? [] : [formatCount.keys(entries.length)];
  return commandLink(openEditorCommand, options, [...keys, ...counts].join(" · "));
}

/** Numbers of languages, by the state of a key in them. */
type LanguageCounts = Readonly<
  Record<"translated" | "outdated" | "localOnly" | "missing" | "unread", number>
>;

/** Returns the numbers of one or several keys as texts. Languages that were not read are not among the known ones. */
function languageTexts(all: readonly LanguageCounts[]): string[] {
  const sum = (state: keyof LanguageCounts): number =>
    all.reduce((total, counts) => total + counts[state], 0);
  const translated = sum("translated");
  const outdated = sum("outdated");
  const localOnly = sum("localOnly");
  const unread = Math.max(...all.map((counts) => counts.unread));
  return [
    l10n.t("{0}/{1} translated", translated, translated + outdated + localOnly + sum("missing")),
    ...(outdated > 0 ? [l10n.t("{0} outdated", outdated)] : []),
    ...(localOnly > 0 ? [l10n.t("{0} not on the service", localOnly)] : []),
    ...(unread > 0 ? [l10n.t("{0} not read", formatCount.languages(unread))] : []),
  ];
}

/**
 * Returns the numbers of languages in which the key is up to date, is outdated, or has only a local translation. For a key
 * that was not pushed only the files count.
 */
function languageCounts(open: OpenProject, hash: string): LanguageCounts {
  const { local } = open;
  const targets = (open.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  const locales = new Set(targets.map(({ locale }) => locale));
  if (locales.size === 0) for (const locale of local.loaded?.locales ?? []) locales.add(locale);
  locales.delete(local.loaded?.sourceLocale ?? "");
  const count = { translated: 0, outdated: 0, localOnly: 0, missing: 0, unread: 0 };
  const isPushed = open.keys.has(hash);
  const complete = isPushed ? open.completeLocales() : new Set<string>();
  const rows = open.translationsOf(hash);
  for (const locale of locales)
    count[
      stateOf(open, { locale, hash, isPushed, isComplete: complete.has(locale), row: rows.get(locale) })
    ]++;
  return count;
}

interface KeyInLanguage {
  readonly locale: string;
  readonly hash: string;
  /** Whether the service has the key. */
  readonly isPushed: boolean;
  /** Whether all translations of the language are known. */
  readonly isComplete: boolean;
  readonly row: ProjectRow | undefined;
}

function stateOf(
  open: OpenProject,
  { locale, hash, isPushed, isComplete, row }: KeyInLanguage,
): "translated" | "outdated" | "localOnly" | "missing" | "unread" {
  const { local } = open;
  if (localOnlyText(open, locale, hash) !== undefined) return "localOnly";
  if (isPushed && isComplete) {
    if (row?.isOutdated === true) return "outdated";
    return row?.isTranslated === true ? "translated" : "missing";
  }
  if (isPushed && local.loaded?.locales.includes(locale) !== true) return "unread";
  const text = local.loaded?.entries(locale).get(hash)?.text;
  return text === undefined || isEmptyText(text) ? "missing" : "translated";
}

function usageText(app: App, open: OpenProject, { hash, name }: LocalEntry): string {
  if (!app.usages.areAllComplete()) return l10n.t("counting references…");
  const usages = app.usages.of(open);
  // A key that was not pushed is not in the tables, so its usages are counted by name.
  const own = open.keys.has(hash) ? usages.countUsages(hash) : usages.countUsagesOfName(name);
  const count = own + app.usages.countElsewhere(open, name);
  if (count > 0) return formatCount.references(count);
  switch (app.usageReports.stateOf(open, hash)) {
    case "used":
      return l10n.t("used");
    case "unused":
      return l10n.t("unused");
    case "probablyUnused":
      return l10n.t("probably unused");
    case "mayBeUsed":
      return l10n.t("may be used");
    case undefined:
      return usages.patternsOf(hash).length === 0 ? formatCount.references(0) : l10n.t("may be used");
  }
}

/**
 * Code lenses above the entries of a translation file: the number of languages with a translation, which opens the
 * translation editor, and of usages. Several entries on a line have one lens. Computed from the cache, the local files and
 * the usage index; only for visible lines.
 */
import { commandLink } from "../../vscode/commands/command-links.ts";
import { findUsesCommand } from "../../commands/declarations/key-commands.ts";
import { openEditorCommand } from "../../commands/declarations/window-commands.ts";
import * as vscode from "vscode";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { loadLanguages } from "../../vscode/projects/load-languages.ts";
import { LOCAL_DOCUMENTS, localDocument } from "../../vscode/files/entry-at-position.ts";
import { keyOptions } from "../../vscode/ui/input/pick-key.ts";
import { l10n } from "../../util/l10n.ts";
import { languageCounts, languageTexts } from "./language-counts.ts";

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
      ["settings", "projects", "usages", "usageReport", "files", "keys", "translations", "stats"],
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

function usageText(app: App, open: OpenProject, { hash, name }: LocalEntry): string {
  if (!app.usages.areAllComplete()) return l10n.t("counting references…");
  const count = app.usages.countUsages(open, hash, name);
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
      return formatCount.references(0);
  }
}

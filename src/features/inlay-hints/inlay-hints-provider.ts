/**
 * Inlay hints with the text of each key usage, truncated to one line, for the visible range. Uses cached data; the tooltip
 * shows the other languages.
 */
import {
  chooseInlayLanguageCommand,
  toggleInlayHintsCommand,
} from "../../commands/declarations/window-commands.ts";
import * as vscode from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import { hintLocales } from "../../workspace/project-file/preview-locales.ts";
import type { ProjectKey } from "../../database/records.ts";
import { isEmptyText, plainText, type Text } from "../../model/translation-text.ts";
import type { KeyUsage } from "../../scanners/key-usage.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { clock } from "../../api/system-clock.ts";
import { CODE_DOCUMENTS } from "../../vscode/usages/document-usages.ts";
import { keySummary, textInLanguage } from "../../vscode/ui/text/key-markdown.ts";
import { localText, loadLocalFiles } from "../../vscode/files/local-texts.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { localeLabel } from "../../messages/labels.ts";
import { labelText, shortText } from "../../messages/escape-text.ts";
import { l10n } from "../../util/l10n.ts";

/** Delay before an edited document is scanned again. */
const TYPING_DELAY_MS = 150;

class KeyHint extends vscode.InlayHint {
  readonly open: OpenProject;
  /** `null` for a key that is only in local files. */
  readonly key: ProjectKey | null;

  constructor(position: vscode.Position, label: string, open: OpenProject, key: ProjectKey | null) {
    super(position, label);
    this.open = open;
    this.key = key;
    this.paddingLeft = true;
  }
}

/** Registers the inlay hints and `projectTranslations.toggleInlayHints`. */
export function registerInlayHints(app: App): void {
  app.command(toggleInlayHintsCommand, toggle);
  app.command(chooseInlayLanguageCommand, chooseLanguage);
  const changed = new vscode.EventEmitter<void>();
  const shownVersions = new WeakMap<vscode.TextDocument, number>();
  app.addDisposable(
    changed,
    app.store.subscribe(["settings", "projects", "files", "keys", "translations", "stats"], () =>
      changed.fire(),
    ),
    vscode.languages.registerInlayHintsProvider(CODE_DOCUMENTS, {
      onDidChangeInlayHints: changed.event,
      provideInlayHints: async (document, range, token) => {
        const { version } = document;
        if ((shownVersions.get(document) ?? version) !== version) await clock.sleep(TYPING_DELAY_MS);
        // VS Code requests hints again after the next edit and moves the existing ones until then.
        if (token.isCancellationRequested || document.version !== version) return undefined;
        shownVersions.set(document, version);
        return hintsIn(app, document, range, token);
      },
      resolveInlayHint: (hint: KeyHint) => {
        if (hint.key !== null)
          hint.tooltip = new vscode.MarkdownString(keySummary(hint.open, hint.key), true);
        return hint;
      },
    }),
  );
}

const toggle: CommandWork<typeof toggleInlayHintsCommand> = async (app, _options, run) => {
  const { open } = run;
  await app.settings.toggle("inlayHints.enabled", open.root);
  return { outcome: "done", enabled: app.settings.of(open.root)["inlayHints.enabled"] };
};

const chooseLanguage: CommandWork<typeof chooseInlayLanguageCommand> = async (app, options, run) => {
  const { open } = run;
  const chosen = options.locale === undefined ? await promptForLanguage(app, open) : options.locale;
  await app.inlayLanguage.set(open, chosen ?? undefined);
  if (chosen !== null) await (await open.refresher).ensureLocale(chosen, { priority: "person" });
  return { outcome: "done", locale: chosen };
};

async function promptForLanguage(app: App, open: OpenProject): Promise<string | null> {
  const [first] = hintLocales(open.file, open.stats);
  const current = app.inlayLanguage.of(open);
  const languages = open.stats?.languages ?? [];
  const all = [...new Set([...languages.map(({ locale }) => locale), ...(open.local.loaded?.locales ?? [])])];
  const checkMark = (isChosen: boolean): string => (isChosen ? "$(check) " : "");
  return pickOne<string | null>(
    l10n.t("Inline translations"),
    l10n.t("Which language do you want to see in the code?"),
    [
      {
        label: `${checkMark(current === undefined)}${l10n.t("As set in the project file")}`,
        description: first === undefined ? "" : labelText(localeLabel(open, first)),
        value: null,
      },
      ...all.map((locale) => ({
        label: `${checkMark(locale === current)}${labelText(localeLabel(open, locale))}`,
        value: locale,
      })),
    ],
  );
}

/** Returns `undefined` if the document has changed meanwhile. */
async function hintsIn(
  app: App,
  document: vscode.TextDocument,
  range: vscode.Range,
  token: vscode.CancellationToken,
): Promise<KeyHint[] | undefined> {
  const settings = app.settings.of(document);
  const open = app.projects.of(document.uri);
  if (!settings["inlayHints.enabled"] || open === undefined) return [];
  if (open.local.loaded === null) void loadLocalFiles(app, open);
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const hints: KeyHint[] = [];
  const { version } = document;
  // The usages of a new version of a document are found in a slice of their own.
  const uses = app.documentUsages.usagesIn(document);
  const slices = new TimeSlices();
  await slices.next();
  for (const [index, use] of uses.entries()) {
    if (slices.isOver) await slices.next();
    if (token.isCancellationRequested || document.version !== version) return undefined;
    const { end } = use.keySpan;
    if (end < from || end > to || use.expression.kind === "pattern") continue;
    // Several hints at one position would not be readable.
    if (hasSameRange(use, uses[index - 1]) || hasSameRange(use, uses[index + 1])) continue;
    const found = findText(app, open, use);
    if (found === undefined) continue;
    const { text, key, otherLocale } = found;
    const position = document.positionAt(end);
    const next = position.translate(0, 1);
    const isBeforeQuote = /^["'`]$/.test(document.getText(new vscode.Range(position, next)));
    const label = `${otherLocale === null ? "" : `${otherLocale}: `}${plainText(text)}`;
    const shown = shortText(label, settings["inlayHints.maxLength"]);
    hints.push(new KeyHint(isBeforeQuote ? next : position, shown, found.open, key));
  }
  return hints;
}

function hasSameRange({ keySpan }: KeyUsage, other: KeyUsage | undefined): boolean {
  return other?.keySpan.start === keySpan.start && other.keySpan.end === keySpan.end;
}

interface FoundText {
  /** The project that the key belongs to. */
  readonly open: OpenProject;
  readonly text: Text;
  /** `null` for a key that is only in local files. */
  readonly key: ProjectKey | null;
  /** The language of the text if it is not the requested one. */
  readonly otherLocale: string | null;
}

/** Returns the text in the first language that has one; for a key that was not pushed the local text. */
function findText(app: App, project: OpenProject, use: KeyUsage): FoundText | undefined {
  const { open, resolution: lookup } = app.documentUsages.resolveInWindow(project, use);
  const chosen = app.inlayLanguage.of(open);
  const locales = hintLocales(open.file, open.stats);
  const wanted = chosen ?? locales[0];
  if (lookup.kind === "unknown") {
    const source = open.local.loaded?.sourceLocale ?? null;
    for (const name of lookup.candidates) {
      const text = localText(open, keyHash(name));
      if (text !== undefined && !isEmptyText(text))
        return {
          open,
          text,
          key: null,
          otherLocale: wanted === undefined || wanted === source ? null : source,
        };
    }
    return undefined;
  }
  const key = lookup.kind === "known" ? open.keys.get(lookup.key.hash) : undefined;
  if (key === undefined) return undefined;
  for (const locale of chosen === undefined ? locales : new Set([chosen, ...locales])) {
    const text = textInLanguage(open, key, locale);
    if (text !== null && !isEmptyText(text))
      return { open, text, key, otherLocale: locale === wanted ? null : locale };
  }
  return undefined;
}

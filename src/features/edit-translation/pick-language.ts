/** A pick of all languages of a key with their texts and states. */
import * as vscode from "vscode";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { localOnlyText } from "../../vscode/files/local-text-cache.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { showList } from "../../vscode/ui/input/quick-pick.ts";
import { textLabel } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";

interface LanguageItem extends vscode.QuickPickItem {
  readonly locale: string;
}

/** Returns the chosen locale; `undefined` if dismissed. Languages that are not loaded are fetched while it is open. */
export function chooseLanguage(app: App, open: OpenProject, name: KeyName): Promise<string | undefined> {
  const hash = keyHash(name);
  const pick = vscode.window.createQuickPick<LanguageItem>();
  pick.title = labelText(name.key);
  pick.placeholder = l10n.t("Choose a language to edit");
  pick.matchOnDetail = true;
  pick.matchOnDescription = true;
  const fill = (): void => {
    const [active] = pick.activeItems;
    pick.items = itemsOf(open, hash);
    const again = pick.items.find((item) => item.locale === active?.locale);
    if (again !== undefined) pick.activeItems = [again];
  };
  fill();
  const target = pick.items.find((item) => item.locale !== open.project.sourceLocale);
  if (target !== undefined) pick.activeItems = [target];
  const end = new AbortController();
  pick.busy = true;
  readAll(open, end.signal)
    .catch((error: unknown) => app.log.warn(`Not every language could be read: ${String(error)}`))
    .finally(() => {
      if (!end.signal.aborted) pick.busy = false;
    });
  return showList(
    pick,
    ([item]) => item?.locale,
    open.project.onDidChange(({ rows }) => {
      if (rows !== undefined) fill();
    }),
    { dispose: () => end.abort() },
  );
}

async function readAll(open: OpenProject, signal: AbortSignal): Promise<void> {
  const refresher = await open.refresher;
  for (const language of open.project.stats?.languages ?? []) {
    signal.throwIfAborted();
    if (language.isSource || open.project.isComplete(language.locale)) continue;
    await refresher.ensureLocale(language.locale, { priority: "person", signal });
  }
}

function itemsOf(open: OpenProject, hash: string): LanguageItem[] {
  const key = open.project.keys.get(hash);
  return (open.project.stats?.languages ?? []).map((language) => {
    const { locale, name, isSource } = language;
    const base = { locale, label: labelText(locale) };
    if (isSource) {
      const message = [labelText(name), l10n.t("source, edited in the local file")].join(" · ");
      return { ...base, description: message, detail: textLabel(key?.text ?? null) };
    }
    const row = open.project.translation(locale, hash);
    const marks = [labelText(name)];
    const local = row?.text ? undefined : localOnlyText(open, locale, hash);
    if (local !== undefined) marks.push(`$(file) ${l10n.t("local, not on the service")}`);
    else if (row === undefined && !open.project.isComplete(locale)) marks.push(l10n.t("not read yet"));
    else if (row === undefined || !row.isTranslated)
      marks.push(`$(circle-slash) ${l10n.t("not translated")}`);
    if (row?.isOutdated) marks.push(`$(history) ${l10n.t("outdated")}`);
    if (row !== undefined && row.issues.length > 0)
      marks.push(`$(warning) ${formatCount.qaIssues(row.issues.length)}`);
    const text = row?.text ?? local;
    return { ...base, description: marks.join(" · "), ...(text ? { detail: textLabel(text) } : {}) };
  });
}

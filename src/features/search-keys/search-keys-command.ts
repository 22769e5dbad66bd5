/**
 * Search Keys: finds a key by part of its name or of its text in any language, with a preview of its entry.
 */
import { editTranslationCommand } from "../../commands/declarations/text-commands.ts";
import { searchKeysCommand, findUsesCommand } from "../../commands/declarations/key-commands.ts";
import * as vscode from "vscode";
import type { KeyHit } from "../../database/full-text-search.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { loadLanguages } from "../../vscode/projects/load-languages.ts";
import { isBinary } from "../../vscode/files/file-text-cache.ts";
import { revealEntry } from "../../vscode/ui/documents/reveal-entry.ts";
import { iconButton, showList } from "../../vscode/ui/input/quick-pick.ts";
import { findKeyItems, keyOptions, type KeyItem } from "../../vscode/ui/input/pick-key.ts";
import { ensureKeys } from "../../vscode/projects/refresh-project.ts";
import { debounce } from "../../util/debounce.ts";
import { l10n } from "../../util/l10n.ts";

/** Delay after typing, and after moving in the list. */
const DEBOUNCE_MS = 120;
interface ActionButton extends vscode.QuickInputButton {
  readonly command: typeof editTranslationCommand | typeof findUsesCommand;
}

/** Registers `projectTranslations.searchKeys`. */
export function registerSearchKeys(app: App): void {
  app.command(searchKeysCommand, search);
}

const search: CommandWork<typeof searchKeysCommand> = async (app, _options, run) => {
  const { open } = run;
  run.report(l10n.t("Reading keys"));
  await ensureKeys(open, run.signal);
  await open.local.loadTexts(run.signal);
  // More texts are found as languages are loaded.
  void loadLanguages(app, open);
  run.pause();
  const key = await showKeyList(app, open);
  return { outcome: key === undefined ? "cancelled" : "done" };
};

/** Shows the list; resolves to the accepted key. */
async function showKeyList(app: App, open: OpenProject): Promise<KeyHit | undefined> {
  const list = vscode.window.createQuickPick<KeyItem>();
  const buttons: readonly ActionButton[] = [
    { ...iconButton("edit", l10n.t("Edit Translation…")), command: editTranslationCommand },
    { ...iconButton("references", l10n.t("Find References to Key")), command: findUsesCommand },
  ];
  list.title = l10n.t("Search Keys");
  list.placeholder = l10n.t("Type part of a key or of its text in any language");
  const fill = (): void => {
    list.items = findKeyItems(open, list.value, buttons);
  };
  /** Keeps the active item. */
  const refill = (): void => {
    const hash = list.activeItems[0]?.key.hash;
    fill();
    list.activeItems = list.items.filter(({ key }) => key.hash === hash);
  };
  fill();
  const search = debounce(fill, DEBOUNCE_MS);
  const preview = debounce(() => {
    const [item] = list.activeItems;
    if (item !== undefined && list.value !== "") void revealKey(open, item.key, true);
  }, DEBOUNCE_MS);
  let keyOfButton: KeyHit | undefined;
  const accept = ([item]: readonly KeyItem[]): KeyHit | undefined => {
    if (item !== undefined) void revealKey(open, item.key, false);
    return item?.key;
  };
  const accepted = await showList(
    list,
    accept,
    search,
    preview,
    list.onDidChangeValue(search),
    list.onDidChangeActive(preview),
    list.onDidTriggerItemButton(({ item, button }) => {
      keyOfButton = item.key;
      list.hide();
      const { command } = button as ActionButton;
      void app.run(command, keyOptions(open, item.key));
    }),
    // Includes languages that were loaded in the meantime.
    app.store.subscribe(["search"], () => {
      if (list.value !== "") refill();
    }),
  );
  return accepted ?? keyOfButton;
}

/** Reveals the key's entry in the source file, if there is one. */
async function revealKey(open: OpenProject, { hash }: KeyHit, preserveFocus: boolean): Promise<void> {
  const local = open.local.loaded;
  const entry = local?.entries(local.sourceLocale).get(hash);
  // A binary file cannot be previewed, only revealed when it is chosen.
  if (entry === undefined || (preserveFocus && isBinary(open, entry.path))) return;
  await revealEntry(open, entry, { preview: true, preserveFocus });
}

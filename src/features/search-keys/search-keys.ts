/**
 * Search Keys: finds a key by a part of its name or of its text in any language, and shows its entry while the list is
 * gone through. One pass over the cache some time after the last letter; the next letter ends it.
 */
import * as vscode from "vscode";
import { NO_NAMESPACE } from "../../core/identity.ts";
import type { ProjectKey } from "../../core/project.ts";
import { isForms, type Text } from "../../core/text.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { yieldNow } from "../../host/clock.ts";
import { labelText } from "../../host/markdown.ts";
import type { CommandResult, CommonOptions } from "../../host/outcome.ts";
import { keyLabel, keyOptions } from "../../host/tree-rows.ts";
import { readLanguages } from "../../host/read-languages.ts";
import { isBinary } from "../../host/file-texts.ts";
import { showEntry } from "../../host/show-entry.ts";
import { l10n } from "../../host/words.ts";

/** After the last letter, and after the last row that was passed. Milliseconds. */
const SETTLE = 120;
/** Keys looked at before other work gets its turn. */
const SLICE = 2_000;
const MOST_SHOWN = 200;

interface KeyItem extends vscode.QuickPickItem {
  readonly key: ProjectKey;
}

interface ActionButton extends vscode.QuickInputButton {
  readonly command: string;
}

/** Registers `projectTranslations.searchKeys`. */
export function registerSearchKeys(app: App): void {
  app.command("projectTranslations.searchKeys", l10n.t("Search Keys"), (options: CommonOptions, run) =>
    search(app, options, run),
  );
}

async function search(app: App, options: CommonOptions, run: Run): Promise<CommandResult> {
  const open = await app.projects.choose(options);
  if (open === undefined) return { outcome: "cancelled" };
  run.report(l10n.t("Reading keys"));
  if (!open.project.keysComplete) {
    await (await open.refresher).refresh({ priority: "person", signal: run.signal });
  }
  await open.local.load(run.signal);
  // Texts of the others are found as they come.
  void readLanguages(app, open);
  run.pause();
  const key = await pick(open);
  return { outcome: key === undefined ? "cancelled" : "done" };
}

/** The list; resolves with the key whose entry stays open. */
function pick(open: OpenProject): Promise<ProjectKey | undefined> {
  const list = vscode.window.createQuickPick<KeyItem>();
  const buttons: readonly ActionButton[] = [
    {
      iconPath: new vscode.ThemeIcon("edit"),
      tooltip: l10n.t("Edit Translation…"),
      command: "editTranslation",
    },
    {
      iconPath: new vscode.ThemeIcon("references"),
      tooltip: l10n.t("Find Uses of Key"),
      command: "findUses",
    },
  ];
  list.title = l10n.t("Search Keys");
  list.placeholder = l10n.t("Type a part of a key or of its text in any language");
  let timer: NodeJS.Timeout | undefined;
  let previewing: NodeJS.Timeout | undefined;
  let pass = 0;
  const fill = async (): Promise<void> => {
    const mine = ++pass;
    list.busy = true;
    const items = await find(open, list.value, buttons, () => mine !== pass);
    if (mine !== pass) return;
    list.items = items;
    list.busy = false;
  };
  void fill();
  return new Promise((resolve) => {
    const end = (key: ProjectKey | undefined): void => {
      resolve(key);
      list.hide();
    };
    const listeners = [
      list.onDidChangeValue(() => {
        clearTimeout(timer);
        timer = setTimeout(() => void fill(), SETTLE);
      }),
      list.onDidChangeActive(([item]) => {
        clearTimeout(previewing);
        if (item !== undefined && list.value !== "") {
          previewing = setTimeout(() => void show(open, item.key, true), SETTLE);
        }
      }),
      list.onDidTriggerItemButton(({ item, button }) => {
        end(item.key);
        const { command } = button as ActionButton;
        const about = keyOptions(open, item.key, open.project.sourceLocale ?? "");
        const { locale: _, ...whole } = about as { locale: string };
        void vscode.commands.executeCommand(`projectTranslations.${command}`, whole);
      }),
      list.onDidAccept(() => {
        const [item] = list.selectedItems;
        if (item === undefined) return;
        void show(open, item.key, false);
        end(item.key);
      }),
      list.onDidHide(() => {
        pass++;
        clearTimeout(timer);
        clearTimeout(previewing);
        for (const listener of listeners) listener.dispose();
        list.dispose();
        resolve(undefined);
      }),
    ];
    list.show();
  });
}

/** All words have to be in the name, or all in one text; names first. */
async function find(
  open: OpenProject,
  typed: string,
  buttons: readonly ActionButton[],
  isOver: () => boolean,
): Promise<KeyItem[]> {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const fits = (text: string): boolean => {
    const small = text.toLowerCase();
    return words.every((word) => small.includes(word));
  };
  const byName: KeyItem[] = [];
  const byText: KeyItem[] = [];
  let seen = 0;
  for (const key of open.project.keys.values()) {
    if (byName.length >= MOST_SHOWN) break;
    if (++seen % SLICE === 0) {
      await yieldNow();
      if (isOver()) return [];
    }
    const isNamed = fits(
      key.namespace === NO_NAMESPACE ? key.key : `${key.namespace} ${key.key} ${key.namespace}.${key.key}`,
    );
    const found = isNamed ? null : byText.length < MOST_SHOWN ? textThatFits(open, key, fits) : undefined;
    if (found === undefined) continue;
    const [locale, text] = found ?? ["", oneOf(key.text)];
    (isNamed ? byName : byText).push({
      label: labelText(keyLabel(key)),
      description: labelText(locale),
      detail: labelText(text),
      alwaysShow: true,
      buttons,
      key,
    });
  }
  return [...byName, ...byText].slice(0, MOST_SHOWN);
}

/** The first text of the key that fits, with its language; the source's before the others'. */
function textThatFits(
  open: OpenProject,
  key: ProjectKey,
  fits: (text: string) => boolean,
): readonly [locale: string, text: string] | undefined {
  const { project } = open;
  const own = formsOf(key.text).find(fits);
  if (own !== undefined) return [project.sourceLocale ?? "", own];
  for (const { locale, isSource } of project.stats?.languages ?? []) {
    if (isSource) continue;
    const rows = project.rows(locale);
    const text = rows?.rows.get(key.hash)?.text ?? open.local.snapshot?.entries(locale).text(key.hash);
    const found = formsOf(text ?? null).find(fits);
    if (found !== undefined) return [locale, found];
  }
  return undefined;
}

function formsOf(text: Text | null): readonly string[] {
  if (text === null) return [];
  return isForms(text) ? Object.values(text.forms) : [text.value];
}

function oneOf(text: Text | null): string {
  return formsOf(text).at(-1) ?? "";
}

/** The key's entry in the source's file, if it has one. */
async function show(open: OpenProject, { hash }: ProjectKey, preserveFocus: boolean): Promise<void> {
  const snapshot = open.local.snapshot;
  const entry = snapshot?.entries(snapshot.sourceLocale).get(hash);
  // The list stays open over a file that is only pointed at, so nothing is said of it before it is chosen.
  if (entry === undefined || (preserveFocus && isBinary(open, entry.path))) return;
  await showEntry(open, entry, { preview: true, preserveFocus });
}

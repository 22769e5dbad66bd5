/**
 * Which key a command is about: the one its options name, the one at the cursor (in code or in a translation file), or
 * one that the user picks.
 */
import * as vscode from "vscode";
import { keyHash, NO_NAMESPACE, type KeyName } from "../core/identity.ts";
import type { App, OpenProject } from "./app.ts";
import { sha1 } from "./clock.ts";
import { FileTexts } from "./file-texts.ts";
import { labelText } from "./markdown.ts";
import type { CommonOptions } from "./outcome.ts";
import { l10n } from "./words.ts";

/** How a key is named in the options of a command. */
export interface KeyOptions extends CommonOptions {
  readonly key?: string;
  readonly namespace?: string;
  readonly context?: string | null;
}

/** The key of the options; `undefined` when they name none. */
export function keyOfOptions({ key, namespace, context }: KeyOptions): KeyName | undefined {
  if (typeof key !== "string" || key === "") return undefined;
  return { namespace: namespace ?? NO_NAMESPACE, key, context: context === "" ? null : (context ?? null) };
}

/** The key, or `undefined` when the user closed the list. */
export async function chooseKey(
  app: App,
  open: OpenProject,
  options: KeyOptions,
  title: string,
): Promise<KeyName | undefined> {
  return keyOfOptions(options) ?? (await keyAtCursor(app, open)) ?? pickKey(open, title);
}

/** The key whose use, or whose entry in a translation file, holds the cursor. */
export async function keyAtCursor(app: App, open: OpenProject): Promise<KeyName | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || app.projects.of(editor.document.uri) !== open) return undefined;
  const { document, selection } = editor;
  const found = app.code.useAt(document, selection.active);
  if (found !== undefined) {
    const lookup = app.code.lookUp(open, found.use);
    if (lookup.kind === "known") return lookup.key;
    if (lookup.kind === "unknown") {
      const snapshot = await open.local.load();
      const local = lookup.candidates.find((name) =>
        snapshot.entries(snapshot.sourceLocale).has(keyHash(sha1, name)),
      );
      return local ?? lookup.candidates[0];
    }
  }
  return keyInFile(open, document, selection.active);
}

/** The key whose entry in a translation file stands on the line. */
async function keyInFile(
  open: OpenProject,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<KeyName | undefined> {
  const path = open.relative(document.uri);
  if (path === null || open.local.placeOf(path) === null) return undefined;
  const snapshot = await open.local.load();
  const file = snapshot.files.find(({ place }) => place.path === path);
  const lines = (await new FileTexts(open).read(path))?.lines;
  if (file === undefined || lines === undefined) return undefined;
  return file.entries.within(lines.line(position.line))?.name;
}

interface KeyItem extends vscode.QuickPickItem {
  readonly name: KeyName;
}

/** So many keys are shown at a time. */
const MOST_SHOWN = 200;

/** Searches all keys of the service by name and source text. */
function pickKey(open: OpenProject, title: string): Promise<KeyName | undefined> {
  const pick = vscode.window.createQuickPick<KeyItem>();
  pick.title = title;
  pick.placeholder = l10n.t("Type a part of the key or of its text");
  pick.ignoreFocusOut = true;
  const search = (): void => {
    pick.items = itemsFor(open, pick.value);
  };
  search();
  return new Promise((resolve) => {
    const listeners = [
      pick.onDidChangeValue(search),
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item === undefined) return;
        resolve(item.name);
        pick.hide();
      }),
      pick.onDidHide(() => {
        for (const listener of listeners) listener.dispose();
        pick.dispose();
        resolve(undefined);
      }),
    ];
    pick.show();
  });
}

function itemsFor(open: OpenProject, typed: string): KeyItem[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const items: KeyItem[] = [];
  for (const key of open.project.keys.values()) {
    if (items.length >= MOST_SHOWN) break;
    const text =
      key.text === null ? "" : "value" in key.text ? key.text.value : (key.text.forms["other"] ?? "");
    const label = key.context === null ? key.key : `${key.key} (${key.context})`;
    const namespace = key.namespace === NO_NAMESPACE ? "" : key.namespace;
    const whole = `${label}\n${namespace}\n${text}`.toLowerCase();
    if (!words.every((word) => whole.includes(word))) continue;
    items.push({
      label: labelText(label),
      description: labelText(namespace),
      detail: labelText(text),
      // Words of the key and of its text may be mixed, which the list's own filter does not know.
      alwaysShow: true,
      name: key,
    });
  }
  return items;
}

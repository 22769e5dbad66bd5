/**
 * Selection of the key a command applies to: the one in its options, the one at the cursor (in source code or in a
 * translation file), or one that the user picks.
 */
import * as vscode from "vscode";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../../model/key-hash.ts";
import { plainText } from "../../../model/translation-text.ts";
import { definedFields } from "../../../util/defined-fields.ts";
import type { App } from "../../app.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { localDocument } from "../../files/entry-at-position.ts";
import type { LocalEntry } from "../../../workspace/local-files/local-entries.ts";
import { labelText } from "../../../messages/escape-text.ts";
import { type KeySpelling, projectKeyLabel } from "../../../messages/labels.ts";
import { previewLocales } from "../../../workspace/project-file/preview-locales.ts";
import type { KeyHit } from "../../../database/full-text-search.ts";
import { CommandError, type CommonOptions, requireAnswer } from "../../../commands/command-types.ts";
import { l10n } from "../../../util/l10n.ts";
import { showList } from "./quick-pick.ts";

/** The options of a command that identify a key, and optionally one of the project's languages. */
export interface KeyOptions extends CommonOptions {
  readonly locale?: string;
  readonly key?: string;
  readonly namespace?: string;
  readonly context?: string | null;
}

/** Returns the key identified by the options; `undefined` if they identify none. */
export function keyFromOptions({ key, namespace, context }: KeyOptions): KeyName | undefined {
  if (typeof key !== "string" || key === "") return undefined;
  return { namespace: namespace ?? NO_NAMESPACE, key, context: context === "" ? null : (context ?? null) };
}

/** Returns the options of a command that applies to the key, optionally in one language. */
export function keyOptions({ root }: OpenProject, { namespace, key, context }: KeyName, locale?: string) {
  return { folder: root, namespace, key, context, ...definedFields({ locale }) };
}

/** The error for a key that does not exist at the service. */
export function unknownKeyError(project: KeySpelling, name: KeyName): CommandError {
  const label = projectKeyLabel(project, name);
  return new CommandError(
    "not_found",
    l10n.t("The service does not know the key {0}. Push it first.", label),
  );
}

/**
 * Returns the key.
 *
 * @throws {CommandError} `cancelled` if the user dismissed the list; `invalid` without a key if `confirm` is `false`.
 */
export async function pickKey(
  app: App,
  open: OpenProject,
  options: KeyOptions,
  title: string,
): Promise<KeyName> {
  const key = keyFromOptions(options) ?? (await keyAtCursor(app, open));
  if (key !== undefined) return key;
  if (options.confirm === false) throw new CommandError("invalid", l10n.t("No key was given."));
  return requireAnswer(await pickFromAllKeys(open, title));
}

/** Returns the key whose usage is at the cursor, or whose translation file entry is on its line. */
async function keyAtCursor(app: App, open: OpenProject): Promise<KeyName | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || app.projects.of(editor.document.uri) !== open) return undefined;
  const { document, selection } = editor;
  const found = app.documentUsages.usageAt(document, selection.active);
  if (found !== undefined) {
    const lookup = app.documentUsages.resolveKey(open, found.use);
    if (lookup.kind === "known") return lookup.key;
    if (lookup.kind === "unknown") {
      const files = await open.local.loadTexts();
      const source = files.entries(files.sourceLocale);
      const local = lookup.candidates.find((name) => source.has(keyHash(name)));
      return local ?? lookup.candidates[0];
    }
  }
  return (await entryAtCursor(app, open))?.name;
}

/** Returns the entry on the cursor's line of a translation file. */
export async function entryAtCursor(app: App, open: OpenProject): Promise<LocalEntry | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || app.projects.of(editor.document.uri) !== open) return undefined;
  const file = await localDocument(app, editor.document);
  return file?.file.entries.firstOverlapping(file.lines.line(editor.selection.active.line));
}

/** The item of a key in a list. */
export interface KeyItem extends vscode.QuickPickItem {
  readonly key: KeyHit;
}

const MAX_ITEMS = 200;

/** Lets the user pick a key, searching by name and text. */
function pickFromAllKeys(open: OpenProject, title: string): Promise<KeyName | undefined> {
  const pick = vscode.window.createQuickPick<KeyItem>();
  pick.title = title;
  pick.placeholder = l10n.t("Type part of the key or of its text");
  pick.ignoreFocusOut = true;
  const search = (): void => {
    pick.items = findKeyItems(open, pick.value);
  };
  search();
  pick.onDidChangeValue(search);
  return showList(pick, ([item]) => item?.key);
}

/** Returns the items of the keys whose name or text contains the typed words; `buttons`: of every item. */
export function findKeyItems(
  open: OpenProject,
  typed: string,
  buttons: readonly vscode.QuickInputButton[] = [],
): readonly KeyItem[] {
  const words = typed.split(/\s+/).filter((word) => word !== "");
  const locales = previewLocales(open.file, open.stats);
  return [...open.keySearch.find({ words, locales }, MAX_ITEMS)].map((key): KeyItem => {
    const { match, text } = key;
    const locale = match === null ? "" : (match.locale ?? open.sourceLocale ?? "");
    return {
      label: labelText(projectKeyLabel(open, key)),
      description: labelText(locale),
      detail: labelText(match?.text ?? plainText(text)),
      // The search matches more than the filter of the list does.
      alwaysShow: true,
      buttons,
      key,
    };
  });
}

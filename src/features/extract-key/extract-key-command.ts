/**
 * Extract Key: replaces a selected text by a key reference and adds it to the source file, in one undoable edit. Does not
 * push. Where code contains messages in place of keys, the text stays in the code, and the framework adds the entry.
 */
import { frameworksOf } from "../../frameworks/supported-frameworks.ts";
import { commandLink } from "../../vscode/commands/command-links.ts";
import { extractKeyCommand } from "../../commands/declarations/text-commands.ts";
import * as vscode from "vscode";
import type { Extraction } from "../../workspace/extract-text/extract-text.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import {
  candidatesOf,
  isGettextOnly,
  type KeyReference,
} from "../../workspace/usages/resolve-usage-to-key.ts";
import { ChangedNames } from "../../workspace/refactoring/key-names-after-change.ts";
import { spellingOf } from "../../workspace/usages/key-suggestions.ts";
import { areTextsEqual } from "../../model/translation-text.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS } from "../../vscode/usages/document-usages.ts";
import { labelText } from "../../messages/escape-text.ts";
import { CommandError, requireAnswer } from "../../commands/command-types.ts";
import type { FileWrite } from "../../model/platform.ts";
import { formatOfFile } from "../../vscode/files/format-of-file.ts";
import { savesAs, smallestChange, textOfBytes, writeProjectFiles } from "../../vscode/files/write-files.ts";
import { localRefusalError } from "../../messages/local-edit-error-messages.ts";
import { keysWithSourceText } from "../../database/translation-editor-queries.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";
import { codeFile, loadExtractor, registerFindTexts } from "./find-hard-coded-texts-command.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";

/** Registers the commands and the code action. */
export function registerExtractKey(app: App): void {
  registerFindTexts(app);
  app.command(extractKeyCommand, extract);
  const kind = vscode.CodeActionKind.RefactorExtract.append("translation");
  app.addDisposable(
    vscode.languages.registerCodeActionsProvider(
      CODE_DOCUMENTS,
      {
        provideCodeActions: async (document, range) => {
          const open = app.projects.of(document.uri);
          if (range.isEmpty || open === undefined) return [];
          if ((await findExtraction(app, open, document, range)) === null) return [];
          const action = new vscode.CodeAction(l10n.t("Extract into a translation key…"), kind);
          action.command = commandLink(extractKeyCommand, {}, action.title);
          return [action];
        },
      },
      { providedCodeActionKinds: [kind] },
    ),
  );
}

const extract: CommandWork<typeof extractKeyCommand> = async (app, options, run) => {
  const editor = vscode.window.activeTextEditor;
  const open = editor && app.projects.of(editor.document.uri);
  const version = editor?.document.version;
  const extraction = editor && open && (await findExtraction(app, open, editor.document, editor.selection));
  if (editor === undefined || open === undefined || extraction === undefined || extraction === null) {
    throw new CommandError(
      "invalid",
      l10n.t("Select a text in the code first: a string, or text in a template."),
    );
  }
  const { document } = editor;
  await open.local.reload(run.signal);
  const reference = referenceAt(app, document, extraction);
  const proposedName = await proposeName(app, open, document, reference, extraction);
  const proposed = options.key ?? spellingFor(app, open, reference, proposedName);
  const isAsked = extraction.isMessage !== true && options.key === undefined && !run.quiet;
  const same = isAsked ? await keysWithSameText(app, open, reference, extraction) : [];
  run.pause();
  const typed =
    extraction.isMessage === true
      ? extraction.text
      : isAsked
        ? ((await pickSameKey(extraction, same)) ?? requireAnswer(await promptForKey(extraction, proposed)))
        : proposed;
  const splices = extraction.splicesFor(typed);
  if (splices === null) throw new CommandError("invalid", unusableKeyMessage(typed));
  const name = keyNameFor(app, open, reference, typed, proposedName.namespace);
  const edit = new vscode.WorkspaceEdit();
  const requireSameCode = (): void => {
    if (document.version === version) return;
    throw new CommandError(
      "file_changed",
      l10n.t("The code was changed in the meantime. Extract the text again."),
    );
  };
  const file =
    extraction.isMessage === true
      ? null
      : await addEntry(open, name, extraction, edit, requireSameCode, run.signal);
  requireSameCode();
  for (const splice of splices) edit.replace(document.uri, documentRange(document, splice), splice.text);
  // As after a rename, VS Code saves the files if `files.refactoring.autoSave` is set.
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    throw new CommandError("file_changed", l10n.t("The files could not be changed. Extract the text again."));
  }
  return { outcome: "done", key: typed, file };
};

async function findExtraction(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  range: vscode.Range,
): Promise<Extraction | null> {
  // A text in a translation file has a key already.
  const path = open.relative(document.uri);
  if (path !== null && open.local.locate(path) !== null) return null;
  const span = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const { extractionAt } = await loadExtractor();
  return extractionAt(codeFile(app, open, document.uri.path, document.getText()), span);
}

/** Returns the message for a name that cannot be written at the selection. */
function unusableKeyMessage(key: string): string {
  return l10n.t(
    "The key {0} cannot be used at this place in the code. Nothing was changed; choose another name.",
    key,
  );
}

/** Returns the scope of a reference at the selection; if the code does not show it, that of earlier usages in the file. */
function referenceAt(
  app: App,
  document: vscode.TextDocument,
  { span, domain, binding }: Extraction,
): KeyReference {
  const usages = app.documentUsages.usagesIn(document);
  const nearest = usages.findLast((use) => use.callSpan.end <= span.start) ?? usages[0];
  const expression = { kind: "static", key: "" } as const;
  if (domain !== undefined) return { expression, namespaces: [domain], keyPrefix: "", context: null };
  const { namespaces = null, keyPrefix = "" } = binding.namespaces === "unknown" ? (nearest ?? {}) : binding;
  return { expression, namespaces, keyPrefix, context: null };
}

async function proposeName(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  reference: KeyReference,
  { text, domain }: Extraction,
): Promise<KeyName> {
  const { proposeKeyName } = await loadExtractor();
  const neighbours = app.documentUsages.usagesIn(document).flatMap((use) => {
    const lookup = app.documentUsages.resolveKey(open, use);
    if (lookup.kind === "known") return [lookup.key];
    // The service may not know it yet.
    return lookup.kind === "unknown" ? (lookup.candidates.find((name) => exists(open, name)) ?? []) : [];
  });
  const { frameworks } = app.documentUsages.lookupOptions(open);
  const isBound = Array.isArray(reference.namespaces) || reference.keyPrefix !== "";
  return proposeKeyName(text, {
    neighbours,
    isTaken: (name) => exists(open, name),
    namespaces: sourceNamespaces(open),
    path: open.codePath(document.uri) ?? "",
    isText: frameworksOf(frameworks).some(({ keys }) => keys.kind === "text"),
    ...definedFields({
      domain,
      nameOf: isBound
        ? (written: string, namespace: string) => keyNameFor(app, open, reference, written, namespace)
        : undefined,
    }),
  });
}

/** Whether the service or the source files have the key. */
function exists({ keys, local }: OpenProject, name: KeyName): boolean {
  const hash = keyHash(name);
  return keys.has(hash) || local.find(hash, local.sourceLocale) !== undefined;
}

function sourceNamespaces({ local }: OpenProject): ReadonlySet<string> {
  const files = local.files.filter(({ locales }) => locales.has(local.sourceLocale));
  return new Set(files.flatMap(({ entries }) => entries.namespaces()));
}

/** Returns the spelling of the name at the selection. */
function spellingFor(app: App, open: OpenProject, reference: KeyReference, name: KeyName): string {
  const key = { ...name, hash: keyHash(name) };
  const names = new ChangedNames(open.keyNames, [], [key]);
  return spellingOf(reference, key, names, app.documentUsages.lookupOptions(open)) ?? name.key;
}

/** Returns the key name for a spelling; if it is ambiguous, one that exists, else one in the proposed namespace. */
function keyNameFor(
  app: App,
  open: OpenProject,
  reference: KeyReference,
  typed: string,
  proposed: string,
): KeyName {
  const options = app.documentUsages.lookupOptions(open);
  // Gettext calls do not name the file of a text.
  if (isGettextOnly(options) && reference.namespaces === null) {
    return { namespace: proposed, key: typed, context: null };
  }
  const written: KeyReference = { ...reference, expression: { kind: "static", key: typed } };
  const existing = candidatesOf(written, options).find((name) => exists(open, name));
  if (existing !== undefined) return existing;
  // A new key is in a namespace of its component, not in one that it falls back to.
  const isBound = Array.isArray(reference.namespaces);
  const names = candidatesOf(written, isBound ? { ...options, fallbackNamespaces: [] } : options);
  const namespaces = sourceNamespaces(open);
  return (
    names.find(({ namespace }) => namespace === proposed) ??
    names.find(({ namespace }) => namespace !== NO_NAMESPACE && namespaces.has(namespace)) ??
    names[0] ?? { namespace: proposed, key: typed, context: null }
  );
}

/** Returns the keys that have the text already and can be written at the selection, as written there. */
async function keysWithSameText(
  app: App,
  open: OpenProject,
  reference: KeyReference,
  { text, splicesFor }: Extraction,
): Promise<readonly string[]> {
  const { sourceLocale } = open.local;
  const hashes = await keysWithSourceText(open.connection, { value: text }, sourceLocale);
  const spellings = hashes.flatMap((hash) => {
    const name = open.keys.get(hash) ?? open.local.find(hash, sourceLocale)?.name;
    return name === undefined ? [] : spellingFor(app, open, reference, name);
  });
  return [...new Set(spellings)].filter((spelling) => splicesFor(spelling) !== null).toSorted();
}

/**
 * Lets the user choose one of the keys that have the text already; `null`: a new one.
 *
 * @throws {CommandError} `cancelled` if the list was dismissed.
 */
async function pickSameKey({ text }: Extraction, keys: readonly string[]): Promise<string | null> {
  if (keys.length === 0) return null;
  const existing = keys.map((key) => ({
    label: `$(symbol-key) ${labelText(l10n.t("Use {0}", key))}`,
    value: key,
  }));
  return pickOne<string | null>(
    l10n.t("Extract “{0}”", labelText(text)),
    keys.length === 1 ? l10n.t("A key has this text already") : l10n.t("Several keys have this text already"),
    [...existing, { label: `$(add) ${l10n.t("New Key…")}`, value: null }],
  );
}

function promptForKey({ text, splicesFor }: Extraction, proposed: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: l10n.t("Extract “{0}”", labelText(text)),
    prompt: l10n.t("Key name, as used in code"),
    value: proposed,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      if (typed.trim() === "") return l10n.t("Enter a key name.");
      return splicesFor(typed) === null ? unusableKeyMessage(typed) : undefined;
    },
  });
}

/**
 * Adds the new entry in the source file to the edit, so that one undo takes back both; a file that VS Code would not save
 * with these bytes is written. Returns its path; `null` if the key already has this text.
 */
async function addEntry(
  open: OpenProject,
  name: KeyName,
  { text }: Extraction,
  edit: vscode.WorkspaceEdit,
  requireSameCode: () => void,
  signal: AbortSignal,
): Promise<string | null> {
  const hash = keyHash(name);
  const local = await open.local.reload(signal);
  const locale = local.sourceLocale;
  const existing = local.entries(locale).get(hash)?.text ?? open.keys.get(hash)?.text;
  if (existing != null) {
    if (areTextsEqual(existing, { value: text })) return null;
    throw new CommandError(
      "invalid",
      l10n.t(
        "There is a key {0} with another text. Nothing was changed; choose another name.",
        projectKeyLabel(open, name),
      ),
    );
  }
  const { writes, refused } = await open.local.planEdit([{ name, locale, text: { value: text } }], signal);
  const [refusal] = refused;
  if (refusal !== undefined) throw localRefusalError(open, name, refusal);
  const [write] = writes;
  if (write === undefined) return null;
  if (!(await addWrite(open, write, edit))) {
    requireSameCode();
    await writeProjectFiles(open.files, writes);
  }
  return write.path;
}

/** Adds the write to the edit; `false` if the document would not be saved with the same bytes. */
async function addWrite(open: OpenProject, write: FileWrite, edit: vscode.WorkspaceEdit): Promise<boolean> {
  const { path, after } = write;
  const uri = vscode.Uri.joinPath(open.root, path);
  const format = formatOfFile(open, path);
  const text = textOfBytes(after, format);
  if (text === null) return false;
  const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
  if (document === undefined || !savesAs(document, write, format)) return false;
  const change = smallestChange(document, text);
  if (change !== null) edit.replace(uri, change.range, change.text);
  return true;
}

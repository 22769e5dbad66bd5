/**
 * Rename Symbol for keys, in code and in translation files: one workspace edit of all code and languages. Afterwards the
 * rename at the service is offered.
 */
import { join, relative } from "node:path/posix";
import * as vscode from "vscode";
import { applySplices } from "../../formats/editing/apply-verified-edit.ts";
import { isFormerName } from "../../database/personal/pending-rename-repository.ts";
import { keyHash, nameOf, NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import { ChangedNames } from "../../workspace/refactoring/key-names-after-change.ts";
import {
  basesOf,
  candidatesOf,
  isGettextOnly,
  type KeyResolutionOptions,
  pluralSuffixOf,
  resolveKey,
} from "../../workspace/usages/resolve-usage-to-key.ts";
import { planRename } from "../../workspace/refactoring/plan-key-rename.ts";
import { renameInOtherCode } from "../../workspace/refactoring/rename-in-other-code.ts";
import type { RenamedFile, RenameEdits, ServiceText } from "../../workspace/refactoring/rename-edits.ts";
import { parseKeyReference } from "../../workspace/usages/stored-key-references.ts";
import type { KeyUsage } from "../../scanners/key-usage.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS } from "../../vscode/usages/document-usages.ts";
import { entryAt, LOCAL_DOCUMENTS } from "../../vscode/files/entry-at-position.ts";
import { mayWrite } from "../../projects/project-files.ts";
import { labelText } from "../../messages/escape-text.ts";
import { showWarning } from "../../vscode/notifications.ts";
import { Lines, documentRange } from "../../vscode/ui/documents/positions.ts";
import { toAbortSignal } from "../../vscode/abort-signals.ts";
import { pickOneOrNone } from "../../vscode/ui/input/quick-pick.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { valuesOf } from "../../model/translation-text.ts";
import { l10n } from "../../util/l10n.ts";
import { registerRenameAtService, watchRenames, type RequestedRenames } from "./rename-at-service-command.ts";
import { decodeText, encodeText, isUndecodable } from "../../formats/text/encoding.ts";
import { formatOfFile } from "../../vscode/files/format-of-file.ts";
import { openDocument, savesAs } from "../../vscode/files/write-files.ts";
import { isAlwaysUtf8 } from "../../vscode/extension-settings.ts";

/** The key at the cursor, its range and its spelling. */
interface RenameTarget {
  readonly open: OpenProject;
  readonly from: KeyName;
  readonly range: vscode.Range;
  readonly spelling: string;
  /** Returns the key name for the typed text; `undefined` if the user dismissed a prompt. */
  readonly newName: (typed: string) => Promise<KeyName | undefined>;
}

/** Registers the rename providers and `projectTranslations.renameAtService`. */
export function registerRename(app: App): void {
  const requested = watchRenames(app);
  registerRenameAtService(app);
  for (const [selector, find] of [
    [CODE_DOCUMENTS, keyInCode],
    [LOCAL_DOCUMENTS, keyInFile],
  ] as const) {
    app.addDisposable(
      vscode.languages.registerRenameProvider(selector, {
        prepareRename: async (document, position) => {
          const target = await find(app, document, position);
          if (target === undefined) throw new Error(l10n.t("There is no key of this project here."));
          return { range: target.range, placeholder: target.spelling };
        },
        provideRenameEdits: async (document, position, typed, token) => {
          const target = await find(app, document, position);
          if (target === undefined || typed === target.spelling) return undefined;
          const to = await target.newName(typed);
          return to && renameEdit(app, requested, target, to, token);
        },
      }),
    );
  }
}

async function keyInCode(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<RenameTarget | undefined> {
  const found = app.documentUsages.usageAt(document, position);
  if (found?.use.expression.kind !== "static") return undefined;
  const { use } = found;
  if (use.isMessage === true)
    throw new Error(l10n.t("The framework computes this key from its text. Change the text instead."));
  if (use.hasValues === true)
    throw new Error(l10n.t("Part of this key is code, so it cannot be renamed here."));
  // A key of a shared package may be used in the code of another project.
  const { open, resolution: lookup } = app.documentUsages.resolveInWindow(found.open, use);
  const options = app.documentUsages.lookupOptions(found.open);
  if (lookup.kind !== "known" && lookup.kind !== "unknown") return undefined;
  const from = lookup.kind === "known" ? lookup.name : await localName(open, use, lookup.candidates, options);
  if (from === undefined) return undefined;
  return {
    open,
    from,
    range: documentRange(document, use.keySpan),
    spelling: found.use.expression.key,
    newName: (typed) => confirmNamespace(open, from, nameFor(open, use, from, typed, options), typed),
  };
}

/** Returns the first of the names that is in a source file; of a plural form or context the name that the code has. */
async function localName(
  open: OpenProject,
  use: KeyUsage,
  names: readonly KeyName[],
  options: KeyResolutionOptions,
): Promise<KeyName | undefined> {
  const local = await open.local.load();
  const keys = names
    .filter((name) => local.entries(local.sourceLocale).has(keyHash(name)))
    .map((name) => ({ ...name, hash: keyHash(name) }));
  const found = resolveKey(use, new ChangedNames(open.keyNames, [], keys), options);
  return found.kind === "known" ? found.name : keys[0];
}

/**
 * Returns the name if it is in the old key's namespace or its namespace was typed; else prompts, since the key would move to
 * another file.
 */
async function confirmNamespace(
  open: OpenProject,
  from: KeyName,
  to: KeyName,
  typed: string,
): Promise<KeyName | undefined> {
  if (to.namespace === from.namespace || from.namespace === NO_NAMESPACE) return to;
  if (to.namespace !== NO_NAMESPACE && typed.startsWith(to.namespace)) return to;
  const inOldNamespace = { ...to, namespace: from.namespace, key: typed };
  return pickOneOrNone(
    l10n.t("Rename {0}", projectKeyLabel(open, from)),
    l10n.t("“{0}” has no namespace. Which key do you mean?", typed),
    [
      {
        label: projectKeyLabel(open, inOldNamespace),
        description: l10n.t("stays in {0}", labelText(from.namespace)),
        value: inOldNamespace,
      },
      {
        label: projectKeyLabel(open, to),
        description:
          to.namespace === NO_NAMESPACE
            ? l10n.t("moves out of {0}", labelText(from.namespace))
            : l10n.t("moves to {0}", labelText(to.namespace)),
        value: to,
      },
    ],
  );
}

/** Returns the name for a spelling: preferably in the old key's namespace, else an existing one. */
function nameFor(
  open: OpenProject,
  use: KeyUsage,
  from: KeyName,
  typed: string,
  options: KeyResolutionOptions,
): KeyName {
  const { context } = from;
  const suffix =
    use.expression.kind === "static" ? pluralSuffixOf(use.expression.key, from.key, options) : "";
  // The plural suffix is part of the spelling but not of the key's name.
  const name = suffix !== "" && typed.endsWith(suffix) ? typed.slice(0, -suffix.length) : typed;
  const written = { ...use, context, expression: { kind: "static" as const, key: name } };
  // Gettext calls do not name the file of a text.
  if (isGettextOnly(options) && !Array.isArray(use.namespaces)) return { ...from, key: name };
  const names = candidatesOf(written, options);
  const { namespace, key } = nearestName(names, from.namespace, open.keyNames) ?? {
    namespace: from.namespace,
    key: name,
  };
  return { namespace, key, context };
}

/** Returns the name in the old key's namespace, else one in a namespace that exists, else the first one. */
export function nearestName(
  names: readonly KeyName[],
  oldNamespace: string,
  known: { readonly hasNamespace: (namespace: string) => boolean },
): KeyName | undefined {
  return (
    names.find(({ namespace }) => namespace === oldNamespace) ??
    names.find(({ namespace }) => namespace !== NO_NAMESPACE && known.hasNamespace(namespace)) ??
    names[0]
  );
}

async function keyInFile(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<RenameTarget | undefined> {
  const found = await entryAt(app, document, position);
  if (found === undefined) return undefined;
  const { open, entry } = found;
  const { base, suffix } = await nameInCode(app, open, entry.name);
  return {
    open,
    from: base,
    range: found.lines.range(entry.entry.keySpan),
    spelling: entry.name.key,
    newName: (typed) => {
      const key = suffix !== "" && typed.endsWith(suffix) ? typed.slice(0, -suffix.length) : typed;
      return Promise.resolve({ ...base, key });
    },
  };
}

/**
 * Returns the name by which code uses a key that is a plural form or context, with the suffix that it does not have; the
 * key itself if code uses that, or nothing shows what it uses.
 */
async function nameInCode(
  app: App,
  open: OpenProject,
  name: KeyName,
): Promise<{ readonly base: KeyName; readonly suffix: string }> {
  const lookup = app.documentUsages.lookupOptions(open);
  const bases = name.context === null ? basesOf(name.key, lookup) : [];
  if (bases.length > 0) {
    const usages = await app.usages.load(open);
    const references = usages.referencesOf(keyHash(name)).map(parseKeyReference);
    for (const reference of references) {
      const found = resolveKey(reference, open.keyNames, lookup);
      if (found.kind !== "known" || !bases.includes(found.name.key)) continue;
      return { base: found.name, suffix: name.key.slice(found.name.key.length) };
    }
  }
  return { base: name, suffix: "" };
}

async function renameEdit(
  app: App,
  requested: RequestedRenames,
  { open, from }: RenameTarget,
  to: KeyName,
  token: vscode.CancellationToken,
): Promise<vscode.WorkspaceEdit | undefined> {
  const abort = toAbortSignal(token);
  const { connection } = open;
  try {
    // Names, layouts and options of frameworks are those that the disk has now.
    await open.local.reloadTexts(abort.signal);
    await open.loadLocal(abort.signal);
    await app.documentUsages.ready(open);
    // Of two renames of one key shortly after each other, the first is recorded before the second is made.
    await requested.record(open);
    const plan = await planRename(
      {
        files: open.files,
        local: open.local,
        usages: () => app.usages.reload(open, abort.signal),
        names: open.keyNames,
        serviceTexts: (markers) => textsOfService(open, markers),
        find: app.documentUsages.findOptions(open),
        lookup: app.documentUsages.lookupOptions(open),
        isFormerName: (key, name) => isFormerName(connection, key, name),
        canEdit: (file) =>
          file.isNew ? mayWrite(open.root.fsPath, file.path) : isSavedUnchanged(open, file),
      },
      from,
      to,
      abort.signal,
    );
    if (plan.kind === "taken")
      throw new Error(
        l10n.t("There is already a key {0}. Nothing was changed.", projectKeyLabel(open, plan.name)),
      );
    if (plan.kind !== "planned") {
      throw new Error(
        l10n.t("Neither the service nor a file of this project has this key. Nothing was changed."),
      );
    }
    for (const change of plan.changes) requested.expect(open, nameOf(change.from), nameOf(change.to));
    const parts = [{ open, edits: plan as RenameEdits }];
    for (const [other, usages] of await app.usages.reloadOthers(open, abort.signal)) {
      const edits = await renameInOtherCode(
        {
          files: other.files,
          find: app.documentUsages.findOptions(other),
          lookup: app.documentUsages.lookupOptions(other),
          usages,
          names: other.keyNames,
          isUnambiguous: (namespace) =>
            app.projects.all.every((each) => each === open || !each.keyNames.hasNamespace(namespace)),
        },
        plan.names,
        abort.signal,
      );
      parts.push({ open: other, edits });
    }
    await warnOfRemaining(parts, plan.linkingAtService);
    const edit = new vscode.WorkspaceEdit();
    const description = l10n.t("{0} becomes {1}", projectKeyLabel(open, from), projectKeyLabel(open, to));
    for (const part of parts) addEdits(edit, part.open, part.edits.files, description);
    return edit;
  } finally {
    abort.dispose();
  }
}

/** Adds the edits of one project, with the metadata for the refactor preview. */
function addEdits(
  edit: vscode.WorkspaceEdit,
  open: OpenProject,
  files: readonly RenamedFile[],
  description: string,
): void {
  const labels = {
    code: l10n.t("References to the key"),
    translations: l10n.t("Translation files"),
  } as const;
  for (const { path, kind, isNew, before, splices } of files) {
    const lines = new Lines(before);
    const uri = vscode.Uri.joinPath(open.root, path);
    const metadata = { needsConfirmation: false, label: labels[kind], description };
    if (isNew) {
      const contents = new TextEncoder().encode(applySplices(before, splices));
      edit.createFile(uri, { contents }, metadata);
    } else for (const splice of splices) edit.replace(uri, lines.range(splice), splice.text, metadata);
  }
}

/** Keys whose source texts are searched in one slice of work. */
const KEYS_PER_SLICE = 1_000;

/** Yields the service's texts that contain one of the strings, in slices of work; none without a service. */
function* textsOfService(open: OpenProject, markers: readonly string[]): Generator<readonly ServiceText[]> {
  const { sourceLocale } = open;
  if (!open.source.hasService || sourceLocale === null) return;
  let found: ServiceText[] = [];
  let seen = 0;
  for (const { text, ...name } of open.keys.values()) {
    const isLinking = valuesOf(text).some((form) => markers.some((marker) => form.includes(marker)));
    if (text !== null && isLinking) found.push({ name, locale: sourceLocale, text });
    if (++seen % KEYS_PER_SLICE > 0) continue;
    yield found;
    found = [];
  }
  yield found;
  for (const batch of open.translations.containing(markers)) {
    yield batch.flatMap(({ hash, ...text }) => {
      const name = open.keys.get(hash);
      return name === undefined ? [] : [{ ...text, name }];
    });
  }
}

/** Warns of remaining occurrences of the old name; files that do not exist cannot contain it. */
async function warnOfRemaining(
  parts: readonly { readonly open: OpenProject; readonly edits: RenameEdits }[],
  linkingAtService: readonly ServiceText[],
): Promise<void> {
  const locations = new Set<string>();
  const [own] = parts;
  if (own !== undefined)
    for (const { name, locale } of linkingAtService)
      locations.add(l10n.t("{0} ({1}) on the service", projectKeyLabel(own.open, name), locale));
  for (const { open, edits } of parts) {
    const folder = own === undefined ? "" : relative(own.open.root.path, open.root.path);
    for (const { path, line } of edits.remaining) {
      const { kind } = await open.files.read(path);
      const shown = join(folder, path);
      if (kind !== "missing") locations.add(line === null ? shown : `${shown}:${line}`);
    }
  }
  if (locations.size === 0) return;
  const shown = [...locations].slice(0, 3).map(labelText);
  if (locations.size > 3) shown.push("…");
  void showWarning(
    l10n.t("The old name could not be replaced safely here: {0}. Check these places.", shown.join(", ")),
  );
}

/** VS Code handles larger files differently. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Whether saving the edited document would write exactly the planned bytes. */
async function isSavedUnchanged(open: OpenProject, file: RenamedFile): Promise<boolean> {
  const uri = vscode.Uri.joinPath(open.root, file.path);
  // Opening a large file takes VS Code a second, so it is avoided where possible.
  if (openDocument(uri) === undefined && isPlain(uri, file)) return true;
  const read = await open.files.read(file.path);
  if (read.kind !== "read") return false;
  const before = read.bytes;
  const format = formatOfFile(open, file.path);
  const decoded = decodeText(before, format);
  if (isUndecodable(decoded)) return false;
  if (decoded.text !== file.before) return false;
  const text = applySplices(decoded.text, file.splices);
  const document = await vscode.workspace.openTextDocument(uri);
  return savesAs(document, { before, after: encodeText({ ...decoded, text }) }, format);
}

/** Whether VS Code opens and saves the file as UTF-8 regardless of language-specific settings. */
function isPlain(uri: vscode.Uri, { before, isUtf8, splices }: RenamedFile): boolean {
  if (!isAlwaysUtf8(uri) || !isUtf8 || Buffer.byteLength(before) > MAX_BYTES) return false;
  // The text of the edit is put together only where it must be.
  if ([before, ...splices.map(({ text }) => text)].every((text) => !text.includes("\r"))) return true;
  return hasOneLineEnd(before) && hasOneLineEnd(applySplices(before, splices));
}

/** Whether the text has only one kind of line ending; VS Code would normalise mixed ones. */
export function hasOneLineEnd(text: string): boolean {
  return !/\r(?!\n)|(?<!\r)\n/u.test(text);
}

/**
 * Extract Key: a selected text becomes an entry of the source's file and a use of its key, in one edit that can be
 * undone. Nothing is pushed.
 */
import * as vscode from "vscode";
import { extractionAt, type ExtractLanguage, type Extraction } from "../../core/extract.ts";
import { proposedName } from "../../core/extract-name.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../core/identity.ts";
import { candidatesOf, isGettextOnly, type SaidKey } from "../../core/key-lookup.ts";
import { ChangedNames } from "../../core/changed-names.ts";
import { spellingOf } from "../../core/key-spelling.ts";
import { sameText } from "../../core/text.ts";
import type { FindOptions } from "../../core/usages/usage.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { sha1 } from "../../host/clock.ts";
import { CODE_DOCUMENTS } from "../../host/code-keys.ts";
import { labelText } from "../../host/markdown.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.extractKey`; it acts on the selection of the active editor. */
interface ExtractOptions extends CommonOptions {
  /** As the code is to say it; asked for when it is left out. */
  readonly key?: string;
}

interface Fields {
  /** As the code says it. */
  readonly key: string;
  /** Relative to the project's root; `null`: the key was there already. */
  readonly file: string | null;
}

/** Registers the command and its code action. */
export function registerExtractKey(app: App): void {
  app.command("projectTranslations.extractKey", l10n.t("Extract Key"), (options: ExtractOptions, run) =>
    extract(app, options, run),
  );
  const kind = vscode.CodeActionKind.RefactorExtract.append("translation");
  app.own(
    vscode.languages.registerCodeActionsProvider(
      CODE_DOCUMENTS,
      {
        provideCodeActions: (document, range) => {
          const open = app.projects.of(document.uri);
          if (range.isEmpty || open === undefined || find(app, open, document, range) === null) return [];
          const action = new vscode.CodeAction(l10n.t("Extract into a translation key…"), kind);
          action.command = { command: "projectTranslations.extractKey", title: action.title };
          return [action];
        },
      },
      { providedCodeActionKinds: [kind] },
    ),
  );
}

async function extract(app: App, options: ExtractOptions, run: Run): Promise<CommandResult<Fields>> {
  const editor = vscode.window.activeTextEditor;
  const open = editor && app.projects.of(editor.document.uri);
  const found = editor && open && find(app, open, editor.document, editor.selection);
  if (editor === undefined || open === undefined || found === undefined || found === null) {
    throw new CommandError(
      "invalid",
      l10n.t("Select a text in the code first: a string, or words of a template."),
    );
  }
  const { document } = editor;
  const { version } = document;
  await open.local.load(run.signal);
  const said = saidIn(app, document, found);
  const proposed = options.key ?? spell(app, open, said, proposal(app, open, document, found));
  run.pause();
  const typed = options.key ?? (options.confirm === false ? proposed : await ask(found.text, proposed));
  if (typed === undefined) return { outcome: "cancelled" };
  const name = nameOf(app, open, said, typed, proposal(app, open, document, found));
  const file = await addEntry(open, name, found, run.signal);
  if (document.version !== version) {
    throw new CommandError(
      "file_changed",
      l10n.t("The code was changed in the meantime. The key {0} is in its file; use it there.", typed),
    );
  }
  const { start, end } = found.span;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, found.codeFor(typed));
  for (const needed of found.also ?? []) {
    edit.insert(document.uri, document.positionAt(needed.start), needed.text);
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new CommandError(
      "file_changed",
      l10n.t("The code could not be changed. The key {0} is in its file.", typed),
    );
  }
  return { outcome: "done", key: typed, file };
}

const LANGUAGES: readonly (readonly [ending: RegExp, language: ExtractLanguage])[] = [
  [/\.blade\.php$/i, "blade"],
  [/\.php$/i, "php"],
  [/\.vue$/i, "vue"],
  [/\.svelte$/i, "svelte"],
  [/\.twig$/i, "twig"],
  [/\.pyw?$/i, "python"],
  [/\.dj(?:html|txt)$/i, "django"],
  [/\.(?:jinja2?|j2)$/i, "jinja"],
  [/\.(?:[cm]?[jt]sx?|astro)$/i, "javascript"],
];

function find(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  range: vscode.Range,
): Extraction | null {
  const { path } = document.uri;
  const project = app.code.findOptions(open);
  const language = LANGUAGES.find(([ending]) => ending.test(path))?.[1] ?? templateLanguage(path, project);
  if (language === undefined) return null;
  const span = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  return extractionAt(document.getText(), span, language, project);
}

/** HTML is a template only where the project has them. */
function templateLanguage(path: string, { frameworks }: FindOptions): ExtractLanguage | undefined {
  if (!/\.(?:html?|txt)$/i.test(path)) return undefined;
  return frameworks.has("django") ? "django" : frameworks.has("jinja") ? "jinja" : undefined;
}

/** What a use at the place is bound to: as the uses before it in the file are. */
function saidIn(app: App, document: vscode.TextDocument, { span, domain }: Extraction): SaidKey {
  const before = app.code.usesIn(document).findLast((use) => use.callSpan.end <= span.start);
  const near = before ?? app.code.usesIn(document)[0];
  const used = { kind: "static", key: "" } as const;
  if (domain !== undefined) return { used, namespaces: [domain], keyPrefix: "", context: null };
  const { namespaces = null, keyPrefix = "" } = near ?? {};
  return { used, namespaces, keyPrefix, context: null };
}

function proposal(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  { text, domain }: Extraction,
): KeyName {
  const { snapshot } = open.local;
  const source = snapshot?.entries(snapshot.sourceLocale);
  const neighbours = app.code.usesIn(document).flatMap((use) => {
    const lookup = app.code.lookUp(open, use);
    return lookup.kind === "known" ? [lookup.key] : [];
  });
  const { frameworks } = app.code.lookupOptions(open);
  const names = [...(source?.values() ?? [])].map(({ name }) => name);
  return proposedName(text, {
    neighbours,
    isTaken: (name) => {
      const hash = keyHash(sha1, name);
      return open.project.keys.has(hash) || source?.has(hash) === true;
    },
    namespaces: new Set(names.map(({ namespace }) => namespace)),
    path: open.relative(document.uri) ?? "",
    isText: frameworks.has("wordpress") || frameworks.has("gettext"),
    ...(domain === undefined ? {} : { domain }),
  });
}

/** As the code has to say the name at the place. */
function spell(app: App, open: OpenProject, said: SaidKey, name: KeyName): string {
  const key = { ...name, hash: keyHash(sha1, name) };
  const names = new ChangedNames(app.code.names(open), null, key);
  return spellingOf(said, key, names, app.code.lookupOptions(open)) ?? name.key;
}

/** The name that the spelling means; where several could be meant, the one that stands beside the proposed one. */
function nameOf(app: App, open: OpenProject, said: SaidKey, typed: string, proposed: KeyName): KeyName {
  const options = app.code.lookupOptions(open);
  // Gettext's code does not say where its texts are.
  if (isGettextOnly(options) && said.namespaces === null) {
    return { namespace: proposed.namespace, key: typed, context: null };
  }
  const names = candidatesOf({ ...said, used: { kind: "static", key: typed } }, options);
  const known = names.find((name) => open.project.keys.has(keyHash(sha1, name)));
  if (known !== undefined) return known;
  const spaces = app.code.names(open);
  const fitting = names.filter(
    ({ namespace }) => namespace !== NO_NAMESPACE && spaces.hasNamespace(namespace),
  );
  const beside = names.find(({ namespace }) => namespace === proposed.namespace);
  return beside ?? fitting[0] ?? names[0] ?? proposed;
}

function ask(text: string, proposed: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: l10n.t("Extract “{0}”", labelText(text)),
    prompt: l10n.t("The key, as the code is to say it."),
    value: proposed,
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() === "" ? l10n.t("A key has a name.") : undefined),
  });
}

/** Puts the text into the source's file; `null`: the same text is there under this name. */
async function addEntry(
  open: OpenProject,
  name: KeyName,
  { text }: Extraction,
  signal: AbortSignal,
): Promise<string | null> {
  const hash = keyHash(sha1, name);
  const snapshot = await open.local.load(signal);
  const there = snapshot.entries(snapshot.sourceLocale).get(hash)?.text ?? open.project.keys.get(hash)?.text;
  if (there != null && !sameText(there, { value: text })) {
    throw new CommandError(
      "invalid",
      l10n.t("There is a key {0} with another text. Nothing was changed; choose another name.", name.key),
    );
  }
  if (there != null) return null;
  const { namespace, key, context } = name;
  const result = await vscode.commands.executeCommand<CommandResult<{ readonly file: string }>>(
    "projectTranslations.setLocal",
    {
      folder: open.root,
      namespace,
      key,
      ...(context === null ? {} : { context }),
      value: text,
      confirm: false,
    },
  );
  if (result.outcome === "failed") {
    const { code, message, ...details } = result.error;
    throw new CommandError(code, message, details);
  }
  return result.outcome === "cancelled" ? null : result.file;
}

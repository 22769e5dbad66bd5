/**
 * Rename Symbol on a key, in code and in translation files: one edit of all code and all languages, which VS Code
 * previews on demand. When it was made, the same is offered for the service.
 */
import * as vscode from "vscode";
import { keyHash, type KeyName } from "../../core/identity.ts";
import { candidatesOf, isGettextOnly } from "../../core/key-lookup.ts";
import { planRename, type RenamedFile, type RenameLeft, type RenamePlan } from "../../core/rename.ts";
import type { KeyUse } from "../../core/usages/usage.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { sha1 } from "../../host/clock.ts";
import { CODE_DOCUMENTS } from "../../host/code-keys.ts";
import { entryAt, LOCAL_DOCUMENTS, localDocument } from "../../host/local-documents.ts";
import { labelText } from "../../host/markdown.ts";
import { showWarning } from "../../host/notifications.ts";
import { Lines } from "../../host/places.ts";
import { abortOf } from "../../host/raced.ts";
import { keyLabel } from "../../host/tree-rows.ts";
import { l10n } from "../../host/words.ts";
import { registerRenameAtService, RenameOffers } from "./at-service.ts";
import { isShown } from "./shown.ts";

/** What stands at the cursor: the key, its place, and how it is said there. */
interface Target {
  readonly open: OpenProject;
  readonly from: KeyName;
  readonly range: vscode.Range;
  readonly said: string;
  /** The name that a person means by what they typed. */
  readonly named: (typed: string) => KeyName;
}

/** Registers the rename providers and `projectTranslations.renameAtService`. */
export function registerRename(app: App): void {
  const offers = new RenameOffers(app);
  app.own(offers);
  registerRenameAtService(app);
  for (const [selector, find] of [
    [CODE_DOCUMENTS, inCode],
    [LOCAL_DOCUMENTS, inFile],
  ] as const) {
    app.own(
      vscode.languages.registerRenameProvider(selector, {
        prepareRename: async (document, position) => {
          const target = await find(app, document, position);
          if (target === undefined) throw new Error(l10n.t("There is no key of this project here."));
          return { range: target.range, placeholder: target.said };
        },
        provideRenameEdits: async (document, position, typed, token) => {
          const target = await find(app, document, position);
          if (target === undefined || typed === target.said) return undefined;
          return renameEdit(app, offers, target, target.named(typed), token);
        },
      }),
    );
  }
}

function inCode(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<Target | undefined> {
  const found = app.code.useAt(document, position);
  if (found?.use.used.kind !== "static") return Promise.resolve(undefined);
  const { open, use } = found;
  const lookup = app.code.lookUp(open, use);
  // A key that only local files have is named as the first of them has it.
  const local = open.local.snapshot;
  const from =
    lookup.kind === "known"
      ? lookup.key
      : lookup.kind === "unknown"
        ? lookup.candidates.find((name) => local?.entries(local.sourceLocale).has(keyHash(sha1, name)))
        : undefined;
  if (from === undefined) return Promise.resolve(undefined);
  const { start, end } = use.keySpan;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const named = (typed: string): KeyName => nameFor(app, open, use, from, typed);
  return Promise.resolve({ open, from, range, said: found.use.used.key, named });
}

/** Among the names that the spelling may stand for, the one in the old key's namespace; else one that exists. */
function nameFor(app: App, open: OpenProject, use: KeyUse, from: KeyName, typed: string): KeyName {
  const { context } = from;
  const said = { ...use, context, used: { kind: "static" as const, key: typed } };
  const options = app.code.lookupOptions(open);
  // Gettext's code does not say where its texts are.
  if (isGettextOnly(options) && !Array.isArray(use.namespaces)) return { ...from, key: typed };
  const names = candidatesOf(said, options);
  const known = app.code.names(open);
  const same = names.find(({ namespace }) => namespace === from.namespace);
  const other = names.find(({ namespace }) => known.hasNamespace(namespace) && namespace !== "*");
  const { namespace, key } = same ?? other ?? names[0] ?? { namespace: from.namespace, key: typed };
  return { namespace, key, context };
}

async function inFile(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<Target | undefined> {
  const local = await localDocument(app, document);
  const entry = local && entryAt(local, position);
  if (local === undefined || entry === undefined) return undefined;
  const { name: from } = entry;
  return {
    open: local.open,
    from,
    range: local.lines.range(entry.entry.keySpan),
    said: from.key,
    named: (typed) => ({ ...from, key: typed }),
  };
}

async function renameEdit(
  app: App,
  offers: RenameOffers,
  { open, from }: Target,
  to: KeyName,
  token: vscode.CancellationToken,
): Promise<vscode.WorkspaceEdit | undefined> {
  const abort = abortOf(token);
  try {
    const plan = await planRename(
      {
        files: open.files,
        local: open.local,
        index: () => app.usages.ready(open, abort.signal),
        names: app.code.names(open),
        find: app.code.findOptions(open),
        lookup: app.code.lookupOptions(open),
        sha1,
      },
      from,
      to,
      abort.signal,
    );
    if (plan.kind !== "planned") throw new Error(refusalOf(plan, to));
    offers.expect(open, from, to);
    const files: RenamedFile[] = [];
    const left: RenameLeft[] = [...plan.left];
    for (const file of plan.files) {
      if (file.kind === "code" || (await isShown(open, file))) files.push(file);
      else left.push({ kind: "file", path: file.path });
    }
    const words = leftWords(left);
    if (words !== "") void showWarning(words);
    return editOf(open, files, from, to);
  } finally {
    abort.dispose();
  }
}

function refusalOf(plan: Exclude<RenamePlan, { kind: "planned" }>, to: KeyName): string {
  return plan.kind === "taken"
    ? l10n.t("There is a key {0} already. Nothing was changed.", keyLabel(to))
    : l10n.t("Neither the service nor a file of this project has this key. Nothing was changed.");
}

/** One edit that VS Code can undo as one, and shows first to whoever asks for the preview in the rename box. */
function editOf(
  open: OpenProject,
  files: readonly RenamedFile[],
  from: KeyName,
  to: KeyName,
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const description = l10n.t("{0} becomes {1}", keyLabel(from), keyLabel(to));
  const labels = { code: l10n.t("Uses of the key"), translations: l10n.t("Translation files") } as const;
  for (const { path, kind, before, splices } of files) {
    const lines = new Lines(before);
    const uri = vscode.Uri.joinPath(open.root, path);
    const metadata = { needsConfirmation: false, label: labels[kind], description };
    for (const splice of splices) edit.replace(uri, lines.range(splice), splice.text, metadata);
  }
  return edit;
}

/** One sentence on what still says the old name; empty when nothing does. */
function leftWords(left: readonly RenameLeft[]): string {
  const places = left.flatMap((each) =>
    each.kind === "file"
      ? [each.path]
      : each.kind === "use"
        ? [each.place.path]
        : each.places.map(({ path }) => path),
  );
  if (places.length === 0) return "";
  const paths = [...new Set(places)];
  const shown = paths.slice(0, 3).map(labelText).join(", ");
  return l10n.t(
    "The old name stays where it could not be replaced for certain: {0}. Look at it there.",
    paths.length > 3 ? `${shown}, …` : shown,
  );
}

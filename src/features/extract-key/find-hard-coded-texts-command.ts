/**
 * Find Hard-Coded Texts: lists the user-visible texts of a file, a folder or the project that are not extracted yet,
 * reveals each in the editor and extracts one after the other.
 */
import { usageLanguageFor } from "../../scanners/supported-source-languages.ts";
import type { CodeFile } from "../../workspace/extract-text/extract-text.ts";
import { collectInSlices } from "../../util/event-loop.ts";
import type { UriOption } from "../../commands/option-schemas.ts";
import { extractKeyCommand } from "../../commands/declarations/text-commands.ts";
import * as vscode from "vscode";
import type { App, CommandWork } from "../../vscode/app.ts";
import { parseUrisOption } from "../../vscode/commands/command-options.ts";
import type { CommandRun } from "../../commands/command-types.ts";
import { FileTextCache } from "../../vscode/files/file-text-cache.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { labelText } from "../../messages/escape-text.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { showList } from "../../vscode/ui/input/quick-pick.ts";
import { l10n } from "../../util/l10n.ts";
import { defineCommand, resolvesWith, type OptionsOf } from "../../commands/define-command.ts";
import { option, UrisSchema } from "../../commands/option-schemas.ts";

/** A text in the code. Line and character begin at 0. */
interface PlainText {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  readonly text: string;
}

export const findTextsCommand = defineCommand({
  id: "findTexts",
  title: "Find Hard-Coded Texts",
  needs: "project",
  description: "Lists texts in the code that have no key yet. Lines and characters begin at 0.",
  options: {
    files: option(UrisSchema, "Files and folders; default: the file in the editor, else the whole project."),
  },
  resolvesWith: resolvesWith<{ readonly texts: readonly PlainText[] }>(
    "`texts: [{ path, line, character, text }]`",
  ),
});

interface LocatedText extends PlainText {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** Maximum length of the list. */
const MAX_TEXTS = 2_000;

/** Loads the extraction bundle, which contains the parsers, on first use. */
export const loadExtractor = (): Promise<typeof import("../../workspace/extract-text/extract-text.ts")> =>
  import("../../workspace/extract-text/extract-text.ts");

/** Returns what the extractor needs to know of a file. */
export function codeFile(app: App, open: OpenProject, path: string, text: string): CodeFile {
  return { path, text, language: usageLanguageFor(path), options: app.documentUsages.findOptions(open) };
}

/** Registers the command. */
export function registerFindTexts(app: App): void {
  app.command(findTextsCommand, findTexts);
}

const findTexts: CommandWork<typeof findTextsCommand> = async (app, options, run) => {
  const { open } = run;
  const { paths, place } = await sourcePaths(app, open, options, run);
  const texts: LocatedText[] = [];
  for (const [index, path] of paths.entries()) {
    run.report(l10n.t("Searching {0}", formatCount.files(paths.length)), (index / paths.length) * 100);
    texts.push(...(await textsIn(app, open, path, run.signal)));
    if (texts.length > MAX_TEXTS) break;
  }
  run.pause();
  const plain = texts.map(({ path, line, character, text }) => ({ path, line, character, text }));
  if (!run.quiet) await extractEach(app, open, texts, { place, files: paths.length }, run.signal);
  return { outcome: "done", texts: plain };
};

/** Returns the source files to search, relative to the root, and what they are searched in, to show. */
async function sourcePaths(
  app: App,
  open: OpenProject,
  { files }: OptionsOf<typeof findTextsCommand>,
  run: CommandRun,
): Promise<{ readonly paths: readonly string[]; readonly place: string }> {
  run.report(l10n.t("Searching the code"));
  const all = await collectInSlices((await app.usages.reload(open, run.signal)).paths());
  const wanted = files === undefined ? [activePath(app, open, all)] : wantedPaths(open, files);
  const paths = all
    .filter((path) => open.local.locate(path) === null)
    .filter((path) => wanted.some((each) => each === "" || path === each || path.startsWith(`${each}/`)))
    .toSorted();
  return { paths, place: wanted.map((path) => (path === "" ? open.label : path)).join(", ") };
}

/** Returns the source file in the editor, else the root. */
function activePath(app: App, open: OpenProject, sourceFiles: readonly string[]): string {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const path = uri && app.projects.of(uri) === open ? open.codePath(uri) : null;
  return path !== null && sourceFiles.includes(path) ? path : "";
}

/** Returns the files and folders of the option, relative to the root, which is empty itself. */
function wantedPaths(open: OpenProject, files: UriOption | readonly UriOption[]): readonly string[] {
  return parseUrisOption(open, files).map((uri) => {
    const path = uri.path.replace(/\/$/, "");
    return path === open.root.path ? "" : (open.codePath(uri.with({ path })) ?? uri.fsPath);
  });
}

async function textsIn(
  app: App,
  open: OpenProject,
  path: string,
  signal: AbortSignal,
): Promise<readonly LocatedText[]> {
  const read = await new FileTextCache(open).read(path);
  if (read === undefined) return [];
  const { hardCodedTexts } = await loadExtractor();
  const uri = vscode.Uri.joinPath(open.root, path);
  const found = await hardCodedTexts(codeFile(app, open, uri.path, read.text), signal);
  return found.map(({ text, span }) => {
    const range = read.lines.range(span);
    const { line, character } = range.start;
    return { path, line, character, text, uri, range };
  });
}

/** Shows the list again after each extraction, until it is empty or dismissed. */
async function extractEach(
  app: App,
  open: OpenProject,
  found: readonly LocatedText[],
  searched: { readonly place: string; readonly files: number },
  signal: AbortSignal,
): Promise<void> {
  let texts = found;
  let index = 0;
  while (texts.length > 0) {
    const picked = await pickText(texts, Math.min(index, texts.length - 1));
    if (picked === undefined) return;
    index = texts.indexOf(picked);
    await vscode.window.showTextDocument(picked.uri, { selection: picked.range });
    await app.run(extractKeyCommand, {});
    // The offsets of later texts in the file have changed.
    const inFile = await textsIn(app, open, picked.path, signal);
    const first = texts.findIndex(({ path }) => path === picked.path);
    texts = texts.filter(({ path }) => path !== picked.path).toSpliced(first, 0, ...inFile);
  }
  void showInformation(noTextsMessage(searched));
}

function noTextsMessage({ place, files }: { readonly place: string; readonly files: number }): string {
  if (files === 0) return l10n.t("There is no source file in {0} that can be searched for texts.", place);
  return files === 1
    ? l10n.t("There are no hard-coded texts in {0}.", place)
    : l10n.t("There are no hard-coded texts in {0} ({1}).", place, formatCount.files(files));
}

/** Shows the texts with the one at the index active; moving in the list reveals each in the editor. */
function pickText(texts: readonly LocatedText[], index: number): Promise<LocatedText | undefined> {
  type TextItem = vscode.QuickPickItem & { readonly text: LocatedText };
  const list = vscode.window.createQuickPick<TextItem>();
  list.title = l10n.t("Hard-coded texts ({0})", texts.length);
  list.placeholder = l10n.t("Select a text to extract it into a key");
  list.matchOnDescription = true;
  list.items = texts.map((text) => ({
    label: labelText(text.text),
    description: `${text.path}:${text.line + 1}`,
    text,
  }));
  list.activeItems = list.items.slice(index, index + 1);
  const show = (text: LocatedText | undefined): void => {
    if (text === undefined) return;
    const { uri, range } = text;
    void vscode.window.showTextDocument(uri, { selection: range, preview: true, preserveFocus: true });
  };
  show(texts[index]);
  const moving = list.onDidChangeActive(([row]) => show(row?.text));
  return showList(list, ([row]) => row?.text, moving);
}

/** Find Uses: where the code uses a key, from the index of all files. */
import * as vscode from "vscode";
import { decodeText, isNotText } from "../../core/bytes.ts";
import { keyHash } from "../../core/identity.ts";
import type { UsageIndex, UsePlace } from "../../core/usage-index.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { chooseKey, type KeyOptions } from "../../host/choose-key.ts";
import { sha1 } from "../../host/clock.ts";
import { labelText } from "../../host/markdown.ts";
import type { CommandResult } from "../../host/outcome.ts";
import { Lines } from "../../host/places.ts";
import { l10n } from "../../host/words.ts";

/** One use; line and character begin at 0. */
export interface PlainUse {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  /** What the code says where it only may mean the key (`admin.*`); `null`: it means it for certain. */
  readonly pattern: string | null;
}

interface FoundUse extends PlainUse {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** The line's code. */
  readonly code: string;
}

/** Registers `projectTranslations.findUses`. */
export function registerFindUses(app: App): void {
  app.command("projectTranslations.findUses", l10n.t("Find Uses of Key"), (options: KeyOptions, run) =>
    findUses(app, options, run),
  );
}

async function findUses(
  app: App,
  options: KeyOptions,
  run: Run,
): Promise<CommandResult<{ readonly uses: readonly PlainUse[] }>> {
  const open = await app.projects.choose(options);
  if (open === undefined) return { outcome: "cancelled" };
  const name = await chooseKey(app, open, options, l10n.t("Find the uses of which key?"));
  if (name === undefined) return { outcome: "cancelled" };
  run.report(l10n.t("Searching the code"));
  const index = await app.usages.ready(open, run.signal);
  const found = await usesOf(open, index, keyHash(sha1, name));
  run.pause();
  if (options.confirm !== false) await show(name.key, found);
  const uses = found.map(({ path, line, character, pattern }) => ({ path, line, character, pattern }));
  return { outcome: "done", uses };
}

async function usesOf(open: OpenProject, index: UsageIndex, hash: string): Promise<FoundUse[]> {
  const places: { readonly place: UsePlace; readonly pattern: string | null }[] = index
    .usesOf(hash)
    .map((place) => ({ place, pattern: null }));
  for (const pattern of index.patterns()) {
    if (!pattern.matches.some((key) => key.hash === hash)) continue;
    for (const place of index.usesOfPattern(pattern)) places.push({ place, pattern: pattern.pattern });
  }
  const texts = new Map<string, { readonly text: string; readonly lines: Lines }>();
  const found: FoundUse[] = [];
  for (const { place, pattern } of places) {
    const { path, span } = place;
    let read = texts.get(path);
    if (read === undefined) {
      const content = await open.files.read(path);
      const decoded = content && decodeText(content.bytes);
      if (decoded === undefined || isNotText(decoded)) continue;
      read = { text: decoded.text, lines: new Lines(decoded.text) };
      texts.set(path, read);
    }
    const range = read.lines.range(span);
    const { line, character } = range.start;
    const code = (read.text.split(/\r\n|\n|\r/)[line] ?? "").trim();
    found.push({ path, line, character, pattern, uri: vscode.Uri.joinPath(open.root, path), range, code });
  }
  return found;
}

/** One use is opened; several stand in a list that shows each as it is passed. */
async function show(key: string, found: readonly FoundUse[]): Promise<void> {
  const [only] = found;
  if (only === undefined) {
    void vscode.window.showInformationMessage(l10n.t("The code does not use {0}.", key));
    return;
  }
  if (found.length === 1) {
    await vscode.window.showTextDocument(only.uri, { selection: only.range });
    return;
  }
  const picked = await vscode.window.showQuickPick(
    found.map((use) => ({
      label: `$(file-code) ${use.path}:${use.line + 1}`,
      description: use.pattern === null ? "" : l10n.t("may be meant by {0}", labelText(use.pattern)),
      detail: labelText(use.code),
      use,
    })),
    {
      title: l10n.t("{0} uses of {1}", found.length, labelText(key)),
      matchOnDetail: true,
      onDidSelectItem: (item: vscode.QuickPickItem & { use: FoundUse }) =>
        vscode.window.showTextDocument(item.use.uri, {
          selection: item.use.range,
          preview: true,
          preserveFocus: true,
        }),
    },
  );
  if (picked !== undefined)
    await vscode.window.showTextDocument(picked.use.uri, { selection: picked.use.range });
}

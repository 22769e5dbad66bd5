/** Hovers for keys in code: the text in each preview language, from cached data only. */
import * as vscode from "vscode";
import { yieldNow } from "../../model/event-loop.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import type { KeyResolution } from "../../workspace/usages/resolve-usage-to-key.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS, type DocumentUsage } from "../../vscode/projects/document-usages.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { keyHeading, textMarkdown } from "../../vscode/ui/text/key-markdown.ts";
import { localText, refreshLocal } from "../../vscode/files/local-text-cache.ts";
import { escapeMarkdown } from "../../vscode/ui/text/escape-text.ts";
import { l10n } from "../../vscode/l10n.ts";
import { keyCard, LINKED_COMMANDS, unknownCard } from "./hover-markdown.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";

/** Maximum number of keys listed for a pattern. */
const MAX_NAMED = 8;

/** Delay before changed local files are read again. */
const DEBOUNCE_MS = 500;

/** Registers the hover provider. */
export function registerHover(app: App): void {
  const timers = new Map<OpenProject, NodeJS.Timeout>();
  app.addDisposable(
    app.projects.onDidChangeState(({ open, change }) => {
      // Local files are only kept up to date once they were used.
      if (!change.local || open.local.loaded === null) return;
      clearTimeout(timers.get(open));
      const read = (): void => {
        timers.delete(open);
        void refreshLocal(app, open);
      };
      timers.set(open, setTimeout(read, DEBOUNCE_MS));
    }),
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
    vscode.languages.registerHoverProvider(CODE_DOCUMENTS, {
      provideHover: (document, position, token) => provideHover(app, document, position, token),
    }),
  );
}

/** Lets other tasks run between its steps: the first hover of a window compiles and reads all that each needs. */
async function provideHover(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  if (!app.settings.of(document)["hover.enabled"]) return undefined;
  const { version } = document;
  const found = app.documentUsages.usageAt(document, position);
  if (found === undefined) return undefined;
  await yieldNow();
  const resolution = resolveAll(app, document, found);
  await yieldNow();
  if (token.isCancellationRequested || document.version !== version) return undefined;
  const text = contentsOf(app, found.open, resolution);
  if (text === undefined) return undefined;
  const contents = new vscode.MarkdownString(text, true);
  contents.isTrusted = { enabledCommands: LINKED_COMMANDS };
  return new vscode.Hover(contents, documentRange(document, found.use.keySpan));
}

/** Resolves all usages at the position to one key or several. */
function resolveAll(app: App, document: vscode.TextDocument, { open, use }: DocumentUsage): KeyResolution {
  const lookups = app.documentUsages
    .usagesWith(document, use)
    .map((each) => app.documentUsages.resolveKey(open, each));
  const matches = lookups.flatMap((each) => (each.kind === "known" ? [each.key] : []));
  return matches.length > 1
    ? { kind: "pattern", prefix: "", suffix: "", matches }
    : (lookups.find(({ kind }) => kind === "known") ?? app.documentUsages.resolveKey(open, use));
}

function contentsOf(app: App, open: OpenProject, lookup: KeyResolution): string | undefined {
  if (open.local.loaded === null) void refreshLocal(app, open);
  switch (lookup.kind) {
    case "known": {
      const key = open.project.keys.get(lookup.key.hash);
      return key && keyCard(open, key, localText(open, key.hash));
    }
    case "unknown":
      return unknown(open, lookup.candidates);
    case "intermediate":
    case "pattern":
      return listOf(open, lookup);
    case "undeterminable":
      return undefined;
  }
}

/** Returns the hover of a key that is only in local files or unknown; the latter requires a complete cache. */
function unknown(open: OpenProject, candidates: readonly KeyName[]): string | undefined {
  for (const name of candidates) {
    const local = localText(open, keyHash(name));
    if (local !== undefined) return unknownCard(open, name, local);
  }
  const [name] = candidates;
  return name !== undefined && open.project.keysComplete ? unknownCard(open, name, undefined) : undefined;
}

function listOf(
  open: OpenProject,
  lookup: KeyResolution & { kind: "intermediate" | "pattern" },
): string | undefined {
  const keys =
    lookup.kind === "pattern"
      ? lookup.matches
      : open.keyNames.matching(lookup.namespace, lookup.prefix, "", 1_000);
  if (keys.length === 0) return undefined;
  const source = open.project.sourceLocale;
  const head =
    lookup.kind === "pattern"
      ? l10n.t("May refer to {0}", formatCount.keys(keys.length))
      : l10n.t("A group of {0}", formatCount.keys(keys.length));
  const rows = keys.slice(0, MAX_NAMED).map((key) => {
    const text = open.project.keys.get(key.hash)?.text;
    return `- ${keyHeading(key)}${text ? ` ${textMarkdown(text, source)}` : ""}`;
  });
  const rest = keys.length > MAX_NAMED ? `\n- …` : "";
  return `$(list-tree) ${escapeMarkdown(head)}\n\n${rows.join("\n")}${rest}`;
}

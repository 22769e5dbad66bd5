/**
 * Hover over a key in code: what it says in each preview language, from the cache alone. While a person points,
 * nothing is asked of the service or the disk.
 */
import * as vscode from "vscode";
import type { Lookup } from "../../core/key-lookup.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { CODE_LANGUAGES } from "../../host/code-keys.ts";
import { escapeMarkdown } from "../../host/markdown.ts";
import { heading, keyCard, LINKED_COMMANDS, textMarkdown } from "./card.ts";

/** How many keys of a pattern are named. */
const MOST_NAMED = 8;

/** Registers the hover provider. */
export function registerHover(app: App): void {
  app.own(
    vscode.languages.registerHoverProvider([...CODE_LANGUAGES], {
      provideHover: (document, position) => provideHover(app, document, position),
    }),
  );
}

function provideHover(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.Hover | undefined {
  const found = app.code.useAt(document, position);
  if (found === undefined) return undefined;
  const text = contentsOf(app, found.open, app.code.lookUp(found.open, found.use));
  if (text === undefined) return undefined;
  const contents = new vscode.MarkdownString(text, true);
  contents.isTrusted = { enabledCommands: LINKED_COMMANDS };
  const { start, end } = found.use.keySpan;
  return new vscode.Hover(contents, new vscode.Range(document.positionAt(start), document.positionAt(end)));
}

function contentsOf(app: App, open: OpenProject, lookup: Lookup): string | undefined {
  switch (lookup.kind) {
    case "known": {
      const key = open.project.keys.get(lookup.key.hash);
      return key && keyCard(open, key, undefined);
    }
    case "unknown": {
      const [name] = lookup.candidates;
      // A cache with holes cannot say that a key is not there.
      if (name === undefined || !open.project.keysComplete) return undefined;
      const words = vscode.l10n.t("The service does not know this key.");
      return `${heading(name)}\n\n$(question) ${escapeMarkdown(words)}`;
    }
    case "intermediate":
    case "pattern":
      return listOf(app, open, lookup);
    case "undeterminable":
      return undefined;
  }
}

function listOf(
  app: App,
  open: OpenProject,
  lookup: Lookup & { kind: "intermediate" | "pattern" },
): string | undefined {
  const keys =
    lookup.kind === "pattern"
      ? lookup.matches
      : app.code.names(open).matching(lookup.namespace, lookup.prefix, "", 1_000);
  if (keys.length === 0) return undefined;
  const source = open.project.sourceLocale;
  const head =
    lookup.kind === "pattern"
      ? vscode.l10n.t("{0} keys may be meant", keys.length)
      : vscode.l10n.t("A group of {0} keys", keys.length);
  const rows = keys.slice(0, MOST_NAMED).map((key) => {
    const text = open.project.keys.get(key.hash)?.text;
    return `- ${heading(key)}${text ? ` ${textMarkdown(text, source)}` : ""}`;
  });
  const rest = keys.length > MOST_NAMED ? `\n- …` : "";
  return `$(list-tree) ${escapeMarkdown(head)}\n\n${rows.join("\n")}${rest}`;
}

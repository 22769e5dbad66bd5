/**
 * Findings for one translation file: QA issues of texts that match the service, local checks of texts that were not pushed
 * yet, and problems of the file itself. Uses only cached data and yields between batches.
 */
import type * as vscode from "vscode";
import { checkPlaceholders } from "../../model/placeholder-checks.ts";
import { NO_SPAN } from "../../formats/format.ts";
import { isOnIgnoredLine } from "../../workspace/usages/ignore-comment.ts";
import { qualifiedNames } from "../../model/key-hash.ts";
import type { LocalEntry, LocalProblem } from "../../workspace/local-files/local-entries.ts";
import { isEmptyText, isForms, areTextsEqual, type Text, textLength } from "../../model/text.ts";
import type { App } from "../../vscode/app.ts";
import type { LocalDocument } from "../../vscode/files/translation-file-documents.ts";
import { familiesOf } from "../../vscode/ui/input/translation-input-checks.ts";
import {
  addFindings,
  issuesAt,
  missingLanguages,
  outdatedLanguages,
  severitiesFor,
  withoutIgnored,
} from "./code-diagnostics.ts";
import type { Finding, KeyDiagnostic } from "./key-diagnostic.ts";
import { yieldNow } from "../../model/event-loop.ts";

/** Entries checked before yielding to the event loop. */
const BATCH_SIZE = 100;

/** Problems that have to be fixed in the file. Values that are not texts are not reported. */
const REPORTED: ReadonlySet<LocalProblem["code"]> = new Set(["syntax", "duplicate", "elsewhere", "format"]);

/** Returns the diagnostics of a translation file in the order of the file; ends early like `findInCode`. */
export async function findInFile(
  app: App,
  local: LocalDocument,
  uri: vscode.Uri,
  isWanted: () => boolean,
): Promise<KeyDiagnostic[]> {
  const { open, file, lines } = local;
  const wanted = severitiesFor(app, uri);
  const found: KeyDiagnostic[] = [];
  let seen = 0;
  for (const entry of file.entries) {
    if (++seen % BATCH_SIZE === 0) {
      await yieldNow();
      if (!isWanted()) break;
    }
    const all = findingsOf(app, local, entry);
    if (all.length === 0 || isOnIgnoredLine(local.text, entry.entry.valueSpan.start)) continue;
    const findings = withoutIgnored(open, uri, qualifiedNames(entry.name), all);
    if (findings.length > 0) addFindings(found, wanted, open, lines.range(entry.entry.valueSpan), findings);
  }
  for (const problem of file.problems) {
    if (REPORTED.has(problem.code)) {
      // Problems of the whole file are reported at its start.
      const range = lines.range(problem.span ?? NO_SPAN);
      addFindings(found, wanted, open, range, [{ kind: "file", problem }]);
    }
  }
  return found;
}

/** An entry and its text after all suggestions were applied. */
export interface CorrectedEntry {
  readonly entry: LocalEntry;
  readonly text: Text;
}

/** Returns the entries of the file that have suggestions, with all of them applied. */
export async function correctedEntries(
  app: App,
  local: LocalDocument,
  uri: vscode.Uri,
): Promise<readonly CorrectedEntry[]> {
  const corrected: CorrectedEntry[] = [];
  let seen = 0;
  for (const entry of local.file.entries) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    const found = withoutIgnored(local.open, uri, qualifiedNames(entry.name), findingsOf(app, local, entry));
    const text = found.reduce((before, finding) => suggested(before, finding), entry.text);
    if (!areTextsEqual(text, entry.text)) corrected.push({ entry, text });
  }
  return corrected;
}

/** A suggestion replaces the whole form, so only one of several for the same form is applied. */
function suggested(text: Text, finding: Finding): Text {
  if (finding.kind !== "placeholder" && finding.kind !== "issue") return text;
  const { suggestion, form } = finding.issue;
  if (suggestion === undefined || suggestion === null || suggestion === "") return text;
  if (!isForms(text)) return { value: suggestion };
  return { forms: { ...text.forms, [form ?? ""]: suggestion } };
}

function findingsOf(app: App, { open }: LocalDocument, entry: LocalEntry): Finding[] {
  const { project, local } = open;
  const { hash, text, locale } = entry;
  const isThere = project.keys.has(hash);
  const key = { hash, ...entry.name };
  const isSource = locale === (project.sourceLocale ?? local.loaded?.sourceLocale);
  const missing = isSource && isThere ? missingLanguages(open, key, project.translationsOf(hash)) : [];
  if (isEmptyText(text)) return missing;
  const tooLong = tooLongOf(text, project.keys.maxLength(hash) ?? null);
  const isKnown = project.session.kind === "signed-in" && project.keysComplete;
  if (isSource && project.isLocal) return [...missing, ...tooLong];
  if (isSource && !isKnown) return tooLong;
  if (isSource) return [...missing, ...unpushedOf(entry, project.keys.isText(hash, text)), ...tooLong];
  const rows = project.translationsOf(hash, locale);
  const translation = rows.get(locale)?.text;
  // QA issues apply to the service's text, which may differ from the file's.
  const isTheirs = !project.isLocal && isThere && translation != null && areTextsEqual(translation, text);
  const outdated = project.isLocal || isTheirs ? outdatedLanguages(key, rows) : [];
  if (isTheirs) return [...issuesAt(key, true, rows), ...outdated, ...tooLong];
  const source =
    local.loaded?.entries(local.loaded.sourceLocale).get(hash)?.text ?? project.keys.text(hash) ?? null;
  const issues = checkPlaceholders(familiesOf(app, open), source, text, locale);
  return [
    ...issues.map((issue): Finding => ({ kind: "placeholder", issue, entry })),
    ...outdated,
    ...tooLong,
  ];
}

/** A source text that differs from the service's, or does not exist there (`isSame` is undefined). */
function unpushedOf({ hash, entry }: LocalEntry, isSame: boolean | undefined): Finding[] {
  if (entry.readOnly === "source" || isSame === true) return [];
  return [{ kind: "unpushed", change: isSame === undefined ? "new" : "changed", hash }];
}

function tooLongOf(text: Text, most: number | null): Finding[] {
  if (most === null) return [];
  const length = textLength(text);
  return length > most ? [{ kind: "too-long", length, maxLength: most }] : [];
}

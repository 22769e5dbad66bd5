/**
 * What is wrong at the entries of one translation file: what the service says of the text that stands there, what would
 * be wrong with one that was not pushed yet, and what the file itself cannot mean. From the cache, in slices.
 */
import type * as vscode from "vscode";
import { checkPlaceholders } from "../../model/placeholder-checks.ts";
import { NO_SPAN } from "../../formats/format.ts";
import { isMarked } from "../../workspace/usages/ignored-diagnostics.ts";
import { writtenNames } from "../../model/key-patterns.ts";
import type { LocalEntry, LocalProblem } from "../../workspace/local-files/local-entries.ts";
import { isEmptyText, isForms, sameText, type Text } from "../../model/text.ts";
import { textLength } from "../../model/text-length.ts";
import type { App } from "../../vscode/app.ts";
import type { LocalDocument } from "../../vscode/projects/local-documents.ts";
import { familiesOf } from "../../vscode/ui/text-checks.ts";
import { addFindings, issuesAt, missingOf, outdatedOf, wantedIn, withoutIgnored } from "./findings.ts";
import type { Finding, KeyDiagnostic } from "./key-diagnostic.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** Entries looked at before other work gets its turn. */
const BATCH_SIZE = 100;

/** What a person has to mend in the file; values that are no texts are none of that. */
const REPORTED: ReadonlySet<LocalProblem["code"]> = new Set(["syntax", "duplicate", "elsewhere", "format"]);

/** Problems at the entries of a translation file, in the file's order. */
export async function findInFile(app: App, local: LocalDocument, uri: vscode.Uri): Promise<KeyDiagnostic[]> {
  const { open, file, lines } = local;
  const wanted = wantedIn(app, uri);
  const found: KeyDiagnostic[] = [];
  let seen = 0;
  for (const entry of file.entries) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    const all = findingsOf(app, local, entry);
    if (all.length === 0 || isMarked(local.text, entry.entry.valueSpan.start)) continue;
    const findings = withoutIgnored(open, uri, writtenNames(entry.name), all);
    if (findings.length > 0) addFindings(found, wanted, open, lines.range(entry.entry.valueSpan), findings);
  }
  for (const problem of file.problems) {
    if (REPORTED.has(problem.code)) {
      // What is wrong with the whole file is told at its beginning.
      const range = lines.range(problem.span ?? NO_SPAN);
      addFindings(found, wanted, open, range, [{ kind: "file", problem }]);
    }
  }
  return found;
}

/** An entry and its text with every suggestion in it. */
export interface CorrectedEntry {
  readonly entry: LocalEntry;
  readonly text: Text;
}

/** The entries of the file that have a suggestion, as they would be with all of theirs. */
export async function correctedEntries(
  app: App,
  local: LocalDocument,
  uri: vscode.Uri,
): Promise<readonly CorrectedEntry[]> {
  const corrected: CorrectedEntry[] = [];
  let seen = 0;
  for (const entry of local.file.entries) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    const found = withoutIgnored(local.open, uri, writtenNames(entry.name), findingsOf(app, local, entry));
    const text = found.reduce((before, finding) => suggested(before, finding), entry.text);
    if (!sameText(text, entry.text)) corrected.push({ entry, text });
  }
  return corrected;
}

/** A suggestion is the whole right text of its form, so of several for one form any does. */
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
  const missing = isSource && isThere ? missingOf(open, key, project.translationsOf(hash)) : [];
  if (isEmptyText(text)) return missing;
  const tooLong = tooLongOf(text, project.keys.maxLength(hash) ?? null);
  const isKnown = project.session.kind === "signed-in" && project.keysComplete;
  if (isSource && project.isLocal) return [...missing, ...tooLong];
  if (isSource && !isKnown) return tooLong;
  if (isSource) return [...missing, ...unpushedOf(entry, project.keys.isText(hash, text)), ...tooLong];
  const rows = project.translationsOf(hash, locale);
  const translation = rows.get(locale)?.text;
  // What the service says is of its own text; the file's may be corrected, or not be there yet.
  const isTheirs = !project.isLocal && isThere && translation != null && sameText(translation, text);
  const outdated = project.isLocal || isTheirs ? outdatedOf(key, rows) : [];
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

/** A source text that the service has otherwise, or not at all (`isSame` is undefined), where that is known. */
function unpushedOf({ hash, entry }: LocalEntry, isSame: boolean | undefined): Finding[] {
  if (entry.readOnly === "source" || isSame === true) return [];
  return [{ kind: "unpushed", change: isSame === undefined ? "new" : "changed", hash }];
}

function tooLongOf(text: Text, most: number | null): Finding[] {
  if (most === null) return [];
  const length = textLength(text);
  return length > most ? [{ kind: "too-long", length, most }] : [];
}

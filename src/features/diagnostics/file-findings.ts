/**
 * What is wrong at the entries of one translation file: what the service says of the text that stands there, what would
 * be wrong with one that was not pushed yet, and what the file itself cannot mean. From the cache, in slices.
 */
import type * as vscode from "vscode";
import { checkPlaceholders } from "../../core/checks.ts";
import { NO_SPAN } from "../../core/formats/format.ts";
import { isMarked } from "../../core/ignored.ts";
import { writtenNames } from "../../core/key-glob.ts";
import type { LocalEntry } from "../../core/local-entries.ts";
import type { LocalProblem } from "../../core/local-files.ts";
import type { ProjectKey } from "../../core/project.ts";
import { isEmptyText, isForms, sameText, type Text } from "../../core/text.ts";
import { textLength } from "../../core/text-length.ts";
import type { App } from "../../host/app.ts";
import { yieldNow } from "../../host/clock.ts";
import type { LocalDocument } from "../../host/local-documents.ts";
import { familiesOf } from "../../host/text-checks.ts";
import { addFindings, issuesAt, missingOf, outdatedOf, wantedIn, withoutIgnored } from "./findings.ts";
import type { Finding, KeyDiagnostic } from "./key-diagnostic.ts";

/** Entries looked at before other work gets its turn. */
const SLICE = 500;

/** What a person has to mend in the file; values that are no texts are none of that. */
const TOLD: ReadonlySet<LocalProblem["code"]> = new Set(["syntax", "duplicate", "elsewhere", "format"]);

/** Problems at the entries of a translation file, in the file's order. */
export async function findInFile(app: App, local: LocalDocument, uri: vscode.Uri): Promise<KeyDiagnostic[]> {
  const { open, file, lines } = local;
  const wanted = wantedIn(app, uri);
  const found: KeyDiagnostic[] = [];
  let seen = 0;
  for (const entry of file.entries) {
    if (++seen % SLICE === 0) await yieldNow();
    const all = findingsOf(app, local, entry);
    if (all.length === 0 || isMarked(local.text, entry.entry.valueSpan.start)) continue;
    const findings = withoutIgnored(open, uri, writtenNames(entry.name), all);
    if (findings.length > 0) addFindings(found, wanted, open, lines.range(entry.entry.valueSpan), findings);
  }
  for (const problem of file.problems) {
    if (TOLD.has(problem.code)) {
      // What is wrong with the whole file is told at its beginning.
      const range = lines.range(problem.span ?? NO_SPAN);
      addFindings(found, wanted, open, range, [{ kind: "file", problem }]);
    }
  }
  return found;
}

/** An entry and its text with every suggestion in it. */
export interface Mended {
  readonly entry: LocalEntry;
  readonly text: Text;
}

/** The entries of the file that have a suggestion, as they would be with all of theirs. */
export async function mendedIn(app: App, local: LocalDocument, uri: vscode.Uri): Promise<readonly Mended[]> {
  const mended: Mended[] = [];
  let seen = 0;
  for (const entry of local.file.entries) {
    if (++seen % SLICE === 0) await yieldNow();
    const found = withoutIgnored(local.open, uri, writtenNames(entry.name), findingsOf(app, local, entry));
    const text = found.reduce((before, finding) => suggested(before, finding), entry.text);
    if (!sameText(text, entry.text)) mended.push({ entry, text });
  }
  return mended;
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
  const key = project.keys.get(hash);
  const isSource = locale === (project.sourceLocale ?? local.snapshot?.sourceLocale);
  if (isEmptyText(text)) return isSource && key !== undefined ? missingOf(open, key) : [];
  const tooLong = key === undefined ? [] : tooLongOf(text, key);
  const isKnown = project.session.kind === "signed-in" && project.keysComplete;
  if (isSource && !isKnown) return tooLong;
  if (isSource)
    return [...(key === undefined ? [] : missingOf(open, key)), ...unpushedOf(entry, key), ...tooLong];
  const row = project.rows(locale)?.rows.get(hash);
  if (key !== undefined && row?.text && sameText(row.text, text)) {
    // What the service says is of its own text; the file's may be mended, or not be there yet.
    const outdated = outdatedOf(open, key, locale);
    return [...issuesAt(open, key, true, locale), ...outdated, ...tooLong];
  }
  const source = local.snapshot?.entries(local.snapshot.sourceLocale).get(hash)?.text ?? key?.text ?? null;
  const issues = checkPlaceholders(familiesOf(app, open), source, text, locale);
  return [...issues.map((issue): Finding => ({ kind: "placeholder", issue, entry })), ...tooLong];
}

/** A source text that the service does not have, where it is known what the service has. */
function unpushedOf({ hash, text, entry }: LocalEntry, key: ProjectKey | undefined): Finding[] {
  if (entry.readOnly === "source") return [];
  if (key === undefined) return [{ kind: "unpushed", change: "new", hash }];
  return key.text !== null && sameText(key.text, text) ? [] : [{ kind: "unpushed", change: "changed", hash }];
}

function tooLongOf(text: Text, { maxLength }: ProjectKey): Finding[] {
  if (maxLength === null) return [];
  const length = textLength(text);
  return length > maxLength ? [{ kind: "too-long", length, most: maxLength }] : [];
}

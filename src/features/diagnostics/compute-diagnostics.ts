/**
 * The problems of one document and their diagnostics: of the key usages in code, and of the entries of a translation file.
 * Uses the cache and the local files as last read; "unknown key" is reported only if both are complete.
 */
import * as vscode from "vscode";
import { type PlaceholderIssue, checkPlaceholders } from "../../model/placeholder-checks.ts";
import { changedSide } from "../../model/agreed-text.ts";
import { checkTrailingLineBreaks } from "../../model/trailing-line-break.ts";
import { keyIssues, withSuggestion } from "../../sync/qa-issues.ts";
import { type KeyName, qualifiedNames } from "../../model/key-hash.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { oneLine } from "../../messages/escape-text.ts";
import type { Severity } from "../../vscode/extension-settings.ts";
import { isUnknownKey } from "../../workspace/problems/unknown-keys.ts";
import { comparedSource } from "../../workspace/problems/text-problems.ts";
import {
  isReported,
  type ProjectProblem,
  type ProblemsRequest,
} from "../../workspace/problems/project-problems.ts";
import { problemsRequestOf } from "../../workspace/problems/problems-request.ts";
import { describeFinding, type Finding, SEVERITY_SETTINGS } from "../../messages/findings.ts";
import { isOnIgnoredLine } from "../../workspace/problems/ignored-diagnostics.ts";
import {
  shownKeys,
  isGettextOnly,
  type KeyReference,
  type KeyResolutionOptions,
} from "../../workspace/usages/resolve-usage-to-key.ts";
import { isEveryKeyKnown } from "../../workspace/usages/key-completeness.ts";
import type { NamedKey } from "../../database/key-name-repository.ts";
import type { Project } from "../../database/project-state.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { KeyUsage } from "../../scanners/key-usage.ts";
import type { App } from "../../vscode/app.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";
import {
  type CheckedProject,
  findingsOfProblem,
  withoutIgnored as notIgnored,
} from "../../operations/problem-findings.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";
import { NO_SPAN } from "../../formats/format.ts";
import { isEmptyText, areTextsEqual, isForms, type Text, textLength } from "../../model/translation-text.ts";
import type { LocalDocument } from "../../vscode/files/entry-at-position.ts";
import type { Span } from "../../util/span.ts";
import { familiesOfEntry } from "../../vscode/ui/input/translation-input-checks.ts";

/** The diagnostic of a finding, or of all that is wrong with one text, with the data for its quick fixes. */
export class KeyDiagnostic extends vscode.Diagnostic {
  declare code: string;
  readonly open: OpenProject;
  /** Not empty. Several: issues of one text. */
  readonly findings: readonly Finding[];

  constructor(
    range: vscode.Range,
    severity: vscode.DiagnosticSeverity,
    open: OpenProject,
    [finding, ...others]: readonly [Finding, ...Finding[]],
  ) {
    const { code, message } = describeFinding(open, finding, others);
    super(range, oneLine(message()), severity);
    this.source = "Project Translations";
    this.code = code;
    this.open = open;
    this.findings = [finding, ...others];
  }
}

/** Returns the text that an issue is about; of another finding `null`. */
function textOf(finding: Finding): string | null {
  if (finding.kind === "issue") return `${finding.issue.hash}/${finding.issue.locale}`;
  return finding.kind === "placeholder" ? `${finding.entry.hash}/${finding.entry.locale}` : null;
}

/** The severities by setting; `null`: not reported. */
const SEVERITIES: Readonly<Record<Severity, vscode.DiagnosticSeverity | null>> = {
  off: null,
  hint: vscode.DiagnosticSeverity.Hint,
  information: vscode.DiagnosticSeverity.Information,
  warning: vscode.DiagnosticSeverity.Warning,
  error: vscode.DiagnosticSeverity.Error,
};

/** Whether any kind of diagnostic is enabled for the document. */
export function isAnyEnabled(app: App, uri: vscode.Uri): boolean {
  const settings = app.settings.of(uri);
  return SEVERITY_SETTINGS.some((name) => settings[name] !== "off");
}

/** Creates the diagnostics of findings whose severity is not off. Issues of one text have one. */
function diagnosticsOf(
  open: OpenProject,
  settings: Readonly<Record<(typeof SEVERITY_SETTINGS)[number], Severity>>,
  range: vscode.Range,
  findings: readonly Finding[],
): KeyDiagnostic[] {
  const groups = Map.groupBy(findings, (finding) => textOf(finding) ?? finding);
  return [...groups.values()].flatMap(([finding, ...others]) => {
    if (finding === undefined) return [];
    const configured = SEVERITIES[settings[describeFinding(open, finding).setting]];
    if (configured === null) return [];
    // A key that exists only locally is work in progress, not a mistake.
    const severity = finding.kind === "unpushed" ? vscode.DiagnosticSeverity.Hint : configured;
    return new KeyDiagnostic(range, severity, open, [finding, ...others]);
  });
}

/** Removes findings that match an ignore rule of the project file. `names`: other spellings of the key. */
function withoutIgnored(
  open: OpenProject,
  uri: vscode.Uri,
  names: readonly string[],
  findings: readonly Finding[],
): readonly Finding[] {
  return notIgnored(checkedProject(open), open.codePath(uri) ?? "", names, findings);
}

function checkedProject({ connection, file }: OpenProject): CheckedProject {
  return { project: connection, file };
}

/** Unknown keys of a document for which a similar key is searched; each takes some milliseconds. */
const MAX_SEARCHES = 30;

/** Returns the diagnostics for a source file. Ends early if cancelled; the caller then discards the result. */
export async function findInCode(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  isWanted: () => boolean,
): Promise<KeyDiagnostic[]> {
  const settings = app.settings.of(document.uri);
  const lookup = app.documentUsages.lookupOptions(open);
  const isUnknown = unknownKeysIn(app, open, lookup);
  const canReportUnknown = areKeysKnown(app, open, open, isGettextOnly(lookup));
  const found: KeyDiagnostic[] = [];
  const text = document.getText();
  const expected = new Map<OpenProject, readonly string[]>();
  const slices = new TimeSlices();
  let searches = 0;
  const similarTo = (usage: KeyUsage): string | null => {
    if (++searches > MAX_SEARCHES) return null;
    return app.documentUsages.nearestInWindow(open, usage, 1, "all", lookup)[0] ?? null;
  };
  for (const use of app.documentUsages.usagesIn(document)) {
    if (slices.isOver) {
      await slices.next();
      if (!isWanted()) break;
    }
    if (use.expression.kind === "pattern") continue;
    const { open: owner, resolution } = app.documentUsages.resolveInWindow(open, use, lookup);
    const all: Finding[] = [];
    if (resolution.kind === "known") {
      const locales = getOrCreate(expected, owner, () => expectedLocales(owner));
      for (const key of shownKeys(resolution)) {
        // The translations of a key in a hundred languages take longer to read than all else.
        if (slices.isOver) await slices.next();
        if (!isWanted()) return found;
        if (owner.keys.has(key.hash)) all.push(...findingsOfKey(owner, key, locales));
      }
    } else if (resolution.kind === "unknown" && canReportUnknown) {
      const { candidates } = resolution;
      if (isUnknown(use, candidates, owner))
        all.push({ kind: "unknown", candidates, written: use.expression.key, similar: similarTo(use) });
    }
    if (all.length === 0 || hasIgnoreComment(text, use)) continue;
    const findings = withoutIgnored(open, document.uri, [use.expression.key], all);
    found.push(...diagnosticsOf(owner, settings, documentRange(document, use.keySpan), findings));
  }
  return found;
}

/** Whether a key that the `owner` does not have can be reported as unknown in the code of a project. */
export function areKeysKnown(
  app: App,
  open: OpenProject,
  owner: OpenProject,
  areKeysTexts: boolean,
): boolean {
  const areUsagesComplete = app.usages.isComplete(open);
  return isEveryKeyKnown({ project: owner, local: owner.local.loaded, areKeysTexts, areUsagesComplete });
}

/** Returns `isUnknownKey` for the code of a project. @param lookup those of `open` */
function unknownKeysIn(app: App, open: OpenProject, lookup: KeyResolutionOptions) {
  const code = { lookup, areUsagesComplete: app.usages.isComplete(open) };
  return (use: KeyReference, candidates: readonly KeyName[], owner: OpenProject): boolean =>
    isUnknownKey(use, candidates, { project: owner, keyNames: owner.keyNames, local: owner.local }, code);
}

/** Returns what is looked for in the files of a project, by its settings. */
export function problemsRequest(app: App, open: OpenProject, limit: number): ProblemsRequest {
  return problemsRequestOf({
    project: open.connection,
    local: open.local,
    file: open.file,
    lookup: app.documentUsages.lookupOptions(open),
    areUsagesComplete: app.usages.isComplete(open),
    severities: app.settings.of(open.root),
    limit,
  });
}

/** Returns the diagnostics of a problem in a file that is not shown; none if another project of the window may have the key. */
export function diagnosticsOfProblem(
  app: App,
  open: OpenProject,
  uri: vscode.Uri,
  problem: ProjectProblem,
): readonly KeyDiagnostic[] {
  const { start, end } = problem;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const projects = {
    ...app.documentUsages.projects(),
    isUnknown: unknownKeysIn(app, open, app.documentUsages.lookupOptions(open)),
  };
  const findings = findingsOfProblem(open, checkedProject(open), projects, problem);
  return diagnosticsOf(open, app.settings.of(uri), range, findings);
}

/** Whether an ignore comment is in the call, on its line, or on the line above. */
function hasIgnoreComment(text: string, { callSpan, keySpan }: KeyUsage): boolean {
  return isOnIgnoredLine(text, keySpan.start) || isOnIgnoredLine(text, callSpan.start);
}

/** @param expected as of `expectedLocales` */
function findingsOfKey(open: OpenProject, key: NamedKey, expected: readonly string[]): readonly Finding[] {
  const rows = open.translationsOf(key.hash);
  return [
    ...issueFindings(open, key, false, rows),
    ...missingLanguages(key, rows, expected),
    ...outdatedLanguages(key, rows),
  ];
}

/** Translations of one key by locale. */
type Translations = ReturnType<Project["translationsOf"]>;

/** Returns the QA issues of these translations of the key. */
function issueFindings({ keys }: OpenProject, key: NamedKey, inFile: boolean, rows: Translations): Finding[] {
  return keyIssues({ ...key, text: keys.text(key.hash) ?? null }, rows).map((issue) => ({
    kind: "issue",
    issue,
    inFile,
  }));
}

/** Returns the languages in which every key should have a translation: those that are completely loaded. */
function expectedLocales(open: OpenProject): readonly string[] {
  const complete = open.connection.completeLocales();
  return open.connection
    .loadedLocales()
    .filter((locale) => locale !== open.sourceLocale && complete.has(locale));
}

/** Returns the languages without a translation, of those expected. */
function missingLanguages(key: NamedKey, rows: Translations, expected: readonly string[]): Finding[] {
  const locales = expected.filter((locale) => rows.get(locale)?.isTranslated !== true);
  return locales.length === 0 ? [] : [{ kind: "missing", key, locales }];
}

/** Returns the languages whose translation is outdated. */
function outdatedLanguages(key: NamedKey, rows: Translations): Finding[] {
  const locales = [...rows].filter(([, { isOutdated }]) => isOutdated).map(([locale]) => locale);
  return locales.length === 0 ? [] : [{ kind: "outdated", key, locales }];
}

/** Returns the diagnostics of a translation file in the order of the file; ends early like `findInCode`. */
export async function findInFile(
  app: App,
  local: LocalDocument,
  uri: vscode.Uri,
  isWanted: () => boolean,
): Promise<KeyDiagnostic[]> {
  const { open, file, lines } = local;
  const settings = app.settings.of(uri);
  const expected = expectedLocales(open);
  const found: KeyDiagnostic[] = [];
  const slices = new TimeSlices();
  for (const entry of file.entries) {
    if (slices.isOver) {
      await slices.next();
      if (!isWanted()) break;
    }
    const findings = reportedFindings(app, local, uri, entry, expected);
    const bySpan = Map.groupBy(findings, (finding) => {
      const { start, end } = findingSpan(local.text, entry, finding);
      return `${start}-${end}`;
    });
    for (const [first, ...others] of bySpan.values()) {
      if (first === undefined) continue;
      const range = lines.range(findingSpan(local.text, entry, first));
      found.push(...diagnosticsOf(open, settings, range, [first, ...others]));
    }
  }
  for (const problem of file.problems) {
    // Problems of the whole file are reported at its start.
    const range = lines.range(problem.span ?? NO_SPAN);
    if (isReported(problem)) found.push(...diagnosticsOf(open, settings, range, [{ kind: "file", problem }]));
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
  const expected = expectedLocales(local.open);
  const slices = new TimeSlices();
  for (const entry of local.file.entries) {
    if (slices.isOver) await slices.next();
    const text = reportedFindings(app, local, uri, entry, expected).reduce(correct, entry.text);
    if (!areTextsEqual(text, entry.text)) corrected.push({ entry, text });
  }
  return corrected;
}

/** A suggestion replaces the whole form, so only one of several for the same form is applied. */
function correct(text: Text, finding: Finding): Text {
  if (finding.kind !== "placeholder" && finding.kind !== "issue") return text;
  return finding.issue.suggestion ? withSuggestion(text, finding.issue) : text;
}

/** Returns the findings of an entry without those that a comment or a rule ignores. @param expected as of `expectedLocales` */
function reportedFindings(
  app: App,
  local: LocalDocument,
  uri: vscode.Uri,
  entry: LocalEntry,
  expected: readonly string[],
): readonly Finding[] {
  const all = findingsOf(app, local, entry, expected);
  if (all.length === 0 || isOnIgnoredLine(local.text, entry.entry.valueSpan.start)) return [];
  return withoutIgnored(local.open, uri, qualifiedNames(entry.name), all);
}

/** @param expected as of `expectedLocales` */
function findingsOf(
  app: App,
  { open }: LocalDocument,
  entry: LocalEntry,
  expected: readonly string[],
): Finding[] {
  const { local } = open;
  const { hash, text, locale } = entry;
  const serviceKey = open.keys.get(hash);
  const isPushed = serviceKey !== undefined;
  const key = { hash, ...entry.name };
  const isSource = locale === (open.sourceLocale ?? local.loaded?.sourceLocale);
  const missing = isSource && isPushed ? missingLanguages(key, open.translationsOf(hash), expected) : [];
  if (isEmptyText(text)) return missing;
  const tooLong = lengthFindings(entry, serviceKey?.maxLength ?? null);
  const { hasService, isConnected } = open.source;
  const areKeysKnown = isConnected && open.keysComplete;
  if (isSource) {
    const unpushed = areKeysKnown ? unpushedFindings(open.connection, entry, serviceKey) : [];
    return [...missing, ...unpushed, ...tooLong];
  }
  const rows = open.translationsOf(hash, locale);
  const translation = rows.get(locale)?.text;
  // QA issues apply to the service's text, which may differ from the file's.
  const isAtService = hasService && isPushed && translation != null && areTextsEqual(translation, text);
  const outdated = !hasService || isAtService ? outdatedLanguages(key, rows) : [];
  if (isAtService) return [...issueFindings(open, key, true, rows), ...outdated, ...tooLong];
  const issues = textIssues(app, open, entry, serviceKey);
  return [
    ...issues.map((issue): Finding => ({ kind: "placeholder", issue, entry })),
    ...outdated,
    ...tooLong,
  ];
}

function textIssues(
  app: App,
  open: OpenProject,
  entry: LocalEntry,
  serviceKey: ProjectKey | undefined,
): readonly PlaceholderIssue[] {
  const { loaded } = open.local;
  const { isFuzzy, formatFlags, source: ownSource } = entry.entry;
  // Programs do not use it.
  if (isFuzzy === true) return [];
  const known = loaded?.entries(loaded.sourceLocale).get(entry.hash)?.text ?? serviceKey?.text ?? null;
  const source = comparedSource({ source: known, ownSource, formatFlags });
  return [
    ...checkPlaceholders(familiesOfEntry(app, open, entry, source), source, entry.text, entry.locale),
    ...checkTrailingLineBreaks(source, entry.text),
  ];
}

/** Returns the range of a finding in the file: of the wrong syntax if its place is certain, else of the value. */
function findingSpan(text: string, { entry, text: value }: LocalEntry, finding: Finding): Span {
  const { valueSpan } = entry;
  const syntax = finding.kind === "placeholder" ? finding.issue.syntax : undefined;
  if (finding.kind !== "placeholder" || syntax === undefined) return valueSpan;
  const form = isForms(value) ? (value.forms[finding.issue.form] ?? "") : value.value;
  const written = text.slice(valueSpan.start, valueSpan.end);
  const at = written.indexOf(form);
  if (at === -1 || written.includes(form, at + 1)) return valueSpan;
  const start = valueSpan.start + at;
  return { start: start + syntax.start, end: start + syntax.end };
}

/** Reports a source text that a push would send: that differs from the service's, or does not exist there. */
function unpushedFindings(
  { agreedTexts, keys }: Project,
  local: LocalEntry,
  serviceKey: ProjectKey | undefined,
): Finding[] {
  const { hash, locale, text, entry } = local;
  const atService = serviceKey?.text ?? null;
  const isPushed = atService !== null && areTextsEqual(atService, text);
  if (entry.readOnly === "source" || isPushed) return [];
  if (atService !== null && changedSide(text, atService, agreedTexts.get(locale, hash)) === "service")
    return [];
  const missing = keys.isArchived(hash) ? "archived" : "new";
  return [{ kind: "unpushed", change: serviceKey === undefined ? missing : "changed", entry: local }];
}

function lengthFindings(entry: LocalEntry, maxLength: number | null): Finding[] {
  const length = textLength(entry.text);
  return maxLength !== null && length > maxLength ? [{ kind: "too-long", entry, length, maxLength }] : [];
}

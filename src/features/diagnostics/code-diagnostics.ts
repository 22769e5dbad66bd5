/**
 * Findings for the key usages of one document and their severities. Uses the cache and the local files as last read;
 * "unknown key" is reported only if both are complete.
 */
import * as vscode from "vscode";
import { isProvidedByFramework } from "../../workspace/project-file/detect-frameworks.ts";
import { isIgnored, isOnIgnoredLine } from "../../workspace/usages/ignore-comment.ts";
import { keyHash, type KeyName, qualifiedNames } from "../../model/key-hash.ts";
import { isGettextOnly, type KeyResolutionOptions } from "../../workspace/usages/resolve-usage-to-key.ts";
import { isEveryKeyKnown } from "../../workspace/usages/key-completeness.ts";
import { keyIssues } from "../../sync/qa-issues.ts";
import type { NamedKey } from "../../database/key-name-repository.ts";
import type { Project } from "../../database/project-state.ts";
import type { KeyUsage } from "../../scanners/usage.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { codeOf, KeyDiagnostic, SEVERITIES, type Finding } from "./key-diagnostic.ts";
import { yieldNow } from "../../model/event-loop.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";

/** The effective severities for a document; `null`: not reported. */
interface EnabledSeverities {
  readonly issue: vscode.DiagnosticSeverity | null;
  readonly unknown: vscode.DiagnosticSeverity | null;
  readonly missing: vscode.DiagnosticSeverity | null;
}

/** Translations of one key by locale. */
type Translations = ReturnType<Project["translationsOf"]>;

/** Whether any kind of diagnostic is enabled for the document. */
export function isAnyEnabled(app: App, uri: vscode.Uri): boolean {
  return Object.values(severitiesFor(app, uri)).some((severity) => severity !== null);
}

/** Usages checked before yielding to the event loop: about 5 ms with ten languages. */
const BATCH_SIZE = 20;

/** Returns the diagnostics for a source file. Ends early if cancelled; the caller then discards the result. */
export async function findInCode(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  isWanted: () => boolean,
): Promise<KeyDiagnostic[]> {
  const wanted = severitiesFor(app, document.uri);
  const lookup = app.documentUsages.lookupOptions(open);
  const whole = isEveryKeyKnown({
    project: open.project,
    local: open.local.loaded,
    areKeysTexts: isGettextOnly(lookup),
    areUsagesComplete: app.usages.isComplete(open),
  });
  const found: KeyDiagnostic[] = [];
  const text = document.getText();
  let seen = 0;
  for (const use of app.documentUsages.usagesIn(document)) {
    if (++seen % BATCH_SIZE === 0) {
      await yieldNow();
      if (!isWanted()) break;
    }
    const all = findingsOfUse(app, open, use, lookup, whole);
    if (all.length === 0 || hasIgnoreComment(text, use)) continue;
    const written = use.expression.kind === "static" ? [use.expression.key] : [];
    const findings = withoutIgnored(open, document.uri, written, all);
    if (findings.length === 0) continue;
    addFindings(found, wanted, open, documentRange(document, use.keySpan), findings);
  }
  return found;
}

/** Whether an ignore comment is in the call, on its line, or on the line above. */
function hasIgnoreComment(text: string, { callSpan, keySpan }: KeyUsage): boolean {
  return isOnIgnoredLine(text, keySpan.start) || isOnIgnoredLine(text, callSpan.start);
}

/** Removes findings that match an ignore rule of the project file. `names`: other spellings of the key. */
export function withoutIgnored(
  open: OpenProject,
  uri: vscode.Uri,
  names: readonly string[],
  findings: readonly Finding[],
): readonly Finding[] {
  const rules = open.file.diagnostics?.ignore;
  if (rules === undefined) return findings;
  const path = open.relative(uri) ?? "";
  return findings.filter((finding) => {
    const all = [...names, ...namesOf(finding)];
    return !isIgnored(rules, { code: codeOf(finding), path, names: all });
  });
}

/** Returns the spellings of the finding's key. */
export function namesOf(finding: Finding): readonly string[] {
  switch (finding.kind) {
    case "issue":
      return qualifiedNames(finding.issue);
    case "unknown":
      return finding.candidates.flatMap(qualifiedNames);
    case "missing":
    case "outdated":
      return qualifiedNames(finding.key);
    case "placeholder":
      return qualifiedNames(finding.entry.name);
    case "too-long":
    case "unpushed":
    case "file":
      return [];
  }
}

/** Returns the severities of the settings. */
export function severitiesFor(app: App, uri: vscode.Uri): EnabledSeverities {
  const settings = app.settings.of(uri);
  return {
    issue: SEVERITIES[settings["diagnostics.qaIssues"]],
    unknown: SEVERITIES[settings["diagnostics.unknownKey"]],
    missing: SEVERITIES[settings["diagnostics.missingTranslation"]],
  };
}

/** Adds diagnostics for the findings whose severity is not off. */
export function addFindings(
  found: KeyDiagnostic[],
  wanted: EnabledSeverities,
  open: OpenProject,
  range: vscode.Range,
  findings: readonly Finding[],
): void {
  for (const finding of findings) {
    const severity = severityFor(wanted, finding);
    if (severity !== null) found.push(new KeyDiagnostic(range, severity, open, finding));
  }
}

function severityFor(wanted: EnabledSeverities, { kind }: Finding): vscode.DiagnosticSeverity | null {
  switch (kind) {
    case "unknown":
      return wanted.unknown;
    case "missing":
    case "outdated":
      return wanted.missing;
    case "unpushed":
      // A key that exists only locally is work in progress, not a mistake.
      return wanted.unknown === null ? null : vscode.DiagnosticSeverity.Hint;
    case "issue":
    case "placeholder":
    case "too-long":
    case "file":
      return wanted.issue;
  }
}

function findingsOfUse(
  app: App,
  open: OpenProject,
  use: KeyUsage,
  lookup: KeyResolutionOptions,
  whole: boolean,
): readonly Finding[] {
  if (use.expression.kind === "pattern") return [];
  const resolution = app.documentUsages.resolveKey(open, use, lookup);
  if (resolution.kind === "known") {
    const { key } = resolution;
    if (!open.project.keys.has(key.hash)) return [];
    const rows = open.project.translationsOf(key.hash);
    return [
      ...issuesAt(key, false, rows),
      ...missingLanguages(open, key, rows),
      ...outdatedLanguages(key, rows),
    ];
  }
  if (resolution.kind !== "unknown" || !whole || isPossiblyExternal(open, use, use.expression.key)) return [];
  const { candidates } = resolution;
  if (isTextOfFramework(app, open, candidates)) return [];
  return isLocal(open, candidates) ? [] : [{ kind: "unknown", candidates }];
}

/** Whether the key may belong to a package with its own texts, or its context is not known. */
function isPossiblyExternal(open: OpenProject, use: KeyUsage, key: string): boolean {
  if (use.namespaces === "unknown" || use.dynamicContext === true) return true;
  const colons = key.indexOf("::");
  if (colons <= 0) return false;
  const start = key.slice(0, colons + 2);
  return !open.keyNames.namespaces().some((namespace) => namespace.startsWith(start));
}

/** Whether it is a built-in text of the framework whose group the project does not override. */
function isTextOfFramework(app: App, open: OpenProject, candidates: readonly KeyName[]): boolean {
  const { frameworks } = app.documentUsages.lookupOptions(open);
  const local = new Set(open.local.loaded?.files.map(({ location }) => location.keyNaming.namespace));
  return isProvidedByFramework(candidates, frameworks, open.keyNames, local);
}

function isLocal(open: OpenProject, candidates: readonly KeyName[]): boolean {
  const { loaded } = open.local;
  const locales = loaded?.locales ?? [];
  return candidates.some((name) => {
    const hash = keyHash(name);
    return locales.some((locale) => loaded?.entries(locale).has(hash));
  });
}

/** Returns the QA issues of these translations of the key. */
export function issuesAt(key: NamedKey, inFile: boolean, rows: Translations): Finding[] {
  return keyIssues(key, rows).map((issue) => ({ kind: "issue", issue, inFile }));
}

/** Returns the languages without a translation, of those that are completely loaded. */
export function missingLanguages({ project }: OpenProject, key: NamedKey, rows: Translations): Finding[] {
  const locales = project
    .loadedLocales()
    .filter(
      (locale) =>
        locale !== project.sourceLocale &&
        rows.get(locale)?.isTranslated !== true &&
        project.isComplete(locale),
    );
  return locales.length === 0 ? [] : [{ kind: "missing", key, locales }];
}

/** Returns the languages whose translation is outdated. */
export function outdatedLanguages(key: NamedKey, rows: Translations): Finding[] {
  const locales = [...rows].filter(([, { isOutdated }]) => isOutdated).map(([locale]) => locale);
  return locales.length === 0 ? [] : [{ kind: "outdated", key, locales }];
}

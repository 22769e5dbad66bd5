/**
 * What is wrong with the keys that one document of code uses, and with which severity it is told. From the
 * cache and the local files as last read; "unknown" is only reported when nothing can be missing from either.
 */
import * as vscode from "vscode";
import { isFrameworkText } from "../../workspace/project-file/frameworks.ts";
import { isIgnored, isMarked } from "../../workspace/usages/ignored-diagnostics.ts";
import { keyHash, type KeyName } from "../../model/key-identity.ts";
import { isGettextOnly } from "../../workspace/usages/key-resolution.ts";
import { isEveryKeyKnown } from "../../workspace/usages/known-keys.ts";
import { writtenNames } from "../../model/key-patterns.ts";
import { issuesOfKey } from "../../sync/qa-issues.ts";
import type { NamedKey } from "../../database/key-names.ts";
import type { Project } from "../../database/project-state.ts";
import type { KeyUsage } from "../../scanners/usage.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { codeOf, KeyDiagnostic, severityOf, type Finding } from "./key-diagnostic.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** The severities that hold for a document; `null`: not wanted. */
interface Wanted {
  readonly issue: vscode.DiagnosticSeverity | null;
  readonly unknown: vscode.DiagnosticSeverity | null;
  readonly missing: vscode.DiagnosticSeverity | null;
}

/** Translations of one key by locale. */
type Translations = ReturnType<Project["translationsOf"]>;

/** Whether any problem is wanted in the document. */
export function isAnyWanted(app: App, uri: vscode.Uri): boolean {
  return Object.values(wantedIn(app, uri)).some((severity) => severity !== null);
}

/** Uses looked at before other work gets its turn: some 5 ms with ten languages. */
const BATCH_SIZE = 20;

/** Problems at the uses of keys in code. What comes of a document that changes meanwhile is the caller's to discard. */
export async function findInCode(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
): Promise<KeyDiagnostic[]> {
  const wanted = wantedIn(app, document.uri);
  const whole = isEveryKeyKnown({
    project: open.project,
    local: open.local.loaded,
    areKeysTexts: isGettextOnly(app.code.lookupOptions(open)),
    areUsagesComplete: app.usages.isComplete(open),
  });
  const found: KeyDiagnostic[] = [];
  const text = document.getText();
  let seen = 0;
  for (const use of app.code.usesIn(document)) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    const all = findingsOfUse(app, open, use, whole);
    if (all.length === 0 || isMarkedUse(text, use)) continue;
    const written = use.used.kind === "static" ? [use.used.key] : [];
    const findings = withoutIgnored(open, document.uri, written, all);
    if (findings.length === 0) continue;
    const { start, end } = use.keySpan;
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    addFindings(found, wanted, open, range, findings);
  }
  return found;
}

/** A mark stands in the call, in its line, or for it in the line above. */
function isMarkedUse(text: string, { callSpan, keySpan }: KeyUsage): boolean {
  return isMarked(text, keySpan.start) || isMarked(text, callSpan.start);
}

/** What no rule of the project file means. `names`: how the key is written there, beside its own name. */
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

function namesOf(finding: Finding): readonly string[] {
  switch (finding.kind) {
    case "issue":
      return writtenNames(finding.issue);
    case "unknown":
      return finding.candidates.flatMap(writtenNames);
    case "missing":
    case "outdated":
      return writtenNames(finding.key);
    case "placeholder":
      return writtenNames(finding.entry.name);
    case "too-long":
    case "unpushed":
    case "file":
      return [];
  }
}

/** The severities that the settings give. */
export function wantedIn(app: App, uri: vscode.Uri): Wanted {
  const settings = app.settings.of(uri);
  return {
    issue: severityOf(settings["diagnostics.qaIssues"]),
    unknown: severityOf(settings["diagnostics.unknownKey"]),
    missing: severityOf(settings["diagnostics.missingTranslation"]),
  };
}

/** Adds what is wanted of the findings. */
export function addFindings(
  found: KeyDiagnostic[],
  wanted: Wanted,
  open: OpenProject,
  range: vscode.Range,
  findings: readonly Finding[],
): void {
  for (const finding of findings) {
    const severity = severityFor(wanted, finding);
    if (severity !== null) found.push(new KeyDiagnostic(range, severity, open, finding));
  }
}

function severityFor(wanted: Wanted, { kind }: Finding): vscode.DiagnosticSeverity | null {
  switch (kind) {
    case "unknown":
      return wanted.unknown;
    case "missing":
    case "outdated":
      return wanted.missing;
    case "unpushed":
      // Work in hand is no mistake.
      return wanted.unknown === null ? null : vscode.DiagnosticSeverity.Hint;
    case "issue":
    case "placeholder":
    case "too-long":
    case "file":
      return wanted.issue;
  }
}

function findingsOfUse(app: App, open: OpenProject, use: KeyUsage, whole: boolean): readonly Finding[] {
  if (use.used.kind === "pattern") return [];
  const lookup = app.code.resolveKey(open, use);
  if (lookup.kind === "known") {
    const { key } = lookup;
    if (!open.project.keys.has(key.hash)) return [];
    const rows = open.project.translationsOf(key.hash);
    return [...issuesAt(key, false, rows), ...missingOf(open, key, rows), ...outdatedOf(key, rows)];
  }
  if (lookup.kind !== "unknown" || !whole || isOfOthers(open, use, use.used.key)) return [];
  const { candidates } = lookup;
  if (isTextOfFramework(app, open, candidates)) return [];
  return isLocal(open, candidates) ? [] : [{ kind: "unknown", candidates }];
}

/** A key whose context is not shown, or of a package that brings its own texts. */
function isOfOthers(open: OpenProject, use: KeyUsage, key: string): boolean {
  if (use.namespaces === "unknown" || use.dynamicContext === true) return true;
  const colons = key.indexOf("::");
  if (colons <= 0) return false;
  const start = key.slice(0, colons + 2);
  return !open.keyNames.namespaces().some((namespace) => namespace.startsWith(start));
}

/** A line that the framework brings along, where the project has no file of that group. */
function isTextOfFramework(app: App, open: OpenProject, candidates: readonly KeyName[]): boolean {
  const { frameworks } = app.code.lookupOptions(open);
  const local = new Set(open.local.loaded?.files.map(({ place }) => place.naming.namespace));
  return isFrameworkText(candidates, frameworks, open.keyNames, local);
}

function isLocal(open: OpenProject, candidates: readonly KeyName[]): boolean {
  const { loaded } = open.local;
  const locales = loaded?.locales ?? [];
  return candidates.some((name) => {
    const hash = keyHash(name);
    return locales.some((locale) => loaded?.entries(locale).has(hash));
  });
}

/** The issues of the service in these translations of the key. */
export function issuesAt(key: NamedKey, inFile: boolean, rows: Translations): Finding[] {
  return issuesOfKey(key, rows).map((issue) => ({ kind: "issue", issue, inFile }));
}

/** Languages that lack the key, of those whose rows are all known. */
export function missingOf({ project }: OpenProject, key: NamedKey, rows: Translations): Finding[] {
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

/** Languages of these whose text is older than the source's. */
export function outdatedOf(key: NamedKey, rows: Translations): Finding[] {
  const locales = [...rows].filter(([, { isOutdated }]) => isOutdated).map(([locale]) => locale);
  return locales.length === 0 ? [] : [{ kind: "outdated", key, locales }];
}

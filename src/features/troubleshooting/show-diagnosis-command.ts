/** Show Diagnostics: a report on configuration, recognised files, session and recent errors. Contains no secrets. */
import { showDiagnosisCommand } from "../../commands/declarations/window-commands.ts";
import { forEachInSlices } from "../../util/event-loop.ts";
import { env, version, workspace } from "vscode";
import { detectFrameworksIn, manifestGlobs } from "../../workspace/project-detection/detect-frameworks.ts";
import { PROJECT_FILE_NAME } from "../../workspace/project-file/project-file.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import {
  formatCount,
  formatTimeOfDay,
  relativeTime,
  formatNumber,
  formatPercent,
} from "../../messages/counts-and-times.ts";
import { fileProblemMessage, locationText } from "../../messages/file-problem-messages.ts";
import { KnownProjects } from "../../database/personal/known-projects.ts";
import { FileTextCache, withLocation } from "../../vscode/files/file-text-cache.ts";
import { sessionText } from "../../messages/connection-messages.ts";
import { toFailure } from "../../messages/error-messages.ts";
import type { CommandRun } from "../../commands/command-types.ts";
import { documentMarkdown } from "../../messages/escape-text.ts";
import { language, l10n } from "../../util/l10n.ts";

/** Maximum number of file problems in the report. */
const MAX_PROBLEMS = 50;

/** Registers `projectTranslations.showDiagnosis`. */
export function registerDiagnosis(app: App): void {
  app.command(showDiagnosisCommand, showDiagnosis);
}

/** Reports on all projects unless a folder is given. */
const showDiagnosis: CommandWork<typeof showDiagnosisCommand> = async (app, options, run) => {
  await app.projects.ready;
  const chosen = options.folder === undefined ? undefined : await app.projects.choose(options);
  const projects = chosen === undefined ? app.projects.all : [chosen];
  const parts = [windowPart(app)];
  for (const open of projects) parts.push(await projectPart(app, open, run));
  if (projects.length === 0) {
    parts.push(
      l10n.t(
        "No project: this window has no {0}, no translation files were recognised, and you are not signed in.",
        PROJECT_FILE_NAME,
      ),
    );
  }
  const { recent } = app.log;
  const messages = recent.length === 0 ? l10n.t("None.") : codeBlock(recent.join("\n"));
  parts.push(`## ${l10n.t("Last warnings and errors")}\n\n${messages}`);
  const text = `${parts.join("\n\n")}\n`;
  if (!run.quiet) await app.virtualDocuments.open("diagnostics.md", escapeReport(text));
  return { outcome: "done", text };
};

/** Escapes the Markdown of the report, except its headings, lists and code. */
function escapeReport(text: string): string {
  let isCode = false;
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("```")) isCode = !isCode;
    if (isCode || line.startsWith("```")) return line;
    const [, prefix = "", content = ""] = /^(#+ |- )?(.*)$/u.exec(line) ?? [];
    const parts = content.split(/(`[^`]+`)/u);
    return prefix + parts.map((part, index) => (index % 2 === 1 ? part : documentMarkdown(part))).join("");
  });
  return lines.join("\n");
}

function windowPart(app: App): string {
  const { packageJSON } = app.context.extension as { packageJSON: { version?: unknown } };
  return list(`# ${l10n.t("Project Translations: diagnostics")}`, [
    [l10n.t("Version"), String(packageJSON.version)],
    ["VS Code", `${version} (${env.appName}${env.remoteName === undefined ? "" : `, ${env.remoteName}`})`],
    [l10n.t("Language"), `${language()} (VS Code: ${env.language})`],
    [l10n.t("Workspace trust"), workspace.isTrusted ? l10n.t("trusted") : l10n.t("not trusted: no network")],
  ]);
}

/** Returns how many drafts the project and the other ones of the folder have, and where they are. */
function unsavedText(open: OpenProject): string {
  const { personal, drafts } = open.connection;
  const kept = new KnownProjects(personal.database).keptDrafts(personal.project);
  return [
    formatNumber(drafts.count()),
    ...kept.map(({ name, count }) =>
      l10n.t("{0} kept of {1}", formatNumber(count), name ?? l10n.t("the local files")),
    ),
    ...(personal.database.isOnDisk ? [] : [l10n.t("in memory only: the disk cannot be written")]),
  ].join("; ");
}

async function projectPart(app: App, open: OpenProject, run: CommandRun): Promise<string> {
  const { file, content, baseUrl } = open;
  const local = await open.local.reload(run.signal);
  const source = local.entries(local.sourceLocale);
  // The database may already have local keys that the window does not show yet.
  const areKeysRead = open.source.hasService && open.keysComplete;
  let [known, size] = [0, 0];
  await forEachInSlices(source.values(), ({ hash }) => {
    size++;
    if (open.keys.has(hash)) known++;
  });
  const rate = size === 0 ? "–" : formatPercent(Math.round((known / size) * 100));
  const rows: (readonly [string, string])[] = [
    [l10n.t("Folder"), open.root.fsPath],
    [l10n.t("Project file"), fileText(open)],
    [l10n.t("Base URL"), baseUrl ?? l10n.t("none usable")],
    [l10n.t("Session"), fullSessionText(open)],
    [l10n.t("Requests left"), rateLimitText(open)],
    [l10n.t("Cache"), cacheText(open)],
    [l10n.t("Unsaved texts"), unsavedText(open)],
    [l10n.t("Keys on the service"), areKeysRead ? formatNumber(open.keys.size) : l10n.t("not read yet")],
    [
      l10n.t("Source texts in files"),
      l10n.t(
        "{0} in {1} ({2})",
        formatNumber(size),
        formatCount.files(local.files.length),
        local.sourceLocale,
      ),
    ],
    [
      l10n.t("Match rate"),
      areKeysRead ? l10n.t("{0}: the service knows {1} of {2}", rate, known, size) : "–",
    ],
  ];
  const parts = [list(`## ${open.label}`, rows)];
  const layouts = (file.files ?? []).map(({ path, format }) => {
    const files = local.files.filter((each) => each.location.entry.path === path);
    const locales = new Set(files.flatMap((each) => [...each.locales.keys()]));
    return `- \`${path}\` (${format}): ${formatCount.files(files.length)}, ${[...locales].join(", ") || "–"}`;
  });
  parts.push(
    `### ${l10n.t("Layouts")}\n\n${layouts.join("\n") || l10n.t("None. Configure Project suggests the layouts that are found.")}`,
  );
  parts.push(`### ${l10n.t("Frameworks")}\n\n${await frameworkText(app, open)}`);
  const mistakes = content.errors.map(
    ({ path, message, at }) =>
      `- ${locationText(PROJECT_FILE_NAME, at.line + 1, at.character + 1)}: ${[...path, message].join(": ")}`,
  );
  if (mistakes.length > 0)
    parts.push(`### ${l10n.t("Errors in {0}", PROJECT_FILE_NAME)}\n\n${mistakes.join("\n")}`);
  const texts = new FileTextCache(open);
  const problems: string[] = [];
  for (const problem of (await local.problems()).slice(0, MAX_PROBLEMS)) {
    problems.push(`${fileProblemMessage(await withLocation(problem, texts), open)} (${problem.message})`);
  }
  if (problems.length > 0)
    parts.push(`### ${l10n.t("Problems in translation files")}\n\n${codeBlock(problems.join("\n"))}`);
  return parts.join("\n\n");
}

function fileText({ fileUri, file, content: { errors, detected } }: OpenProject): string {
  if (errors.length > 0) return l10n.t("{0}, with {1}", fileUri.fsPath, formatCount.mistakes(errors.length));
  if (detected.length > 0 && Object.keys(file).length === 1)
    return l10n.t("none; the layouts below were recognised");
  return Object.keys(file).length === 0 ? l10n.t("none, or an empty one") : fileUri.fsPath;
}

function fullSessionText({ session }: OpenProject): string {
  if (session.kind !== "signed-in") return sessionText(session) || l10n.t("not known yet");
  return `${session.name} (${session.slug}), ${sessionText(session) || l10n.t("reading and writing")}`;
}

/** "Every answer carries `X-RateLimit-Limit` and `X-RateLimit-Remaining`" (§ General conventions 3). */
function rateLimitText(open: OpenProject): string {
  if (!open.source.isConnected) return "–";
  const { limit, remaining, pausedUntil, waiting } = open.client().rateLimiter.budget;
  const message =
    limit === null ? l10n.t("not known yet") : l10n.t("{0} of {1} this minute", remaining ?? limit, limit);
  const paused = pausedUntil === null ? "" : `, ${l10n.t("paused until {0}", formatTimeOfDay(pausedUntil))}`;
  return `${message}${paused}${waiting === 0 ? "" : `, ${l10n.t("{0} queued", waiting)}`}`;
}

function cacheText(open: OpenProject): string {
  const { freshness, stats } = open;
  const content = stats === null ? "" : `, contentVersion ${stats.contentVersion}`;
  const locales = open.connection.loadedLocales().join(", ") || "–";
  switch (freshness.kind) {
    case "never":
      return l10n.t("empty");
    case "fresh":
      return `${l10n.t("checked {0}", relativeTime(freshness.at, Date.now()))}${content}; ${l10n.t("languages: {0}", locales)}`;
    case "stored":
    case "offline": {
      const { at } = freshness;
      const age = at === null ? l10n.t("empty") : l10n.t("as of {0}", relativeTime(at, Date.now()));
      const reason = freshness.kind === "stored" ? "" : ` (${toFailure(freshness.error).message})`;
      return `${age}${reason}${content}; ${l10n.t("languages: {0}", locales)}`;
    }
  }
}

async function frameworkText(app: App, open: OpenProject): Promise<string> {
  const { read, above } = await open.conventionFiles();
  const own = await read(manifestGlobs(open.file.files ?? []), []);
  const { reasons } = detectFrameworksIn(own, above);
  const lines = reasons.map(({ framework, path, evidence }) => `- ${framework}: ${path} (${evidence})`);
  const recognised = lines.length === 0 ? l10n.t("None was recognised.") : lines.join("\n");
  const learned = app.documentUsages
    .learnedFunctions(open)
    .map(({ name, calls, known }) =>
      l10n.t(
        "{0} is used as a translation function: {1} of {2} calls name a key",
        `\`${name}()\``,
        formatNumber(known),
        formatNumber(calls),
      ),
    );
  return [recognised, ...learned.map((line) => `- ${line}`)].join("\n\n");
}

function list(heading: string, rows: readonly (readonly [string, string])[]): string {
  return `${heading}\n\n${rows.map(([name, value]) => `- ${name}: ${value}`).join("\n")}`;
}

function codeBlock(text: string): string {
  return `\`\`\`\n${text.replaceAll("```", "'''")}\n\`\`\``;
}

/** The command line `project-translations`. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Language, l10n, setLanguage } from "../util/l10n.ts";
import { checkFolder, isAtLeast } from "./check.ts";
import { FINDING_FORMATS, formatFindings } from "./format-findings.ts";
import { connectWindow, serveFolder } from "./mcp/mcp-command.ts";
import { openFolder } from "./open-folder.ts";

/** What a program returns: nothing found, something found, could not run. */
const EXIT = { nothing: 0, findings: 1, failed: 2 } as const;
const FAIL_ON = ["error", "warning", "never"] as const;

/** Wrong arguments. */
class UsageError extends Error {
  override readonly name = "UsageError";
}

const USAGE = `project-translations check [FOLDER…] [--format ${FINDING_FORMATS.join("|")}] [--only CODE,…]
    [--fail-on ${FAIL_ON.join("|")}] [--cache FOLDER] [--language en|nl]
project-translations mcp [FOLDER] [--cache FOLDER] [--language en|nl]
project-translations --help | --version`;

/** Runs the program. Returns the exit code. */
export async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  const [command, ...others] = args;
  if (command === "--version") return print(version());
  if (command === undefined || command === "--help" || command === "-h") return print(USAGE);
  try {
    if (command === "check") return await check(others, signal);
    if (command === "mcp") return await mcp(others);
    throw new UsageError(l10n.t("There is no command “{0}”.", command));
  } catch (error) {
    const isUsage = error instanceof UsageError || isArgumentError(error);
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (isUsage) process.stderr.write(`\n${USAGE}\n`);
    return EXIT.failed;
  }
}

async function check(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      format: { type: "string", default: "text" },
      only: { type: "string", multiple: true, default: [] },
      "fail-on": { type: "string", default: "error" },
      cache: { type: "string" },
      language: { type: "string" },
    },
  });
  const format = oneOf("--format", values.format, FINDING_FORMATS);
  const failOn = oneOf("--fail-on", values["fail-on"], FAIL_ON);
  useLanguage(values.language);
  const only = new Set(values.only.flatMap((each) => each.split(",")));
  let hasFindings = false;
  for (const folder of positionals.length === 0 ? ["."] : positionals) {
    const opened = await openFolder(existingFolder(folder), { cache: values.cache, signal });
    try {
      const all = await checkFolder(opened, signal);
      const findings = only.size === 0 ? all : all.filter(({ code }) => only.has(code));
      print(formatFindings(format, { findings, folder: existingFolder(folder), version: version() }));
      hasFindings ||= failOn !== "never" && findings.some(({ severity }) => isAtLeast(severity, failOn));
    } finally {
      await opened.close();
    }
  }
  return hasFindings ? EXIT.findings : EXIT.nothing;
}

/** Serves agents until standard input ends. `--window`: passes on to a window of VS Code. */
async function mcp(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { window: { type: "string" }, cache: { type: "string" }, language: { type: "string" } },
  });
  useLanguage(values.language);
  const [folder = ".", ...more] = positionals;
  if (more.length > 0) throw new UsageError(l10n.t("Give one folder."));
  if (values.window === undefined)
    await serveFolder({ folder: existingFolder(folder), cache: values.cache, version: version() });
  else await connectWindow(values.window);
  return EXIT.nothing;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.nothing;
}

/** @throws {UsageError} */
function oneOf<Value extends string>(option: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    throw new UsageError(l10n.t("{0} is “{1}”, but may only be {2}.", option, value, allowed.join(", ")));
  return found;
}

/** @throws {UsageError} */
function existingFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch {
    // Does not exist.
  }
  throw new UsageError(l10n.t("{0} is not a folder.", folder));
}

/** Uses the language that was chosen, or that of the environment. */
function useLanguage(chosen: string | undefined): void {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  const environment = LC_ALL ?? LC_MESSAGES ?? LANG ?? "";
  const languages: readonly Language[] = ["en", "nl"];
  const language =
    chosen === undefined
      ? /^nl\b/iu.test(environment)
        ? "nl"
        : "en"
      : oneOf("--language", chosen, languages);
  const bundle = join(import.meta.dirname, "..", "l10n", "bundle.l10n.nl.json");
  setLanguage(
    language,
    language === "en" ? {} : (JSON.parse(readFileSync(bundle, "utf8")) as Record<string, string>),
  );
}

function version(): string {
  const manifest = join(import.meta.dirname, "..", "package.json");
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
}

function isArgumentError(error: unknown): boolean {
  return String((error as { readonly code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
}

/** What the commands of the program share: exit codes, folders, the language, and where output goes. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { l10n, setLanguage } from "../util/l10n.ts";

/** Exit codes: nothing found or to do, or all is done; something found, to do, or left; could not run. */
export const EXIT = { nothing: 0, findings: 1, failed: 2 } as const;

/** Wrong arguments. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

/** Prints what was asked for. */
export function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.nothing;
}

/** Prints what went wrong, or is said beside the output. */
export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Returns the real path. @throws {CommandLineError} */
export function existingFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch {
    // Does not exist.
  }
  throw new CommandLineError(l10n.t("{0} is not a folder.", folder));
}

/** Returns the folders to work on; the current one if none is named. @throws {CommandLineError} */
export function existingFolders(folders: readonly string[]): readonly string[] {
  return (folders.length === 0 ? ["."] : folders).map(existingFolder);
}

/** @throws {CommandLineError} */
export function singleFolder([folder = ".", ...others]: readonly string[]): string {
  if (others.length > 0) throw new CommandLineError(l10n.t("Give one folder."));
  return existingFolder(folder);
}

/** Uses the language of the arguments (`--language nl`), else that of the environment. */
export function useLanguageOf(args: readonly string[]): void {
  const at = args.findLastIndex((each) => each === "--language" || each.startsWith("--language="));
  const given = at === -1 ? undefined : (args[at]?.split("=")[1] ?? args[at + 1] ?? "");
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  const environment = [LC_ALL, LC_MESSAGES, LANG].find((each) => each !== undefined && each !== "") ?? "";
  // What is neither is refused with the other arguments.
  const language = /^nl\b/iu.test((given ?? environment).replace("_", "-")) ? "nl" : "en";
  const bundle = join(import.meta.dirname, "..", "l10n", "bundle.l10n.nl.json");
  setLanguage(
    language,
    language === "en" ? {} : (JSON.parse(readFileSync(bundle, "utf8")) as Record<string, string>),
  );
}

/** Returns the version of the package. */
export function version(): string {
  const manifest = join(import.meta.dirname, "..", "package.json");
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
}

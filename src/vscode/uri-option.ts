/** Places that come from outside: what a caller of a command gave as a path or `Uri`. */
import { Uri } from "vscode";
import type { OpenProject } from "./projects/project-handle.ts";
import { CommandError } from "./command-result.ts";
import { l10n } from "./l10n.ts";

/** The place; `undefined` for what is none. A `Uri` that went through JSON counts too; `base` is for relative paths. */
export function uriOf(given: unknown, base?: Uri): Uri | undefined {
  if (given instanceof Uri) return given;
  if (typeof given === "string" && given !== "") {
    if (/^[a-z][a-z\d+.-]+:\/\//iu.test(given)) return Uri.parse(given);
    const isAbsolute = /^(?:[/\\]|[a-z]:)/iu.test(given);
    return isAbsolute || base === undefined ? Uri.file(given) : Uri.joinPath(base, given);
  }
  if (typeof given !== "object" || given === null || !("path" in given)) return undefined;
  const { scheme, authority, path } = given as { scheme?: unknown; authority?: unknown; path: unknown };
  if (typeof scheme !== "string" || typeof path !== "string") return undefined;
  return Uri.from({ scheme, path, authority: typeof authority === "string" ? authority : "" });
}

/** The files of an option, relative to the project's root. Throws CommandError for what is no place. */
export function pathsOf(open: OpenProject, files: unknown): ReadonlySet<string> {
  const list: readonly unknown[] = Array.isArray(files) ? files : [files];
  return new Set(
    list.flatMap((file) => {
      const uri = uriOf(file, open.root);
      if (uri === undefined)
        throw new CommandError(
          "invalid",
          l10n.t("“files” contains something that is neither a path nor a Uri."),
        );
      return open.relative(uri) ?? [];
    }),
  );
}

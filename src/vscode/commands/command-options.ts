/** Converts checked command options: files and texts. */
import { Uri } from "vscode";
import type { UriOption } from "../../commands/option-schemas.ts";
import type { Forms, Text } from "../../model/translation-text.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { CommandError } from "../../commands/command-types.ts";

/** Converts a path, a URI string, a `Uri` or its JSON form. `base` resolves relative paths. */
export function parseUriOption(option: UriOption, base?: Uri): Uri {
  if (option instanceof Uri) return option;
  if (typeof option !== "string") {
    const { scheme, path } = option;
    const { authority } = option as { readonly authority?: unknown };
    return Uri.from({ scheme, path, authority: typeof authority === "string" ? authority : "" });
  }
  if (/^[a-z][a-z\d+.-]+:\/\//iu.test(option)) return Uri.parse(option);
  const isAbsolute = /^(?:[/\\]|[a-z]:)/iu.test(option);
  return isAbsolute || base === undefined ? Uri.file(option) : Uri.joinPath(base, option);
}

/** Converts the option `files`; paths may be relative to the project's root. */
export function parseUrisOption({ root }: OpenProject, files: UriOption | readonly UriOption[]): Uri[] {
  return [files].flat().map((file) => parseUriOption(file, root));
}

/** Converts the option `files` to paths relative to the project's root. */
export function parseFilesOption(
  open: OpenProject,
  files: UriOption | readonly UriOption[],
): ReadonlySet<string> {
  return new Set(parseUrisOption(open, files).flatMap((uri) => open.relative(uri) ?? []));
}

/** Returns the error for an option that is missing or not valid. */
export function invalidOptionError(name: string, message: string): CommandError {
  return new CommandError("invalid", message, { errors: { [name]: [message] } });
}

/** Converts the options `value` and `forms`, of which at most one is set; `undefined` if neither is. */
export function parseTextOption({
  value,
  forms,
}: {
  readonly value?: string;
  readonly forms?: Forms;
}): Text | undefined {
  if (forms !== undefined) return { forms };
  return value === undefined ? undefined : { value };
}

/** Parsing and validation of common command options: files, a port, a text. */
import { Uri } from "vscode";
import type { Forms, Text } from "../../model/translation-text.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { CommandError } from "./command-types.ts";
import { l10n } from "../l10n.ts";

/** Parses a path, a URI string, a `Uri` or its JSON form; `undefined` for anything else. `base` resolves relative paths. */
export function parseUriOption(option: unknown, base?: Uri): Uri | undefined {
  if (option instanceof Uri) return option;
  if (typeof option === "string" && option !== "") {
    if (/^[a-z][a-z\d+.-]+:\/\//iu.test(option)) return Uri.parse(option);
    const isAbsolute = /^(?:[/\\]|[a-z]:)/iu.test(option);
    return isAbsolute || base === undefined ? Uri.file(option) : Uri.joinPath(base, option);
  }
  if (typeof option !== "object" || option === null || !("path" in option)) return undefined;
  const { scheme, authority, path } = option as { scheme?: unknown; authority?: unknown; path: unknown };
  if (typeof scheme !== "string" || typeof path !== "string") return undefined;
  return Uri.from({ scheme, path, authority: typeof authority === "string" ? authority : "" });
}

/**
 * Parses the option `files`; paths may be relative to the project's root.
 *
 * @throws {CommandError} `invalid` for an item that is neither a path nor a `Uri`.
 */
export function parseUrisOption({ root }: OpenProject, files: unknown): Uri[] {
  return [files].flat().map((file) => {
    const uri = parseUriOption(file, root);
    if (uri !== undefined) return uri;
    throw new CommandError("invalid", l10n.t("“files” contains something that is neither a path nor a Uri."));
  });
}

/**
 * Parses the option `files` into paths relative to the project's root.
 *
 * @throws {CommandError} `invalid` for an item that is neither a path nor a `Uri`.
 */
export function parseFilesOption(open: OpenProject, files: unknown): ReadonlySet<string> {
  return new Set(parseUrisOption(open, files).flatMap((uri) => open.relative(uri) ?? []));
}

/** Returns the error for an option that is missing or not valid. */
export function invalidOptionError(name: string, message: string): CommandError {
  return new CommandError("invalid", message, { errors: { [name]: [message] } });
}

/**
 * Parses the options `value` and `forms`; `undefined` if neither is set.
 *
 * @throws {CommandError} `invalid` if both are set or a value has another type.
 */
export function parseTextOption({
  value,
  forms,
}: Partial<Record<"value" | "forms", unknown>>): Text | undefined {
  if (value !== undefined && forms !== undefined) {
    throw new CommandError("invalid", l10n.t("Give either “value” or “forms”, not both."));
  }
  if (typeof value === "string") return { value };
  if (isForms(forms)) return { forms };
  if (value === undefined && forms === undefined) return undefined;
  throw new CommandError(
    "invalid",
    l10n.t("“value” is a text, “forms” an object of plural category to text."),
  );
}

function isForms(forms: unknown): forms is Forms {
  if (typeof forms !== "object" || forms === null || Array.isArray(forms)) return false;
  const values: readonly unknown[] = Object.values(forms);
  return values.length > 0 && values.every((value) => typeof value === "string");
}

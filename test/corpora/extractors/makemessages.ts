/** What Django's makemessages found, read from the catalogue that a project has committed, and what ours finds. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { usageLanguageFor } from "../../../src/scanners/supported-source-languages.ts";
import { readCatalogue, saidBy, type Found } from "../../unit/scanners/extractors/xgettext.ts";

const OPTIONS = { frameworks: new Set(["django", "gettext"] as const), functions: [] };

/** By the paths that the catalogue's references name. */
export function byMakemessages(catalogue: string): Found {
  return readCatalogue(catalogue.replaceAll(/^#~.*$/gm, ""));
}

/** The same files by our scanners, in Python and templates alike. */
export function byTemplates(folder: string, paths: readonly string[]): Found {
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(folder, path), "utf8");
      return [path, saidBy(usageLanguageFor(path)?.find(text, OPTIONS) ?? [])] as const;
    }),
  );
}

/**
 * Which local files show how another one is to be written: those of the same layout, the source language's first. Reads
 * files and changes none.
 */
import type { FormatName } from "../../model/format-name.ts";
import { factsOf } from "../../formats/format-facts.ts";
import type { ExampleFile, ReadOptions } from "../../formats/format.ts";
import { exampleOf } from "../../formats/translation-file.ts";
import type { LocalFile, LocalPlace, SourceFiles } from "./local-file.ts";
import type { ProjectFiles } from "../../model/platform.ts";

/** Formats that say the same in several ways, of which a file that is there may not show one yet. */
const LEAVES_CHOICES: ReadonlySet<FormatName> = new Set([
  "laravel_php",
  "laravel_json",
  "json_js",
  "js_module",
]);

/** What is read of other files: enough to show a layout that the first of them does not show. */
const MAX_EXAMPLES = 2;

/** How a file of the place is written, beside what it shows itself. `isNew`: it is not there yet. */
export async function writeOptions(
  files: Pick<ProjectFiles, "read">,
  local: SourceFiles,
  place: LocalPlace,
  isNew: boolean,
): Promise<Pick<ReadOptions, "examples" | "isCommonJs">> {
  const { format } = place.entry;
  if (factsOf(format)?.kind !== "text" || (!isNew && !LEAVES_CHOICES.has(format))) return {};
  const beside = local.files
    .filter((file) => file.place.path !== place.path && file.place.entry.path === place.entry.path)
    .filter((file) => file.entries.length > 0)
    .sort((a, b) => rankOf(a, place, local) - rankOf(b, place, local))
    .slice(0, MAX_EXAMPLES);
  const examples: ExampleFile[] = [];
  for (const { place: other } of beside) {
    const content = await files.read(other.path);
    const example = content === undefined ? null : exampleOf(format, content.bytes, other.locale);
    if (example !== null) examples.push(example);
  }
  const isCommonJs = isNew && format === "js_module" && (await isCommonJsFile(files, place.path));
  return { ...(examples.length > 0 ? { examples } : {}), ...(isCommonJs ? { isCommonJs } : {}) };
}

/** The same group in the source language, in another one; another group in the source language, in this one. */
function rankOf(
  { place }: LocalFile,
  { placed }: LocalPlace,
  { sourceLocale }: Pick<SourceFiles, "sourceLocale">,
): number {
  const isSameGroup = place.placed.namespace === placed.namespace && place.placed.package === placed.package;
  return (isSameGroup ? 0 : 2) + (place.locale === sourceLocale ? 0 : 1);
}

/** As Node decides it: by the ending, else by the nearest package.json; without one it is a module. */
async function isCommonJsFile(files: Pick<ProjectFiles, "read">, path: string): Promise<boolean> {
  if (/\.c[jt]s$/u.test(path)) return true;
  if (!/\.js$/u.test(path)) return false;
  for (let folder = path.lastIndexOf("/"); ; folder = path.lastIndexOf("/", folder - 1)) {
    const manifest = await files.read(`${path.slice(0, folder + 1)}package.json`);
    if (manifest !== undefined) return typeIn(manifest.bytes) !== "module";
    if (folder < 0) return false;
  }
}

function typeIn(manifest: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(manifest)) as { readonly type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}

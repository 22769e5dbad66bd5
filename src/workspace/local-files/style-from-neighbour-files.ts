/** Selects the files whose style a written file follows: of the same layout entry, source language first. */
import { formatInfoOf } from "../../model/file-formats.ts";
import type { ExampleFile, ReadOptions } from "../../formats/format.ts";
import { exampleOf } from "../../formats/parse-and-edit-file.ts";
import type { LocalFile, LocalFileLocation, LocalFileList } from "./local-file.ts";
import type { ProjectFiles } from "../../model/platform.ts";

/** Example files to read: enough when the first one does not show the style. */
const MAX_EXAMPLES = 2;

/**
 * Returns the style options for writing the file at a location, beyond what its own content shows.
 * @param isNew whether the file does not exist yet
 */
export async function writeOptions(
  files: Pick<ProjectFiles, "read">,
  local: LocalFileList,
  location: LocalFileLocation,
  isNew: boolean,
): Promise<Pick<ReadOptions, "examples" | "isCommonJs">> {
  const { format } = location.entry;
  const info = formatInfoOf(format);
  // Trees have several equivalent notations, so that an existing file may not show the one to use for a new entry.
  if (info === undefined || info.kind === "binary" || (!isNew && info.family !== "tree")) return {};
  const neighbours = local.files
    .filter(({ location: { path, entry }, entries }) => {
      return path !== location.path && entry.path === location.entry.path && entries.length > 0;
    })
    .sort((a, b) => exampleRank(a, location, local) - exampleRank(b, location, local));
  const examples: ExampleFile[] = [];
  for (const { location: other } of neighbours.slice(0, MAX_EXAMPLES)) {
    const read = await files.read(other.path);
    const example = read.kind === "read" ? exampleOf(format, read.bytes, other.locale) : null;
    if (example !== null) examples.push(example);
  }
  const isCommonJs = isNew && (await isCommonJsFile(files, location.path));
  return { examples, isCommonJs };
}

/** Ranks the same namespace first, and in it the source language. */
function exampleRank(
  { location }: LocalFile,
  { placeholders }: LocalFileLocation,
  { sourceLocale }: Pick<LocalFileList, "sourceLocale">,
): number {
  const isSameGroup =
    location.placeholders.namespace === placeholders.namespace &&
    location.placeholders.package === placeholders.package;
  return (isSameGroup ? 0 : 2) + (location.locale === sourceLocale ? 0 : 1);
}

/** Follows Node's rule: by the extension, else by the nearest package.json; without one the file is an ES module. */
async function isCommonJsFile(files: Pick<ProjectFiles, "read">, path: string): Promise<boolean> {
  if (/\.c[jt]s$/u.test(path)) return true;
  if (!/\.js$/u.test(path)) return false;
  for (let folder = path.lastIndexOf("/"); ; folder = path.lastIndexOf("/", folder - 1)) {
    const manifest = await files.read(`${path.slice(0, folder + 1)}package.json`);
    if (manifest.kind === "read") return packageType(manifest.bytes) !== "module";
    if (folder < 0) return false;
  }
}

function packageType(manifest: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(manifest)) as { readonly type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}

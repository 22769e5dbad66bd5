/**
 * The project file `project-translations.json`: what it may say, and reading it with its mistakes
 * named. Changing it stands in project-file-edit.ts.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import * as v from "valibot";
import { FORMAT_NAMES } from "../../model/format-name.ts";
import { formatOfPath } from "../../formats/recognise.ts";

/** Name of the file at a project's root. */
export const PROJECT_FILE_NAME = "project-translations.json";

/** Codes of mistakes; words for people are the host's. */
type ProjectFileMistake = "syntax" | "type" | "unknown_format" | "unsafe_path" | "empty";

/** One mistake: where in the file (`["files", 0, "path"]`), and the offset range it stands at if known. */
export interface ProjectFileError {
  readonly path: readonly (string | number)[];
  readonly code: ProjectFileMistake;
  /** For engineers, in English. */
  readonly message: string;
}

/** Whether a path stays inside the folder it is relative to, and is written with `/`. */
export function isSafeRelativePath(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\")) return false;
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return false;
  return !path.split("/").includes("..");
}

/** Folders of tools that run, or are set up by, what stands in them: no translation lies there. */
const TOOLS =
  /^(?:\.git|git~\d|\.hg|\.svn|\.vscode|\.idea|\.devcontainer|\.github|\.husky|node_modules)[. ]*$/iu;

/** Whether a file of the path would be some tool's, so that nothing is written there whatever asks for it. */
export function isToolsPath(path: string): boolean {
  // Some disks pass over these characters, so that another name is the same folder.
  return path
    .split("/")
    .some((part) => TOOLS.test(part.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, "")));
}

const mistake = (code: ProjectFileMistake): string => code;

const relativePath = v.pipe(v.string(), v.check(isSafeRelativePath, mistake("unsafe_path")));

/** One entry of `files`: which files, in which format, hold which keys. */
const FilesEntrySchema = v.pipe(
  v.object({
    /** Without `{locale}` the files hold the source locale, or name the locales themselves (spreadsheets). */
    path: relativePath,
    format: v.optional(v.picklist(FORMAT_NAMES, mistake("unknown_format"))),
    /** Namespace of the keys, with the placeholders of `path`; absent: the format's own rule. */
    namespace: v.optional(v.pipe(v.string(), v.minLength(1, mistake("empty")))),
    /** Put before each key, with the placeholders of `path`. */
    keyPrefix: v.optional(v.string()),
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const format = value.format ?? formatOfPath(value.path);
    if (format !== null) return { ...value, format };
    addIssue({ message: mistake("unknown_format") });
    return NEVER;
  }),
);
export type FilesEntry = v.InferOutput<typeof FilesEntrySchema>;

const usageFunction = v.object({
  name: v.pipe(v.string(), v.minLength(1, mistake("empty"))),
  key: v.pipe(v.number(), v.integer(), v.minValue(0)),
  namespace: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  context: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  plural: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

/** Problems that are not to be told: of these keys, in these files, of this kind; what is left out holds for all. */
export interface IgnoreRule {
  /** As code or a person writes it, `*` for anything. */
  readonly key?: string | undefined;
  /** Glob, relative to the root. */
  readonly path?: string | undefined;
  /** A diagnostic's `code`. */
  readonly code?: string | undefined;
}

const ignoreWord = v.optional(v.pipe(v.string(), v.minLength(1, mistake("empty"))));

const IgnoreRuleSchema = v.union([
  v.pipe(
    v.string(),
    v.minLength(1, mistake("empty")),
    v.transform((key): IgnoreRule => ({ key })),
  ),
  v.pipe(
    v.object({ key: ignoreWord, path: ignoreWord, code: ignoreWord }),
    v.check(({ key, path, code }) => (key ?? path ?? code) !== undefined, mistake("empty")),
  ),
]);

/** Fields that the table does not know are kept in the file and passed over here. */
export const ProjectFileSchema = v.object({
  /** Only that it is a string: whether it may be called is decided by whoever calls. */
  baseUrl: v.optional(v.string()),
  files: v.optional(v.array(FilesEntrySchema)),
  locales: v.optional(v.record(v.string(), v.string())),
  /** Holds while nobody is signed in; the service says it otherwise. */
  sourceLocale: v.optional(v.pipe(v.string(), v.minLength(1, mistake("empty")))),
  preview: v.optional(v.array(v.string())),
  pull: v.optional(
    v.object({
      profile: v.optional(v.string()),
      into: v.optional(v.union([v.literal("."), relativePath])),
      missing: v.optional(v.picklist(["fallback", "empty", "omit"])),
      layout: v.optional(v.picklist(["keep", "service"])),
    }),
  ),
  usage: v.optional(
    v.object({
      include: v.optional(v.array(v.string())),
      exclude: v.optional(v.array(v.string())),
      functions: v.optional(v.array(usageFunction)),
      keep: v.optional(v.array(v.string())),
    }),
  ),
  diagnostics: v.optional(v.object({ ignore: v.optional(v.array(IgnoreRuleSchema)) })),
  /** For translation by the editor's language models. */
  translate: v.optional(
    v.object({
      instructions: v.optional(v.string()),
      /** Terms, each with its translations by language; or a JSON or CSV file that holds them. */
      glossary: v.optional(
        v.union([relativePath, v.record(v.string(), v.record(v.string(), v.string()))], mistake("type")),
      ),
    }),
  ),
});
export type ProjectFile = v.InferOutput<typeof ProjectFileSchema>;

/** A read project file: everything of it that is right, and what is not. */
export interface ParsedProjectFile {
  readonly file: ProjectFile;
  readonly errors: readonly ProjectFileError[];
}

/**
 * Reads the project file's text (comments and trailing commas are allowed). A mistake costs only the field, or
 * the item of a list, that it stands in. Never throws.
 */
export function parseProjectFile(text: string): ParsedProjectFile {
  const errors: ProjectFileError[] = [];
  const found: ParseError[] = [];
  if (isTooDeep(text)) {
    return { file: {}, errors: [{ path: [], code: "syntax", message: "nested too deeply" }] };
  }
  const value = valueOf(parseTree(text, found, { allowTrailingComma: true }));
  for (const { error, offset } of found) {
    errors.push({ path: [], code: "syntax", message: `${printParseErrorCode(error)} at offset ${offset}` });
  }
  if (!isObject(value)) {
    if (errors.length === 0) errors.push({ path: [], code: "type", message: "not an object" });
    return { file: {}, errors };
  }
  return { file: withoutMistakes(value, errors), errors };
}

/** As `JSON.parse` would: every member an own one, whatever its name. */
function valueOf(node: Node | undefined): unknown {
  if (node?.type === "array") return (node.children ?? []).map(valueOf);
  if (node?.type !== "object") return node?.value;
  const members = (node.children ?? []).map(({ children: [name, value] = [] }) => [
    name?.value,
    valueOf(value),
  ]);
  return Object.fromEntries(members);
}

const MAX_DEPTH = 64;

export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Takes the mistaken members and items out until the rest is right; each round takes at least one. */
function withoutMistakes(value: Record<string, unknown>, errors: ProjectFileError[]): ProjectFile {
  let rest: Record<string, unknown> = value;
  for (;;) {
    const result = v.safeParse(ProjectFileSchema, rest);
    if (result.success) return result.output;
    const dropped = new Map<string, (string | number)[]>();
    for (const issue of result.issues) {
      const path = (issue.path ?? []).map((item) => item.key as string | number);
      errors.push({ path, code: codeOf(issue.message), message: issue.message });
      const drop = path[0] === "files" && path.length > 1 ? path.slice(0, 2) : path.slice(0, dropDepth(path));
      dropped.set(JSON.stringify(drop), drop);
    }
    // Later items first, so that the indexes of the earlier ones still hold.
    const paths = [...dropped.values()].sort((a, b) => lastIndex(b) - lastIndex(a));
    for (const path of paths) rest = without(rest, path);
  }
}

function lastIndex(path: readonly (string | number)[]): number {
  const last = path[path.length - 1];
  return typeof last === "number" ? last : -1;
}

/** `pull.layout` and `usage.keep` go alone; of a list inside `usage` or `diagnostics` the mistaken item goes. */
function dropDepth(path: readonly (string | number)[]): number {
  if (path[0] === "usage" || path[0] === "diagnostics") return Math.min(path.length, 3);
  return Math.min(path.length, 2);
}

function without<T>(value: T, path: readonly (string | number)[]): T {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const kept =
      rest.length === 0
        ? items.filter((_, index) => index !== name)
        : items.map((item, index) => (index === name ? without(item, rest) : item));
    return kept as T;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value)
    .filter(([key]) => rest.length > 0 || key !== name)
    .map(([key, member]): [string, unknown] => [key, key === name ? without(member, rest) : member]);
  return Object.fromEntries(members) as T;
}

const CODES: readonly string[] = ["unknown_format", "unsafe_path", "empty"];

function codeOf(message: string): ProjectFileMistake {
  return CODES.includes(message) ? (message as ProjectFileMistake) : "type";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The project file `project-translations.json`: its schema, parsing and changes of its text. */
import {
  type Node,
  type ParseError,
  parseTree,
  applyEdits,
  findNodeAtLocation,
  format,
  type FormattingOptions,
  modify,
} from "jsonc-parser";
import * as v from "valibot";
import { FORMAT_NAMES } from "../../model/file-formats.ts";
import { formatOfPath } from "../../formats/detect-format.ts";
import { indentUnit } from "../../formats/text/lines-and-indentation.ts";
import { LineStarts, type TextPosition } from "../../util/line-starts.ts";

/** File name, at a project's root. */
export const PROJECT_FILE_NAME = "project-translations.json";

/** Error codes of the schema's own checks; the messages are localised where they are shown. */
const CHECK_CODES = ["unknown_format", "unsafe_path", "empty"] as const;
type ProjectFileErrorCode = "syntax" | "type" | (typeof CHECK_CODES)[number];

/** An error and its JSON path (`["files", 0, "path"]`). */
export interface ProjectFileError {
  readonly path: readonly (string | number)[];
  readonly code: ProjectFileErrorCode;
  /** Not localised. */
  readonly message: string;
  /** Where it is in the file. */
  readonly at: TextPosition;
}

/** Whether a relative path stays inside its folder and uses `/`. */
export function isSafeRelativePath(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\")) return false;
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return false;
  return !path.split("/").includes("..");
}

/** Folders of tools that execute or are configured by their content; no translations belong there. */
const TOOL_FOLDER =
  /^(?:\.git|git~\d|\.hg|\.svn|\.vscode|\.idea|\.devcontainer|\.github|\.husky|node_modules)[. ]*$/iu;

/** Whether the path is in a tool's folder, where nothing is ever written. */
export function isInToolFolder(path: string): boolean {
  // Some file systems ignore these characters in names.
  return path
    .split("/")
    .some((part) =>
      TOOL_FOLDER.test(part.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, "")),
    );
}

const errorCode = (code: ProjectFileErrorCode): string => code;

const nonEmpty = v.pipe(v.string(), v.minLength(1, errorCode("empty")));
const argumentIndex = v.pipe(v.number(), v.integer(), v.minValue(0));
const relativePath = v.pipe(v.string(), v.check(isSafeRelativePath, errorCode("unsafe_path")));

/** An entry of `files`: a path pattern, the format and the naming of keys. */
const FilesEntrySchema = v.pipe(
  v.object({
    /** Without `{locale}` the files contain the source locale, or name their locales themselves (spreadsheets). */
    path: relativePath,
    format: v.optional(v.picklist(FORMAT_NAMES, errorCode("unknown_format"))),
    /** Namespace of the keys, with the placeholders of `path`; absent: the format's own rule. */
    namespace: v.optional(nonEmpty),
    /** Prefix of each key, with the placeholders of `path`. */
    keyPrefix: v.optional(v.string()),
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const format = value.format ?? formatOfPath(value.path);
    if (format !== null) return { ...value, format };
    addIssue({ message: errorCode("unknown_format") });
    return NEVER;
  }),
);
export type FilesEntry = v.InferOutput<typeof FilesEntrySchema>;

const usageFunction = v.object({
  name: nonEmpty,
  key: argumentIndex,
  /** The keys are the names of the members of the object at `key`, after this literal. */
  prefix: v.optional(argumentIndex),
  namespace: v.optional(argumentIndex),
  context: v.optional(argumentIndex),
  plural: v.optional(argumentIndex),
});

/** Diagnostics to suppress: of a key, in files, with a code; an absent field matches everything. */
export interface IgnoreRule {
  /** The key as written in code; `*` matches any text. */
  readonly key?: string | undefined;
  /** Glob, relative to the root. */
  readonly path?: string | undefined;
  /** A diagnostic's `code`. */
  readonly code?: string | undefined;
}

const ignorePattern = v.optional(nonEmpty);

const IgnoreRuleSchema = v.union([
  v.pipe(
    nonEmpty,
    v.transform((key): IgnoreRule => ({ key })),
  ),
  v.pipe(
    v.object({ key: ignorePattern, path: ignorePattern, code: ignorePattern }),
    v.check(({ key, path, code }) => (key ?? path ?? code) !== undefined, errorCode("empty")),
  ),
]);

/** A call in a file, by the expression of its key; without `only`, the usage report ignores it. */
const CallChoiceSchema = v.object({
  path: v.optional(relativePath),
  key: nonEmpty,
  only: v.optional(v.array(nonEmpty)),
});

/** Unknown fields are preserved in the file and ignored here. */
export const ProjectFileSchema = v.object({
  /** Only validated as a string; the client decides whether it is a usable URL. */
  baseUrl: v.optional(v.string()),
  files: v.optional(v.array(FilesEntrySchema)),
  locales: v.optional(v.record(v.string(), v.string())),
  /** Used without a sign-in; otherwise the service defines it. */
  sourceLocale: v.optional(nonEmpty),
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
      /** Patterns of functions that are never taken for translation functions because of their calls. */
      ignoredFunctions: v.optional(v.array(nonEmpty)),
      keep: v.optional(v.array(v.string())),
      /** Calls whose keys the code does not show, with the only keys that they may mean. */
      calls: v.optional(v.array(CallChoiceSchema)),
    }),
  ),
  diagnostics: v.optional(v.object({ ignore: v.optional(v.array(IgnoreRuleSchema)) })),
  /** Settings of translation by language models. */
  translate: v.optional(
    v.object({
      instructions: v.optional(v.string()),
      /** Terms with their translations by language, or the path of a JSON or CSV file with them. */
      glossary: v.optional(
        v.union([relativePath, v.record(v.string(), v.record(v.string(), v.string()))], errorCode("type")),
      ),
    }),
  ),
});
export type ProjectFile = v.InferOutput<typeof ProjectFileSchema>;

/** A parsed project file: its valid parts, and the errors. */
export interface ParsedProjectFile {
  readonly file: ProjectFile;
  readonly errors: readonly ProjectFileError[];
}

/** Returns the project file with the layouts that were recognised, unless it says which files are the translations. */
export function withLayouts(file: ProjectFile, detected: readonly FilesEntry[]): ProjectFile {
  return file.files === undefined && detected.length > 0 ? { ...file, files: [...detected] } : file;
}

/**
 * Parses the project file (JSON with comments and trailing commas). An error only drops the field or list item that
 * it is in. Never throws.
 */
export function parseProjectFile(text: string): ParsedProjectFile {
  const errors: ProjectFileError[] = [];
  const found: ParseError[] = [];
  const start: TextPosition = { line: 0, character: 0 };
  if (isTooDeep(text)) {
    return { file: {}, errors: [{ path: [], code: "syntax", message: "nested too deeply", at: start }] };
  }
  const root = parseTree(text, found, { allowTrailingComma: true });
  const lines = new LineStarts(text);
  const value = jsonValueOf(root);
  for (const { offset } of found)
    errors.push({ path: [], code: "syntax", message: "not JSON", at: lines.position(offset) });
  if (!isObject(value)) {
    if (errors.length === 0) errors.push({ path: [], code: "type", message: "not an object", at: start });
    return { file: {}, errors };
  }
  const positionOf = (path: readonly (string | number)[]): TextPosition => {
    let node = root;
    for (const part of path) node = (node && findNodeAtLocation(node, [part])) ?? node;
    return lines.position(node?.offset ?? 0);
  };
  return { file: dropInvalid(value, errors, positionOf), errors };
}

/** Like `JSON.parse`, every member becomes an own property, whatever its name. */
function jsonValueOf(node: Node | undefined): unknown {
  if (node?.type === "array") return (node.children ?? []).map(jsonValueOf);
  if (node?.type !== "object") return node?.value;
  const members = (node.children ?? []).map(({ children: [name, value] = [] }) => [
    name?.value,
    jsonValueOf(value),
  ]);
  return Object.fromEntries(members);
}

const MAX_NESTING_DEPTH = 64;

export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > MAX_NESTING_DEPTH) return true;
  }
  return false;
}

/** Removes invalid members and items of the value until the rest is valid; each round removes at least one. */
function dropInvalid(
  value: object,
  errors: ProjectFileError[],
  positionOf: (path: readonly (string | number)[]) => TextPosition,
): ProjectFile {
  for (;;) {
    const result = v.safeParse(ProjectFileSchema, value);
    if (result.success) return result.output;
    const dropped = new Map<string, (string | number)[]>();
    for (const issue of result.issues) {
      const path = (issue.path ?? []).map((item) => item.key as string | number);
      const code = CHECK_CODES.find((each) => each === issue.message) ?? "type";
      errors.push({ path, code, message: issue.message, at: positionOf(path) });
      const drop = path.slice(0, dropDepth(path));
      dropped.set(JSON.stringify(drop), drop);
    }
    // Later items first, so that earlier indexes stay valid.
    const indexOf = (path: readonly unknown[]): number =>
      typeof path.at(-1) === "number" ? Number(path.at(-1)) : -1;
    for (const path of [...dropped.values()].sort((a, b) => indexOf(b) - indexOf(a))) remove(value, path);
  }
}

/** Errors drop a member (`pull.layout`), an item of `files`, or one of a list in `usage` or `diagnostics`. */
function dropDepth([first]: readonly (string | number)[]): number {
  return first === "usage" || first === "diagnostics" ? 3 : 2;
}

function remove(value: object, path: readonly (string | number)[]): void {
  const [name = "", ...rest] = path;
  const member: unknown = Reflect.get(value, name);
  if (rest.length > 0) {
    if (typeof member === "object" && member !== null) remove(member, rest);
  } else if (Array.isArray(value)) value.splice(Number(name), 1);
  else Reflect.deleteProperty(value, name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the file's text with the JSON value at `path` set; `undefined` removes it. Missing parent objects are
 * created, `-1` as the last part appends to a list, and an empty text becomes a new file. Returns `null` if the text
 * is not JSON (with comments and trailing commas) or a parent is neither an object nor a list.
 */
export function setInProjectFile(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
): string | null {
  const before = text.trim() === "" ? "{}\n" : text;
  const errors: ParseError[] = [];
  const root = isTooDeep(before) ? undefined : parseTree(before, errors, { allowTrailingComma: true });
  if (root?.type !== "object" || errors.length > 0) return null;

  let parent = root;
  for (const part of path) parent = findNodeAtLocation(parent, [part]) ?? parent;
  const isMissing = findNodeAtLocation(root, [...path]) === undefined;
  if (isMissing && value === undefined) return before;

  const indent = indentUnit(before) ?? "  ";
  const options = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    // Of a text without any; others keep their own.
    eol: "\n",
  };
  try {
    const last = parent.children?.at(-1);
    const end = (last?.offset ?? 0) + (last?.length ?? 0);
    const isMultiline = /[\r\n]/u.test(before.slice(parent.offset, parent.offset + parent.length));
    if (isMissing && last !== undefined && isMultiline) {
      // Formatting would change the line of the last item too.
      const [edit] = modify(before, [...path], value, {});
      return insertLine(before, end, (edit?.content ?? "").slice(1), options);
    }
    return applyEdits(before, modify(before, [...path], value, { formattingOptions: options }));
  } catch {
    // A parent is neither an object nor a list.
    return null;
  }
}

/** Inserts an item on its own line after the last one, which ends at `end` and keeps the comment on its line. */
function insertLine(before: string, end: number, item: string, options: FormattingOptions): string {
  const [line = "", comma = "", comment = ""] = /^(,?)([ \t]*\/\/[^\r\n]*)?/u.exec(before.slice(end)) ?? [];
  const head = `${before.slice(0, end)},${comment}`;
  const inserted = `${options.eol}${item}${comma}`;
  const edited = head + inserted + before.slice(end + line.length);
  return applyEdits(edited, format(edited, { offset: head.length, length: inserted.length }, options));
}

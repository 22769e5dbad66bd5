/** Sets a value in the text of the project file; comments and the formatting of other lines are preserved. */
import {
  applyEdits,
  findNodeAtLocation,
  format,
  type FormattingOptions,
  modify,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import { fileNewline, indentUnit } from "../../formats/style.ts";
import { isTooDeep } from "./project-file.ts";

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
    eol: fileNewline(before),
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

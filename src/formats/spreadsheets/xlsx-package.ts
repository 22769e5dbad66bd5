/**
 * The parts of a workbook: its sheets, shared strings and styles, and their paths in the zip. Validates the file
 * before using anything of it.
 */
import { cellXmlText, XmlTags } from "./xlsx-xml.ts";
import { readZip, type ZipEntry, type ZipLimits } from "../zip.ts";

/** More than Excel produces, and little enough to fit in memory. */
const WORKBOOK_LIMITS: ZipLimits = { entries: 10_000, unpackedBytes: 384 * 1024 * 1024, ratio: 200 };

export interface SheetPart {
  readonly name: string;
  readonly path: string;
}

/** An opened workbook. */
export interface Workbook {
  /** In the order of the tabs. */
  readonly sheets: readonly SheetPart[];
  readonly strings: string | null;
  readonly styles: string | null;
  /**
   * Returns a part's XML.
   * @throws {WorkbookError}
   * @throws {ZipError}
   */
  text(path: string): string;
}

/** The file is not a readable workbook; the message says why. */
export class WorkbookError extends Error {}

const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0] as const;

/**
 * Opens a workbook.
 * @throws {WorkbookError}
 * @throws {ZipError}
 */
export function openWorkbook(bytes: Uint8Array): Workbook {
  if (OLD_EXCEL.every((byte, index) => bytes[index] === byte)) {
    throw new WorkbookError("the file is encrypted, or from Excel before 2007");
  }
  const byPath = new Map<string, ZipEntry>();
  for (const entry of readZip(bytes, WORKBOOK_LIMITS)) {
    const path = plainPath(entry.path);
    if (byPath.has(path)) throw new WorkbookError(`two parts are called ${entry.path}`);
    byPath.set(path, entry);
  }
  const find = (path: string): ZipEntry | undefined => byPath.get(plainPath(path));
  const text = (path: string): string => {
    const entry = find(path);
    if (entry === undefined) throw new WorkbookError(`${path} is missing`);
    return decodePart(entry);
  };
  const related = (path: string): Relation[] => {
    const at = relationsPath(path);
    return find(at) === undefined ? [] : relationsOf(text(at), path);
  };
  const types = find("[Content_Types].xml") === undefined ? "" : text("[Content_Types].xml").toLowerCase();
  if (types.includes("sheet.binary.")) throw new WorkbookError("the workbook is a binary one (.xlsb)");
  const main = related("").find(({ type }) => type === "officeDocument")?.path ?? "xl/workbook.xml";
  if (find(main) === undefined) throw new WorkbookError("there is no workbook in the zip");
  const relations = related(main);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const sheets: SheetPart[] = [];
  for (const tags = new XmlTags(text(main)); nextTag(tags, main);) {
    if (!tags.isOpen("sheet")) continue;
    const relation = byId.get(tags.attribute("id") ?? "");
    const part = relation?.type === "worksheet" ? find(relation.path) : undefined;
    if (part !== undefined) sheets.push({ name: tags.attribute("name") ?? "", path: part.path });
  }
  const pathOf = (type: string): string | null => {
    const path = relations.find((relation) => relation.type === type)?.path;
    return path !== undefined && find(path) !== undefined ? path : null;
  };
  return {
    sheets,
    strings: pathOf("sharedStrings"),
    styles: pathOf("styles"),
    text,
  };
}

interface Relation {
  readonly id: string;
  /** The last segment of the relationship's type, which is the same in both variants of the standard. */
  readonly type: string;
  readonly path: string;
}

function relationsOf(xml: string, from: string): Relation[] {
  const relations: Relation[] = [];
  for (const tags = new XmlTags(xml); nextTag(tags, from);) {
    if (!tags.isOpen("Relationship")) continue;
    const type = tags.attribute("Type") ?? "";
    relations.push({
      id: tags.attribute("Id") ?? "",
      type: type.slice(type.lastIndexOf("/") + 1),
      path: resolvePath(from, tags.attribute("Target") ?? ""),
    });
  }
  return relations;
}

/**
 * Advances to the next tag.
 * @throws {WorkbookError} if the XML cannot be trusted
 */
function nextTag(tags: XmlTags, path: string): boolean {
  const found = tags.nextTag();
  if (tags.broken) throw new WorkbookError(`${path || "_rels/.rels"} is not the XML of a workbook`);
  return found;
}

function relationsPath(path: string): string {
  const slash = path.lastIndexOf("/") + 1;
  return `${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`;
}

function resolvePath(from: string, target: string): string {
  const isAbsolute = /^[\\/]/.test(target);
  const parts = isAbsolute ? [] : from.split("/").slice(0, -1);
  for (const part of target.split(/[\\/]/)) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Normalises a part name; part names are case-insensitive. */
function plainPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^\//, "").toLowerCase();
}

function decodePart(entry: ZipEntry): string {
  const bytes = entry.read();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new WorkbookError(`${entry.path} is not UTF-8`);
  }
}

/**
 * Returns the text of the string item (`si` or `is`) whose content starts at `tags`: its runs concatenated, without
 * phonetic text.
 */
export function runsText(tags: XmlTags): string {
  if (tags.isEmpty) return "";
  let text = "";
  for (let depth = 1; tags.nextTag();) {
    if (tags.isClose) {
      if (--depth === 0) return text;
    } else if (tags.is("t")) {
      const from = tags.end;
      const to = tags.skip();
      if (to > from) text += cellXmlText(tags.text, from, to);
    } else if (tags.is("rPh")) tags.skip();
    else if (!tags.isEmpty) depth++;
  }
  return text;
}

/** Returns the shared strings. */
export function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  for (const tags = new XmlTags(xml); tags.nextTag();) if (tags.isOpen("si")) strings.push(runsText(tags));
  return strings;
}

/** Returns, for each cell style, whether it formats numbers as dates or times. */
export function dateStyles(xml: string): readonly boolean[] {
  const codes = new Map<number, string>();
  const dates: boolean[] = [];
  for (const tags = new XmlTags(xml); tags.nextTag();) {
    if (tags.isOpen("numFmt")) {
      codes.set(Number(tags.attribute("numFmtId")), tags.attribute("formatCode") ?? "");
    } else if (tags.isOpen("cellXfs") && !tags.isEmpty) {
      for (let depth = 1; depth > 0 && tags.nextTag();) {
        if (tags.isClose) depth--;
        else {
          if (tags.is("xf")) dates.push(isDate(Number(tags.attribute("numFmtId")), codes));
          if (!tags.isEmpty) depth++;
        }
      }
    }
  }
  return dates;
}

/**
 * Whether it is a format of dates or times: built-in (§ 18.8.30 of ECMA-376, including those for East Asian
 * languages) or custom.
 */
function isDate(id: number, codes: ReadonlyMap<number, string>): boolean {
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)) {
    return true;
  }
  const code = codes.get(id)?.slice(0, 256) ?? "";
  return /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, ""));
}

/**
 * A workbook's parts: which sheets it has and where they, the shared strings and the styles lie in the zip. Judges
 * the file before anything of it is used; reads no cells.
 */
import { readZip, ZipError, type ZipEntry } from "../../zip.ts";
import { XmlTags } from "./xlsx-xml.ts";
import { INFLATE, WORKBOOK_LIMITS } from "./xlsx-zip.ts";

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
  /** The part that lists the sheets. */
  readonly main: string;
  /** Why the file is read and not written; `null`: it can be. */
  readonly locked: string | null;
  /** A part's XML. Throws `ZipError`. */
  text(path: string): string;
}

/** The file is no workbook that can be read; the message says why. */
export class WorkbookError extends Error {}

const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0] as const;

/** Throws `WorkbookError`. */
export function openWorkbook(bytes: Uint8Array): Workbook {
  if (OLD_EXCEL.every((byte, index) => bytes[index] === byte)) {
    throw new WorkbookError("the file is encrypted or of Excel before 2007");
  }
  try {
    return open(readZip(bytes, WORKBOOK_LIMITS, INFLATE));
  } catch (error) {
    if (error instanceof ZipError) throw new WorkbookError(`the zip cannot be used: ${error.message}`);
    throw error;
  }
}

function open(entries: readonly ZipEntry[]): Workbook {
  const byPath = new Map<string, ZipEntry>();
  for (const entry of entries) {
    const path = plainPath(entry.path);
    if (byPath.has(path)) throw new WorkbookError(`two parts are called ${entry.path}`);
    byPath.set(path, entry);
  }
  const text = (path: string): string => {
    const entry = byPath.get(plainPath(path));
    if (entry === undefined) throw new ZipError("unreadable", `${path} is not there`);
    return decodePart(entry);
  };
  const related = (path: string): Relation[] => {
    const at = relationsPath(path);
    return byPath.has(plainPath(at)) ? relationsOf(text(at), path) : [];
  };
  const main = related("").find(({ type }) => type === "officeDocument")?.path ?? "xl/workbook.xml";
  if (!byPath.has(plainPath(main))) throw new WorkbookError("there is no workbook in the zip");
  const relations = related(main);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const sheets: SheetPart[] = [];
  for (const tags = new XmlTags(text(main)); next(tags, main);) {
    if (!tags.isOpen("sheet")) continue;
    const relation = byId.get(tags.attribute("id") ?? "");
    if (relation?.type === "worksheet" && byPath.has(plainPath(relation.path))) {
      sheets.push({ name: tags.attribute("name") ?? "", path: relation.path });
    }
  }
  const pathOf = (type: string): string | null => {
    const path = relations.find((relation) => relation.type === type)?.path;
    return path !== undefined && byPath.has(plainPath(path)) ? path : null;
  };
  return {
    sheets: sheets.map(({ name, path }) => ({ name, path: byPath.get(plainPath(path))?.path ?? path })),
    strings: pathOf("sharedStrings"),
    styles: pathOf("styles"),
    main,
    locked: lockOf(byPath, text),
    text,
  };
}

function lockOf(byPath: ReadonlyMap<string, ZipEntry>, text: (path: string) => string): string | null {
  const types = byPath.has("[content_types].xml") ? text("[Content_Types].xml").toLowerCase() : "";
  const paths = [...byPath.keys()];
  if (types.includes("sheet.binary.")) throw new WorkbookError("the workbook is a binary one (.xlsb)");
  if (types.includes("macroenabled") || paths.some((path) => path.endsWith("/vbaproject.bin"))) {
    return "the workbook has macros";
  }
  return paths.some((path) => path.startsWith("_xmlsignatures/")) ? "the workbook is signed" : null;
}

interface Relation {
  readonly id: string;
  /** The last word of the relation's type, which is the same in both of the standard's dialects. */
  readonly type: string;
  readonly path: string;
}

function relationsOf(xml: string, from: string): Relation[] {
  const relations: Relation[] = [];
  for (const tags = new XmlTags(xml); next(tags, from);) {
    if (!tags.isOpen("Relationship") || tags.attribute("TargetMode") === "External") continue;
    const type = tags.attribute("Type") ?? "";
    relations.push({
      id: tags.attribute("Id") ?? "",
      type: type.slice(type.lastIndexOf("/") + 1),
      path: resolvePath(from, tags.attribute("Target") ?? ""),
    });
  }
  return relations;
}

/** The next tag; throws where the XML cannot be trusted. */
function next(tags: XmlTags, path: string): boolean {
  const found = tags.next();
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

/** Part names are the same in upper and lower case. */
function plainPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^\//, "").toLowerCase();
}

function decodePart(entry: ZipEntry): string {
  const bytes = entry.read();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ZipError("unreadable", `${entry.path} is not UTF-8`);
  }
}

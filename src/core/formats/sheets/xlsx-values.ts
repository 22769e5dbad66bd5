/** What stands behind a workbook's cells: the shared strings, and which styles show numbers as dates. */
import { cellXmlText, XmlTags } from "./xlsx-xml.ts";

/** The text of a string item (`si` or `is`) whose content begins at `tags`; its runs joined, without phonetics. */
export function runsText(tags: XmlTags): string {
  if (tags.isEmpty) return "";
  let text = "";
  for (let depth = 1; tags.next();) {
    if (tags.isClose) {
      if (--depth === 0) return text;
    } else if (tags.is("t")) {
      const from = tags.end;
      const to = tags.skip();
      if (to > from) text += cellXmlText(tags.xml, from, to);
    } else if (tags.is("rPh")) tags.skip();
    else if (!tags.isEmpty) depth++;
  }
  return text;
}

/** The shared strings, each read when it is asked for. */
export class SharedStrings {
  readonly #xml: string;
  readonly #starts: number[] = [];
  readonly #read = new Map<number, string>();

  constructor(xml: string) {
    this.#xml = xml;
    for (const tags = new XmlTags(xml); tags.next();) {
      if (!tags.isOpen("si")) continue;
      this.#starts.push(tags.start);
      tags.skip();
    }
  }

  /** `null`: there is no such string. */
  at(index: number): string | null {
    const known = this.#read.get(index);
    if (known !== undefined) return known;
    const start = this.#starts[index];
    if (start === undefined) return null;
    const tags = new XmlTags(this.#xml, start);
    tags.next();
    const text = runsText(tags);
    this.#read.set(index, text);
    return text;
  }
}

/** For each cell style whether it shows a number as a date or a time. */
export function dateStyles(xml: string): readonly boolean[] {
  const codes = new Map<number, string>();
  const dates: boolean[] = [];
  for (const tags = new XmlTags(xml); tags.next();) {
    if (tags.isOpen("numFmt")) {
      codes.set(Number(tags.attribute("numFmtId")), tags.attribute("formatCode") ?? "");
    } else if (tags.isOpen("cellXfs") && !tags.isEmpty) {
      for (let depth = 1; depth > 0 && tags.next();) {
        if (tags.isClose) depth--;
        else {
          if (depth === 1 && tags.is("xf")) dates.push(isDate(Number(tags.attribute("numFmtId")), codes));
          if (!tags.isEmpty) depth++;
        }
      }
    }
  }
  return dates;
}

/** The built-in formats of dates and times (§ 18.8.30 of ECMA-376, with those of East Asian languages). */
function isDate(id: number, codes: ReadonlyMap<number, string>): boolean {
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)) {
    return true;
  }
  const code = codes.get(id)?.slice(0, 256) ?? "";
  return /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, ""));
}

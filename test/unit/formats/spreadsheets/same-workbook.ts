/**
 * Compares two workbooks: identical files, and for edited sheets the same cells, styles and texts in well-formed XML.
 * Independent of the product's code.
 */
import { SaxesParser } from "saxes";
import { readZip } from "../../../../src/formats/zip.ts";

const ANY_SIZE = { entries: 100_000, unpackedBytes: 2 ** 30, ratio: 100_000 };

export function isSameWorkbook(before: Uint8Array, after: Uint8Array): boolean {
  const [ours, theirs] = [before, after].map((bytes) => readZip(bytes, ANY_SIZE));
  if (ours === undefined || theirs === undefined || ours.length !== theirs.length) return false;
  const strings = ours.find(({ path }) => path.toLowerCase().endsWith("sharedstrings.xml"));
  const shared = strings === undefined ? [] : sharedStrings(textOf(strings.read()));
  return ours.every((file, index) => {
    const { path } = file;
    const other = theirs[index];
    if (other?.path !== path) return false;
    const [a, b] = [textOf(file.read()), textOf(other.read())];
    return (
      a === b ||
      (path.includes("sheet") &&
        JSON.stringify(cellTexts(a, shared)) === JSON.stringify(cellTexts(b, shared)))
    );
  });
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  walk(xml, {
    text: (path, text) => {
      if (path.at(-1) === "t" && !path.includes("rPh")) strings[strings.length - 1] += text;
    },
    open: (name) => {
      if (name === "si") strings.push("");
    },
  });
  return strings;
}

/** Everything that stands outside of the cells in its order, and each cell that is not empty. */
function cellTexts(xml: string, shared: readonly string[]): readonly string[] {
  const all: string[] = [];
  let cell: { at: string; style: string; type: string; text: string } | null = null;
  const finish = (): void => {
    if (cell === null || cell.text === "") return;
    const isTrue = cell.type === "b" ? cell.text === "1" : null;
    const text =
      cell.type === "s" ? shared[Number(cell.text)] : isTrue === null ? cell.text : isTrue ? "TRUE" : "FALSE";
    // A number is shown, and comes back, without what no float can tell.
    const number = cell.type === "n" ? Number(Number(text).toPrecision(15)) : Number.NaN;
    all.push(JSON.stringify([cell.at, cell.style, Number.isNaN(number) ? text : String(number)]));
    cell = null;
  };
  walk(xml, {
    open: (name, attributes) => {
      // The cells have new addresses.
      if (name === "dimension") return;
      if (name === "c") {
        finish();
        cell = {
          at: attributes["r"] ?? "",
          style: attributes["s"] ?? "",
          type: attributes["t"] ?? "n",
          text: "",
        };
      } else if (!["v", "is", "t"].includes(name)) {
        finish();
        if (name !== "row") all.push(JSON.stringify([name, attributes]));
      }
    },
    text: (path, text) => {
      if (cell !== null && path.includes("c")) cell.text += text;
      else if (text.trim() !== "") all.push(text);
    },
  });
  finish();
  return all;
}

interface Seen {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(path: readonly string[], text: string): void;
}

/** Throws on XML that is not well-formed. */
function walk(xml: string, seen: Seen): void {
  const parser = new SaxesParser({ xmlns: false });
  const path: string[] = [];
  const bare = (name: string): string => name.slice(name.indexOf(":") + 1);
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    path.push(bare(name));
    seen.open(bare(name), attributes);
  });
  parser.on("closetag", () => void path.pop());
  parser.on("text", (text) => seen.text(path, text));
  parser.on("cdata", (text) => seen.text(path, text));
  parser.write(xml).close();
}

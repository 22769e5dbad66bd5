/**
 * Round-trip checks of any translation file: an unchanged file keeps its bytes, an edit changes only its value, and
 * undoing it restores the file.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { decodeText, isUndecodable, sameBytes } from "../../../src/formats/text/encoding.ts";
import {
  type Change,
  type Column,
  type Entry,
  entryId,
  type Format,
  type ReadOptions,
  type Refusal,
} from "../../../src/formats/format.ts";
import { detectFromContent } from "../../../src/formats/detect-format.ts";
import { formatOf } from "../../../src/formats/supported-formats.ts";
import { csvHeader } from "../../../src/formats/spreadsheets/csv-format.ts";
import { parseColumnTitle } from "../../../src/formats/spreadsheets/sheet-columns.ts";
import { headersOf } from "../../../src/formats/spreadsheets/xlsx-format.ts";
import {
  decodeHead,
  editTranslationFile,
  isUnreadable,
  readTranslationFile,
} from "../../../src/formats/parse-and-edit-file.ts";
import { isForms, type Text } from "../../../src/model/translation-text.ts";

/** A file that the product takes for one of its formats. */
export interface SampleFile {
  /** Below the folder that was walked, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly format: Format;
  readonly options: ReadOptions;
}

/** What did not hold. */
export interface Failure {
  readonly path: string;
  readonly format: string;
  readonly step: "unchanged" | "rewritten" | "refused" | "outside" | "back" | "add" | "remove" | "place";
  readonly key: string;
  readonly detail: string;
  /** What kind of known difference it is, where it is nothing but that. */
  readonly aside: Aside | null;
}

/** What a file told, and what did not hold of it. */
export interface Tried {
  readonly entries: number;
  /** Why it could not be read, or not wholly: what a person is told. */
  readonly problem: string | null;
  readonly failures: readonly Failure[];
}

/** Every file below the folder that is taken for a translation file, in the order of the paths. */
export async function* sampleFiles(root: string): AsyncGenerator<SampleFile> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => resolve(entry.parentPath, entry.name));
  for (const absolute of paths.sort()) {
    const path = absolute.slice(resolve(root).length + 1).replaceAll("\\", "/");
    if (
      detectFromContent(path, "") === null &&
      detectFromContent(path, "{}") === null &&
      !/\.\w+$/u.test(path)
    )
      continue;
    const bytes = new Uint8Array(readFileSync(absolute));
    const detected = detectFromContent(path, decodeHead(bytes));
    const format = detected === null ? undefined : formatOf(detected.format);
    if (detected === null || format === undefined) continue;
    yield { path, bytes, format, options: await optionsFor(format, bytes, detected.locale) };
  }
}

/** What a project would declare of the file: its locale, and the columns of a sheet whose titles are words of its own. */
async function optionsFor(format: Format, bytes: Uint8Array, named: string | null): Promise<ReadOptions> {
  const options: ReadOptions = { locale: named ?? "en", sourceLocale: "en" };
  if (format.name === "csv" || format.name === "xlsx") {
    const columns = columnsFor(titlesOf(format, bytes));
    return columns === null ? options : { ...options, columns };
  }
  if (named !== null) return options;
  const read = await readTranslationFile(format, bytes, options);
  const locale = isUnreadable(read) ? null : (read.locale ?? null);
  return locale === null ? options : { ...options, locale };
}

function titlesOf(format: Format, bytes: Uint8Array): readonly string[] {
  if (format.kind === "binary") return headersOf(bytes)[0] ?? [];
  const decoded = decodeText(bytes, format.name);
  return (isUndecodable(decoded) ? null : csvHeader(decoded.text))?.titles ?? [];
}

/** `null`: the titles say it themselves. The first two others are the keys and the texts, which a person would choose. */
function columnsFor(titles: readonly string[]): readonly Column[] | null {
  if (titles.some((title) => parseColumnTitle(title)?.holds === "key")) return null;
  const [key, text] = titles.filter(
    (title) => title.trim() !== "" && titles.filter((other) => other === title).length === 1,
  );
  if (key === undefined || text === undefined) return null;
  return [
    { title: key, holds: "key" },
    { title: text, holds: "text", locale: null, category: null },
  ];
}

/** The same numbers for the same words, so that a failure can be had again. */
export function drawing(seed: string): (below: number) => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}

const NEW_TEXT = "new 'text' with \"quotes\", a \\ and $x <b>&amp; – ü 🎉\n";
const PLAIN_TEXT = "plain new text";

/** Reads, rewrites, changes and takes back, in every way that the file has a place for. */
export async function tryFile(file: SampleFile, most = 7): Promise<Tried> {
  const { path, bytes, format, options } = file;
  const failures: Failure[] = [];
  const fail = (step: Failure["step"], key: string, detail: string, aside: Aside | null = null): void =>
    void failures.push({ path, format: format.name, step, key, detail, aside });
  const read = await readTranslationFile(format, bytes, options);
  if (isUnreadable(read)) {
    return { entries: 0, problem: `no text, at ${read.line}:${read.column}`, failures };
  }
  const broken = read.problems.find((problem) => problem.code === "syntax");
  const problem = broken === undefined ? null : `${broken.message} at ${broken.line}:${broken.column}`;
  if (format.kind === "text" && broken !== undefined && (broken.line === null || broken.column === null))
    fail("place", "", broken.message);
  /** A file that is broken is not written; nor is one that has no place for a kind of text. */
  const mayRefuse = ({ reason }: Refusal): boolean => broken !== undefined && reason === "syntax";

  const edit = async (
    from: Uint8Array,
    changes: readonly Change[],
  ): Promise<{ readonly bytes: Uint8Array; readonly refused: readonly Refusal[] }> => {
    const done = await editTranslationFile(format, from, changes, options);
    if (isUnreadable(done)) throw new Error("no longer a text");
    return done;
  };
  const reasonsOf = (refused: readonly Refusal[]): string => refused.map(({ reason }) => reason).join();

  const same = await edit(bytes, []);
  if (!sameBytes(same.bytes, bytes)) fail("unchanged", "", where(bytes, same.bytes));
  if (format.kind !== "text") {
    const done = await edit(bytes, read.entries.map(asItIs));
    const isRefused = done.refused.every(({ reason }) => reason === "generated");
    if (!isRefused || done.refused.length !== read.entries.length)
      fail("refused", "", reasonsOf(done.refused));
    if (!sameBytes(done.bytes, bytes)) fail("rewritten", "", where(bytes, done.bytes));
    return { entries: read.entries.length, problem, failures };
  }
  const all = read.entries.filter(({ readOnly }) => readOnly === null);
  const rewritten = await edit(bytes, all.map(asItIs));
  if (!sameBytes(rewritten.bytes, bytes)) fail("rewritten", "", where(bytes, rewritten.bytes));
  if (!rewritten.refused.every(mayRefuse))
    fail("rewritten", rewritten.refused[0]?.key ?? "", reasonsOf(rewritten.refused.slice(0, 3)));

  const draw = drawing(path);
  for (const entry of picked(all, draw, most)) {
    // What an element stands for is told by the element alone, so those of a text are kept.
    const kept = holdsElements(file, entry) && !isForms(entry.text) ? entry.text.value : "";
    let wanted = { ...asItIs(entry), text: other(entry.text, NEW_TEXT + kept) };
    let there = await edit(bytes, [wanted]);
    if (there.refused[0]?.reason === "encoding") {
      wanted = { ...wanted, text: other(entry.text, PLAIN_TEXT) };
      there = await edit(bytes, [wanted]);
    }
    if (there.refused.length > 0) {
      if (!there.refused.every(mayRefuse)) fail("refused", entry.key, reasonsOf(there.refused));
      continue;
    }
    const outside = changedOutside(file, entry, there.bytes);
    if (outside !== null) fail("outside", entry.key, where(bytes, there.bytes), outside.aside);
    const back = await edit(there.bytes, [asItIs(entry)]);
    if (!sameBytes(back.bytes, bytes)) {
      const aside = asideOf(format, textOf(format, bytes), textOf(format, back.bytes));
      fail("back", entry.key, `${reasonsOf(back.refused)} ${where(bytes, back.bytes)}`, aside);
    }
  }
  for (const entry of [...new Set([all[0], all[draw(all.length)]])]) {
    for (const addition of entry === undefined ? [] : additions(entry)) {
      const grown = await edit(bytes, [addition]);
      if (grown.refused.length > 0) {
        if (!grown.refused.every(mayRefuse)) fail("add", addition.key, reasonsOf(grown.refused));
        continue;
      }
      const back = await edit(grown.bytes, [{ ...addition, text: null }]);
      if (!sameBytes(back.bytes, bytes)) {
        const aside = asideOf(format, textOf(format, bytes), textOf(format, back.bytes));
        fail("remove", addition.key, `${reasonsOf(back.refused)} ${where(bytes, back.bytes)}`, aside);
      }
    }
  }
  return { entries: read.entries.length, problem, failures };
}

function asItIs({ key, context, namespace, locale, text }: Entry): Change {
  return { key, context, namespace, locale, text };
}

/** The same kind of text with other words; a number stays one. */
function other(text: Text, words: string): Text {
  if (!isForms(text)) return { value: /^\d+(?:\.\d+)?$/u.test(text.value) ? `${text.value}7` : words };
  const names = Object.keys(text.forms);
  return { forms: Object.fromEntries(names.map((name) => [name, `${name} ${words}`])) };
}

/** The first, the last, the longest, one with escapes, two plurals, and some that the drawing tells. */
function picked(entries: readonly Entry[], draw: (below: number) => number, most: number): readonly Entry[] {
  const seen = new Map<string, number>();
  for (const entry of entries) seen.set(entryId(entry), (seen.get(entryId(entry)) ?? 0) + 1);
  const single = entries.filter((entry) => seen.get(entryId(entry)) === 1);
  const plurals = single.filter(({ text }) => isForms(text));
  const chosen = [
    single[0],
    single[single.length - 1],
    single.reduce<Entry | undefined>(
      (long, entry) => (sizeOf(entry) > sizeOf(long) ? entry : long),
      single[0],
    ),
    plurals[draw(plurals.length)],
    single.find(({ text }) => !isForms(text) && /['"\\\n<&]/u.test(text.value)),
    single.find(({ text }) => !isForms(text) && text.value === ""),
    single[draw(single.length)],
    single[draw(single.length)],
  ];
  return [...new Set(chosen.filter((entry) => entry !== undefined))].slice(0, most);
}

function holdsElements({ bytes, format }: SampleFile, { valueSpan }: Entry): boolean {
  if (!format.name.startsWith("xliff")) return false;
  const decoded = decodeText(bytes, format.name);
  return !isUndecodable(decoded) && decoded.text.slice(valueSpan.start, valueSpan.end).includes("<");
}

function sizeOf(entry: Entry | undefined): number {
  return entry === undefined || isForms(entry.text) ? 0 : entry.text.value.length;
}

/** New entries beside the given one, and with a name of their own. */
function additions({ key, context, namespace, locale }: Entry): readonly Change[] {
  const segments = key.split(".");
  const last = segments.pop() ?? "";
  // A list has no names.
  const beside = /^\d+$/u.test(last) ? [] : [[...segments, "zz_new"].join(".")];
  return [...beside, "zz_brand.new.key"].map((name) => ({
    key: name,
    context,
    namespace,
    locale,
    text: { value: PLAIN_TEXT },
    source: { value: "plain source text" },
  }));
}

/** Whether an edit of one value changed anything elsewhere in the file; `null`: no. */
function changedOutside(
  { bytes, format }: SampleFile,
  { valueSpan }: Entry,
  after: Uint8Array,
): { readonly aside: Aside | null } | null {
  const before = textOf(format, bytes);
  const now = textOf(format, after);
  const head = before.slice(0, valueSpan.start);
  const tail = before.slice(valueSpan.end);
  if (now.startsWith(head) && now.endsWith(tail)) return null;
  return {
    aside: asideWhere(
      format,
      (without) => without(now).startsWith(without(head)) && without(now).endsWith(without(tail)),
    ),
  };
}

function textOf(format: Format, bytes: Uint8Array): string {
  const decoded = decodeText(bytes, format.name);
  return isUndecodable(decoded) ? "" : decoded.text;
}

/** Differences that are meant, or that nothing in the file could tell how to avoid. */
export type Aside = keyof typeof ASIDES;

export const ASIDES = {
  state:
    "A target whose state says that nobody translated it becomes `translated` when somebody does: programs skip it " +
    "otherwise. Taking the text back cannot tell that.",
  fuzzy: "A changed text loses the flag that says that it is to be looked at, and the msgid before (`#|`).",
  lines:
    "How a long text was spread over lines stands in itself alone, against the way of all the file's others; a " +
    "short text in its place keeps nothing of it.",
  cells: "A row that breaks off before the changed cell, or quotes unlike any other of the file's.",
  blank:
    "The only text without a translation, or one written unlike the others: an element without content, or none.",
} as const;

type Without = (text: string) => string;

const MEANT: readonly (readonly [Aside, readonly string[], Without])[] = [
  ["state", ["xliff12", "xliff20"], (text) => text.replaceAll(/\s+(?:state|subState)="[^"]*"/gu, "")],
  [
    "blank",
    ["xliff12", "xliff20"],
    (text) => text.replaceAll(/\s*<(target|source)(?:\s[^<>]*)?(?:\/>|>\s*<\/\1>)/gu, ""),
  ],
  ["fuzzy", ["po"], (text) => text.replaceAll(/^#\|.*\n|^#,[ \t]*fuzzy[ \t]*\n|,[ \t]*fuzzy/gmu, "")],
  ["lines", ["po"], (text) => text.replaceAll(/"\s*\n"/gu, "")],
  ["cells", ["csv"], (text) => text.replaceAll(/[,;\t]*"*(?=[\r\n]|$)|"/gu, "")],
];

function asideOf(format: Format, before: string, after: string): Aside | null {
  return asideWhere(format, (without) => without(before) === without(after));
}

/** The difference without which it holds; the first of several that are there together. */
function asideWhere(format: Format, holds: (without: Without) => boolean): Aside | null {
  const ours = MEANT.filter(([, formats]) => formats.includes(format.name));
  const one = ours.find(([, , without]) => holds(without));
  if (one !== undefined) return one[0];
  const all = holds((text) => ours.reduce((rest, [, , without]) => without(rest), text));
  return all ? (ours[0]?.[0] ?? null) : null;
}

/** Where two files part, with some of what stands there in each. */
function where(a: Uint8Array, b: Uint8Array): string {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const around = (bytes: Uint8Array): string =>
    JSON.stringify(new TextDecoder("latin1").decode(bytes.subarray(Math.max(0, at - 20), at + 60)));
  return `at byte ${at} of ${a.length}/${b.length}: ${around(a)} became ${around(b)}`;
}

/** The kinds of differences that a format may show. */
export function asidesAllowed(format: string): readonly Aside[] {
  return MEANT.filter(([, formats]) => formats.includes(format)).map(([aside]) => aside);
}

/** Damaged copies of real files: nothing throws or takes long, and edits are exact or refused. */
import { readConfigureGlobal } from "fast-check";
import { decodeText, isUndecodable, sameBytes } from "../../../src/formats/text/encoding.ts";
import {
  editTranslationFile,
  isUnreadable,
  readTranslationFile,
} from "../../../src/formats/parse-and-edit-file.ts";
import { entryId } from "../../../src/formats/format.ts";
import { isForms, areTextsEqual, type Text } from "../../../src/model/translation-text.ts";
import { drawing, type SampleFile } from "./round-trip.ts";
import { cpuTime } from "../support/cpu-time.ts";

/** A file of some megabytes takes a second on a slow machine; more is no longer in proportion. */
const MAX_MILLISECONDS = 15_000;

/** The file cut off, with bytes that are others, with other line ends, with a mark before it, without its last line end. */
export function damages({ path, bytes }: SampleFile): readonly (readonly [string, Uint8Array])[] {
  const draw = drawing(`${path} ${readConfigureGlobal().seed}`);
  const all: (readonly [string, Uint8Array])[] = [];
  for (let round = 0; round < 2; round++) {
    const end = draw(bytes.length);
    all.push([`cut at ${end}`, bytes.slice(0, end)]);
    const at = draw(bytes.length);
    const other = bytes.slice();
    other[at] = INSTEAD[draw(INSTEAD.length)] ?? 0;
    all.push([`byte ${at} is ${other[at]}`, other]);
    const gone = draw(bytes.length);
    all.push([`byte ${gone} is gone`, joined(bytes.subarray(0, gone), bytes.subarray(gone + 1))]);
  }
  const text = Buffer.from(bytes).toString("latin1");
  all.push(["CRLF", Buffer.from(text.replaceAll(/\r?\n/gu, "\r\n"), "latin1")]);
  all.push(["CR", Buffer.from(text.replaceAll(/\r?\n/gu, "\r"), "latin1")]);
  all.push(["BOM", joined(new Uint8Array([0xef, 0xbb, 0xbf]), bytes)]);
  all.push(["no last line end", Buffer.from(text.replace(/[\r\n]+$/u, ""), "latin1")]);
  return all.map(([name, damaged]) => [name, new Uint8Array(damaged)] as const);
}

/** What a single byte most often breaks. */
const INSTEAD = [..."\0\t\n\r \"'\\<>&{}[](),:;=|#/*$`%-".split("")]
  .map((sign) => sign.charCodeAt(0))
  .concat(0xff, 0x80);

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/** What went wrong; `null`: nothing. */
export async function tryDamaged(file: SampleFile): Promise<string | null> {
  const started = cpuTime();
  try {
    const fault = await faultOf(file);
    if (fault !== null) return fault;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const took = cpuTime() - started;
  return took > MAX_MILLISECONDS ? `took ${Math.round(took)} ms` : null;
}

async function faultOf({ path, bytes, format, options }: SampleFile): Promise<string | null> {
  const read = await readTranslationFile(format, bytes, options);
  if (isUnreadable(read)) return read.line >= 1 && read.column >= 1 ? null : "no place of what is no text";
  const draw = drawing(path);
  const open = read.entries.filter(({ readOnly }) => readOnly === null);
  const entry = open[draw(open.length)];
  if (entry === undefined) return null;
  const { key, context, namespace, locale } = entry;
  const name = { key, context, namespace, locale };
  const wanted = changed(entry.text);
  const there = await editTranslationFile(format, bytes, [{ ...name, text: wanted }], options);
  if (isUnreadable(there)) return "no longer a text";
  if (there.refused.length > 0) return sameBytes(there.bytes, bytes) ? null : "refused, and yet changed";
  const again = await readTranslationFile(format, there.bytes, options);
  if (isUnreadable(again)) return "an edit made it unreadable";
  const now = again.entries.find((each) => entryId(each) === entryId(entry));
  if (now === undefined || !areTextsEqual(now.text, wanted)) {
    // The last of several of one name counts, which may not be the one that was drawn.
    if (read.entries.filter((each) => entryId(each) === entryId(entry)).length === 1)
      return `${key}: not as wanted`;
  }
  const others = new Map(read.entries.map((each) => [entryId(each), each]));
  for (const each of again.entries) {
    const before = others.get(entryId(each));
    if (entryId(each) === entryId(entry)) continue;
    if (before === undefined || !areTextsEqual(before.text, each.text))
      return `${each.key}: changed with ${key}`;
  }
  if (again.entries.length !== read.entries.length) return "another number of entries";
  return format.kind === "text" ? outside(format.name, bytes, there.bytes, entry.valueSpan) : null;
}

function changed(text: Text): Text {
  if (!isForms(text))
    return { value: /^\d+(?:\.\d+)?$/u.test(text.value) ? `${text.value}3` : `${text.value} x` };
  return { forms: Object.fromEntries(Object.entries(text.forms).map(([name, form]) => [name, `${form} x`])) };
}

/** The bytes far from the value are the file's own still; its marks (a state, a flag) may stand up to a line before it. */
function outside(
  format: SampleFile["format"]["name"],
  before: Uint8Array,
  after: Uint8Array,
  span: { readonly start: number; readonly end: number },
): string | null {
  const [old, now] = [decodeText(before, format), decodeText(after, format)];
  if (isUndecodable(old) || isUndecodable(now)) return "no longer a text";
  if (old.bom !== now.bom || old.encoding !== now.encoding) return "another encoding";
  const isMarked = format === "po" || format.startsWith("xliff");
  const start = isMarked ? Math.max(0, span.start - 4_000) : span.start;
  const end = isMarked ? Math.min(old.text.length, span.end + 200) : span.end;
  if (old.text.slice(0, start) !== now.text.slice(0, start)) return "changed before the value";
  return now.text.endsWith(old.text.slice(end)) ? null : "changed behind the value";
}

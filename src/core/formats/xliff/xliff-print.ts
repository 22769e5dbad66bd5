/**
 * XLIFF as new text: units, `file` elements and whole documents, in a given layout. It reads nothing; where new
 * text goes in a document is xliff-edit.ts's.
 */
import type { NewEntry, ReadOptions } from "../format.ts";
import type { XliffVersion } from "./xliff-elements.ts";
import { inlineNames, writeContent, type InlineNames } from "./xliff-inline.ts";
import { saidAtLeast, sourceOf } from "./xliff-plurals.ts";
import { asXml, encodeAttribute, encodeXml, PLAIN } from "./xml-text.ts";

/** How new units are laid out. */
export interface UnitLayout {
  readonly version: XliffVersion;
  readonly prefix: string;
  readonly newline: string;
  readonly quote: string;
  /** Blanks before the unit's line; `null`: units do not stand on lines of their own. */
  readonly indent: string | null;
  /** What each level within the unit is indented by; `null`: a unit is one line. */
  readonly step: string | null;
  /** Whether the key stands in `resname` or `name`, beside the id. */
  readonly named: boolean;
  /** Further attributes of every unit, each with a blank before it. */
  readonly attributes: string;
  /** Attributes of a note that describes. */
  readonly noteAttributes: string;
}

/** A unit to be written: contents are raw. */
export interface NewUnit {
  readonly key: string;
  readonly source: string;
  /** `null`: the unit gets no target. */
  readonly target: string | null;
  readonly description: string | null;
}

/** The unit without its own indentation. `ids`: those of its file; the new one is put in. */
export function printUnit(unit: NewUnit, layout: UnitLayout, ids: Set<string>): string {
  const { version, prefix, quote } = layout;
  const id = freshId(unit.key, version, ids);
  const named = layout.named || id !== unit.key;
  const name = version === "1.2" ? "resname" : "name";
  const space = needsSpace(unit) && !layout.attributes.includes("xml:space") ? "preserve" : null;
  const attributes =
    attribute("id", id, quote) +
    (named ? attribute(name, unit.key, quote) : "") +
    layout.attributes +
    (space === null ? "" : attribute("xml:space", space, quote));
  const source = `<${prefix}source>${unit.source}</${prefix}source>`;
  const target =
    unit.target === null
      ? []
      : [unit.target === "" ? `<${prefix}target/>` : `<${prefix}target>${unit.target}</${prefix}target>`];
  const note =
    unit.description === null
      ? []
      : [
          `<${prefix}note${layout.noteAttributes}>${encodeXml(asXml(unit.description), layout.newline, PLAIN)}</${prefix}note>`,
        ];
  if (version === "1.2") {
    return element(`${prefix}trans-unit`, attributes, [source, ...target, ...note], layout, 0);
  }
  const notes = note.length === 0 ? [] : [element(`${prefix}notes`, "", note, layout, 1)];
  const segment = element(`${prefix}segment`, "", [source, ...target], layout, 1);
  return element(`${prefix}unit`, attributes, [...notes, segment], layout, 0);
}

function element(
  name: string,
  attributes: string,
  children: readonly string[],
  { newline, indent, step }: UnitLayout,
  depth: number,
): string {
  const outer = step === null ? "" : newline + (indent ?? "") + step.repeat(depth);
  const inner = step === null ? "" : outer + step;
  return `<${name}${attributes}>${children.map((child) => inner + child).join("")}${outer}</${name}>`;
}

function attribute(name: string, value: string, quote: string): string {
  return ` ${name}=${quote}${encodeAttribute(value, quote)}${quote}`;
}

/** White space that a reader might take for layout. */
function needsSpace({ source, target }: NewUnit): boolean {
  return [source, target ?? ""].some((raw) => /^\s|\s$|\s\s|[\t\n\r]/.test(raw));
}

/** What XML calls a name token, of ASCII. */
const TOKEN = /^[\w.:-]+$/;
/** Longer keys are told by their `name` alone. */
const LONGEST_ID = 80;

/** The key itself where it can be an id, else one made of it that is the same every time. */
function freshId(key: string, version: XliffVersion, ids: Set<string>): string {
  const fits = version === "1.2" ? key !== "" : TOKEN.test(key) && key.length <= LONGEST_ID;
  const base = fits ? key : `u${hashOf(key)}`;
  let id = base;
  for (let count = 2; ids.has(id); count++) id = `${base}-${count}`;
  ids.add(id);
  return id;
}

/** FNV-1a: not for secrets, only for ids that stay the same. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The id of a 2.0 `file`: other characters than a name token's are written as `_xHHHH_`; xliff-document.ts reads it. */
export function fileId(namespace: string | null): string {
  if (namespace === null || namespace === "") return "_";
  if (namespace === "_") return "_x005F_";
  return namespace.replaceAll(/_(?=x[\dA-Fa-f]{4})/g, "_x005F_").replaceAll(/[^\w.:-]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `_x${code}_`;
  });
}

/** The first tag of a `file`. `languages`: attributes of 1.2, each with a blank before it. */
export function printFileTag(
  namespace: string | null,
  languages: string,
  { version, prefix, quote }: Pick<UnitLayout, "version" | "prefix" | "quote">,
): string {
  return version === "1.2"
    ? `<${prefix}file${attribute("original", namespace ?? "", quote)}${languages}>`
    : `<${prefix}file${attribute("id", fileId(namespace), quote)}>`;
}

/** Languages and kind as a 1.2 `file` says them. */
export function languageAttributes(source: string, target: string | null, quote: string): string {
  return (
    attribute("source-language", source, quote) +
    (target === null ? "" : attribute("target-language", target, quote)) +
    attribute("datatype", "plaintext", quote)
  );
}

/**
 * A whole document: one `file` for each namespace, in the order of their first entries. In the source locale's own
 * the texts are the sources; elsewhere a source that is not known is the key, as Symfony's writer has it. Characters
 * that XML cannot hold become U+FFFD.
 */
export function printXliff(
  version: XliffVersion,
  entries: readonly NewEntry[],
  { locale, sourceLocale }: ReadOptions,
): string {
  const isOld = version === "1.2";
  const layout: UnitLayout = {
    version,
    prefix: "",
    newline: "\n",
    quote: '"',
    indent: isOld ? "      " : "    ",
    step: "  ",
    named: true,
    attributes: "",
    noteAttributes: "",
  };
  const isOwn = locale === sourceLocale;
  const target = isOwn ? null : locale;
  const names = inlineNames(version, "");
  const byNamespace = Map.groupBy(entries, ({ namespace }) => namespace ?? null);
  if (byNamespace.size === 0) byNamespace.set(null, []);
  const files: string[] = [];
  for (const [namespace, list] of byNamespace) {
    const ids = new Set<string>();
    const units = list.map((entry) => layout.indent + printUnit(newUnit(entry, isOwn, names), layout, ids));
    const tag = printFileTag(namespace, languageAttributes(sourceLocale, target, '"'), layout);
    const inner = units.map((unit) => `${unit}\n`).join("");
    files.push(
      isOld ? `  ${tag}\n    <body>\n${inner}    </body>\n  </file>\n` : `  ${tag}\n${inner}  </file>\n`,
    );
  }
  const languages = isOld
    ? ""
    : attribute("srcLang", sourceLocale, '"') + (target === null ? "" : attribute("trgLang", target, '"'));
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:${version}" version="${version}"${languages}>\n` +
    `${files.join("")}</xliff>\n`
  );
}

function newUnit(entry: NewEntry, isOwn: boolean, names: InlineNames): NewUnit {
  const value = saidAtLeast(entry.text);
  return {
    key: entry.key,
    source: contentOf(isOwn ? value : (sourceOf(entry) ?? entry.key), names),
    target: isOwn ? null : contentOf(value, names),
    description: entry.description ?? null,
  };
}

function contentOf(text: string, names: InlineNames): string {
  const fit = asXml(text);
  const written = writeContent(fit, names, "\n", PLAIN, []);
  return written.prefixed ? encodeXml(fit, "\n", PLAIN) : written.raw;
}

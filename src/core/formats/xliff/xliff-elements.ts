/** The elements of XLIFF that hold texts, with their places, and which of them may stand in which. */
import type { Problem, Span } from "../format.ts";
import type { InlineNames } from "./xliff-inline.ts";

export type XliffVersion = "1.2" | "2.0";

/** An element: from its `<` to after its end tag; `start..end` of `inner` is what stands within. */
export interface Element extends Span {
  /** After the `>` of its first tag. */
  tagEnd: number;
  /** Before its end tag; equal to `tagEnd` where it is written as one empty tag. */
  innerEnd: number;
  end: number;
  /** Written as one empty tag. */
  empty: boolean;
}

/** A `source` or `target`. */
export interface Content extends Element {
  /** Something other than characters stands in it. */
  marked: boolean;
}

/** A 1.2 `trans-unit`'s own, or a 2.0 `segment`'s or `ignorable`'s. */
export interface Segment extends Element {
  readonly ignorable: boolean;
  source: Content | null;
  target: Content | null;
  /** 1.2: after it (or after the source) a target stands. */
  segSource: Element | null;
}

export interface Note extends Element {
  readonly from: string | null;
}

export interface Unit extends Element {
  readonly id: string | null;
  readonly name: string | null;
  /** Of the attribute's value that is the key. */
  readonly keySpan: Span;
  readonly file: File;
  readonly parent: Element;
  readonly segments: Segment[];
  readonly notes: Note[];
  /** Something in it is not well-formed. */
  broken: boolean;
}

export interface File extends Element {
  /** 1.2 `original`, 2.0 `id`; `null`: says none. */
  readonly namespace: string | null;
  readonly sourceLanguage: string | null;
  readonly targetLanguage: string | null;
  readonly units: Unit[];
  /** Where units lie when there are none yet: 1.2 `body`, 2.0 the file. */
  body: Element | null;
}

export interface XliffDocument {
  readonly version: XliffVersion;
  readonly names: InlineNames;
  readonly root: Element | null;
  readonly files: readonly File[];
  readonly problems: Problem[];
  /** Whether the places can be relied on; what is broken within one unit does not count. */
  readonly sound: boolean;
}

/** What an element is, as far as texts go. */
export type Kind =
  | "outside"
  | "root"
  | "file"
  | "body"
  | "unit"
  | "segment"
  | "content"
  | "inline"
  | "notes"
  | "note"
  | "other";

/** What an element of XLIFF is within a parent; everything of other namespaces, and what holds no texts, is `other`. */
export function kindIn(parent: Kind, version: XliffVersion, name: string): Kind {
  const isOld = version === "1.2";
  switch (parent) {
    case "root":
      return name === "file" ? "file" : "other";
    case "file":
      if (isOld) return name === "body" ? "body" : "other";
      return name === "unit" ? "unit" : name === "group" ? "body" : "other";
    case "body":
      return name === (isOld ? "trans-unit" : "unit") ? "unit" : name === "group" ? "body" : "other";
    case "unit":
      if (isOld) {
        if (name === "source" || name === "target" || name === "seg-source") return "content";
        return name === "note" ? "note" : "other";
      }
      if (name === "segment" || name === "ignorable") return "segment";
      return name === "notes" ? "notes" : "other";
    case "segment":
      return name === "source" || name === "target" ? "content" : "other";
    case "notes":
      return name === "note" ? "note" : "other";
    default:
      return "other";
  }
}

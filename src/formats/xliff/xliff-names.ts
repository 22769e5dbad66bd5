/** What XLIFF 1.2 and 2.0 call their elements and attributes. */

/** 1.0 and 1.1 are read as 1.2; 2.1 and 2.2 as 2.0. */
export type XliffVersion = "1.2" | "2.0";

export interface XliffNames {
  readonly version: XliffVersion;
  /** The namespace prefix of XLIFF's own elements, with its colon. */
  readonly prefix: string;
  readonly unit: string;
  /** The attribute of a unit that is its key; without it, the id is. */
  readonly key: string;
  /** The attribute of a `file` that is the namespace. */
  readonly namespace: string;
  readonly sourceLanguage: string;
  readonly targetLanguage: string;
  /** States of a target that nobody has translated. */
  readonly untranslatedStates: readonly string[];
  /** The inline elements with the attributes of which one is required. */
  readonly inlineTags: ReadonlyMap<string, readonly string[]>;
}

const ID = ["id"];

const NAMES: Readonly<Record<XliffVersion, Omit<XliffNames, "version" | "prefix">>> = {
  "1.2": {
    unit: "trans-unit",
    key: "resname",
    namespace: "original",
    sourceLanguage: "source-language",
    targetLanguage: "target-language",
    untranslatedStates: ["new", "needs-translation"],
    inlineTags: new Map<string, readonly string[]>([
      ...["x", "g", "bx", "ex", "bpt", "ept", "ph", "it"].map((name) => [name, ID] as const),
      ["mrk", ["mtype"]],
    ]),
  },
  "2.0": {
    unit: "unit",
    key: "name",
    namespace: "id",
    sourceLanguage: "srcLang",
    targetLanguage: "trgLang",
    untranslatedStates: ["initial"],
    inlineTags: new Map<string, readonly string[]>([
      ...["ph", "pc", "sc", "mrk", "sm"].map((name) => [name, ID] as const),
      ["cp", ["hex"]],
      ["ec", ["id", "startRef"]],
      ["em", ["startRef"]],
    ]),
  },
};

export function xliffNames(version: XliffVersion, prefix: string): XliffNames {
  return { version, prefix, ...NAMES[version] };
}

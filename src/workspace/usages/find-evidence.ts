/**
 * Finds evidence for keys that the code builds: whether the part that a call leaves open is a word of the project's code or
 * configuration. Runs in the indexing process, since it looks at every key.
 */
import type { FileWords } from "../../database/file-word-repository.ts";
import type { OpenReference, PatternKey, UsageRepository } from "../../database/key-usage-repository.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import { withKeyPrefix } from "../../frameworks/key-candidates.ts";
import { keyPatternMatcher, type KeyName, qualifiedNames } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import { isTestPath } from "./learned-functions.ts";
import {
  basesOf,
  isGettextOnly,
  type KeyReference,
  type KeyResolutionOptions,
  scopeOfDynamicCall,
} from "./resolve-usage-to-key.ts";
import { parseKeyReference } from "./stored-key-references.ts";
import { isWord } from "./words-in-text.ts";

/** What is known of a key that no call names, but which some call may build. */
export interface KeyEvidence {
  /**
   * - `built`: a file lists the open part with those of most keys that the call may build, or has an open part that hardly
   *   means anything else;
   * - `found`: a file has the open part;
   * - `open`: it cannot be looked for, or the values of the call come from outside of the project;
   * - `none`: no file has it.
   */
  readonly kind: "built" | "found" | "open" | "none";
  /** Of the call: `status.*`; `*` if that has no literal part. */
  readonly pattern: string;
  /** The file that has the open part. */
  readonly path: string | null;
  /** Ids of all references that may mean the key. */
  readonly references: readonly number[];
  /** Of `none`: the words that were looked for. */
  readonly words: readonly string[];
}

/** What a person said of an open reference: patterns of the only keys that it may mean; none: it is ignored. */
export type ReferenceChoices = ReadonlyMap<number, readonly string[]>;

export interface EvidenceSearch {
  readonly usages: Pick<UsageRepository, "openReferences" | "keysOfReference" | "keysWithoutUsage">;
  readonly names: KeyNameQueries;
  readonly lookup: KeyResolutionOptions;
  /** The words of all files, in slices. */
  readonly words: Iterable<readonly FileWords[]>;
  readonly choices: ReferenceChoices;
  /** Texts of installed packages, by namespace. */
  readonly packages: ReadonlyMap<string, PackageTexts>;
}

/** A file of texts in an installed package. An app that has the file too has taken it over from there. */
export interface PackageTexts {
  readonly path: string;
  readonly words: ReadonlySet<string>;
}

/** A file with this many of the keys that a call may build, and this share of them, lists its values. */
const MIN_LISTED = 3;
const MIN_LISTED_SHARE = 0.5;
/** Of a call with at least this many keys, hardly any of which is found, the values come from outside of the project. */
const MIN_KEYS_OF_SOURCE = 5;
const MIN_FOUND_SHARE = 0.1;
/** The order in which evidence counts. */
const KINDS = ["built", "found", "open", "none"] as const;
/** Files remembered for one word. */
const MAX_FILES = 500;
/** This share of the texts that the code does not name shows that a file was taken over from a package. */
const MIN_PACKAGE_SHARE = 0.8;
const SEPARATOR = /[._:/-]+/gu;
const MIN_HEAD_CHARACTERS = 3;
/** Of a value that may be made of several others. */
const MAX_SEPARATORS = 8;
/** Of several words, and so long, an open part is a name of its own: `reset_all_filters`. */
const MIN_SPECIFIC_CHARACTERS = 12;
const SPECIFIC = /^[^._:/ -]+(?:[._:/ -]+[^._:/ -]+){2,}$/u;

/** What a call leaves open of a key, in each way to write the key. */
interface Candidate {
  readonly key: PatternKey;
  readonly opens: readonly string[];
}

/** The keys that a reference may mean. */
interface Pattern {
  readonly id: number;
  readonly pattern: string;
  /** Whether the code has no part of the key, so that whole names are looked for, in any two parts. */
  readonly isOpen: boolean;
  /** Whether the code has the whole key, of which only the scope is unknown. */
  readonly isComplete: boolean;
  readonly candidates: readonly Candidate[];
}

/** Returns the evidence for each key without a certain usage that a call may build, by hash; yields between slices. */
export function* findEvidence(search: EvidenceSearch): Generator<void, ReadonlyMap<string, KeyEvidence>> {
  const patterns: Pattern[] = [];
  for (const pattern of patternsOf(search)) {
    if (pattern !== null) patterns.push(pattern);
    yield;
  }
  const isText = isGettextOnly(search.lookup);
  const words = new WordFiles();
  for (const { isOpen, candidates } of patterns) {
    for (const { opens } of candidates) for (const open of opens) words.want(open, isOpen, isText);
    yield;
  }
  for (const files of search.words) {
    for (const file of files) words.add(file);
    yield;
  }
  const evidence = new Map<string, KeyEvidence>();
  const mostSpecific = mostSpecificPatterns(patterns);
  for (const pattern of patterns) {
    for (const [hash, found] of evidenceOf(pattern, words, isText, mostSpecific)) {
      const before = evidence.get(hash);
      evidence.set(hash, before === undefined ? found : better(before, found));
    }
    yield;
  }
  for (const [hash, found] of evidenceOfPackages(search)) {
    const before = evidence.get(hash);
    evidence.set(hash, before === undefined ? found : better(before, found));
  }
  return evidence;
}

/** Yields the keys of files that packages have too, which use them. */
function* evidenceOfPackages({ usages, packages }: EvidenceSearch): Generator<[string, KeyEvidence]> {
  if (packages.size === 0) return;
  for (const [namespace, keys] of Map.groupBy(usages.keysWithoutUsage(), (key) => key.namespace)) {
    const texts = packages.get(namespace);
    if (texts === undefined) continue;
    const known = keys.filter(({ key }) => texts.words.has(key.slice(key.lastIndexOf(".") + 1)));
    if (known.length < keys.length * MIN_PACKAGE_SHARE) continue;
    for (const { hash } of known)
      yield [hash, { kind: "built", pattern: `${namespace}.*`, path: texts.path, references: [], words: [] }];
  }
}

/** Returns the length of the longest pattern of each key, by hash. */
function mostSpecificPatterns(patterns: readonly Pattern[]): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  for (const { pattern, candidates } of patterns)
    for (const { key } of candidates)
      lengths.set(key.hash, Math.max(pattern.length, lengths.get(key.hash) ?? 0));
  return lengths;
}

function better(a: KeyEvidence, b: KeyEvidence): KeyEvidence {
  const rank = ({ kind }: KeyEvidence): number => KINDS.indexOf(kind);
  const isMoreSpecific = rank(a) === rank(b) && b.pattern.length > a.pattern.length;
  const best = rank(b) < rank(a) || isMoreSpecific ? b : a;
  const words = best.kind === "none" ? [...new Set([...a.words, ...b.words])] : [];
  return { ...best, references: [...new Set([...a.references, ...b.references])], words };
}

/** Yields the references with their keys; `null` for one that means none. */
function* patternsOf({ usages, names, lookup, choices }: EvidenceSearch): Generator<Pattern | null> {
  const unused = [...usages.keysWithoutUsage()];
  for (const open of usages.openReferences()) {
    const reference = parseKeyReference(open.reference);
    const chosen = choices.get(open.id);
    if (chosen !== undefined) {
      for (const glob of chosen) yield chosenPattern(open.id, glob, unused);
    } else if (isLiteral(open, reference)) {
      yield literalPattern(open, reference, usages.keysOfReference(open.id), lookup);
    } else {
      yield openPattern(open, unused, scopeOfDynamicCall(reference, names, lookup));
    }
  }
}

/** Whether the code has a part of the key. */
function isLiteral({ prefix, suffix }: OpenReference, { keyPrefix }: KeyReference): boolean {
  return prefix + suffix + keyPrefix !== "";
}

function writtenNames(name: KeyName): readonly string[] {
  return [...new Set([name.key, ...qualifiedNames(name)])];
}

function literalPattern(
  { id, pattern, prefix, suffix }: OpenReference,
  reference: KeyReference,
  keys: readonly PatternKey[],
  lookup: KeyResolutionOptions,
): Pattern {
  const start = withKeyPrefix(reference.keyPrefix, prefix, lookup);
  const candidates = keys.map((key) => {
    const bases = [key.key, ...basesOf(key.key, lookup)].map((name) => ({ ...key, key: name }));
    return { key, opens: bases.flatMap((name) => openParts(writtenNames(name), start, suffix)) };
  });
  return { id, pattern, isOpen: false, isComplete: reference.expression.kind === "static", candidates };
}

function openPattern(
  { id, pattern }: OpenReference,
  unused: readonly PatternKey[],
  scope: readonly (readonly [namespace: string, prefix: string])[] | null,
): Pattern {
  const candidates = unused.flatMap((key) => {
    if (scope === null) return [{ key, opens: writtenNames(key) }];
    const opens = scope.flatMap(([namespace, start]) =>
      namespace === key.namespace && key.key.startsWith(start) ? [key.key.slice(start.length)] : [],
    );
    return opens.length === 0 ? [] : [{ key, opens }];
  });
  return { id, pattern, isOpen: scope === null, isComplete: false, candidates };
}

/** @param glob `status.*`, chosen by a person */
function chosenPattern(id: number, glob: string, unused: readonly PatternKey[]): Pattern {
  const matches = keyPatternMatcher(glob);
  const [start = "", ...rest] = glob.split("*");
  const candidates = unused.flatMap((key) => {
    const names = writtenNames(key).filter(matches);
    return names.length === 0 ? [] : [{ key, opens: openParts(names, start, rest.at(-1) ?? "") }];
  });
  return { id, pattern: glob, isOpen: false, isComplete: false, candidates };
}

/** Returns what is between the parts in each of the names that have both. */
function openParts(names: readonly string[], start: string, end: string): readonly string[] {
  return names.flatMap((name) =>
    name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
      ? [name.slice(start.length, name.length - end.length)]
      : [],
  );
}

/** Returns the evidence that one reference gives for each of its keys without a certain usage. */
function evidenceOf(
  { id, pattern, isOpen, isComplete, candidates }: Pattern,
  words: WordFiles,
  isText: boolean,
  mostSpecific: ReadonlyMap<string, number>,
): ReadonlyMap<string, KeyEvidence> {
  const found = candidates.map(({ key, opens }) => {
    const files = isComplete ? [] : words.filesOf(opens, isOpen, isText);
    const isSpecific = !isOpen && opens.some((open) => isSpecificWord(open) && words.has(open));
    return { key, opens, files, isSpecific, isSearchable: isOpen || (!isComplete && opens.some(isWord)) };
  });
  const own = found.filter(({ key }) => mostSpecific.get(key.hash) === pattern.length);
  const list = isOpen ? null : listIn(own);
  const unused = found.filter(({ key }) => !key.isUsed);
  const searched = unused.filter(({ isSearchable }) => isSearchable);
  const foundCount = searched.filter(({ files }) => files.length > 0).length;
  const isRarelyFound = foundCount < searched.length * MIN_FOUND_SHARE;
  const isFromOutside = !isOpen && list === null && searched.length >= MIN_KEYS_OF_SOURCE && isRarelyFound;
  const evidence = new Map<string, KeyEvidence>();
  for (const { key, opens, files, isSpecific, isSearchable } of unused) {
    const isListed = list !== null && files.includes(list);
    const kind = isListed || isSpecific ? "built" : files.length > 0 ? "found" : "none";
    const isUnknown = kind === "none" && (!isSearchable || isFromOutside);
    const path = isListed ? list : (files.find((file) => !isTestPath(words.path(file))) ?? files[0]);
    evidence.set(key.hash, {
      kind: isUnknown ? "open" : kind,
      pattern,
      path: path === undefined ? null : words.path(path),
      references: [id],
      words: kind === "none" && !isUnknown && !isOpen ? opens.filter(isWord) : [],
    });
  }
  return evidence;
}

function isSpecificWord(word: string): boolean {
  return word.length >= MIN_SPECIFIC_CHARACTERS && SPECIFIC.test(word);
}

/** Returns the file that lists most of the values, unless they are too few. */
function listIn(found: readonly { readonly files: readonly number[] }[]): number | null {
  const counts = new Map<number, number>();
  for (const { files } of found) for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1);
  const least = Math.max(MIN_LISTED, found.length * MIN_LISTED_SHARE);
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best !== undefined && best[1] >= least ? best[0] : null;
}

/** The files that have the words which are looked for. */
class WordFiles {
  readonly #files = new Map<string, number[]>();
  readonly #paths: string[] = [];

  /** Looks for an open part, and the words that it may be made of. */
  want(open: string, isOpen: boolean, isText: boolean): void {
    if (!isOpen) this.#want(open);
    if (isText) return;
    for (const parts of isOpen ? headAndRest(open) : splits(open)) for (const part of parts) this.#want(part);
    if (isOpen) return;
    for (const { glue, values } of gluedParts(open))
      for (const part of [...glue, ...values]) this.#want(part);
  }

  #want(word: string): void {
    if (isWord(word)) getOrCreate(this.#files, word, () => []);
  }

  add({ path, words }: FileWords): void {
    const index = this.#paths.length;
    this.#paths.push(path);
    for (const word of words) {
      const files = this.#files.get(word);
      if (files !== undefined && files.length < MAX_FILES) files.push(index);
    }
  }

  has(word: string): boolean {
    return (this.#files.get(word)?.length ?? 0) > 0;
  }

  path(index: number): string {
    return this.#paths[index] ?? "";
  }

  /** Returns the files that have one of the open parts as a word, or else all words that one is made of. */
  filesOf(opens: readonly string[], isOpen: boolean, isText: boolean): readonly number[] {
    if (!isOpen) {
      const whole = opens.flatMap((open) => this.#files.get(open) ?? []);
      if (whole.length > 0) return [...new Set(whole)];
    }
    if (isText) return [];
    for (const open of opens) {
      for (const parts of isOpen ? headAndRest(open) : splits(open)) {
        const lists = parts.map((part) => this.#files.get(part) ?? []);
        if (lists.some((files) => files.length === 0)) continue;
        // A text that ends with a separator is written to be continued, elsewhere too.
        if (endsWithSeparator(parts[0] ?? "")) return lists.at(-1) ?? [];
        const [first = [], ...others] = lists;
        const common = first.filter((file) => others.every((files) => files.includes(file)));
        if (common.length > 0) return common;
      }
    }
    return isOpen ? [] : opens.flatMap((open) => this.#filesWithGlue(open));
  }

  /** Returns the files that have the fixed parts of the value, if all others are words of some file. */
  #filesWithGlue(open: string): readonly number[] {
    for (const { glue, values } of gluedParts(open)) {
      if (!values.every((value) => this.has(value))) continue;
      const [first = [], ...others] = glue.map((part) => this.#files.get(part) ?? []);
      const common = first.filter((file) => others.every((files) => files.includes(file)));
      if (common.length > 0) return common;
    }
    return [];
  }
}

/** Yields the two parts of a value that is made of two, and all parts of a path. */
function* splits(open: string): Generator<readonly string[]> {
  const parts = open.split(".");
  if (parts.length > 2) yield parts;
  for (const { 0: separator, index } of open.matchAll(SEPARATOR)) {
    if (index > 0) yield [open.slice(0, index), open.slice(index + separator.length)];
  }
  yield* headAndRest(open);
}

/** A value that code makes of other values and of fixed parts with separators: `"no_" . $x . "_title_" . $y`. */
interface GluedParts {
  readonly glue: readonly string[];
  readonly values: readonly string[];
}

/** Yields the ways to make a value of one other between two fixed parts, or of two around one, after another or not. */
function* gluedParts(open: string): Generator<GluedParts> {
  const separators = Array.from(open.matchAll(SEPARATOR), ({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
  if (separators.length > MAX_SEPARATORS) return;
  for (const [index, first] of separators.entries()) {
    const left = open.slice(0, first.start);
    for (const last of separators.slice(index + 1)) {
      const value = open.slice(first.end, last.start);
      const right = open.slice(last.end);
      if (left === "" || right === "") continue;
      if (left.length >= MIN_HEAD_CHARACTERS - 1)
        yield { glue: [open.slice(0, first.end), open.slice(last.start)], values: [value] };
      const glue = open.slice(first.start, last.end);
      yield { glue: [glue], values: [left, right] };
      for (const head of separators.slice(0, index)) {
        const values = [left.slice(head.end), right];
        yield { glue: [open.slice(0, head.end), glue], values };
      }
    }
  }
}

function endsWithSeparator(text: string): boolean {
  return /[._:/-]$/u.test(text);
}

/** Yields the start of a name up to each separator, and its rest. */
function* headAndRest(name: string): Generator<readonly string[]> {
  for (const { 0: separator, index } of name.matchAll(SEPARATOR)) {
    const end = index + separator.length;
    if (end >= MIN_HEAD_CHARACTERS && end < name.length) yield [name.slice(0, end), name.slice(end)];
  }
}

/**
 * The problems of the whole project, of which an editor shows only those of open files: unknown keys, issues of texts in
 * translation files and missing translations. Plain Node; runs in the indexing process.
 */
import type { QaIssue } from "../../api/response-schemas.ts";
import type { Database } from "../../database/database.ts";
import { KeySearch } from "../../database/full-text-search.ts";
import { KeyNames } from "../../database/key-name-repository.ts";
import { LocalChecks } from "../../database/local-checks.ts";
import { type FileLocation, ProblemQueries } from "../../database/problem-queries.ts";
import { formatInfoOf } from "../../model/file-formats.ts";
import { decodeText, isUndecodable } from "../../formats/text/encoding.ts";
import { keyHash, type KeyName, qualifiedNames, sha1 } from "../../model/key-hash.ts";
import type { FileTranslation } from "../../model/placeholder-families.ts";
import type { PlaceholderFamily } from "../../model/placeholders.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { LineStarts, type TextPosition } from "../../util/line-starts.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { LocalProblem } from "../../database/local-file-repository.ts";
import type { Span } from "../../util/span.ts";
import { LocalFileIndexer } from "../local-files/local-file-indexer.ts";
import type { FolderFiles } from "../file-system/disk-files.ts";
import { matchEntry } from "../local-files/local-file.ts";
import type { FilesEntry, IgnoreRule } from "../project-file/project-file.ts";
import { isIgnored, isOnIgnoredLine } from "./ignored-diagnostics.ts";
import { nearestSpellings } from "../usages/key-suggestions.ts";
import type { SourceFiles } from "../usages/list-source-files.ts";
import { type KeyResolutionOptions, resolveKey } from "../usages/resolve-usage-to-key.ts";
import { parseKeyReference } from "../usages/stored-key-references.ts";
import { isMistake } from "./unknown-keys.ts";
import { placeholderProblems } from "./text-problems.ts";

/** What to look for. Plain data. */
export interface ProblemsRequest {
  readonly lookup: KeyResolutionOptions;
  /** Whether all keys are known, so that others can be reported; `messages`: also where source messages are keys. */
  readonly unknown: { readonly keys: boolean; readonly messages: boolean };
  /** Languages whose missing translations are reported; completely known. */
  readonly missing: readonly string[];
  /** Languages whose issues are reported. */
  readonly issues: readonly string[];
  /** Whether malformed files and duplicate entries are reported. */
  readonly files: boolean;
  readonly sourceLocale: string;
  /** The namespaces of the local files. */
  readonly localNamespaces: ReadonlySet<string>;
  /** As of `LocalEntries`. */
  readonly unreadNamespaces: ReadonlySet<string> | "any";
  readonly layout: readonly FilesEntry[];
  readonly ignore: readonly IgnoreRule[];
  /** Maximum number of problems. */
  readonly limit: number;
}

/** A problem, with its place in the file on disk. Plain data. */
export interface ProjectProblem {
  readonly path: string;
  readonly start: TextPosition;
  readonly end: TextPosition;
  readonly problem:
    | {
        readonly kind: "unknown";
        /** As stored with usages. */
        readonly reference: string;
        readonly written: string;
        readonly candidates: readonly KeyName[];
        /** A key with nearly the same name. */
        readonly similar: string | null;
      }
    | { readonly kind: "missing"; readonly key: KeyName; readonly locales: readonly string[] }
    | { readonly kind: "issues"; readonly hash: string; readonly key: KeyName; readonly locale: string }
    | { readonly kind: "file"; readonly problem: LocalProblem };
}

/** Problems that have to be fixed in the file. Values that are not texts are not reported. */
const REPORTED: ReadonlySet<LocalProblem["code"]> = new Set([
  ...(["syntax", "duplicate", "elsewhere", "format"] as const),
  ...(["encoding", "too_large", "unreadable"] as const),
]);

/** Whether a problem of a translation file is reported. */
export function isReported({ code }: LocalProblem): boolean {
  return REPORTED.has(code);
}

/** The functions, which may run in another process. */
export type ProblemIndexing = Pick<ProjectProblems, keyof ProjectProblems>;

/** A problem of which only the offsets are known. */
interface Candidate {
  /** Without a span: the whole file. */
  readonly location: Omit<FileLocation, "span"> & { readonly span: Span | null };
  readonly isCode: boolean;
  readonly codes: readonly string[];
  readonly names: readonly string[];
  readonly problem: ProjectProblem["problem"];
}

/** The files with problems, read once. */
interface ReadFile {
  readonly text: string;
  readonly lines: LineStarts;
}

/** Increase whenever the same texts have other issues. */
const RULES_VERSION = 1;
const FILE_START: TextPosition = { line: 0, character: 0 };
/** Rows per kind that are read for one result, since some are ignored. */
const ROWS_PER_RESULT = 3;
/** Unknown keys for which a similar key is searched; each takes some milliseconds. */
const MAX_SEARCHES = 200;

export class ProjectProblems {
  readonly #files: FolderFiles;
  readonly #sources: SourceFiles;
  readonly #checks: LocalChecks;
  readonly #queries: ProblemQueries;
  readonly #names: KeyNames;
  readonly #search: KeySearch;
  readonly #entries: LocalFileIndexer;

  constructor(database: Database, files: FolderFiles, sources: SourceFiles) {
    this.#files = files;
    this.#sources = sources;
    this.#entries = new LocalFileIndexer(database);
    this.#checks = new LocalChecks(database);
    this.#queries = new ProblemQueries(database);
    this.#names = new KeyNames(database);
    this.#search = new KeySearch(database);
  }

  /**
   * Checks the placeholders of translations that were derived from local files, as far as they were not checked yet. Returns
   * the languages whose issues have changed.
   * @throws the signal's reason; what was checked until then is kept
   */
  async check(families: readonly PlaceholderFamily[], signal?: AbortSignal): Promise<readonly string[]> {
    const changed = new Set<string>();
    if (!this.#checks.areOfFiles) return [];
    for (const _ of this.#checks.expire(sha1(JSON.stringify([RULES_VERSION, families])))) {
      await yieldNow();
      signal?.throwIfAborted();
    }
    const check = (text: FileTranslation): readonly QaIssue[] => placeholderProblems(families, text);
    for (let after: number | null = 0; after !== null;) {
      after = this.#checks.checkBatch(after, check, changed);
      await yieldNow();
      signal?.throwIfAborted();
    }
    if (changed.size > 0) this.#checks.countRevision();
    return [...changed];
  }

  /** Returns the problems of the newest files, by file and place. */
  async find(request: ProblemsRequest, signal?: AbortSignal): Promise<readonly ProjectProblem[]> {
    const candidates: Candidate[] = [];
    const partial = new Set<string>();
    const missing = this.#missing(request, partial);
    for (const part of [this.#unknown(request), missing, this.#withIssues(request)]) {
      for (const candidate of part) if (candidate !== null) candidates.push(candidate);
      await yieldNow();
      signal?.throwIfAborted();
    }
    if (request.files) candidates.push(...(await this.#inFiles(request, signal)));
    candidates.sort(
      ({ location: a }, { location: b }) =>
        Number(b.modified > a.modified) - Number(b.modified < a.modified) ||
        (a.path < b.path ? -1 : Number(a.path > b.path)) ||
        (a.span?.start ?? 0) - (b.span?.start ?? 0),
    );
    const read = new Map<string, ReadFile | null>();
    const found: ProjectProblem[] = [];
    let searches = 0;
    for (const candidate of candidates) {
      if (found.length >= request.limit) break;
      const { location, isCode, problem } = candidate;
      const { path, span } = location;
      if (isIgnoredBy(request.ignore, candidate)) continue;
      if (span === null) {
        const at = problem.kind === "file" ? positionOf(problem.problem) : FILE_START;
        found.push({ path, start: at, end: at, problem });
        continue;
      }
      const file = getOrCreate(read, path, () => this.#read(path, isCode, request.layout));
      if (file === null || isOnIgnoredLine(file.text, span.start)) continue;
      const similar =
        problem.kind === "unknown" && ++searches <= MAX_SEARCHES
          ? this.#similar(problem, request.lookup)
          : null;
      found.push({
        path,
        start: file.lines.position(span.start),
        end: file.lines.position(span.end),
        problem:
          problem.kind === "unknown"
            ? { ...problem, similar }
            : problem.kind === "missing"
              ? { ...problem, locales: this.#localesWithout(problem, request.missing, partial) }
              : problem,
      });
      if (found.length % 50 === 0) {
        await yieldNow();
        signal?.throwIfAborted();
      }
    }
    return found;
  }

  *#unknown({ lookup, unknown, limit, ...request }: ProblemsRequest): Generator<Candidate | null> {
    if (!unknown.keys && !unknown.messages) return;
    const { localNamespaces, unreadNamespaces } = request;
    const context = { names: this.#names, lookup, localNamespaces, unreadNamespaces };
    for (const location of this.#queries.unknownUsages(limit * ROWS_PER_RESULT)) {
      const reference = parseKeyReference(location.reference);
      const isReported = reference.isMessage === true ? unknown.messages : unknown.keys;
      if (!isReported || reference.expression.kind === "pattern") continue;
      const resolution = resolveKey(reference, this.#names, lookup);
      if (resolution.kind !== "unknown") continue;
      const { candidates } = resolution;
      if (!isMistake(reference, candidates, context)) continue;
      if (candidates.some((name) => this.#queries.hasEntry(keyHash(name)))) continue;
      const written = reference.expression.key;
      yield {
        location,
        isCode: true,
        codes: ["unknown-key"],
        names: [written, ...candidates.flatMap(qualifiedNames)],
        problem: { kind: "unknown", reference: location.reference, written, candidates, similar: null },
      };
    }
  }

  /** @param partial gets the languages that may have more untranslated keys */
  *#missing({ missing, sourceLocale, limit }: ProblemsRequest, partial: Set<string>): Generator<Candidate> {
    const byKey = new Map<
      string,
      { readonly location: FileLocation & KeyName; readonly locales: string[] }
    >();
    for (const locale of missing) {
      const found = this.#queries.untranslated(locale, sourceLocale, limit);
      if (found.length >= limit) partial.add(locale);
      for (const location of found)
        getOrCreate(byKey, location.hash, () => ({ location, locales: [] })).locales.push(locale);
    }
    for (const { location, locales } of byKey.values()) {
      const { namespace, key, context } = location;
      const name = { namespace, key, context };
      const names = qualifiedNames(name);
      const codes = ["missing-translation"];
      yield { location, isCode: false, codes, names, problem: { kind: "missing", key: name, locales } };
    }
  }

  /** Returns all languages without the key: those that were found, and of the partial ones those that are looked up. */
  #localesWithout(
    { key, locales }: ProjectProblem["problem"] & { readonly kind: "missing" },
    all: readonly string[],
    partial: ReadonlySet<string>,
  ): readonly string[] {
    if (partial.size === 0) return locales;
    const hash = keyHash(key);
    return all.filter(
      (each) => locales.includes(each) || (partial.has(each) && !this.#queries.isTranslated(each, hash)),
    );
  }

  *#withIssues({ issues, limit }: ProblemsRequest): Generator<Candidate> {
    for (const locale of issues)
      for (const location of this.#queries.entriesWithIssues(locale, limit)) {
        const { hash, namespace, key, context } = location;
        const name = { namespace, key, context };
        const codes = location.issues.map(({ rule }) => rule);
        const names = qualifiedNames(name);
        yield { location, isCode: false, codes, names, problem: { kind: "issues", hash, key: name, locale } };
      }
  }

  /** Returns the malformed files, and the entries that are there twice. */
  async #inFiles(
    { issues, sourceLocale, limit }: ProblemsRequest,
    signal?: AbortSignal,
  ): Promise<readonly Candidate[]> {
    const found = this.#queries.filesWithProblems(limit);
    const modifiedOf = new Map(found.map((file) => [file.path, file.modified]));
    const problems = found.flatMap((file) => file.problems);
    const twice = await this.#entries.findDuplicates([sourceLocale, ...issues], signal);
    return [...problems, ...twice].filter(isReported).map((problem) => ({
      location: {
        path: problem.path,
        modified: getOrCreate(modifiedOf, problem.path, () => this.#queries.modified(problem.path)),
        span: problem.span,
      },
      isCode: false,
      codes: [problem.code],
      names: [],
      problem: { kind: "file", problem },
    }));
  }

  #similar(
    { reference, written }: ProjectProblem["problem"] & { readonly kind: "unknown" },
    options: KeyResolutionOptions,
  ): string | null {
    const usage = parseKeyReference(reference);
    const context = { names: this.#names, search: this.#search, options, usage };
    return nearestSpellings(written, 1, context)[0] ?? null;
  }

  /** Returns a file's text; `null` if it cannot be read now, or is no text. */
  #read(path: string, isCode: boolean, layout: readonly FilesEntry[]): ReadFile | null {
    const format = isCode ? undefined : matchEntry(path, layout)?.entry.format;
    if (format !== undefined && formatInfoOf(format)?.kind === "binary") return null;
    const content = isCode ? this.#sources.read(path) : this.#files.read(path);
    if (content.kind !== "read") return null;
    const decoded = isCode
      ? { text: new TextDecoder().decode(content.bytes), bom: false }
      : decodeText(content.bytes, format);
    return isUndecodable(decoded) ? null : { text: decoded.text, lines: new LineStarts(decoded.text) };
  }
}

/** Returns the position of a problem; that of a whole file is at its start. */
function positionOf({ line, column }: LocalProblem): TextPosition {
  return line === null ? FILE_START : { line: line - 1, character: (column ?? 1) - 1 };
}

/** Whether rules of the project file match: for issues, each of them. */
function isIgnoredBy(rules: readonly IgnoreRule[], { location, codes, names }: Candidate): boolean {
  return codes.every((code) => isIgnored(rules, { code, path: location.path, names }));
}

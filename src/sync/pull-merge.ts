/**
 * One file of an export put into the local file: only values that differ are changed, under the names that the local
 * file itself uses. Reads no disk and writes nothing.
 */
import { sameBytes } from "../formats/encoding.ts";
import { writeOptions } from "../workspace/local-files/example-files.ts";
import type { ExportPlace } from "../workspace/local-files/export-location.ts";
import {
  type Change,
  type Entry,
  entryId,
  type EntryName,
  type ExampleFile,
  type Refusal,
} from "../formats/format.ts";
import { factsOf } from "../formats/format-facts.ts";
import { recogniseContent } from "../formats/recognise.ts";
import {
  beginningOf,
  exampleOf,
  type FileRead,
  isNotReadable,
  MAX_FILE_BYTES,
  type NotReadable,
  type PlacedProblem,
} from "../formats/translation-file.ts";
import { keyHash, NO_NAMESPACE } from "../model/key-identity.ts";
import type { LocalEntries } from "../workspace/local-files/local-entries.ts";
import {
  keyNameIn,
  namespaceInFile,
  ownLocales,
  type LocalPlace,
} from "../workspace/local-files/local-file.ts";
import type { FileOptions } from "../workspace/local-files/translation-files.ts";
import type { ProjectFiles } from "../model/platform.ts";
import type { Project } from "../database/project-state.ts";
import { isEmptyText, sameText } from "../model/text.ts";
import { yieldNow } from "../model/time-slices.ts";

/** Entries that are compared between two chances for other work; about 5 ms. */
const BATCH_SIZE = 5_000;

/** What cannot be done with a file; lines and columns from 1, `null` where there are none. */
export type MergeProblem =
  /** `theirs`: it is the export's file that cannot be read. */
  | {
      readonly kind: "unreadable";
      readonly path: string;
      readonly why: "encoding" | "format" | "too_large" | "theirs";
      readonly line: number | null;
      readonly column: number | null;
    }
  /** The local file cannot be read whole (a merge's marks in it, say), so nothing is put into it. */
  | {
      readonly kind: "broken";
      readonly path: string;
      readonly line: number | null;
      readonly column: number | null;
    }
  | { readonly kind: "text"; readonly path: string; readonly refusal: Refusal }
  /** The sheet has no column for the texts of a language, as it calls it, and none can be added. */
  | { readonly kind: "language"; readonly path: string; readonly locale: string };

/** The local file afterwards; the given bytes themselves when nothing changed. */
export interface Merged {
  readonly bytes: Uint8Array;
  /** How many texts were put in. */
  readonly texts: number;
  /** How many of them the file did not have. */
  readonly added: number;
  /** The local file could not be read, so that nobody knows what of it is lost. */
  readonly unread?: true;
  readonly problems: readonly MergeProblem[];
}

export interface MergeDependencies {
  readonly local: LocalEntries;
  readonly files: Pick<ProjectFiles, "read">;
  readonly project: Project;
  /** As in PullDependencies; so `only`. */
  readonly renamed?: ReadonlySet<string>;
  readonly only?: ReadonlySet<string>;
  /** The service's own bytes are wanted where anything differs. */
  readonly wantsBytes: boolean;
  /** The service's locale that a file calls so; `null`: it has none such. */
  readonly toService: (fileLocale: string) => string | null;
  readonly toFile: (serviceLocale: string) => string;
}

/** `ours` with the texts of `theirs`; `null` for the bytes when the file is to be left alone. */
export async function mergeExport(
  dependencies: MergeDependencies,
  placed: ExportPlace,
  ours: Uint8Array,
  theirs: Uint8Array,
): Promise<Merged | { readonly bytes: null; readonly problems: readonly MergeProblem[] }> {
  const place = withFormat(dependencies.local, placed, theirs);
  const { path } = place;
  if (sameBytes(ours, theirs)) return { bytes: ours, texts: 0, added: 0, problems: [] };
  const wholly = (texts: number): Merged => ({ bytes: theirs, texts, added: 0, problems: [] });
  const left = (problem: MergeProblem): { bytes: null; problems: MergeProblem[] } => {
    return { bytes: null, problems: [problem] };
  };
  const unreadable = (
    why: (MergeProblem & { kind: "unreadable" })["why"],
    at?: NotReadable | PlacedProblem,
  ): Merged | { bytes: null; problems: MergeProblem[] } => {
    if (dependencies.wantsBytes && why !== "theirs") return { ...wholly(0), unread: true };
    return left({ kind: "unreadable", path, why, line: at?.line ?? null, column: at?.column ?? null });
  };
  if (place.format === null || factsOf(place.format) === undefined) return unreadable("format");
  if (Math.max(ours.length, theirs.length) > MAX_FILE_BYTES) return unreadable("too_large");
  const { formats } = dependencies.local;
  const options = readOptions(dependencies, place);
  const remote = await formats.read(place.format, theirs, options);
  if (isNotReadable(remote)) return unreadable("theirs", remote);
  const mistake = remote.problems.find(isBroken);
  if (mistake !== undefined) return unreadable("theirs", mistake);
  const local = await formats.read(place.format, ours, options);
  if (isNotReadable(local)) return unreadable("encoding", local);
  const broken = local.problems.find(isBroken);
  if (broken !== undefined) {
    if (dependencies.wantsBytes) return { ...wholly(remote.entries.length), unread: true };
    return left({ kind: "broken", path, line: broken.line, column: broken.column });
  }
  const { changes, added, others, hasRenamed } = await differences(
    dependencies,
    place,
    local,
    remote.entries,
  );
  // The service's bytes would bring the old name back, and lose what stands under the new one.
  const takesBytes = dependencies.wantsBytes && !hasRenamed && dependencies.only === undefined;
  if (takesBytes && changes.length + others > 0) return wholly(changes.length + others);
  // Equal in content: the file keeps its bytes and its time, whatever the layout.
  if (changes.length === 0) return { bytes: ours, texts: 0, added: 0, problems: [] };
  const edited = await formats.edit(place.format, ours, changes, {
    ...options,
    ...(await examplesFor(dependencies, place, theirs)),
  });
  if (isNotReadable(edited)) return unreadable("encoding", edited);
  const problems = refusalProblems(path, edited.refused);
  const texts = changes.length - edited.refused.length;
  return { bytes: edited.bytes, texts, added: Math.min(added, texts), problems };
}

/**
 * A file that is not here yet: the service's bytes, without keys that are renamed here, whose old names would be brought
 * back. `texts`: how many it has.
 */
export async function newFile(
  dependencies: MergeDependencies,
  placed: ExportPlace,
  theirs: Uint8Array,
): Promise<{ readonly bytes: Uint8Array; readonly texts: number }> {
  const place = withFormat(dependencies.local, placed, theirs);
  const { format } = place;
  const none = { bytes: theirs, texts: 0 };
  if (format === null || factsOf(format) === undefined || theirs.length > MAX_FILE_BYTES) return none;
  const { formats } = dependencies.local;
  const options = readOptions(dependencies, place);
  const read = await formats.read(format, theirs, options);
  if (isNotReadable(read)) return none;
  const names = new Names(dependencies, place, [], []);
  const renamed = [...read.entries].filter((entry) => names.isRenamed(entry));
  const texts = read.entries.length - renamed.length;
  if (renamed.length === 0) return { bytes: theirs, texts };
  const changes = renamed.map((entry): Change => ({ ...nameOf(entry), text: null }));
  const edited = await formats.edit(format, theirs, changes, options);
  return isNotReadable(edited) ? { bytes: theirs, texts } : { bytes: edited.bytes, texts };
}

/** A language without a column is told once, and not with each of its texts. */
function refusalProblems(path: string, refused: readonly Refusal[]): MergeProblem[] {
  const locales = new Set<string>();
  const problems: MergeProblem[] = [];
  for (const refusal of refused) {
    const { reason, locale = null } = refusal;
    if (reason !== "not_found" || locale === null) problems.push({ kind: "text", path, refusal });
    else locales.add(locale);
  }
  return [
    ...problems,
    ...Array.from(locales, (locale): MergeProblem => ({ kind: "language", path, locale })),
  ];
}

/** What the local file does not show, the source language's file decides, and then the export. */
async function examplesFor(
  { local, files }: MergeDependencies,
  { path, format, locale }: ExportPlace,
  theirs: Uint8Array,
): Promise<Pick<FileOptions, "examples">> {
  const known = local.placeOf(path);
  const beside =
    known === null || local.loaded === null ? {} : await writeOptions(files, local, known, false);
  const exported = format === null ? null : exampleOf(format, theirs, known?.locale ?? locale ?? "en");
  const isSource = ({ locale: other }: ExampleFile): boolean => other === local.sourceLocale;
  const { examples = [] } = beside;
  return {
    examples: [
      ...examples.filter(isSource),
      ...(exported === null ? [] : [exported]),
      ...examples.filter((example) => !isSource(example)),
    ],
  };
}

/** The place with the format that the export's file shows, where no entry of the project file says one. */
function withFormat(local: LocalEntries, place: ExportPlace, theirs: Uint8Array): ExportPlace {
  if (local.placeOf(place.path) !== null) return place;
  return { ...place, format: recogniseContent(place.path, beginningOf(theirs))?.format ?? place.format };
}

/**
 * What is to be changed in the local file. `others`: differences that only the service's own bytes would take over:
 * keys that the export lacks, keys that stand in another file here, and texts that are not translated there
 * (`missing=empty`), which is no text that could replace one.
 */
async function differences(
  dependencies: MergeDependencies,
  place: ExportPlace,
  { entries: local, namespaces }: FileRead,
  remote: readonly Entry[],
): Promise<{
  readonly changes: readonly Change[];
  readonly added: number;
  readonly others: number;
  readonly hasRenamed: boolean;
}> {
  const names = new Names(dependencies, place, local, namespaces ?? []);
  const here = new Map<string, Entry>();
  let seen = 0;
  for (const entry of local) {
    const id = names.idOf(entry);
    if (id !== null) here.set(id, entry);
    if (++seen % BATCH_SIZE === 0) await yieldNow();
  }
  const changes: Change[] = [];
  let added = 0;
  let others = 0;
  let hasRenamed = false;
  const isReviewed = (entry: Entry): boolean => entry.isFuzzy !== true && !names.isOutdated(entry);
  for (const entry of remote) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    const id = names.idOf(entry);
    if (id === null) continue;
    if (names.isRenamed(entry)) {
      hasRenamed = true;
      continue;
    }
    if (!names.isWanted(entry)) continue;
    const known = here.get(id);
    here.delete(id);
    if (known === undefined) {
      if (names.isElsewhere(entry)) others++;
      // A cell of a sheet that says nothing is not worth a column or a row.
      else if (entry.locale !== null && isEmptyText(entry.text)) continue;
      else {
        changes.push(names.newEntry(entry));
        added++;
      }
    } else if (isEmptyText(entry.text)) {
      if (!sameText(known.text, entry.text)) others++;
    } else if (!sameText(known.text, entry.text)) {
      const fuzzy = entry.isFuzzy === true ? { fuzzy: true } : {};
      changes.push({ ...nameOf(known), text: entry.text, ...fuzzy });
    } else if (known.isFuzzy === true && isReviewed(entry)) {
      changes.push({ ...nameOf(known), text: entry.text, fuzzy: false });
    }
  }
  return { changes, added, others: others + here.size, hasRenamed };
}

/** How both files call keys and languages, brought to what the service calls them. */
class Names {
  readonly #dependencies: MergeDependencies;
  readonly #place: LocalPlace | null;
  readonly #entries: readonly Entry[];
  readonly #namespaces: readonly (string | null)[];
  /** The local file's names of locales, by the service's. */
  readonly #locales = new Map<string, string | null>();
  readonly #services = new Map<string, string | null>();

  constructor(
    dependencies: MergeDependencies,
    place: ExportPlace,
    local: readonly Entry[],
    namespaces: readonly (string | null)[],
  ) {
    this.#dependencies = dependencies;
    this.#entries = local;
    this.#namespaces = namespaces;
    this.#place = dependencies.local.placeOf(place.path);
    for (const locale of new Set(local.map((entry) => entry.locale))) {
      const service = this.#serviceOf(locale);
      if (service !== null && !this.#locales.has(service)) this.#locales.set(service, locale);
    }
  }

  /** `null`: an entry that this file is not for. */
  idOf(entry: Entry): string | null {
    if (this.#place === null) return entryId(entry);
    const locale = this.#serviceOf(entry.locale);
    if (locale === null) return null;
    // A sheet of all namespaces into one of a single one.
    const { entry: layout, naming } = this.#place;
    if (
      layout.namespace !== undefined &&
      ownLocales(layout.format) &&
      entry.namespace !== null &&
      entry.namespace !== naming.namespace
    ) {
      return null;
    }
    return entryId({ ...keyNameIn(this.#place, entry), locale });
  }

  /** Of a file of all languages at once: whether the key stands in another file, which it would be taken from. */
  isElsewhere(entry: Entry): boolean {
    const { loaded } = this.#dependencies.local;
    if (this.#place === null || loaded === null || entry.locale === null) return false;
    const hash = keyHash(keyNameIn(this.#place, entry));
    const source = loaded.entries(loaded.sourceLocale).get(hash);
    return source !== undefined && source.path !== this.#place.path;
  }

  /** Whether it has the old name of a key that was renamed here. */
  isRenamed(entry: Entry): boolean {
    const { renamed } = this.#dependencies;
    if (this.#place === null || renamed === undefined || renamed.size === 0) return false;
    return renamed.has(keyHash(keyNameIn(this.#place, entry)));
  }

  isWanted(entry: Entry): boolean {
    const { only } = this.#dependencies;
    if (only === undefined) return true;
    return this.#place !== null && only.has(keyHash(keyNameIn(this.#place, entry)));
  }

  /** Whether the service says that the translation is older than its source text. */
  isOutdated(entry: Entry): boolean {
    const locale = this.#serviceOf(entry.locale);
    if (this.#place === null || locale === null) return false;
    const hash = keyHash(keyNameIn(this.#place, entry));
    return this.#dependencies.project.translation(locale, hash)?.isOutdated === true;
  }

  /** The entry as it is to stand in the local file. */
  newEntry(entry: Entry): Change {
    const { key, context, text } = entry;
    const there =
      this.#place === null
        ? undefined
        : this.#dependencies.project.keys.get(keyHash(keyNameIn(this.#place, entry)));
    const isSource = this.#serviceOf(entry.locale) === this.#dependencies.project.sourceLocale;
    const source = isSource ? null : (entry.source ?? there?.text ?? null);
    return {
      ...{ key, context, text, namespace: this.#namespaceOf(entry), locale: this.#localeOf(entry) },
      description: entry.description ?? there?.description ?? null,
      ...(source === null ? {} : { source }),
      ...(entry.isFuzzy === true ? { fuzzy: true } : {}),
    };
  }

  #namespaceOf({ key, namespace }: Entry): string | null {
    if (this.#place === null) return namespace;
    if (this.#place.entry.namespace !== undefined) {
      if (this.#namespaces.length === 0) return null;
      return namespaceInFile(this.#namespaces, this.#entries, key, namespace);
    }
    const isStated = this.#place.naming.namespace === namespace;
    return isStated || namespace === NO_NAMESPACE ? null : namespace;
  }

  #localeOf({ locale }: Entry): string | null {
    const service = this.#place === null || locale === null ? null : this.#serviceOf(locale);
    if (service === null) return locale;
    const known = this.#locales.get(service);
    return known === undefined ? this.#dependencies.toFile(service) : known;
  }

  /** Of texts without a locale of their own: the place's. */
  #serviceOf(locale: string | null): string | null {
    if (locale === null) return this.#place?.locale ?? "";
    let service = this.#services.get(locale);
    if (service === undefined) {
      service = this.#place === null ? locale : this.#dependencies.toService(locale);
      this.#services.set(locale, service);
    }
    return service;
  }
}

function nameOf({ key, context, namespace, locale }: Entry): EntryName {
  return { key, context, namespace, locale };
}

/** As the local files are read, so that both sides agree on what is plural. */
function readOptions({ local, project }: MergeDependencies, place: ExportPlace): FileOptions {
  const known = local.placeOf(place.path);
  if (known !== null) return local.readOptions(known);
  const sourceLocale = project.sourceLocale ?? "en";
  return { locale: place.locale ?? sourceLocale, sourceLocale };
}

function isBroken({ code }: PlacedProblem): boolean {
  return code === "syntax";
}

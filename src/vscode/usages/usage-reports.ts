/**
 * Which keys of a project the code uses: one report for all that says so (the view and its Markdown, commands, code lenses, the
 * translation editor), so that they agree.
 */
import type { Store, StoreTable } from "../../database/store.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { Text } from "../../model/translation-text.ts";
import { parseProjectFile, PROJECT_FILE_NAME } from "../../workspace/project-file/project-file.ts";
import type { CallChoice } from "../../workspace/usages/call-choices.ts";
import type { UsageReport } from "../../workspace/usages/find-unused-keys.ts";
import { type IndexedProject, reportProjectUsage } from "../../workspace/usages/report-project-usage.ts";
import { forEachInSlices } from "../../util/event-loop.ts";
import type { OpenProject } from "../projects/open-project.ts";
import type { Projects } from "../projects/project-registry.ts";
import type { DocumentUsages } from "./document-usages.ts";
import type { UsageIndexes } from "./usage-indexes.ts";

/** What a report says of a key. */
export type UsageState = "used" | "unused" | "probablyUnused" | "mayBeUsed";

/** A report, and what the project file says of calls. */
export interface MadeReport {
  readonly report: UsageReport;
  readonly choices: readonly CallChoice[];
}

interface UsageReportsDependencies {
  readonly projects: Projects;
  readonly store: Store<object>;
  readonly documentUsages: DocumentUsages;
  readonly usages: UsageIndexes;
}

/** A report that was made, until something that it depends on has changed. */
interface LastReport {
  readonly report: UsageReport;
  readonly states: ReadonlyMap<string, UsageState>;
  readonly versions: string;
}

const REPORTED_TABLES: readonly StoreTable[] = ["keys", "usages", "files", "settings"];

export class UsageReports {
  readonly #dependencies: UsageReportsDependencies;
  readonly #last = new WeakMap<OpenProject, LastReport>();

  constructor(dependencies: UsageReportsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes a report of what is on disk, and of the keys of the service as far as they are known.
   * @param onSearch called when the keys are read
   * @throws the signal's reason when aborted
   */
  async make(open: OpenProject, signal: AbortSignal, onSearch?: () => void): Promise<MadeReport> {
    await open.local.reloadTexts(signal);
    if (!open.source.hasService) await open.connection.loadLocalKeys(signal);
    onSearch?.();
    return this.#make(open, signal);
  }

  /** Returns the last report, or another one if something that it depends on has changed. */
  async current(open: OpenProject, signal: AbortSignal): Promise<UsageReport> {
    return this.#lastOf(open)?.report ?? (await this.make(open, signal)).report;
  }

  /**
   * Returns what the last report says of a key; without one, or after a change, whether a dynamic usage may mean it, else
   * `undefined`. Cheap.
   */
  stateOf(open: OpenProject, hash: string): UsageState | undefined {
    const reported = this.#lastOf(open)?.states.get(hash);
    if (reported !== undefined) return reported;
    return this.#dependencies.usages.of(open).patternsOf(hash).length > 0 ? "mayBeUsed" : undefined;
  }

  #lastOf(open: OpenProject): LastReport | undefined {
    const last = this.#last.get(open);
    return last?.versions === this.#versions(open) ? last : undefined;
  }

  #versions(open: OpenProject): string {
    const { projects, store } = this.#dependencies;
    return reportVersions(store, open, projects.all);
  }

  async #make(open: OpenProject, signal: AbortSignal): Promise<MadeReport> {
    const { documentUsages, usages, store } = this.#dependencies;
    const [indexed, translationFiles, choices] = await Promise.all([
      usages.reload(open, signal),
      open.local.paths(signal),
      callChoices(open),
    ]);
    const others = await this.#others(open, signal);
    const versions = this.#versions(open);
    const report = await reportProjectUsage(
      {
        root: open.root.path,
        usages: indexed,
        keys: open.keys,
        names: open.keyNames,
        lookup: documentUsages.lookupOptions(open),
        keep: open.file.usage?.keep ?? [],
        texts: (markers) => textsContaining(open, markers),
        findEvidence: () => usages.findEvidence(open, choices, signal),
        findOccurrences: (names) => usages.findOccurrences(open, names, [...translationFiles], signal),
      },
      others,
      signal,
    );
    this.#last.set(open, { report, states: await statesIn(report), versions });
    store.changed(open, "usageReport");
    return { report, choices };
  }

  /** Returns the other projects of the window, after their files were searched. */
  async #others(open: OpenProject, signal: AbortSignal): Promise<readonly IndexedProject[]> {
    const { documentUsages, usages } = this.#dependencies;
    const others: IndexedProject[] = [];
    for (const [other, indexed] of await usages.reloadOthers(open, signal)) {
      if (other.root.scheme !== open.root.scheme) continue;
      const translationFiles = [...(await other.local.paths(signal))];
      others.push({
        root: other.root.path,
        usages: indexed,
        names: other.keyNames,
        lookup: documentUsages.lookupOptions(other),
        findOccurrences: (names) => usages.findOccurrences(other, names, translationFiles, signal),
      });
    }
    return others;
  }
}

/** Returns the versions of what a report depends on: the usages of other projects count too. */
export function reportVersions(
  store: Pick<Store<object>, "version">,
  open: Pick<OpenProject, "root">,
  all: readonly Pick<OpenProject, "root">[],
): string {
  const others = all.filter((other) => other !== open);
  return JSON.stringify([
    REPORTED_TABLES.map((table) => store.version(open, table)),
    others.map((other) => [other.root.toString(), store.version(other, "usages")]),
  ]);
}

/** Returns what the report says of each key, by hash. */
export async function statesIn({
  used,
  unused,
  probablyUnused,
  undeterminable,
}: Pick<UsageReport, "used" | "unused" | "probablyUnused" | "undeterminable">): Promise<
  ReadonlyMap<string, UsageState>
> {
  const states = new Map<string, UsageState>();
  await forEachInSlices(used, ({ hash }) => states.set(hash, "used"));
  await forEachInSlices(unused, ({ hash }) => states.set(hash, "unused"));
  await forEachInSlices(probablyUnused, ({ key }) => states.set(key.hash, "probablyUnused"));
  await forEachInSlices(undeterminable, ({ key }) => states.set(key.hash, "mayBeUsed"));
  return states;
}

/** Returns what the project file on disk says of calls. */
async function callChoices(open: OpenProject): Promise<readonly CallChoice[]> {
  const read = await open.files.read(PROJECT_FILE_NAME);
  if (read.kind !== "read") return [];
  return parseProjectFile(new TextDecoder().decode(read.bytes)).file.usage?.calls ?? [];
}

/** Yields the texts of the files and of the service that contain one of the strings, in slices of work. */
function* textsContaining(
  open: OpenProject,
  markers: readonly string[],
): Generator<readonly { readonly name: KeyName; readonly text: Text }[]> {
  yield* open.local.entriesContaining(markers);
  if (!open.source.hasService) return;
  for (const batch of open.translations.containing(markers)) {
    yield batch.flatMap(({ hash, text }) => {
      const name = open.keys.get(hash);
      return name === undefined ? [] : [{ name, text }];
    });
  }
}

/** Results of finished commands and jobs for the Activity view, newest first. Stored until the user signs out. */
import * as v from "valibot";
import { EventEmitter, type Disposable } from "vscode";
import type { RowKind } from "../../commands/row-menus.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { OpenProject } from "./open-project.ts";
import type { ProjectConnection } from "./project-connection.ts";

/** The result of a command or job. `message` is localised. */
export interface Result {
  readonly open: OpenProject;
  readonly message: string;
  readonly kind: "done" | "partly" | "failed";
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The kind of its row in Activity, if the row has a menu. */
  readonly context?: RowKind | undefined;
}

const MAX_RESULTS_PER_PROJECT = 20;

const StoredSchema = v.array(
  v.object({ message: v.string(), kind: v.picklist(["done", "partly", "failed"]), at: v.number() }),
);

type StoredResults = v.InferOutput<typeof StoredSchema>;

/** Returns the latest results, newest first. */
function merged(results: StoredResults, others: StoredResults | null): StoredResults {
  const all = [...results, ...(others ?? [])].toSorted((a, b) => b.at - a.at);
  return all.slice(0, MAX_RESULTS_PER_PROJECT);
}

export class ActivityResults implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /** Timestamps of the latest results of this window by `context`: only they have menu commands. */
  readonly #latest = new WeakMap<ProjectConnection, Map<RowKind, number>>();

  /** Results that are not in the cache yet. */
  readonly #unsaved = new WeakMap<ProjectConnection, Set<StoredResults[number]>>();

  readonly onDidChange = this.#changed.event;

  of(open: OpenProject): readonly Result[] {
    const { connection } = open;
    const contexts = new Map(
      Array.from(this.#latest.get(connection) ?? [], ([context, at]) => [at, context]),
    );
    return this.#stored(connection).map((result) => ({ open, ...result, context: contexts.get(result.at) }));
  }

  /** Adds a result, which is shown at once and stored when no other process writes to the cache. */
  add(open: OpenProject, message: string, kind: Result["kind"] = "done", context?: RowKind): void {
    const { connection } = open;
    const { database, syncMetadata } = connection;
    if (!connection.mayStore()) return;
    // The timestamp identifies the result, so it must be unique.
    const at = Math.max(Date.now(), (this.#stored(connection)[0]?.at ?? 0) + 1);
    const result = { message, kind, at };
    const unsaved = getOrCreate(this.#unsaved, connection, () => new Set());
    unsaved.add(result);
    if (context !== undefined) getOrCreate(this.#latest, connection, () => new Map()).set(context, at);
    this.#changed.fire();
    const store = (): void => {
      if (connection.mayStore())
        syncMetadata.update("results", StoredSchema, (before) => merged([result], before));
    };
    // What cannot be stored stays in memory.
    database.transactionAsync(store).then(
      () => unsaved.delete(result),
      () => undefined,
    );
  }

  #stored(connection: ProjectConnection): StoredResults {
    return merged(
      [...(this.#unsaved.get(connection) ?? [])],
      connection.syncMetadata.get("results", StoredSchema),
    );
  }

  /** Removes the menu commands of results with this context. */
  end(open: OpenProject, context: RowKind): void {
    this.#latest.get(open.connection)?.delete(context);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

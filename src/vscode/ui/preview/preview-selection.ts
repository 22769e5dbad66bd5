/** What of a preview is checked. Knows nothing of VS Code. */
import type { PreviewChoice, PreviewRow, PreviewSection } from "../../../messages/preview-rows.ts";

/** The checked changes of a preview. A row is checked if all its changes are. */
export class PreviewSelection<Change> implements PreviewChoice<Change> {
  readonly #idOf: (change: Change) => string;
  /** All listed changes by id, and whether the rule checks them. */
  #listed = new Map<string, { readonly change: Change; readonly isCheckedByRule: boolean }>();
  #checked = new Set<string>();
  readonly #kept = new Map<string, Change>();

  /** @param idOf the same for a change that is listed again, for example by a newer plan */
  constructor(idOf: (change: Change) => string, sections: readonly PreviewSection<Change>[]) {
    this.#idOf = idOf;
    this.list(sections);
  }

  get checked(): readonly Change[] {
    return [...this.#listed].flatMap(([id, { change }]) => (this.#checked.has(id) ? [change] : []));
  }

  get kept(): readonly Change[] {
    return [...this.#kept].flatMap(([id, change]) => (this.#checked.has(id) ? [] : [change]));
  }

  isChecked({ changes }: PreviewRow<Change>): boolean {
    return changes.length > 0 && changes.every((change) => this.#checked.has(this.#idOf(change)));
  }

  /**
   * Lists other rows. New changes are checked by rule; others stay as they are, but for those that only the former rule
   * checked.
   */
  list(sections: readonly PreviewSection<Change>[]): void {
    const before = this.#listed;
    const wasChecked = this.#checked;
    this.#listed = new Map();
    this.#checked = new Set();
    for (const { changes, isChecked } of sections.flatMap(({ rows }) => rows)) {
      for (const change of changes) {
        const id = this.#idOf(change);
        const isCheckedByRule = isChecked || this.#listed.get(id)?.isCheckedByRule === true;
        this.#listed.set(id, { change, isCheckedByRule });
      }
    }
    for (const [id, { isCheckedByRule }] of this.#listed) {
      const earlier = before.get(id);
      const isChecked =
        earlier === undefined
          ? isCheckedByRule
          : wasChecked.has(id) && (isCheckedByRule || !earlier.isCheckedByRule);
      if (isChecked && !this.#kept.has(id)) this.#checked.add(id);
    }
  }

  /**
   * Takes over which rows have a checked box, and returns whether that changes anything. A row that was toggled decides:
   * that of a group about its changes, that of a change about its group.
   */
  toggle(rows: readonly PreviewRow<Change>[], boxes: ReadonlySet<PreviewRow<Change>>): boolean {
    const toggled = rows.filter((row) => row.changes.length > 0 && boxes.has(row) !== this.isChecked(row));
    for (const row of toggled) {
      for (const change of row.changes) {
        if (boxes.has(row)) this.#checked.add(this.#idOf(change));
        else this.#checked.delete(this.#idOf(change));
      }
    }
    return toggled.length > 0;
  }

  /** Settles conflicts in favour of the files. */
  keep(changes: readonly Change[]): void {
    for (const change of changes) {
      this.#kept.set(this.#idOf(change), change);
      this.#checked.delete(this.#idOf(change));
    }
  }
}

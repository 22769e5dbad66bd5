/** Which keys the translation editor shows as rows, and in which order. */

export const ROW_FILTERS = [
  "untranslated",
  "outdated",
  "issues",
  "notPushed",
  "unused",
  "unsaved",
  "conflicts",
  "refused",
] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

export const ROW_SORT_ORDERS = ["name", "source", "changed"] as const;
export type RowSortOrder = (typeof ROW_SORT_ORDERS)[number];

/** What the user chose in the toolbar. */
export interface RowQuery {
  /** Filters of which a key must match at least one; empty for all keys. */
  readonly filters: readonly RowFilter[];
  /** Words, all of which must occur in the name or in a text. */
  readonly search: string;
  readonly namespace: string | null;
  readonly tag: string | null;
  readonly sort: RowSortOrder;
}

/** The query that all keys match. */
export const ALL_ROWS: RowQuery = { filters: [], search: "", namespace: null, tag: null, sort: "name" };

/** Filters and sort orders of the rows of the translation editor. */

export const GRID_FILTERS = [
  "untranslated",
  "outdated",
  "issues",
  "notPushed",
  "unused",
  "unsaved",
  "conflicts",
  "refused",
] as const;
export type GridFilter = (typeof GRID_FILTERS)[number];

export const GRID_SORTS = ["name", "source", "changed"] as const;
export type GridSort = (typeof GRID_SORTS)[number];

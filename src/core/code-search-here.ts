/** A search of code files that leaves all of them to the caller's own thread. */
import type { CodeSearch } from "./ports.ts";

export const searchHere: CodeSearch = {
  search: (files) => Promise.resolve(files.map(({ path }) => path)),
  mentions: (_, paths) => Promise.resolve({ found: new Map(), left: paths }),
};

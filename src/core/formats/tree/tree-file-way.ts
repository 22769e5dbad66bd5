/** How a file writes its plural keys, so that a new one is written likewise. Looks only. */
import type { ReadOptions } from "../format.ts";
import { hasIcuPlural, splitIcu } from "../icu-plural.ts";
import type { Holdings } from "./tree-holdings.ts";
import type { SuffixWay } from "./tree-suffixes.ts";
import type { TreeRules } from "./tree.ts";
import type { ValueWay } from "./tree-values.ts";

export interface FileWay {
  readonly way: SuffixWay | ValueWay;
  /** What a new ICU message calls its number. */
  readonly argument: string;
}

/**
 * The way of most plural keys that the file has, i18next's newest where it has none. An ICU plural is one whether
 * or not its key is known as plural; a pipe counts only where it is, since `|` stands in titles too.
 */
export function fileWayOf({ groups, singles }: Holdings, rules: TreeRules, options: ReadOptions): FileWay {
  let argument: string | undefined;
  if (!rules.suffixes) return { way: "pipes", argument: "count" };
  const counts = { v4: 0, v3: 0, icu: 0, pipes: 0 };
  for (const { way } of groups.values()) counts[way]++;
  for (const [key, { member }] of singles) {
    if (member.node.kind !== "text") continue;
    const { value } = member.node;
    if (hasIcuPlural(value)) {
      const icu = splitIcu(value);
      if (icu === null) continue;
      counts.icu++;
      argument ??= icu.argument;
    } else if (value.includes("|") && options.isPlural?.(key, null) === true) {
      counts.pipes++;
    }
  }
  const ways = ["v4", "v3", "icu", "pipes"] as const;
  const way = ways.toSorted((a, b) => counts[b] - counts[a])[0] ?? "v4";
  return { way, argument: argument ?? "count" };
}

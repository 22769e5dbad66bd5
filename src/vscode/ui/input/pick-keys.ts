/** A preview of keys that a command is about to archive, restore or remove. */
import type { KeyName } from "../../../model/key-hash.ts";
import { plainText, type Text } from "../../../model/translation-text.ts";
import type { App } from "../../app.ts";
import { showPreview } from "../preview/show-preview.ts";
import { formatCount } from "../../../messages/counts-and-times.ts";
import type { KeySpelling } from "../../../messages/labels.ts";
import { textRow } from "../../../messages/preview-rows.ts";

/** What is asked about the keys. */
interface KeyQuestion {
  /** Returns the title. `count`: of the keys that are checked. */
  readonly titleOf: (count: string) => string;
  /** The title while no key is checked. */
  readonly emptyTitle: string;
  readonly placeholder: string;
  /** Of every row. */
  readonly icon: string;
  /** Whether the rows are checked at first; default: yes. */
  readonly isChecked?: boolean;
  /** More keys, which are not checked at first. */
  readonly unchecked?: { readonly heading: string; readonly hashes: ReadonlySet<string> };
}

/**
 * Returns the keys that stay checked; at least one.
 *
 * @throws {CommandError} `cancelled` if the list was dismissed.
 */
export async function pickKeys<Key extends KeyName & { readonly hash: string; readonly text: Text | null }>(
  app: App,
  project: KeySpelling,
  keys: readonly Key[],
  { titleOf, emptyTitle, placeholder, icon, isChecked = true, unchecked }: KeyQuestion,
): Promise<readonly Key[]> {
  const rowsOf = (group: readonly Key[], isGroupChecked: boolean) =>
    group.map((key) =>
      textRow(project, key, { icon, name: key, notes: [plainText(key.text)], isChecked: isGroupChecked }),
    );
  const isMore = ({ hash }: Key): boolean => unchecked?.hashes.has(hash) === true;
  const first = keys.filter((key) => !isMore(key));
  const more = keys.filter(isMore);
  const sections = [
    { heading: formatCount.keys(first.length), rows: rowsOf(first, isChecked) },
    { heading: unchecked?.heading ?? "", rows: rowsOf(more, false) },
  ];
  const { checked } = await showPreview<Key>(app, {
    idOf: ({ hash }) => hash,
    sections,
    titleOf: ({ length }) => (length === 0 ? emptyTitle : titleOf(formatCount.keys(length))),
    placeholder,
  });
  return checked;
}

/** Find and replace in the rows of the table, with a preview of every change. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, Select } from "./shared-components.tsx";
import { l10n } from "./l10n.ts";
import { editor, isReplacing, listed, locales, wantsFocus } from "./page-state.ts";
import type { Match, Matches } from "./editor-protocol.ts";
import { matchPattern, type Replacement } from "../../model/translation-text.ts";

export function FindAndReplace() {
  const [replacement, setReplacement] = useState<Replacement>({
    find: "",
    replacement: "",
    matchCase: false,
    wholeWord: false,
    isRegExp: false,
  });
  /** The language to search; empty for all that are shown. */
  const [locale, setLocale] = useState("");
  /** The replacement that the matches belong to. */
  const shown = useRef<Replacement | null>(null);
  /** `null` before a search. */
  const [matches, setMatches] = useState<Matches | null>(null);
  const [excluded, setExcluded] = useState<ReadonlySet<Match>>(new Set());
  const first = useRef<HTMLInputElement>(null);
  // Focused before the next key is handled, so that none is lost.
  useLayoutEffect(() => first.current?.focus(), []);
  const found = matches?.matches ?? [];
  const chosen = found.filter((match) => !excluded.has(match));
  const preview = async (): Promise<void> => {
    if (matchPattern(replacement) === null) return;
    shown.current = replacement;
    const searched = locales.value.filter((each) => locale === "" || each === locale);
    const answer = await editor.findMatches(listed.value ?? [], searched, replacement);
    if (shown.current === replacement) setMatches(answer);
  };
  const close = (): void => {
    isReplacing.value = false;
    wantsFocus.value = true;
  };
  const change = (changes: Partial<Replacement>): void => {
    setReplacement({ ...replacement, ...changes });
    // The matches belong to another search.
    shown.current = null;
    setMatches(null);
  };
  const replace = (): void => {
    const cells = chosen.map(({ cell }) => cell);
    if (shown.current !== null) void editor.replace(cells, shown.current);
    close();
  };
  return (
    <section
      class="replace"
      aria-label={l10n.t("Find and replace")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          void preview();
        }}
      >
        <input
          ref={first}
          aria-label={l10n.t("Find")}
          placeholder={l10n.t("Find")}
          value={replacement.find}
          onInput={(event) => change({ find: event.currentTarget.value })}
        />
        <input
          aria-label={l10n.t("Replace with")}
          placeholder={l10n.t("Replace with")}
          value={replacement.replacement}
          onInput={(event) => change({ replacement: event.currentTarget.value })}
        />
        <Option
          label={l10n.t("Match case")}
          isChecked={replacement.matchCase}
          onChange={(matchCase) => change({ matchCase })}
        />
        <Option
          label={l10n.t("Whole word")}
          isChecked={replacement.wholeWord}
          onChange={(wholeWord) => change({ wholeWord })}
        />
        <Option
          label={l10n.t("Regular expression")}
          isChecked={replacement.isRegExp}
          onChange={(isRegExp) => change({ isRegExp })}
        />
        <Select
          label={l10n.t("Language")}
          value={locale}
          options={[
            ["", l10n.t("All languages shown")],
            ...locales.value.map((each) => [each, each] as const),
          ]}
          onChange={(value) => {
            setLocale(value);
            change({});
          }}
        />
        <button type="submit">{l10n.t("Preview")}</button>
        <Button
          label={l10n.t("Replace {0}", chosen.length)}
          disabled={chosen.length === 0}
          onClick={replace}
        />
      </form>
      {/* Always present, so that its changes are announced. */}
      <p class="quiet" aria-live="polite">
        {replacement.find !== "" && matchPattern(replacement) === null
          ? l10n.t("This is not a regular expression.")
          : matches !== null && matchesMessage(matches)}
      </p>
      <ul class="matches">
        {found.map((match) => {
          const { cell, key, before, after } = match;
          return (
            <li key={`${cell.hash} ${cell.locale}`}>
              <label>
                <input
                  type="checkbox"
                  checked={!excluded.has(match)}
                  onChange={() => {
                    const next = new Set(excluded);
                    if (!next.delete(match)) next.add(match);
                    setExcluded(next);
                  }}
                />{" "}
                <span class="quiet">
                  {key} · {cell.locale}
                </span>{" "}
                <del>
                  <bdi dir="auto">{before}</bdi>
                </del>{" "}
                <ins>
                  <bdi dir="auto">{after}</bdi>
                </ins>
              </label>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface OptionProps {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

function Option({ label, isChecked, onChange }: OptionProps) {
  return (
    <label>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}

function matchesMessage({ matches, end }: Matches): string {
  if (end === "too-slow") return l10n.t("This regular expression takes too long. Make it simpler.");
  if (end === "more") return l10n.t("There are more matches: replace these first, then search again.");
  return matches.length === 0
    ? l10n.t("No results.")
    : l10n.t("Texts that would change: {0}", matches.length);
}

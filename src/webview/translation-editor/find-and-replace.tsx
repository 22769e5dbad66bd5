/** Find and replace in the rows of the table, with a preview of every change. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, Select } from "./shared-components.tsx";
import { l10n } from "./l10n.ts";
import { isReplacing, locales, wantsFocus } from "./page-state.ts";
import type { Matches } from "./editor-protocol.ts";
import { Replacing } from "./replacing.ts";

export function FindAndReplace() {
  const [replacing] = useState(() => new Replacing());
  const { replacement, matches, chosen } = replacing;
  const first = useRef<HTMLInputElement>(null);
  // Focused before the next key is handled, so that none is lost.
  useLayoutEffect(() => first.current?.focus(), []);
  const close = (): void => {
    isReplacing.value = false;
    wantsFocus.value = true;
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
          void replacing.preview();
        }}
      >
        <input
          ref={first}
          aria-label={l10n.t("Find")}
          placeholder={l10n.t("Find")}
          value={replacement.find}
          onInput={(event) => replacing.change({ find: event.currentTarget.value })}
        />
        <input
          aria-label={l10n.t("Replace with")}
          placeholder={l10n.t("Replace with")}
          value={replacement.replacement}
          onInput={(event) => replacing.change({ replacement: event.currentTarget.value })}
        />
        <Option
          label={l10n.t("Match case")}
          isChecked={replacement.matchCase}
          onChange={(matchCase) => replacing.change({ matchCase })}
        />
        <Option
          label={l10n.t("Whole word")}
          isChecked={replacement.wholeWord}
          onChange={(wholeWord) => replacing.change({ wholeWord })}
        />
        <Option
          label={l10n.t("Regular expression")}
          isChecked={replacement.isRegExp}
          onChange={(isRegExp) => replacing.change({ isRegExp })}
        />
        <Select
          label={l10n.t("Language")}
          value={replacing.locale}
          options={[
            ["", l10n.t("All languages shown")],
            ...locales.value.map((each) => [each, each] as const),
          ]}
          onChange={(locale) => replacing.change({ locale })}
        />
        <button type="submit">{l10n.t("Preview")}</button>
        <Button
          label={l10n.t("Replace {0}", chosen.length)}
          disabled={chosen.length === 0}
          onClick={() => {
            replacing.replace();
            close();
          }}
        />
      </form>
      {/* Always present, so that its changes are announced. */}
      <p class="quiet" aria-live="polite">
        {replacement.find !== "" && !replacing.isValid
          ? l10n.t("This is not a regular expression.")
          : matches !== null && matchesMessage(matches)}
      </p>
      <ul class="matches">
        {matches?.matches.map((match) => {
          const { cell, key, before, after } = match;
          return (
            <li key={`${cell.hash} ${cell.locale}`}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.includes(match)}
                  onChange={() => replacing.toggle(match)}
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
    <label class="choice">
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

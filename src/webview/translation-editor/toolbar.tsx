/** The toolbar: search, filters, languages and the number of rows. */
import {
  counts,
  isReplacing,
  languages,
  list,
  namespaces,
  query,
  searchFor,
  setQuery,
  tags,
  sendSelected,
  wantsFocus,
  send,
} from "./page-state.ts";
import { l10n } from "./l10n.ts";
import { GRID_FILTERS, type GridFilter } from "../../model/translation-editor-filters.ts";
import { Button } from "./shared-components.tsx";
import type { Query } from "./message-protocol.ts";

export function Toolbar() {
  const { filters, search, namespace, tag, sort } = query.value;
  const toggle = (filter: GridFilter): void =>
    setQuery({
      filters: filters.includes(filter) ? filters.filter((each) => each !== filter) : [...filters, filter],
    });
  const { unsaved, conflicts, refused } = counts.value;
  const { count } = list.value;
  const labels: Record<GridFilter, string> = {
    untranslated: l10n.t("Untranslated"),
    outdated: l10n.t("Outdated"),
    issues: l10n.t("QA issues"),
    notPushed: l10n.t("Not pushed"),
    unused: l10n.t("Unused"),
    unsaved: l10n.t("Unsaved"),
    conflicts: l10n.t("Conflicts"),
    refused: l10n.t("Refused"),
  };
  const status = [
    count === 1 ? l10n.t("1 row") : l10n.t("{0} rows", count),
    ...(unsaved > 0 ? [l10n.t("{0} unsaved", unsaved)] : []),
    ...(conflicts > 0 ? [l10n.t("{0} in conflict", conflicts)] : []),
    ...(refused > 0 ? [l10n.t("{0} refused", refused)] : []),
  ];
  return (
    <div class="toolbar">
      <div class="line">
        <input
          type="search"
          role="searchbox"
          id="search"
          aria-label={l10n.t("Search")}
          placeholder={l10n.t("Search keys and texts")}
          value={search}
          onInput={(event) => searchFor(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") {
              event.preventDefault();
              wantsFocus.value = true;
            }
            if (event.key !== "Enter") return;
            setQuery({ search: event.currentTarget.value });
          }}
        />
        <Choice
          label={l10n.t("Namespace")}
          value={namespace ?? ""}
          options={[["", l10n.t("All namespaces")], ...namespaces.value.map(withItself)]}
          choose={(value) => setQuery({ namespace: value || null })}
        />
        {tags.value.length > 0 && (
          <Choice
            label={l10n.t("Tag")}
            value={tag ?? ""}
            options={[["", l10n.t("All tags")], ...tags.value.map(withItself)]}
            choose={(value) => setQuery({ tag: value || null })}
          />
        )}
        <Choice
          label={l10n.t("Sort order")}
          value={sort}
          options={[
            ["name", l10n.t("By name")],
            ["source", l10n.t("By source text")],
            ["changed", l10n.t("By last change")],
          ]}
          choose={(value) => setQuery({ sort: value as Query["sort"] })}
        />
        {languages.value.length > 0 && (
          <Button label={l10n.t("Languages…")} onClick={() => send({ type: "chooseLanguages" })} />
        )}
      </div>
      <div class="line">
        <div role="group" aria-label={l10n.t("Filters")} class="filters">
          {GRID_FILTERS.filter((each) => each !== "refused" || refused > 0 || filters.includes(each)).map(
            (filter) => (
              <Button
                key={filter}
                class="toggle"
                aria-pressed={filters.includes(filter)}
                label={labels[filter]}
                onClick={() => toggle(filter)}
              />
            ),
          )}
        </div>
        <Button label={l10n.t("Reapply filter")} onClick={() => setQuery({})} />
        <Button
          label={l10n.t("Find and replace")}
          aria-expanded={isReplacing.value}
          onClick={() => (isReplacing.value = !isReplacing.value)}
        />
        <Button
          label={l10n.t("Translate Missing…")}
          title={l10n.t("Have a language model translate what is missing in the selected cells")}
          onClick={() => sendSelected("translate")}
        />
        <div role="status" class="status">
          {status.join(" · ")}
        </div>
      </div>
    </div>
  );
}

type Option = readonly [value: string, label: string];

const withItself = (value: string): Option => [value, value];

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly Option[];
  choose: (value: string) => void;
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

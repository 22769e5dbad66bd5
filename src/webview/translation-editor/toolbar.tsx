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
  translateSelected,
  wantsFocus,
} from "./page-state.ts";
import { send } from "./host-connection.ts";
import { l10n } from "./l10n.ts";
import { GRID_FILTERS } from "../../model/translation-grid-filters.ts";
import type { Filter, Query } from "./messages-from-page.ts";

export function Toolbar() {
  const { filters, search, namespace, tag, sort } = query.value;
  const toggle = (filter: Filter): void =>
    setQuery({
      filters: filters.includes(filter) ? filters.filter((each) => each !== filter) : [...filters, filter],
    });
  const { unsaved, conflicts, refused } = counts.value;
  const { count } = list.value;
  const labels: Record<Filter, string> = {
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
          options={[["", l10n.t("All namespaces")], ...namespaces.value.map((each) => [each, each] as const)]}
          choose={(value) => setQuery({ namespace: value === "" ? null : value })}
        />
        {tags.value.length > 0 && (
          <Choice
            label={l10n.t("Tag")}
            value={tag ?? ""}
            options={[["", l10n.t("All tags")], ...tags.value.map((each) => [each, each] as const)]}
            choose={(value) => setQuery({ tag: value === "" ? null : value })}
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
          <button type="button" onClick={() => send({ type: "chooseLanguages" })}>
            {l10n.t("Languages…")}
          </button>
        )}
      </div>
      <div class="line">
        <div role="group" aria-label={l10n.t("Filters")} class="filters">
          {GRID_FILTERS.filter((each) => each !== "refused" || refused > 0 || filters.includes(each)).map(
            (filter) => (
              <button
                type="button"
                key={filter}
                class="toggle"
                aria-pressed={filters.includes(filter)}
                onClick={() => toggle(filter)}
              >
                {labels[filter]}
              </button>
            ),
          )}
        </div>
        <button type="button" onClick={() => setQuery({})}>
          {l10n.t("Reapply filter")}
        </button>
        <button
          type="button"
          aria-expanded={isReplacing.value}
          onClick={() => {
            isReplacing.value = !isReplacing.value;
          }}
        >
          {l10n.t("Find and replace")}
        </button>
        <button
          type="button"
          title={l10n.t("Have a language model translate what is missing in the selected cells")}
          onClick={translateSelected}
        >
          {l10n.t("Translate Missing…")}
        </button>
        <div role="status" class="status">
          {status.join(" · ")}
        </div>
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly choose: (value: string) => void;
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}

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
  strings,
} from "./page-state.ts";
import { send } from "./host-connection.ts";
import { GRID_FILTERS } from "../../model/translation-grid-filters.ts";
import type { Filter, Query } from "./messages-from-page.ts";
import { fill } from "./localized-strings.ts";

export function Toolbar() {
  const { filters, search, namespace, tag, sort } = query.value;
  const toggle = (filter: Filter): void =>
    setQuery({
      filters: filters.includes(filter) ? filters.filter((each) => each !== filter) : [...filters, filter],
    });
  const { unsaved, conflicts, refused } = counts.value;
  const { count } = list.value;
  const status = [
    count === 1 ? strings.value.oneRow : fill(strings.value.rows, count),
    ...(unsaved > 0 ? [fill(strings.value.unsavedCount, unsaved)] : []),
    ...(conflicts > 0 ? [fill(strings.value.conflictCount, conflicts)] : []),
    ...(refused > 0 ? [fill(strings.value.refusedCount, refused)] : []),
  ];
  return (
    <div class="toolbar">
      <div class="line">
        <input
          type="search"
          role="searchbox"
          id="search"
          aria-label={strings.value.search}
          placeholder={strings.value.searchHint}
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
          label={strings.value.namespace}
          value={namespace ?? ""}
          options={[
            ["", strings.value.allNamespaces],
            ...namespaces.value.map((each) => [each, each] as const),
          ]}
          choose={(value) => setQuery({ namespace: value === "" ? null : value })}
        />
        {tags.value.length > 0 && (
          <Choice
            label={strings.value.tag}
            value={tag ?? ""}
            options={[["", strings.value.allTags], ...tags.value.map((each) => [each, each] as const)]}
            choose={(value) => setQuery({ tag: value === "" ? null : value })}
          />
        )}
        <Choice
          label={strings.value.sort}
          value={sort}
          options={[
            ["name", strings.value.sortName],
            ["source", strings.value.sortSource],
            ["changed", strings.value.sortChanged],
          ]}
          choose={(value) => setQuery({ sort: value as Query["sort"] })}
        />
        {languages.value.length > 0 && (
          <button type="button" onClick={() => send({ type: "chooseLanguages" })}>
            {strings.value.languages}
          </button>
        )}
      </div>
      <div class="line">
        <div role="group" aria-label={strings.value.filters} class="filters">
          {GRID_FILTERS.filter((each) => each !== "refused" || refused > 0 || filters.includes(each)).map(
            (filter) => (
              <button
                type="button"
                key={filter}
                class="toggle"
                aria-pressed={filters.includes(filter)}
                onClick={() => toggle(filter)}
              >
                {strings.value[filter]}
              </button>
            ),
          )}
        </div>
        <button type="button" onClick={() => setQuery({})}>
          {strings.value.again}
        </button>
        <button
          type="button"
          aria-expanded={isReplacing.value}
          onClick={() => {
            isReplacing.value = !isReplacing.value;
          }}
        >
          {strings.value.replaceIn}
        </button>
        <button type="button" title={strings.value.translateHint} onClick={translateSelected}>
          {strings.value.translate}
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

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
  words,
} from "./state.ts";
import { send } from "./host-connection.ts";
import { GRID_FILTERS } from "../../model/grid-query.ts";
import type { Filter, Query } from "./messages-from-page.ts";
import { fill } from "./localized-strings.ts";

export function Toolbar() {
  const strings = words.value;
  if (strings === null) return null;
  const { filters, search, namespace, tag, sort } = query.value;
  const toggle = (filter: Filter): void =>
    setQuery({
      filters: filters.includes(filter) ? filters.filter((each) => each !== filter) : [...filters, filter],
    });
  const { unsaved, conflicts, refused } = counts.value;
  const { count } = list.value;
  const status = [
    count === 1 ? strings.oneRow : fill(strings.rows, count),
    ...(unsaved > 0 ? [fill(strings.unsavedCount, unsaved)] : []),
    ...(conflicts > 0 ? [fill(strings.conflictCount, conflicts)] : []),
    ...(refused > 0 ? [fill(strings.refusedCount, refused)] : []),
  ];
  return (
    <div class="toolbar">
      <div class="line">
        <input
          type="search"
          role="searchbox"
          id="search"
          aria-label={strings.search}
          placeholder={strings.searchHint}
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
          label={strings.namespace}
          value={namespace ?? ""}
          options={[["", strings.allNamespaces], ...namespaces.value.map((each) => [each, each] as const)]}
          choose={(value) => setQuery({ namespace: value === "" ? null : value })}
        />
        {tags.value.length > 0 && (
          <Choice
            label={strings.tag}
            value={tag ?? ""}
            options={[["", strings.allTags], ...tags.value.map((each) => [each, each] as const)]}
            choose={(value) => setQuery({ tag: value === "" ? null : value })}
          />
        )}
        <Choice
          label={strings.sort}
          value={sort}
          options={[
            ["name", strings.sortName],
            ["source", strings.sortSource],
            ["changed", strings.sortChanged],
          ]}
          choose={(value) => setQuery({ sort: value as Query["sort"] })}
        />
        {languages.value.length > 0 && (
          <button type="button" onClick={() => send({ type: "chooseLanguages" })}>
            {strings.languages}
          </button>
        )}
      </div>
      <div class="line">
        <div role="group" aria-label={strings.filters} class="filters">
          {GRID_FILTERS.filter((each) => each !== "refused" || refused > 0 || filters.includes(each)).map(
            (filter) => (
              <button
                type="button"
                key={filter}
                class="toggle"
                aria-pressed={filters.includes(filter)}
                onClick={() => toggle(filter)}
              >
                {strings[filter]}
              </button>
            ),
          )}
        </div>
        <button type="button" onClick={() => setQuery({})}>
          {strings.again}
        </button>
        <button
          type="button"
          aria-expanded={isReplacing.value}
          onClick={() => {
            isReplacing.value = !isReplacing.value;
          }}
        >
          {strings.replaceIn}
        </button>
        <button type="button" title={strings.translateHint} onClick={translateSelected}>
          {strings.translate}
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

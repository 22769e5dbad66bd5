/** The toolbar, one row: search, the menus of filters and of all other actions, languages, and the number of rows. */
import {
  chooseLanguages,
  counts,
  isReplacing,
  languages,
  namespaces,
  project,
  query,
  rowCount,
  searchFor,
  setQuery,
  tags,
  wantsFocus,
} from "./page-state.ts";
import { CellStates, Legend } from "./cell-states.tsx";
import { changeSelected } from "./selection-actions.ts";
import { l10n } from "./l10n.ts";
import { Menu } from "./menu.tsx";
import { offeredFilters, STATES_OF_FILTERS, toggledFilters } from "./page-decisions.ts";
import type { RowFilter, RowSortOrder } from "../../model/translation-editor-filters.ts";
import { Button, Select } from "./shared-components.tsx";

export function Toolbar() {
  return (
    <div class="toolbar">
      <input
        type="search"
        role="searchbox"
        id="search"
        aria-label={l10n.t("Search")}
        placeholder={l10n.t("Search keys and texts")}
        value={query.value.search}
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
      <FilterMenu />
      {languages.value.length > 0 && (
        <Button class="if-wide" label={languagesLabel()} onClick={() => void chooseLanguages()} />
      )}
      <MoreMenu />
      <Status />
    </div>
  );
}

function FilterMenu() {
  const { filters, namespace, tag } = query.value;
  const labels = filterLabels();
  const on = [
    ...filters.map((filter) => labels[filter]),
    ...[namespace, tag].filter((each) => each !== null),
  ];
  const toggle = (filter: RowFilter): void => setQuery({ filters: toggledFilters(filters, filter) });
  const { isServiceKnown } = project.value;
  return (
    <Menu label={filtersLabel(on)} isOn={on.length > 0}>
      {(close) => (
        <>
          {offeredFilters(filters, { isServiceKnown, refused: counts.value.refused }).map((filter) => {
            const state = STATES_OF_FILTERS[filter];
            return (
              <label class="choice" key={filter}>
                <input type="checkbox" checked={filters.includes(filter)} onChange={() => toggle(filter)} />
                {labels[filter]}
                {state !== undefined && <CellStates states={[state]} isIconOnly />}
              </label>
            );
          })}
          {namespaces.value.length > 1 && (
            <Select
              label={l10n.t("Namespace")}
              value={namespace ?? ""}
              options={[["", l10n.t("All namespaces")], ...namespaces.value.map(optionOf)]}
              onChange={(value) => setQuery({ namespace: value || null })}
            />
          )}
          {tags.value.length > 0 && (
            <Select
              label={l10n.t("Tag")}
              value={tag ?? ""}
              options={[["", l10n.t("All tags")], ...tags.value.map(optionOf)]}
              onChange={(value) => setQuery({ tag: value || null })}
            />
          )}
          <Button label={l10n.t("Reapply filter")} onClick={() => setQuery({})} />
          {on.length > 0 && (
            <Button
              label={l10n.t("Show all keys")}
              onClick={() => {
                setQuery({ filters: [], namespace: null, tag: null });
                close();
              }}
            />
          )}
        </>
      )}
    </Menu>
  );
}

function MoreMenu() {
  const { sort } = query.value;
  return (
    <Menu label={l10n.t("More")}>
      {(close) => {
        const closing = (work: () => void) => (): void => {
          close();
          work();
        };
        return (
          <>
            {languages.value.length > 0 && (
              <Button
                class="if-narrow"
                label={languagesLabel()}
                onClick={closing(() => void chooseLanguages())}
              />
            )}
            <Button
              label={l10n.t("Find and replace")}
              title="Ctrl+H"
              onClick={closing(() => (isReplacing.value = true))}
            />
            <Button
              label={l10n.t("Translate Missing…")}
              title={l10n.t("Have a language model translate what is missing in the selected cells")}
              onClick={closing(() => changeSelected("translate"))}
            />
            <Select
              label={l10n.t("Sort order")}
              value={sort}
              options={[
                ["name", l10n.t("By name")],
                ["source", l10n.t("By source text")],
                ...(project.value.isServiceKnown || sort === "changed"
                  ? [["changed", l10n.t("By last change")] as const]
                  : []),
              ]}
              onChange={(value) => setQuery({ sort: value as RowSortOrder })}
            />
            <Legend />
          </>
        );
      }}
    </Menu>
  );
}

function Status() {
  const { unsaved, conflicts, refused } = counts.value;
  const count = rowCount.value;
  const words = [
    count === 1 ? l10n.t("1 row") : l10n.t("{0} rows", count),
    ...(unsaved > 0 ? [l10n.t("{0} unsaved", unsaved)] : []),
    ...(conflicts > 0 ? [l10n.t("{0} in conflict", conflicts)] : []),
    ...(refused > 0 ? [l10n.t("{0} refused", refused)] : []),
    ...(project.value.restriction === "" ? [] : [project.value.restriction]),
  ].join(" · ");
  return (
    <div role="status" class="status" title={words}>
      {words}
    </div>
  );
}

function filterLabels(): Record<RowFilter, string> {
  return {
    untranslated: l10n.t("Untranslated"),
    outdated: l10n.t("Outdated"),
    issues: l10n.t("QA issues"),
    notPushed: l10n.t("Not pushed"),
    unused: l10n.t("Unused"),
    unsaved: l10n.t("Unsaved"),
    conflicts: l10n.t("Conflicts"),
    refused: l10n.t("Refused"),
  };
}

/** `on`: the names of what is selected. */
function filtersLabel(on: readonly string[]): string {
  const [only, ...others] = on;
  if (only === undefined) return l10n.t("Filters");
  return others.length === 0 ? l10n.t("Filters: {0}", only) : l10n.t("Filters ({0})", on.length);
}

function languagesLabel(): string {
  return l10n.t("Languages ({0} of {1})", languages.value.length, project.value.languageCount);
}

const optionOf = (value: string) => [value, value] as const;

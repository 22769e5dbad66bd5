/** The toolbar: search, filters, languages and the number of rows. */
import {
  chooseLanguages,
  counts,
  isReplacing,
  languages,
  namespaces,
  query,
  rowCount,
  searchFor,
  setQuery,
  tags,
  wantsFocus,
} from "./page-state.ts";
import { changeSelected } from "./selection-actions.ts";
import { l10n } from "./l10n.ts";
import { ROW_FILTERS, type RowFilter, type RowSortOrder } from "../../model/translation-editor-filters.ts";
import { Button } from "./shared-components.tsx";

export function Toolbar() {
  const { filters, search, namespace, tag, sort } = query.value;
  const toggle = (filter: RowFilter): void =>
    setQuery({
      filters: filters.includes(filter) ? filters.filter((each) => each !== filter) : [...filters, filter],
    });
  const { unsaved, conflicts, refused } = counts.value;
  const count = rowCount.value;
  const labels: Record<RowFilter, string> = {
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
        <Select
          label={l10n.t("Namespace")}
          value={namespace ?? ""}
          options={[["", l10n.t("All namespaces")], ...namespaces.value.map(optionOf)]}
          onChange={(value) => setQuery({ namespace: value || null })}
        />
        {tags.value.length > 0 && (
          <Select
            label={l10n.t("Tag")}
            value={tag ?? ""}
            options={[["", l10n.t("All tags")], ...tags.value.map(optionOf)]}
            onChange={(value) => setQuery({ tag: value || null })}
          />
        )}
        <Select
          label={l10n.t("Sort order")}
          value={sort}
          options={[
            ["name", l10n.t("By name")],
            ["source", l10n.t("By source text")],
            ["changed", l10n.t("By last change")],
          ]}
          onChange={(value) => setQuery({ sort: value as RowSortOrder })}
        />
        {languages.value.length > 0 && (
          <Button label={l10n.t("Languages…")} onClick={() => void chooseLanguages()} />
        )}
      </div>
      <div class="line">
        <div role="group" aria-label={l10n.t("Filters")} class="filters">
          {ROW_FILTERS.filter((each) => each !== "refused" || refused > 0 || filters.includes(each)).map(
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
          onClick={() => changeSelected("translate")}
        />
        <div role="status" class="status">
          {status.join(" · ")}
        </div>
      </div>
    </div>
  );
}

type Option = readonly [value: string, label: string];

const optionOf = (value: string): Option => [value, value];

interface SelectProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

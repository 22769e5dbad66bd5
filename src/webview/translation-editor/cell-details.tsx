/** The details of the active cell and its actions. */
import {
  active,
  activeRow,
  anchor,
  cellAt,
  changeSelected,
  detail,
  isSameCell,
  resolveDraft,
  setText,
  wantsFocus,
  wholeParts,
  strings,
  type Parts,
} from "./page-state.ts";
import { send } from "./host-connection.ts";
import type { Detail, Row } from "./messages-to-page.ts";
import { flatText, KeyName, MarkedText, TextView } from "./highlighted-text.tsx";
import { fill } from "./localized-strings.ts";

type Text = Detail["text"];

export function Details() {
  const row = activeRow.value;
  const shown = detail.value;
  if (row === undefined || shown === null || shown.cell.hash !== row.hash)
    return <section class="details" aria-label={strings.value.details} />;
  const cell = row.cells[active.value.column - 1];
  const isCell = cell !== undefined && isSameCell(cellAt(active.value), shown.cell);
  const canEdit = isCell && !cell.states.includes("readonly");
  /** `textOf` returns the new text for a plural category (`null` for a value); `undefined` keeps the current one. */
  const take = (textOf: (category: string | null) => string | undefined): void => {
    if (cell === undefined) return;
    const before = wholeParts(cell, shown.text);
    const parts = before.map((part) => ({ ...part, text: textOf(part.category) || part.text }));
    setText(active.value, shown.cell, { before, parts });
  };
  return (
    <section
      class="details"
      aria-label={strings.value.details}
      onKeyDown={(event) => {
        // Returns to the cell.
        if (event.key === "Escape") wantsFocus.value = true;
      }}
    >
      <div class="about">
        <div>
          <strong>
            <KeyName row={row} />
          </strong>
          {row.context !== null && <span class="quiet"> ({row.context})</span>}
          {row.tags.map((tag) => (
            <span class="tag" key={tag}>
              {tag}
            </span>
          ))}
        </div>
        {row.description !== null && <div>{row.description}</div>}
        {row.uses !== null && (
          <div class="quiet">
            {row.uses === 0
              ? strings.value.unusedKey
              : row.uses === 1
                ? strings.value.oneUse
                : fill(strings.value.uses, row.uses)}{" "}
            {shown.usedIn !== null && (
              <button
                type="button"
                class="link"
                title={strings.value.showUse}
                onClick={() => send({ type: "showUse", hash: row.hash })}
              >
                {shown.usedIn}
              </button>
            )}
          </div>
        )}
        <div class="label">{strings.value.sourceText}</div>
        {/* What a text box is described by. */}
        <div id="source-text">
          <TextView row={row} text={shown.source} />
        </div>
        {shown.sourceAtService !== null && (
          <LabelledText label={strings.value.sourceAtService} row={row} text={shown.sourceAtService} />
        )}
        {shown.sourceBefore !== null && (
          <LabelledText label={strings.value.sourceBefore} row={row} text={shown.sourceBefore} />
        )}
      </div>
      {isCell && (
        // The clicked button may disappear.
        <div class="actions" onClick={() => (wantsFocus.value = true)}>
          {cell.states.includes("machine") && <div class="quiet">{strings.value["state-machine"]}</div>}
          {shown.isSourceChanged && <div class="issue">{strings.value.sourceChanged}</div>}
          {shown.conflict !== null && (
            <div class="conflict">
              <LabelledText label={strings.value.before} row={row} text={shown.conflict.base} />
              <LabelledText label={strings.value.theirs} row={row} text={shown.conflict.theirs} />
              <LabelledText label={strings.value.mine} row={row} text={shown.text} />
            </div>
          )}
          {shown.refused !== null && (
            <div class="issue">
              {strings.value.refused}: {shown.refused}
            </div>
          )}
          {shown.issues.map(({ message, suggestion, form }) => (
            <div class="issue" key={`${form} ${message}`}>
              {message}
              {canEdit && suggestion !== null && suggestion !== "" && (
                <button
                  type="button"
                  onClick={() =>
                    take((category) => (category === null || category === form ? suggestion : undefined))
                  }
                >
                  {fill(strings.value.takeSuggestion, suggestion)}
                </button>
              )}
            </div>
          ))}
          {shown.similar.length > 0 && <div class="label">{strings.value.similar}</div>}
          {shown.similar.map(({ source, text }) => (
            <div class="similar" key={flatText(text)}>
              <span class="quiet">
                <MarkedText text={flatText(source)} placeholders={row.placeholders} />
              </span>
              {canEdit ? (
                <button
                  type="button"
                  onClick={() =>
                    take((category) => ("value" in text ? text.value : text.forms[category ?? ""]))
                  }
                >
                  {fill(strings.value.takeSuggestion, flatText(text))}
                </button>
              ) : (
                <MarkedText text={flatText(text)} placeholders={row.placeholders} />
              )}
            </div>
          ))}
          {shown.readonly !== null && <div>{shown.readonly}</div>}
          {canEdit && (
            <div class="buttons">
              {shown.conflict !== null && (
                <>
                  <button type="button" onClick={() => resolveDraft("discard")}>
                    {strings.value.takeTheirs}
                  </button>
                  <button type="button" onClick={() => resolveDraft("keepMine")}>
                    {strings.value.keepMine}
                  </button>
                </>
              )}
              {active.value.column > 1 && shown.source !== null && (
                <button
                  type="button"
                  onClick={() =>
                    setText(active.value, shown.cell, {
                      before: wholeParts(cell, shown.text),
                      parts: copied(shown.source, cell.parts),
                    })
                  }
                >
                  {strings.value.copySource}
                </button>
              )}
              {!cell.states.includes("missing") && (
                <button type="button" onClick={() => changeSelected("clear")}>
                  {strings.value.clear}
                </button>
              )}
              {anchor.value !== null && anchor.value.row !== active.value.row && (
                <button type="button" title="Ctrl+D" onClick={() => changeSelected("fill")}>
                  {strings.value.fillDown}
                </button>
              )}
              {cell.states.includes("unsaved") && shown.conflict === null && (
                <button type="button" onClick={() => resolveDraft("discard")}>
                  {strings.value.discard}
                </button>
              )}
            </div>
          )}
        </div>
      )}
    </section>
  );
}

interface LabelledTextProps {
  readonly label: string;
  readonly row: Row;
  readonly text: Text;
}

function LabelledText({ label, row, text }: LabelledTextProps) {
  return (
    <div>
      <div class="label">{label}</div>
      <TextView row={row} text={text} />
    </div>
  );
}

/** Returns the source text in the forms of the cell; missing categories get the form `other`. */
function copied(source: Text, parts: Parts): Parts {
  if (source === null) return parts;
  const forms = "forms" in source ? source.forms : null;
  const plain =
    "value" in source ? source.value : (source.forms["other"] ?? Object.values(source.forms)[0] ?? "");
  return parts.map(({ category }) => ({
    category,
    text: category === null ? plain : (forms?.[category] ?? plain),
  }));
}

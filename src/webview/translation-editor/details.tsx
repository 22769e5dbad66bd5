/** The details of the active cell and its actions. */
import {
  active,
  activeRow,
  anchor,
  cellAt,
  changeSelected,
  detail,
  discard,
  isSameCell,
  keepMine,
  setText,
  wantsFocus,
  wholeParts,
  words,
  type Parts,
} from "./state.ts";
import { send } from "./host-connection.ts";
import type { Detail } from "./messages-to-page.ts";
import { flatText, KeyName, MarkedText, TextView } from "./highlighted-text.tsx";
import { fill } from "./localized-strings.ts";

type Text = Detail["text"];

export function Details() {
  const strings = words.value;
  const row = activeRow.value;
  const shown = detail.value;
  if (strings === null) return null;
  if (row === undefined || shown === null || shown.cell.hash !== row.hash)
    return <section class="details" aria-label={strings.details} />;
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
      aria-label={strings.details}
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
              ? strings.unusedKey
              : row.uses === 1
                ? strings.oneUse
                : fill(strings.uses, row.uses)}{" "}
            {shown.usedIn !== null && (
              <button
                type="button"
                class="link"
                title={strings.showUse}
                onClick={() => send({ type: "showUse", hash: row.hash })}
              >
                {shown.usedIn}
              </button>
            )}
          </div>
        )}
        <div class="label">{strings.sourceText}</div>
        {/* What a text box is described by. */}
        <div id="source-text">
          <TextView row={row} text={shown.source} nothing={strings.nothing} />
        </div>
        {(
          [
            [strings.sourceAtService, shown.sourceAtService],
            [strings.sourceBefore, shown.sourceBefore],
          ] as const
        ).map(
          ([label, text]) =>
            text !== null && (
              <div key={label}>
                <div class="label">{label}</div>
                <TextView row={row} text={text} nothing={strings.nothing} />
              </div>
            ),
        )}
      </div>
      {isCell && (
        // The clicked button may disappear.
        <div class="actions" onClick={() => (wantsFocus.value = true)}>
          {cell.states.includes("machine") && <div class="quiet">{strings.stateMachine}</div>}
          {shown.isSourceChanged && <div class="issue">{strings.sourceChanged}</div>}
          {shown.conflict !== null && (
            <div class="conflict">
              {(
                [
                  [strings.before, shown.conflict.base],
                  [strings.theirs, shown.conflict.theirs],
                  [strings.mine, shown.text],
                ] as const
              ).map(([label, text]) => (
                <div key={label}>
                  <div class="label">{label}</div>
                  <TextView row={row} text={text} nothing={strings.nothing} />
                </div>
              ))}
            </div>
          )}
          {shown.refused !== null && (
            <div class="issue">
              {strings.refused}: {shown.refused}
            </div>
          )}
          {shown.issues.map(({ words, suggestion, form }) => (
            <div class="issue" key={`${form} ${words}`}>
              {words}
              {canEdit && suggestion !== null && suggestion !== "" && (
                <button
                  type="button"
                  onClick={() =>
                    take((category) => (category === null || category === form ? suggestion : undefined))
                  }
                >
                  {fill(strings.takeSuggestion, suggestion)}
                </button>
              )}
            </div>
          ))}
          {shown.similar.length > 0 && <div class="label">{strings.similar}</div>}
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
                  {fill(strings.takeSuggestion, flatText(text))}
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
                  <button type="button" onClick={discard}>
                    {strings.takeTheirs}
                  </button>
                  <button type="button" onClick={keepMine}>
                    {strings.keepMine}
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
                  {strings.copySource}
                </button>
              )}
              {!cell.states.includes("missing") && (
                <button type="button" onClick={() => changeSelected("clear")}>
                  {strings.clear}
                </button>
              )}
              {anchor.value !== null && anchor.value.row !== active.value.row && (
                <button type="button" title="Ctrl+D" onClick={() => changeSelected("fill")}>
                  {strings.fillDown}
                </button>
              )}
              {cell.states.includes("unsaved") && shown.conflict === null && (
                <button type="button" onClick={discard}>
                  {strings.discard}
                </button>
              )}
            </div>
          )}
        </div>
      )}
    </section>
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

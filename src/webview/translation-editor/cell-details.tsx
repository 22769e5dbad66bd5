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
  type Parts,
} from "./page-state.ts";
import { send } from "./host-connection.ts";
import { l10n } from "./l10n.ts";
import type { Detail, Row } from "./messages-to-page.ts";
import { flatText, KeyName, MarkedText, TextView } from "./highlighted-text.tsx";

type Text = Detail["text"];

export function Details() {
  const row = activeRow.value;
  const shown = detail.value;
  if (row === undefined || shown === null || shown.cell.hash !== row.hash)
    return <section class="details" aria-label={l10n.t("Details")} />;
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
      aria-label={l10n.t("Details")}
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
              ? l10n.t("no references")
              : row.uses === 1
                ? l10n.t("used once")
                : l10n.t("used {0} times", row.uses)}{" "}
            {shown.usedIn !== null && (
              <button
                type="button"
                class="link"
                title={l10n.t("Go to first reference")}
                onClick={() => send({ type: "showUse", hash: row.hash })}
              >
                {shown.usedIn}
              </button>
            )}
          </div>
        )}
        <div class="label">{l10n.t("Source text")}</div>
        {/* What a text box is described by. */}
        <div id="source-text">
          <TextView row={row} text={shown.source} />
        </div>
        {shown.sourceAtService !== null && (
          <LabelledText label={l10n.t("Source text at the service")} row={row} text={shown.sourceAtService} />
        )}
        {shown.sourceBefore !== null && (
          <LabelledText label={l10n.t("Source text before")} row={row} text={shown.sourceBefore} />
        )}
      </div>
      {isCell && (
        // The clicked button may disappear.
        <div class="actions" onClick={() => (wantsFocus.value = true)}>
          {cell.states.includes("machine") && <div class="quiet">{l10n.t("by a language model")}</div>}
          {shown.isSourceChanged && (
            <div class="issue">
              {l10n.t("The source text was changed after a language model translated it.")}
            </div>
          )}
          {shown.conflict !== null && (
            <div class="conflict">
              <LabelledText label={l10n.t("Before")} row={row} text={shown.conflict.base} />
              <LabelledText label={l10n.t("Theirs")} row={row} text={shown.conflict.theirs} />
              <LabelledText label={l10n.t("Mine")} row={row} text={shown.text} />
            </div>
          )}
          {shown.refused !== null && (
            <div class="issue">
              {l10n.t("Refused")}: {shown.refused}
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
                  {l10n.t("Use “{0}”", suggestion)}
                </button>
              )}
            </div>
          ))}
          {shown.similar.length > 0 && <div class="label">{l10n.t("Similar texts")}</div>}
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
                  {l10n.t("Use “{0}”", flatText(text))}
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
                    {l10n.t("Take Theirs")}
                  </button>
                  <button type="button" onClick={() => resolveDraft("keepMine")}>
                    {l10n.t("Keep Mine")}
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
                  {l10n.t("Copy source text")}
                </button>
              )}
              {!cell.states.includes("missing") && (
                <button type="button" onClick={() => changeSelected("clear")}>
                  {l10n.t("Clear")}
                </button>
              )}
              {anchor.value !== null && anchor.value.row !== active.value.row && (
                <button type="button" title="Ctrl+D" onClick={() => changeSelected("fill")}>
                  {l10n.t("Fill down")}
                </button>
              )}
              {cell.states.includes("unsaved") && shown.conflict === null && (
                <button type="button" onClick={() => resolveDraft("discard")}>
                  {l10n.t("Discard change")}
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

/** The details of the active cell and its actions. */
import { useRef } from "preact/hooks";
import { flatText, type Text } from "../../model/translation-text.ts";
import { Button, KeyName, MarkedText, TextView, usagesMessage } from "./shared-components.tsx";
import { changeSelected, changeText, resolveDraft } from "./selection-actions.ts";
import { l10n } from "./l10n.ts";
import type { Cell, CellDetails, EditorRow } from "./editor-protocol.ts";
import { withSource, withSuggestion, withText } from "./cell-parts.ts";
import { cellOfDetails } from "./page-decisions.ts";
import { active, activeRow, anchor, cellAt, details, editor, wantsFocus } from "./page-state.ts";

export function Details() {
  const section = useRef<HTMLElement>(null);
  const row = activeRow.value;
  const shown = details.value;
  const isOfRow = row !== undefined && shown?.cell.hash === row.hash;
  const cell = cellOfDetails(row, cellAt(active.value), shown);
  const element = section.current;
  const hasFocus = element !== null && element === element.ownerDocument.activeElement;
  return (
    <section
      ref={section}
      class="details"
      aria-label={l10n.t("Details")}
      // Tab would leave the page if it were pressed before the details arrive.
      tabIndex={isOfRow ? (hasFocus ? -1 : undefined) : 0}
      onKeyDown={(event) => {
        // Returns to the cell.
        if (event.key === "Escape") wantsFocus.value = true;
      }}
    >
      {isOfRow && <KeyDetails row={row} shown={shown} />}
      {isOfRow && cell !== undefined && <CellActions row={row} cell={cell} shown={shown} />}
    </section>
  );
}

function KeyDetails({ row, shown }: { row: EditorRow; shown: CellDetails }) {
  return (
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
      {row.usageCount !== null && (
        <div class="quiet">
          {usagesMessage(row)}{" "}
          {shown.usedIn !== null && (
            <Button
              class="link"
              title={l10n.t("Go to first reference")}
              label={shown.usedIn}
              onClick={() => void editor.showUsage(row.hash)}
            />
          )}
        </div>
      )}
      <div class="label">{l10n.t("Source text")}</div>
      {/* The text boxes refer to it by `aria-describedby`. */}
      <div id="source-text">
        <TextView row={row} text={shown.source} />
      </div>
      {shown.sourceAtService !== null && (
        <LabelledText label={l10n.t("Source text on the service")} row={row} text={shown.sourceAtService} />
      )}
      {shown.previousSource !== null && (
        <LabelledText label={l10n.t("Source text before")} row={row} text={shown.previousSource} />
      )}
    </div>
  );
}

/** The problems of a cell and what can be done with it. */
function CellActions({ row, cell, shown }: { row: EditorRow; cell: Cell; shown: CellDetails }) {
  const { source, conflict } = shown;
  const canEdit = !cell.states.includes("readonly");
  return (
    // The clicked button may disappear.
    <div class="actions" onClick={() => (wantsFocus.value = true)}>
      {cell.states.includes("machine") && <div class="quiet">{l10n.t("by a model")}</div>}
      {shown.isSourceChanged && (
        <div class="issue">{l10n.t("The source text was changed after a language model translated it.")}</div>
      )}
      {conflict !== null && (
        <div class="conflict">
          <LabelledText label={l10n.t("Before")} row={row} text={conflict.base} />
          <LabelledText label={l10n.t("Theirs")} row={row} text={conflict.theirs} />
          <LabelledText label={l10n.t("Mine")} row={row} text={shown.text} />
        </div>
      )}
      {canEdit && conflict !== null && (
        <div class="buttons">
          <Button label={l10n.t("Take Theirs")} onClick={() => resolveDraft("discard")} />
          <Button label={l10n.t("Keep Mine")} onClick={() => resolveDraft("keepMine")} />
        </div>
      )}
      {shown.rejectionReason !== null && (
        <div class="issue">
          {l10n.t("Refused")}: {shown.rejectionReason}
        </div>
      )}
      {shown.issues.map(({ message, suggestion, form }) => (
        <div class="issue" key={`${form} ${message}`}>
          {message}
          {canEdit && suggestion !== null && suggestion !== "" && (
            <Button
              label={l10n.t("Use “{0}”", suggestion)}
              onClick={() => changeText(shown, (before) => withSuggestion(before, suggestion, form))}
            />
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
            <Button
              label={l10n.t("Use “{0}”", flatText(text))}
              onClick={() => changeText(shown, (before) => withText(before, text))}
            />
          ) : (
            <MarkedText text={flatText(text)} placeholders={row.placeholders} />
          )}
        </div>
      ))}
      {/* The cell refers to it by `aria-describedby`. */}
      {shown.readonlyReason !== null && <div id="readonly-reason">{shown.readonlyReason}</div>}
      {!canEdit && cell.states.includes("unsaved") && (
        <div class="buttons">
          <Button label={l10n.t("Discard change")} onClick={() => resolveDraft("discard")} />
        </div>
      )}
      {canEdit && (
        <div class="buttons">
          {active.value.column > 1 && source !== null && (
            <Button
              label={l10n.t("Copy source text")}
              onClick={() => changeText(shown, (before) => withSource(before, source))}
            />
          )}
          {!cell.states.includes("missing") && (
            <Button label={l10n.t("Clear")} onClick={() => changeSelected("clear")} />
          )}
          {anchor.value !== null && anchor.value.row !== active.value.row && (
            <Button label={l10n.t("Fill down")} title="Ctrl+D" onClick={() => changeSelected("fill")} />
          )}
          {cell.states.includes("unsaved") && conflict === null && (
            <Button label={l10n.t("Discard change")} onClick={() => resolveDraft("discard")} />
          )}
        </div>
      )}
    </div>
  );
}

function LabelledText({ label, row, text }: { label: string; row: EditorRow; text: Text | null }) {
  return (
    <div>
      <div class="label">{label}</div>
      <TextView row={row} text={text} />
    </div>
  );
}

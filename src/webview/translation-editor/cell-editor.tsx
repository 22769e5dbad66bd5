/** The text boxes of the edited cell: one, or one for each plural category. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { checkTrailingLineBreaks } from "../../model/trailing-line-break.ts";
import { codePointCount, type Text } from "../../model/translation-text.ts";
import { l10n } from "./l10n.ts";
import {
  active,
  details,
  cancelEdit,
  endEdit,
  goTo,
  nextMatchingRow,
  onFinishEdit,
  setText,
  editor,
} from "./page-state.ts";
import { sourceOfRow } from "./page-decisions.ts";
import { boxAction, isVsCodeShortcut, type BoxAction } from "./key-decisions.ts";
import { charactersLeft, mayReversePlaceholders, textOf, withFirstText, type Parts } from "./cell-parts.ts";
import type { Language, EditorRow } from "./editor-protocol.ts";
import { Button, MarkedText, TextView } from "./shared-components.tsx";

interface Props {
  readonly row: EditorRow;
  readonly language: Language;
  readonly parts: Parts;
  /** What was typed to replace the text, or its first form; `null` if the text is to be changed. */
  readonly typedText: string | null;
}

export function CellEditor({ row, language, parts, typedText }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const id = { hash: row.hash, locale: language.locale };
  const isOpen = useRef(true);
  const [shown] = useState(() => (typedText === null ? parts : withFirstText(parts, typedText)));
  const typed = useSignal(shown);
  const source = sourceOfRow(row.hash, details.value);
  const hasExtraLineBreak =
    !language.isSource && checkTrailingLineBreaks(source, textOf(typed.value)).length > 0;
  const descriptions = [
    "source-text",
    ...(row.maxLength === null ? [] : ["characters-left"]),
    ...(hasExtraLineBreak ? ["extra-line-break"] : []),
  ];
  const needsDisplay = typed.value.map(({ text }) => mayReversePlaceholders(text, row.placeholders));
  useLayoutEffect(() => {
    root.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [needsDisplay.join()]);
  useLayoutEffect(() => {
    const box = root.current?.querySelector("textarea");
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
    // Also called when the cell scrolls out of view or the rows change.
    return onFinishEdit(accept);
  }, []);
  const accept = (focusesCell = true): void => {
    if (!isOpen.current) return;
    isOpen.current = false;
    setText(id, typed.value);
    endEdit({ focusesCell });
  };
  const cancel = (): void => {
    isOpen.current = false;
    cancelEdit();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isVsCodeShortcut(event)) event.stopPropagation();
    const action = boxAction(event, row.placeholders);
    if (action === null) return;
    if (action.kind === "keep") {
      setText(id, typed.value);
      return;
    }
    act(action);
    event.stopPropagation();
    event.preventDefault();
  };
  const act = (action: Exclude<BoxAction, { kind: "keep" }>): void => {
    if (action.kind === "cancel") cancel();
    else if (action.kind === "lineBreak") insert("\n");
    else if (action.kind === "insert") insert(action.text);
    else if (action.kind === "undo" || action.kind === "redo") document.execCommand(action.kind);
    else if (action.kind === "accept") {
      accept();
      const { row: index, column } = active.value;
      goTo(action.goesTo === "nextMatch" ? nextMatchingRow(index) : index + 1, column);
    } else {
      accept();
      void editor.save();
    }
  };
  return (
    <div
      class="editor"
      ref={root}
      onKeyDown={onKeyDown}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && root.current?.contains(relatedTarget)) return;
        accept(relatedTarget === null);
      }}
    >
      {!language.isSource && <SourceAbove row={row} source={source} />}
      {typed.value.map(({ category, text }, index) => (
        <div key={category}>
          <label>
            {category !== null && <span class="category">{category}</span>}
            <textarea
              role="textbox"
              dir="auto"
              rows={parts.length > 1 ? 2 : 4}
              aria-label={category === null ? language.locale : `${language.locale} ${category}`}
              aria-describedby={[
                ...descriptions,
                ...(language.hiddenCategories.includes(category ?? "") ? [`hidden-${category}`] : []),
              ].join(" ")}
              aria-invalid={row.maxLength !== null && codePointCount(text) > row.maxLength}
              spellcheck={false}
              defaultValue={shown[index]?.text}
              onInput={(event) => {
                typed.value = typed.value.with(index, { category, text: event.currentTarget.value });
              }}
            />
          </label>
          {category !== null && language.hiddenCategories.includes(category) && (
            <div id={`hidden-${category}`} class="as-shown">
              {l10n.t("The app shows “other” instead of this form.")}
            </div>
          )}
          {needsDisplay[index] === true && (
            <div class="as-shown" aria-hidden="true">
              <MarkedText text={text} placeholders={row.placeholders} />
            </div>
          )}
        </div>
      ))}
      {row.placeholders.length > 0 && (
        <div class="insert">
          {row.placeholders.map((placeholder, index) => (
            <Button
              key={placeholder}
              label={placeholder}
              title={index < 9 ? `Alt+${index + 1}` : undefined}
              tabIndex={-1}
              onMouseDown={(event) => {
                // Keeps the focus in the text box.
                event.preventDefault();
                insert(placeholder);
              }}
            />
          ))}
        </div>
      )}
      {hasExtraLineBreak && (
        <div id="extra-line-break" class="characters-left exceeded">
          {l10n.t("Ends in a line break that the source text does not have")}
        </div>
      )}
      {row.maxLength !== null && <CharactersLeft parts={typed.value} maxLength={row.maxLength} />}
    </div>
  );
}

/** Repeats the source text, by which the text boxes are described; shown where the other is out of view. */
function SourceAbove({ row, source }: { row: EditorRow; source: Text | null }) {
  if (source === null) return null;
  return (
    <div class="source-above" aria-hidden="true">
      <TextView row={row} text={source} />
    </div>
  );
}

/** Inserts a text at the cursor as if it were typed, so that it can be undone. */
function insert(text: string): void {
  document.execCommand("insertText", false, text);
}

function CharactersLeft({ parts, maxLength }: { parts: Parts; maxLength: number }) {
  const left = charactersLeft(parts, maxLength);
  return (
    <div id="characters-left" class={left < 0 ? "characters-left exceeded" : "characters-left"}>
      {charactersLeftText(left)}
    </div>
  );
}

/** `left`: negative if there are too many. */
function charactersLeftText(left: number): string {
  if (left === -1) return l10n.t("1 character too many");
  if (left < 0) return l10n.t("{0} characters too many", -left);
  return left === 1 ? l10n.t("1 character left") : l10n.t("{0} characters left", left);
}

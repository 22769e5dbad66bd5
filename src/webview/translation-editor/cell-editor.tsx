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
import { textOf, type Parts } from "./page-decisions.ts";
import { placeholderNumber } from "./placeholder-shortcut.ts";
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
  const source = details.value?.cell.hash === row.hash ? details.value.source : null;
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
    const isControl = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const placeholder = row.placeholders[placeholderNumber(event) - 1];
    if (!isVsCodeShortcut(event)) event.stopPropagation();
    // The keys of an input method, such as the Enter that accepts its proposal.
    if (isOfInputMethod(event)) return;
    if (key === "escape") cancel();
    else if (key === "enter" && (event.altKey || event.shiftKey) && !isControl) insert("\n");
    else if (key === "enter") {
      accept();
      const { row: index, column } = active.value;
      goTo(isControl ? nextMatchingRow(index) : index + 1, column);
    } else if (isControl && key === "s") {
      accept();
      void editor.save();
    } else if (isControl && (key === "z" || key === "y")) {
      // Otherwise VS Code would undo an edit of the document.
      document.execCommand(key === "y" || event.shiftKey ? "redo" : "undo");
    } else if (placeholder !== undefined) {
      insert(placeholder);
    } else {
      // The shortcut may close the editor before the edit ends.
      if (isVsCodeShortcut(event)) setText(id, typed.value);
      return;
    }
    event.stopPropagation();
    event.preventDefault();
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

function withFirstText(parts: Parts, text: string): Parts {
  const [first, ...others] = parts;
  return first === undefined ? parts : [{ ...first, text }, ...others];
}

/** Returns whether the key belongs to a text that is being composed; Safari tells only by the code of the key. */
function isOfInputMethod(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
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

/** Returns whether the key combination is a VS Code shortcut. Ctrl+Alt types characters on some keyboard layouts. */
function isVsCodeShortcut({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (/^F\d+$/u.test(key)) return true;
  return (ctrlKey || metaKey) && !altKey && /^(?:[^acvx]|Tab|PageUp|PageDown)$/iu.test(key);
}

/** Inserts a text at the cursor as if it were typed, so that it can be undone. */
function insert(text: string): void {
  document.execCommand("insertText", false, text);
}

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns whether a placeholder may be displayed in reversed order: a text box cannot isolate parts of its text without
 * control characters, so the text is repeated below the box.
 */
function mayReversePlaceholders(text: string, placeholders: readonly string[]): boolean {
  return RIGHT_TO_LEFT.test(text) && placeholders.some((each) => text.includes(each));
}

function CharactersLeft({ parts, maxLength }: { parts: Parts; maxLength: number }) {
  const left = maxLength - Math.max(...parts.map(({ text }) => codePointCount(text)));
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

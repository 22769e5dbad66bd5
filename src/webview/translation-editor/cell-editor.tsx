/** The text boxes of the cell that is edited: one, or one for each plural category. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { send } from "./host.ts";
import { endEdit, goTo, onFinishEdit, words, type Parts } from "./state.ts";
import type { Language, Row } from "./messages.ts";
import { fill } from "./strings.ts";

interface Props {
  readonly row: Row;
  readonly language: Language;
  readonly position: { readonly row: number; readonly column: number };
  readonly parts: Parts;
}

export function CellEditor({ row, language, position, parts }: Props) {
  const [typed, setTyped] = useState(parts);
  const root = useRef<HTMLDivElement>(null);
  const isOpen = useRef(true);
  const latest = useRef(parts);
  useLayoutEffect(() => {
    const box = root.current?.querySelector("textarea");
    box?.focus();
    box?.select();
    root.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // Also where the cell goes out of view, or other rows take its place.
    return onFinishEdit(() => end(true));
  }, []);
  const end = (isTaken: boolean): void => {
    if (!isOpen.current) return;
    isOpen.current = false;
    endEdit(isTaken ? latest.current : null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isControl = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    // Not the grid's, and of what stands below not VS Code's.
    event.stopPropagation();
    if (event.isComposing) return;
    if (key === "escape") end(false);
    else if (isControl && key === "enter") {
      end(true);
      goTo(position.row + 1, position.column);
    } else if (isControl && key === "s") {
      end(true);
      send({ type: "save" });
    } else if (isControl && (key === "z" || key === "y")) {
      // VS Code would undo an edit of the document.
      document.execCommand(key === "y" || event.shiftKey ? "redo" : "undo");
    } else if (event.altKey && /^[1-9]$/u.test(key) && row.placeholders[Number(key) - 1] !== undefined) {
      insert(row.placeholders[Number(key) - 1] ?? "");
    } else return;
    event.preventDefault();
  };
  return (
    <div
      class="editor"
      ref={root}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget))) end(true);
      }}
    >
      {typed.map(({ category, text }, index) => (
        <label key={category}>
          {category !== null && <span class="category">{category}</span>}
          <textarea
            role="textbox"
            dir="auto"
            rows={typed.length > 1 ? 2 : 4}
            aria-label={category === null ? language.locale : `${language.locale} ${category}`}
            aria-describedby={row.maxLength === null ? undefined : "characters-left"}
            spellcheck={false}
            value={text}
            onInput={(event) => {
              const { value } = event.currentTarget;
              latest.current = latest.current.map((each, at) =>
                at === index ? { ...each, text: value } : each,
              );
              setTyped(latest.current);
            }}
          />
        </label>
      ))}
      {row.placeholders.length > 0 && (
        <div class="insert">
          {row.placeholders.map((placeholder, index) => (
            <button
              type="button"
              key={placeholder}
              title={index < 9 ? `Alt+${index + 1}` : undefined}
              tabIndex={-1}
              onMouseDown={(event) => {
                // The text box keeps the focus.
                event.preventDefault();
                insert(placeholder);
              }}
            >
              {placeholder}
            </button>
          ))}
        </div>
      )}
      {row.maxLength !== null && <Left parts={typed} maxLength={row.maxLength} />}
    </div>
  );
}

/** Puts a text in where the cursor is, as if it were typed, so that the box can undo it. */
function insert(text: string): void {
  document.execCommand("insertText", false, text);
}

/** The characters left, counted as the service does. */
function Left({ parts, maxLength }: { readonly parts: Parts; readonly maxLength: number }) {
  const left = maxLength - Math.max(...parts.map(({ text }) => Array.from(text).length));
  const said = words.value;
  if (said === null) return null;
  return (
    <div id="characters-left" class={left < 0 ? "left over" : "left"}>
      {left < 0 ? fill(said.charactersOver, -left) : fill(said.charactersLeft, left)}
    </div>
  );
}

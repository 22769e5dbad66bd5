/** A button that opens a panel of controls below it. Escape, and leaving it, close it. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface MenuProps {
  label: string;
  /** Whether something in it is on. */
  isOn?: boolean;
  /** Returns the controls. `close` closes the menu and focuses its button. */
  children: (close: () => void) => ComponentChildren;
}

export function Menu({ label, isOn = false, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isOpen) controlsIn(root.current)[0]?.focus();
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      class="menu"
      ref={root}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen) {
          event.stopPropagation();
          close();
        } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          // A list of options moves its own selection.
          if (event.target instanceof HTMLSelectElement) return;
          event.preventDefault();
          if (isOpen) moveFocus(root.current, event.key === "ArrowDown" ? 1 : -1);
          else setOpen(true);
        }
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && root.current?.contains(relatedTarget) === true))
          setOpen(false);
      }}
    >
      <button
        type="button"
        ref={button}
        class={isOn ? "opener on" : "opener"}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        // Takes the focus of clicks beside its controls.
        <div class="panel" role="group" aria-label={label} tabIndex={-1}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

function controlsIn(root: HTMLElement | null): readonly HTMLElement[] {
  const all = root?.querySelectorAll<HTMLElement>(".panel :is(input, select, button, [tabindex])") ?? [];
  // Without those that the width of the window hides.
  return [...all].filter((control) => control.offsetParent !== null);
}

/** Moves the focus to the next control or the one before, and from the last one to the first. */
function moveFocus(root: HTMLElement | null, by: 1 | -1): void {
  const controls = controlsIn(root);
  const from = controls.findIndex((control) => control === document.activeElement);
  const to = from === -1 && by === -1 ? -1 : from + by;
  controls.at(to % controls.length)?.focus();
}

/** Find and replace in the listed rows, with a preview of every change. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { send } from "./host-connection.ts";
import { found, isReplacing, wantsFocus, words } from "./state.ts";
import type { CellId, Replacement } from "./messages-from-page.ts";
import type { Found } from "./messages-to-page.ts";
import { fill, type Strings } from "./localized-strings.ts";

export function Replace() {
  const [replacement, setReplacement] = useState<Replacement>({
    find: "",
    replacement: "",
    matchCase: false,
  });
  /** The replacement that the matches belong to. */
  const shown = useRef(replacement);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const first = useRef<HTMLInputElement>(null);
  const strings = words.value;
  // Before the next key is handled, so that none is lost.
  useLayoutEffect(() => {
    found.value = null;
    first.current?.focus();
  }, []);
  if (strings === null) return null;
  const places = found.value?.places ?? [];
  const chosen = places.filter((place) => !left.has(idOf(place.cell)));
  const preview = (): void => {
    if (replacement.find === "") return;
    shown.current = replacement;
    setLeft(new Set());
    send({ type: "find", replacement });
  };
  const close = (): void => {
    isReplacing.value = false;
    found.value = null;
    wantsFocus.value = true;
  };
  const change = (part: Partial<Replacement>): void => {
    setReplacement({ ...replacement, ...part });
    // The matches belong to another search.
    found.value = null;
  };
  const replace = (): void => {
    send({ type: "replace", replacement: shown.current, cells: chosen.map(({ cell }) => cell) });
    close();
  };
  return (
    <section
      class="replace"
      aria-label={strings.replaceIn}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          preview();
        }}
      >
        <input
          ref={first}
          aria-label={strings.find}
          placeholder={strings.find}
          value={replacement.find}
          onInput={(event) => change({ find: event.currentTarget.value })}
        />
        <input
          aria-label={strings.replaceWith}
          placeholder={strings.replaceWith}
          value={replacement.replacement}
          onInput={(event) => change({ replacement: event.currentTarget.value })}
        />
        <label>
          <input
            type="checkbox"
            checked={replacement.matchCase}
            onChange={(event) => change({ matchCase: event.currentTarget.checked })}
          />{" "}
          {strings.matchCase}
        </label>
        <button type="submit">{strings.preview}</button>
        <button type="button" disabled={chosen.length === 0} onClick={replace}>
          {fill(strings.replaceCount, chosen.length)}
        </button>
      </form>
      {/* Always present, so that its changes are announced. */}
      <p class="quiet" aria-live="polite">
        {found.value !== null && foundWords(places.length, found.value.isAll, strings)}
      </p>
      <ul class="places">
        {places.map((place) => (
          <Place
            key={idOf(place.cell)}
            place={place}
            isChosen={!left.has(idOf(place.cell))}
            toggle={() => {
              const next = new Set(left);
              if (!next.delete(idOf(place.cell))) next.add(idOf(place.cell));
              setLeft(next);
            }}
          />
        ))}
      </ul>
    </section>
  );
}

function foundWords(count: number, isAll: boolean, strings: Strings): string {
  if (count === 0) return strings.nothingFound;
  return isAll ? fill(strings.foundCount, count) : strings.moreFound;
}

interface PlaceProps {
  readonly place: Found;
  readonly isChosen: boolean;
  readonly toggle: () => void;
}

function Place({ place, isChosen, toggle }: PlaceProps) {
  return (
    <li>
      <label>
        <input type="checkbox" checked={isChosen} onChange={toggle} />{" "}
        <span class="quiet">
          {place.key} · {place.cell.locale}
        </span>{" "}
        <del>
          <bdi dir="auto">{place.before}</bdi>
        </del>{" "}
        <ins>
          <bdi dir="auto">{place.after}</bdi>
        </ins>
      </label>
    </li>
  );
}

function idOf({ hash, locale }: CellId): string {
  return `${hash} ${locale}`;
}

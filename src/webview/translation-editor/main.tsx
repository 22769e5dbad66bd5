/** The page of the translation editor. */
import { render } from "preact";
import { Details } from "./details.tsx";
import { Grid } from "./grid.tsx";
import { Replace } from "./replace.tsx";
import { isReplacing, start, words } from "./state.ts";
import { Toolbar } from "./toolbar.tsx";
import type { State } from "./messages-to-page.ts";
import type { Strings } from "./localized-strings.ts";

/** The descriptions of cell states, referenced by `aria-describedby`. */
const STATES: readonly (readonly [State, keyof Strings])[] = [
  ["missing", "stateMissing"],
  ["outdated", "stateOutdated"],
  ["issue", "stateIssue"],
  ["unsaved", "stateUnsaved"],
  ["conflict", "stateConflict"],
  ["machine", "stateMachine"],
  ["refused", "stateRefused"],
  ["readonly", "stateReadonly"],
];

function Page() {
  const strings = words.value;
  if (strings === null) return null;
  return (
    <main>
      <h1 class="unseen">{strings.translations}</h1>
      <Toolbar />
      {isReplacing.value && <Replace />}
      <Grid />
      <Details />
      <div hidden>
        {STATES.map(([state, word]) => (
          <span id={`state-${state}`} key={state}>
            {strings[word]}
          </span>
        ))}
      </div>
    </main>
  );
}

// VS Code's find widget would search only the rendered rows.
window.addEventListener(
  "keydown",
  (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "f") return;
    event.preventDefault();
    event.stopPropagation();
    document.querySelector<HTMLInputElement>("#search")?.select();
  },
  true,
);
render(<Page />, document.body);
start();

/** The page of the translation editor. */
import { render } from "preact";
import { Details } from "./cell-details.tsx";
import { Grid } from "./grid.tsx";
import { Replace } from "./find-and-replace.tsx";
import { isReplacing, isSetUp, start, strings } from "./page-state.ts";
import { Toolbar } from "./toolbar.tsx";
import { StateSchema } from "./messages-to-page.ts";

function Page() {
  if (!isSetUp.value) return null;
  return (
    <main>
      <h1 class="unseen">{strings.value.translations}</h1>
      <Toolbar />
      {isReplacing.value && <Replace />}
      <Grid />
      <Details />
      <div hidden>
        {/* Cells refer to their states by `aria-describedby`. */}
        {StateSchema.options.map((state) => (
          <span id={`state-${state}`} key={state}>
            {strings.value[`state-${state}`]}
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

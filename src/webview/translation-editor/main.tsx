/** The page of the translation editor. */
import { effect } from "@preact/signals-core";
import { l10n, language } from "./l10n.ts";
import { render } from "preact";
import { Details } from "./cell-details.tsx";
import { Table } from "./table.tsx";
import { FindAndReplace } from "./find-and-replace.tsx";
import { isReplacing, isSetUp, start } from "./page-state.ts";
import { StateDescriptions } from "./cell-states.tsx";
import { Toolbar } from "./toolbar.tsx";

function Page() {
  if (!isSetUp.value) return null;
  return (
    <main>
      <h1 class="unseen">{l10n.t("Translations")}</h1>
      <Toolbar />
      {isReplacing.value && <FindAndReplace />}
      <Table />
      <Details />
      <StateDescriptions />
    </main>
  );
}

// VS Code's find widget would search only the rendered rows.
window.addEventListener(
  "keydown",
  (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || (key !== "f" && key !== "h"))
      return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "f") document.querySelector<HTMLInputElement>("#search")?.select();
    else isReplacing.value = true;
  },
  true,
);
effect(() => {
  document.documentElement.lang = language.value;
});
render(<Page />, document.body);
start();

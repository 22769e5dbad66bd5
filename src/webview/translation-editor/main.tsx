/** The page of the translation editor. */
import { l10n } from "./l10n.ts";
import { render } from "preact";
import { Details } from "./cell-details.tsx";
import { Table } from "./table.tsx";
import { FindAndReplace } from "./find-and-replace.tsx";
import { isReplacing, isSetUp, start } from "./page-state.ts";
import { Toolbar } from "./toolbar.tsx";
import type { State } from "./editor-protocol.ts";

function Page() {
  if (!isSetUp.value) return null;
  return (
    <main>
      <h1 class="unseen">{l10n.t("Translations")}</h1>
      <Toolbar />
      {isReplacing.value && <FindAndReplace />}
      <Table />
      <Details />
      <div hidden>
        {/* Cells refer to their states by `aria-describedby`. */}
        {Object.entries(stateLabels()).map(([state, label]) => (
          <span id={`state-${state}`} key={state}>
            {label}
          </span>
        ))}
      </div>
    </main>
  );
}

function stateLabels(): Record<State, string> {
  return {
    missing: l10n.t("not translated"),
    outdated: l10n.t("outdated"),
    issue: l10n.t("QA issue"),
    unsaved: l10n.t("unsaved"),
    conflict: l10n.t("in conflict"),
    machine: l10n.t("by a language model"),
    refused: l10n.t("refused from a language model"),
    readonly: l10n.t("read-only"),
  };
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

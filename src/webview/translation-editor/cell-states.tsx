/** The states of cells: an icon and a word in the cell, and the legend that explains them. */
import { l10n } from "./l10n.ts";
import { STATES, type State } from "./editor-protocol.ts";
import { shownStates } from "./page-decisions.ts";

interface Words {
  readonly word: string;
  readonly meaning: string;
}

function wordsOf(): Record<State, Words> {
  return {
    missing: {
      word: l10n.t("untranslated"),
      meaning: l10n.t("There is no text in this language."),
    },
    outdated: {
      word: l10n.t("outdated"),
      meaning: l10n.t("The source text was changed after the translation."),
    },
    issue: {
      word: l10n.t("QA issue"),
      meaning: l10n.t("Something is wrong with the text. The details below the table say what."),
    },
    lineBreak: {
      word: l10n.t("line break"),
      meaning: l10n.t("The text ends in a line break that the source text does not have."),
    },
    unsaved: { word: l10n.t("unsaved"), meaning: l10n.t("Changed here and not saved yet.") },
    conflict: {
      word: l10n.t("in conflict"),
      meaning: l10n.t("Somebody else changed the text, too. The details show both."),
    },
    machine: {
      word: l10n.t("by a model"),
      meaning: l10n.t("Translated by a language model and not saved yet."),
    },
    refused: {
      word: l10n.t("refused"),
      meaning: l10n.t("The answer of a language model did not pass the checks."),
    },
    readonly: {
      word: l10n.t("read-only"),
      meaning: l10n.t("Cannot be edited. The details say why."),
    },
  };
}

/** Renders the states of a cell for the eye; `StateDescriptions` has them for screen readers. */
export function CellStates({
  states,
  isIconOnly = false,
}: {
  states: readonly State[];
  isIconOnly?: boolean;
}) {
  const words = wordsOf();
  // All cells may be read-only.
  const isShort = (state: State): boolean => isIconOnly || state === "readonly";
  return (
    <>
      {shownStates(states).map((state) => (
        <span class={`state is-${state}`} key={state} aria-hidden="true" title={words[state].word}>
          {isShort(state) ? "" : words[state].word}
        </span>
      ))}
    </>
  );
}

/** The elements that cells refer to by `aria-describedby`. */
export function StateDescriptions() {
  return (
    <div hidden>
      {Object.entries(wordsOf()).map(([state, { word }]) => (
        <span id={`state-${state}`} key={state}>
          {word}
        </span>
      ))}
    </div>
  );
}

export function Legend() {
  const words = wordsOf();
  return (
    // A tab stop, so that the keyboard can scroll it.
    <section class="legend" aria-label={l10n.t("Legend")} tabIndex={0}>
      <div class="label">{l10n.t("Legend")}</div>
      <dl>
        {STATES.map((state) => (
          <div key={state}>
            <dt>
              <span class={`state is-${state}`}>{words[state].word}</span>
            </dt>
            <dd>{words[state].meaning}</dd>
          </div>
        ))}
        <div>
          <dt>
            <span class="placeholder wrong">{l10n.t("placeholder")}</span>
          </dt>
          <dd>{l10n.t("The source text does not have this placeholder.")}</dd>
        </div>
      </dl>
    </section>
  );
}

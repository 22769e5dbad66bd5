/** The states of a cell, why it is read-only, and what a language model translates. Knows nothing of VS Code but its texts. */
import { checkTrailingLineBreaks } from "../../model/trailing-line-break.ts";
import type { WriteRefusal } from "../../database/session/text-source.ts";
import { l10n } from "../../util/l10n.ts";
import { isEmptyText, type Text } from "../../model/translation-text.ts";
import { STATES, type State } from "../../webview/translation-editor/editor-protocol.ts";

/** Where the text of a cell is, and what is known of it. */
export type CellPlace =
  | {
      readonly kind: "service";
      /** Whether the project still has the language. */
      readonly isRemoved: boolean;
      /** Whether the service has the key. */
      readonly hasKey: boolean;
      /** Whether the texts of the language are loaded. */
      readonly isLoaded: boolean;
      /** Why nothing can be written there; `null`: it can. */
      readonly refusal: WriteRefusal | null;
    }
  | {
      readonly kind: "file";
      /** Whether there is any translation file. */
      readonly hasFiles: boolean;
      /** Whether the file is only replaced as a whole. */
      readonly isGenerated: boolean;
      /** Whether the file contains the text in a way that cannot be edited. */
      readonly isFixed: boolean;
    };

export type ReadonlyReason =
  | "removed"
  | "not-pushed"
  | "not-loaded"
  | "no-write-access"
  | "no-file"
  | "generated"
  | "fixed";

/** Returns why a cell cannot be edited; `null` if it can be. */
export function readonlyReason(place: CellPlace): ReadonlyReason | null {
  if (place.kind === "service") {
    if (place.isRemoved) return "removed";
    if (!place.hasKey) return "not-pushed";
    if (!place.isLoaded) return "not-loaded";
    // What is typed without a valid token is kept until somebody signs in again.
    return place.refusal === "read-only" ? "no-write-access" : null;
  }
  if (!place.hasFiles) return "no-file";
  if (place.isGenerated) return "generated";
  return place.isFixed ? "fixed" : null;
}

/** Says why a cell cannot be edited and what to do. */
export function readonlyText(reason: ReadonlyReason, locale: string): string {
  switch (reason) {
    case "removed":
      return l10n.t(
        "The project no longer has {0}, so this text cannot be saved. It is kept until you discard it.",
        locale,
      );
    case "not-pushed":
      return l10n.t("Push this key first: the service does not know it yet.");
    case "not-loaded":
      return l10n.t("The translations of {0} are not loaded yet.", locale);
    case "no-write-access":
      return l10n.t("Editing needs a token with write access.");
    case "no-file":
      return l10n.t("There is no local translation file for this text.");
    case "generated":
      return l10n.t("This text is in a file that is only replaced as a whole.");
    case "fixed":
      return l10n.t("This text can only be changed in its file.");
  }
}

export interface CellFacts {
  /** The text shown: the draft's, else the stored one. */
  readonly text: Text | null;
  readonly source: Text | null;
  /** Whether all texts of the language are loaded: before, a missing text may exist. */
  readonly isLoaded: boolean;
  /** The stored translation. */
  readonly translation: { readonly isOutdated: boolean; readonly issues: readonly unknown[] } | undefined;
  readonly draft: { readonly origin: "person" | "machine"; readonly isConflict: boolean } | undefined;
  /** Whether a machine translation was rejected. */
  readonly isRefused: boolean;
  readonly isReadonly: boolean;
}

/** Returns the states of a cell. What the service says of the stored text is not said of a draft. */
export function cellStates(cell: CellFacts): readonly State[] {
  const { text, source, draft, translation } = cell;
  const states: Readonly<Record<State, boolean>> = {
    missing: (text === null || isEmptyText(text)) && cell.isLoaded,
    outdated: draft === undefined && translation?.isOutdated === true,
    issue: draft === undefined && (translation?.issues.length ?? 0) > 0,
    lineBreak: checkTrailingLineBreaks(source, text).length > 0,
    unsaved: draft !== undefined,
    conflict: draft?.isConflict === true,
    machine: draft?.origin === "machine",
    refused: cell.isRefused,
    readonly: cell.isReadonly,
  };
  return STATES.filter((state) => states[state]);
}

/**
 * Returns the languages that cells are translated into, the source left out, and whether texts that are there stay. Only a
 * single cell is translated again.
 */
export function translationScope(
  keyCount: number,
  chosen: readonly string[],
  sourceLocale: string,
): { readonly locales: readonly string[]; readonly missingOnly: boolean } {
  const locales = chosen.filter((locale) => locale !== sourceLocale);
  return { locales, missingOnly: keyCount > 1 || locales.length !== 1 };
}

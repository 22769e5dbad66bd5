/** Commands that show something: the translation editor, views, inlay hints, documents and menus. */
import * as v from "valibot";
import { ROW_FILTERS } from "../../model/translation-editor-filters.ts";
import { defineCommand, forRows, resolvesWith } from "../define-command.ts";
import {
  keyOptions,
  listOf,
  LocaleSchema,
  LocalesSchema,
  option,
  requiredOption,
} from "../option-schemas.ts";

const FilterSchema = v.picklist(ROW_FILTERS);

export const openEditorCommand = defineCommand({
  id: "openEditor",
  title: "Open Translation Editor",
  needs: "project",
  description: "Opens the translation editor; resolves when the first rows are shown.",
  options: {
    locales: option(LocalesSchema, "The languages to show."),
    locale: option(LocaleSchema, "One language, instead of `locales`."),
    ...keyOptions,
    key: option(v.pipe(v.string(), v.nonEmpty()), "The key to select."),
    filter: option(
      v.union([FilterSchema, listOf(FilterSchema)]),
      "Shows only rows that match one of these filters.",
    ),
    search: option(v.string(), "Shows only rows that contain these words."),
  },
});

/** `openEditorCommand` in the menus of rows. */
export const openEditorRowCommand = forRows(openEditorCommand);

export const toggleInlayHintsCommand = defineCommand({
  id: "toggleInlayHints",
  title: "Toggle Inline Translations",
  needs: "project",
  description: "Shows or hides the texts in the code.",
  resolvesWith: resolvesWith<{ readonly enabled: boolean }>("`enabled`"),
});

export const chooseInlayLanguageCommand = defineCommand({
  id: "chooseInlayLanguage",
  title: "Choose Inline Language",
  needs: "project",
  audience: "person",
  description: "Chooses the language of the texts in the code.",
  options: {
    locale: option(v.nullable(LocaleSchema), "The language; `null`: as set in the project file."),
  },
  resolvesWith: resolvesWith<{ readonly locale: string | null }>("`locale`"),
});

export const showDiagnosisCommand = defineCommand({
  id: "showDiagnosis",
  title: "Show Diagnostics",
  needs: "window",
  description: "A report on projects, files and the session; it contains no secrets.",
  resolvesWith: resolvesWith<{ readonly text: string }>("`text`"),
});

export const showMenuCommand = defineCommand({
  id: "showMenu",
  title: "Show Menu",
  needs: "project",
  audience: "person",
  description: "Shows the menu of the status bar.",
});

export const openSettingsCommand = defineCommand({
  id: "openSettings",
  title: "Settings",
  needs: "window",
  audience: "person",
  description: "Opens the settings of the extension.",
});

export const openWalkthroughCommand = defineCommand({
  id: "openWalkthrough",
  title: "Walkthrough",
  needs: "window",
  audience: "person",
  description: "Opens the walkthrough.",
});

export const closeWelcomeCommand = defineCommand({
  id: "closeWelcome",
  title: "Close",
  needs: "window",
  audience: "row",
  description: "Hides the row that offers to sign in.",
});

/** The options of rows that do something. */
export const rowAction = {
  act: requiredOption(
    v.pipe(
      v.custom<() => void>((value) => typeof value === "function"),
      v.metadata({ value: "function" }),
    ),
    "What the row does.",
  ),
};

export const loadAgainCommand = defineCommand({
  id: "loadAgain",
  title: "Try Again",
  needs: "window",
  audience: "row",
  description: "Loads rows again.",
  options: rowAction,
});

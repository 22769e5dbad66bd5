/** Commands about texts: editing, translating and extracting them, and QA issues. */
import * as v from "valibot";
import type { TranslationRow } from "../../api/response-schemas.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { KeyIssue } from "../../sync/qa-issues.ts";
import { defineCommand, forRows, resolvesWith } from "../define-command.ts";
import {
  hasText,
  HashesSchema,
  isAtMostOneText,
  keyOptions,
  KeySchema,
  LocaleSchema,
  listOf,
  LocalesSchema,
  option,
  requiredKeyOptions,
  requiredOption,
  TEXT_RULES,
  textOptions,
} from "../option-schemas.ts";

/** The version of a row (§ Versions); `null`: there is no row. */
const VersionSchema = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)));
const requiredLocale = requiredOption(LocaleSchema, "The language.");

export const editTranslationCommand = defineCommand({
  id: "editTranslation",
  title: "Edit Translation",
  needs: "project",
  audience: "person",
  inRowMenus: true,
  description:
    "Edits a text where it is kept: translations on the service, the source text in its file; without signing in, every text in its file.",
  options: {
    ...keyOptions,
    locale: option(LocaleSchema, "The language; asked for if it is left out."),
    ...textOptions,
    version: option(
      VersionSchema,
      "The version that the text replaces: it is then written without a prompt.",
    ),
  },
  resolvesWith: resolvesWith<{ readonly row: TranslationRow | null }>("`row`"),
});

export const setTranslationCommand = defineCommand({
  id: "setTranslation",
  title: "Set Translation",
  needs: "write-access",
  description: "Writes a translation. `row.version` is `null` if it was written but could not be read back.",
  options: {
    locale: requiredLocale,
    ...requiredKeyOptions,
    ...textOptions,
    version: option(
      VersionSchema,
      "The version that was read: a newer text is a conflict. Without it, the current text is replaced.",
    ),
  },
  needsText: true,
  resolvesWith: resolvesWith<{
    readonly row: TranslationRow;
    /** The current row, if there is a conflict. */
    readonly theirs?: TranslationRow;
  }>("`row`; on `conflict` also `theirs`"),
});

const TranslationItemSchema = v.pipe(
  v.strictObject({ ...requiredKeyOptions, ...textOptions, version: option(VersionSchema, "") }),
  v.check((item) => isAtMostOneText(item), TEXT_RULES.both),
  v.check((item) => hasText(item), TEXT_RULES.none),
);

export const setTranslationsCommand = defineCommand({
  id: "setTranslations",
  title: "Set Translations",
  needs: "write-access",
  description: "Writes several translations of a language.",
  options: {
    locale: requiredLocale,
    items: requiredOption(
      listOf(TranslationItemSchema),
      "The translations: `[{ namespace?, key, context?, value or forms, version? }]`.",
    ),
    mode: option(
      v.picklist(["overwrite", "fill_empty"]),
      "`fill_empty` writes only where there is no translation; default: `overwrite`.",
    ),
  },
  resolvesWith: resolvesWith<{
    readonly written: number;
    readonly skipped: readonly (KeyName & { readonly reason: string })[];
  }>("`written` (count), `skipped: [{ namespace, key, context, reason }]`"),
});

export const setLocalCommand = defineCommand({
  id: "setLocal",
  title: "Set Local Text",
  needs: "project",
  description: "Writes a text to its translation file; only the bytes of the entry change.",
  options: {
    ...keyOptions,
    locale: option(LocaleSchema, "The language; default: the source language."),
    ...textOptions,
  },
  resolvesWith: resolvesWith<{
    /** Relative to the project's root. */
    readonly file: string;
    /** Whether the entry was created. */
    readonly created: boolean;
  }>("`file`, `created`"),
});

/** A translation that was not made or not accepted, with a sentence that says why. */
export interface RefusedText extends KeyName {
  readonly locale: string;
  readonly reason: string;
}

export const translateCommand = defineCommand({
  id: "translate",
  title: "Translate Missing",
  needs: "trusted-workspace",
  description:
    "Has a language model of the editor propose translations ([Translation by language models](translate.md)). They are written to the service, or without signing in to the files, only with `save: true`.",
  options: {
    locales: option(LocalesSchema, "The languages; default: all, or they are asked for."),
    locale: option(LocaleSchema, "One language, instead of `locales`."),
    keys: option(
      listOf(KeySchema),
      "`[{ namespace?, key, context? }]`; default: what is untranslated or outdated and has no proposal.",
    ),
    ...keyOptions,
    key: option(v.pipe(v.string(), v.nonEmpty()), "One key, instead of `keys`."),
    model: option(
      v.pipe(v.string(), v.nonEmpty()),
      "The id of a language model; default: the last one used.",
    ),
    save: option(v.boolean(), "Whether to write the translations to the service."),
    missingOnly: option(v.boolean(), "Of `keys`, only what is untranslated or outdated."),
    showsEditor: option(v.boolean(), "Whether to open the translation editor afterwards; default: `true`."),
  },
  resolvesWith: resolvesWith<{
    readonly staged: number;
    readonly saved: number;
    readonly refused: readonly RefusedText[];
    /** Id of the language model; `null` if none was needed. */
    readonly model: string | null;
    /** Number of requests sent to the model. */
    readonly requests: number;
  }>(
    "`staged` and `saved` (counts), `refused: [{ locale, namespace, key, context, reason }]`, `model`, `requests` (count)",
  ),
});

/** `translateCommand` in the menus of rows. */
export const translateRowCommand = forRows(translateCommand);

export const translateKeyCommand = defineCommand({
  id: "translateKey",
  title: "Translate",
  needs: "trusted-workspace",
  audience: "person",
  inRowMenus: true,
  description: "Has a language model propose the translations that one key lacks, as Translate Missing does.",
  options: {
    ...keyOptions,
    locale: option(LocaleSchema, "The language; default: that of the entry at the cursor, else all."),
  },
});

const IssueSchema = v.pipe(
  v.custom<KeyIssue>(
    (value) => typeof value === "object" && value !== null && "rule" in value && "row" in value,
  ),
  v.metadata({ value: "issue" }),
);

export const applySuggestionCommand = defineCommand({
  id: "applySuggestion",
  title: "Apply Suggestion",
  needs: "write-access",
  audience: "row",
  description: "Applies the suggestion of a QA issue.",
  options: { issue: option(IssueSchema, "An issue of the view “QA Issues”.") },
  resolvesWith: resolvesWith<{ readonly row?: TranslationRow | null }>("`row`"),
});

export const applySuggestionsCommand = defineCommand({
  id: "applySuggestions",
  title: "Apply All Suggestions",
  needs: "write-access",
  inRowMenus: true,
  description: "Applies the suggestions of QA issues.",
  options: {
    locale: option(LocaleSchema, "Only in this language."),
    hashes: option(HashesSchema, "Hashes of keys: only these."),
  },
  resolvesWith: resolvesWith<{
    readonly written: number;
    readonly skipped: readonly { readonly locale: string; readonly key: string; readonly reason: string }[];
  }>("`written` (count), `skipped: [{ locale, key, reason }]`"),
});

export const extractKeyCommand = defineCommand({
  id: "extractKey",
  title: "Extract Key",
  needs: "project",
  description: "Replaces the selected text by a key, and adds the key to its translation file.",
  options: {
    key: option(v.pipe(v.string(), v.nonEmpty()), "The key as written in code; default: a proposed one."),
  },
  resolvesWith: resolvesWith<{
    /** The key as written in code. */
    readonly key: string;
    /** Relative to the project's root; `null` if the key already existed, or the framework adds it itself. */
    readonly file: string | null;
  }>("`key`, `file`"),
});

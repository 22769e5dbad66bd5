/** The read-only tools: keys, texts, usages, QA issues and the glossary, from cached data. */
import type { ProjectKey } from "../database/records.ts";
import type { ResultRow } from "./limit-result-tokens.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import { neededCategories } from "../model/plural-categories.ts";
import { textProblems } from "../messages/issue-messages.ts";
import { isEmptyText, isForms, type Text } from "../model/translation-text.ts";
import { projectIssues, type KeyIssue } from "../sync/qa-issues.ts";
import { l10n } from "../util/l10n.ts";
import { readGlossary } from "../workspace/project-file/glossary.ts";
import { toKeyName, type KeyInput, type ToolInput } from "./tool-inputs.ts";
import type { ReadTool, ToolProject } from "./tool.ts";
import type { Project } from "../database/project-state.ts";
import { ensureTranslations } from "../sync/refresh/ensure-translations.ts";
import { usagesOfKey, usagesWithCode } from "../workspace/usage-locations/usages-with-code.ts";
import { yieldNow } from "../util/event-loop.ts";

/** Returns the identifying fields of a key. */
export function keyFields({ namespace, key, context }: KeyName): ResultRow {
  return {
    ...(namespace === NO_NAMESPACE ? {} : { namespace }),
    key,
    ...(context === null ? {} : { context }),
  };
}

/** Returns the fields of a key that matter to its translations. Members that are `undefined` are not part of the result. */
function sourceFields(key: ProjectKey): ResultRow {
  return {
    ...keyFields(key),
    ...textRow("source", key.text),
    description: key.description ?? undefined,
    maxLength: key.maxLength ?? undefined,
  };
}

/** Returns a text as a field of a row. */
function textRow(name: string, text: Text | null): ResultRow {
  if (text === null) return {};
  return isForms(text) ? { [`${name}Forms`]: text.forms } : { [name]: text.value };
}

/**
 * Returns the key that a call identifies.
 * @throws {Error}
 */
export function requireKey({ project }: ToolProject, input: KeyInput): ProjectKey {
  const key = project.keys.get(keyHash(toKeyName(input)));
  if (key === undefined) throw new Error(unknownKeyMessage(input));
  return key;
}

/** Returns the message for the model about a key that does not exist. */
export function unknownKeyMessage(input: KeyInput): string {
  return `There is no key ${JSON.stringify(keyFields(toKeyName(input)))}. Find its exact namespace, key and context with the tool search_texts or list_keys.`;
}

/**
 * Ensures that the keys and the translations of the languages are loaded. Those of local files are all loaded.
 * @throws {Error}
 */
export async function ensureLoaded(
  open: ToolProject,
  signal: AbortSignal,
  ...locales: readonly (string | undefined)[]
): Promise<void> {
  // The stored state, with the languages, is loaded with the refresher.
  const { project } = open;
  const refresher = await open.refresher;
  if (!project.keysComplete) await open.refresh(signal);
  const known = (project.stats?.languages ?? []).map((language) => language.locale);
  for (const locale of locales) {
    if (locale === undefined) continue;
    if (!known.includes(locale))
      throw new Error(`The project has no language ${JSON.stringify(locale)}. It has: ${known.join(", ")}.`);
    if (locale !== project.sourceLocale) await ensureTranslations({ project, refresher }, locale);
  }
}

/** Returns the languages that texts are translated to. */
function targetLocales({ stats }: Project): readonly string[] {
  return (stats?.languages ?? []).filter(({ isSource }) => !isSource).map(({ locale }) => locale);
}

export const listKeys: ReadTool<"list_keys"> = {
  name: "list_keys",
  progress: () => l10n.t("Listing keys"),
  run: async ({ open, input, signal, page }) => {
    const { project } = open;
    const { namespace, tag, locale, state, cursor } = input;
    if (state !== undefined && locale === undefined)
      throw new Error('"state" is about a language: give "locale" too.');
    await ensureLoaded(open, signal, locale);
    const rows = async function* (): AsyncGenerator<ResultRow> {
      let count = 0;
      for (const key of keysInState(project, state, locale ?? "")) {
        if (++count % 500 === 0) {
          await yieldNow();
          signal.throwIfAborted();
        }
        if (key === undefined) continue;
        if (namespace !== undefined && key.namespace !== namespace) continue;
        if (tag !== undefined && !key.tags.includes(tag)) continue;
        yield { ...sourceFields(key), tags: key.tags.length === 0 ? undefined : key.tags };
      }
    };
    return page(rows(), cursor === undefined ? { keysOfProject: project.keys.size } : {});
  },
};

function* keysInState(
  { drafts, keys, sourceLocale, translations }: Project,
  state: ToolInput<"list_keys">["state"],
  locale: string,
): Generator<ProjectKey | undefined> {
  // Source texts are those of the keys: a table of translations has none.
  if (state === "untranslated" && locale === sourceLocale) {
    for (const key of keys.values()) if (key.text === null || isEmptyText(key.text)) yield key;
  } else if (state === "untranslated") for (const batch of keys.untranslated(locale)) yield* batch;
  else if (state === "outdated")
    for (const { hash } of translations.rows(locale, "outdated")) yield keys.get(hash);
  else if (state === "proposed") {
    for (const draft of drafts.all()) yield draft.locale === locale ? keys.get(draft.hash) : undefined;
  } else yield* keys.values();
}

const MAX_SEARCH_RESULTS = 1_000;

export const searchTexts: ReadTool<"search_texts"> = {
  name: "search_texts",
  progress: () => l10n.t("Searching texts"),
  run: async ({ open, input: { query, locale }, signal, page }) => {
    await ensureLoaded(open, signal, locale);
    await open.indexTexts(signal);
    const words = query.split(/\s+/u).filter((word) => word !== "");
    const rows = async function* (): AsyncGenerator<ResultRow> {
      let count = 0;
      const locales = locale === undefined ? {} : { locales: [locale] };
      for (const { text, match, ...key } of open.keySearch.find({ words, ...locales }, MAX_SEARCH_RESULTS)) {
        if (++count % 50 === 0) await yieldNow();
        const row = locale === undefined ? undefined : open.project.translations.get(locale, key.hash);
        yield {
          ...keyFields(key),
          ...textRow("source", text),
          ...(match?.locale == null ? {} : { foundIn: match.locale, found: match.text }),
          ...textRow("translation", row?.text ?? null),
        };
      }
    };
    return page(rows());
  },
};

export const getTranslations: ReadTool<"get_translations"> = {
  name: "get_translations",
  progress: () => l10n.t("Reading translations"),
  run: async ({ open, input, signal, page }) => {
    const { project } = open;
    await ensureLoaded(open, signal);
    const { locales = targetLocales(project) } = input;
    await ensureLoaded(open, signal, ...locales);
    const keys = input.keys.map((name) => requireKey(open, name));
    const rows = function* (): Generator<ResultRow> {
      for (const key of keys) {
        yield { ...sourceFields(key), locale: project.sourceLocale };
        for (const locale of locales) {
          if (locale === project.sourceLocale) continue;
          const row = project.translations.get(locale, key.hash);
          const draft = project.drafts.get(locale, key.hash);
          yield {
            ...keyFields(key),
            locale,
            state: row?.isTranslated !== true ? "untranslated" : row.isOutdated ? "outdated" : "translated",
            ...textRow("translation", row?.text ?? null),
            neededForms: key.isPlural ? neededCategories(locale) : undefined,
            issues: row?.issues.length
              ? row.issues.map(({ rule, placeholder }) => [rule, placeholder ?? ""].join(" ").trim())
              : undefined,
            ...textRow("proposed", draft?.text ?? null),
            proposedBy: draft && (draft.origin === "person" ? "user" : "model"),
          };
        }
      }
    };
    return page(rows());
  },
};

/** Characters. Longer source lines are truncated. */
const MAX_CODE_LENGTH = 200;

export const findUsages: ReadTool<"find_usages"> = {
  name: "find_usages",
  progress: () => l10n.t("Searching the code"),
  run: async ({ open, input, signal, page }) => {
    await ensureLoaded(open, signal);
    const key = requireKey(open, input);
    const usages = await open.usages(signal);
    const found = await usagesWithCode(open, usagesOfKey(usages, key.hash));
    const rows = found.map(({ path, start, pattern, code }) => ({
      path,
      line: start.line + 1,
      code: code.slice(0, MAX_CODE_LENGTH),
      maybe: pattern ?? undefined,
    }));
    return page(rows, keyFields(key));
  },
};

export const listIssues: ReadTool<"list_issues"> = {
  name: "list_issues",
  progress: () => l10n.t("Listing QA issues"),
  run: async ({ open, input: { locale }, signal, page }) => {
    const { project } = open;
    await ensureLoaded(open, signal);
    const locales = locale === undefined ? targetLocales(project) : [locale];
    await ensureLoaded(open, signal, ...locales);
    await open.checkTexts(signal);
    const rows = async function* (): AsyncGenerator<ResultRow> {
      for (const each of locales)
        for (const issue of await projectIssues(project, each)) yield issueRow(project, issue);
    };
    return page(rows());
  },
};

function issueRow({ keys }: Project, issue: KeyIssue): ResultRow {
  const { locale, rule, level, placeholder, form, suggestion, hash, row } = issue;
  return {
    locale,
    ...keyFields(issue),
    message: textProblems(row.text, [issue]).join(", "),
    rule,
    level,
    placeholder: placeholder || undefined,
    form: form || undefined,
    suggestion: suggestion || undefined,
    ...textRow("source", keys.text(hash) ?? null),
    ...textRow("translation", row.text),
  };
}

/** Characters. Longer instructions are truncated; the translate command sends them in full. */
const MAX_INSTRUCTIONS_LENGTH = 2_000;

export const getGlossary: ReadTool<"get_glossary"> = {
  name: "get_glossary",
  progress: () => l10n.t("Reading the glossary"),
  run: async ({ open, input: { locale, cursor }, signal, page }) => {
    await ensureLoaded(open, signal, locale);
    const { project, file, files } = open;
    const glossary = await readGlossary(file, files);
    const rows = Object.entries(glossary).flatMap(([term, translations]): readonly ResultRow[] => {
      if (locale === undefined) return [{ term, translations }];
      const translation = translations[locale];
      return translation === undefined ? [] : [{ term, translation }];
    });
    const head = {
      sourceLanguage: project.sourceLocale,
      languages: targetLocales(project).slice(0, 100),
      instructions: (file.translate?.instructions ?? "").slice(0, MAX_INSTRUCTIONS_LENGTH),
    };
    return page(rows, cursor === undefined ? head : {});
  },
};

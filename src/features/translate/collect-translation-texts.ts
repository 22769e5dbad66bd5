/** Selects the texts to translate and collects their context for a language model. */
import type { ProjectKey } from "../../database/records.ts";
import type { TranslationDraft, TranslationDrafts } from "../../database/translation-draft-repository.ts";
import type { UsageRepository } from "../../database/usage-repository.ts";
import type { TextToTranslate } from "../../machine-translation/translation-prompt.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { isEmptyText, plainText } from "../../model/text.ts";
import { FileTextCache } from "../../vscode/files/file-text-cache.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import { glossaryTermsIn, type Glossary } from "../../workspace/project-file/glossary.ts";
import { yieldNow } from "../../model/event-loop.ts";

/** The keys to be translated into a language. */
export interface SelectedKeys {
  readonly locale: string;
  readonly keys: readonly ProjectKey[];
  /** Requested keys that are not to be translated. */
  readonly refused: readonly { readonly name: KeyName; readonly reason: "unknown-key" | "draft" }[];
}

/**
 * Returns the untranslated and outdated keys without a draft; with `names` exactly these keys, or with `missingOnly` those
 * of them that are missing. Drafts of the user and keys without a source text are excluded.
 */
export async function selectKeys(
  open: OpenProject,
  locale: string,
  {
    names,
    missingOnly = false,
    drafts,
  }: {
    readonly names?: readonly KeyName[] | undefined;
    readonly missingOnly?: boolean;
    readonly drafts: TranslationDrafts;
  },
): Promise<SelectedKeys> {
  const { keys: all, translations } = open.project;
  const keys = new Map<string, ProjectKey>();
  const refused: SelectedKeys["refused"][number][] = [];
  const take = (key: ProjectKey): void => {
    if (key.text !== null && !isEmptyText(key.text)) keys.set(key.hash, key);
  };
  if (names !== undefined) {
    for (const [index, name] of names.entries()) {
      if (index % 500 === 499) await yieldNow();
      const key = all.get(keyHash(name));
      if (missingOnly) {
        const row = key && translations.get(locale, key.hash);
        const isMissing = row?.isTranslated !== true || row.isOutdated;
        if (key !== undefined && isMissing && drafts.get(locale, key.hash) === undefined) take(key);
      } else if (key === undefined) refused.push({ name, reason: "unknown-key" });
      else if (drafts.get(locale, key.hash)?.origin === "person") refused.push({ name, reason: "draft" });
      else take(key);
    }
    return { locale, keys: [...keys.values()], refused };
  }
  for (const batch of all.untranslated(locale)) {
    for (const key of batch) if (drafts.get(locale, key.hash) === undefined) take(key);
    await yieldNow();
  }
  for (const { hash } of translations.outdated(locale)) {
    const key = all.get(hash);
    if (key !== undefined && drafts.get(locale, hash) === undefined) take(key);
  }
  return { locale, keys: [...keys.values()], refused };
}

/** Returns the machine translation drafts in these languages, optionally of these keys. */
export function machineDrafts(
  drafts: TranslationDrafts,
  locales: readonly string[],
  names: readonly KeyName[] | undefined,
): readonly TranslationDraft[] {
  const hashes = names === undefined ? null : new Set(names.map((name) => keyHash(name)));
  const found: TranslationDraft[] = [];
  for (let page = drafts.page(PAGE); page.length > 0; page = drafts.page(PAGE, page.at(-1))) {
    found.push(
      ...page.filter(
        ({ origin, locale, hash }) =>
          origin === "machine" && locales.includes(locale) && (hashes === null || hashes.has(hash)),
      ),
    );
  }
  return found;
}

const PAGE = 500;
/** Usages and similar translations sent with each text. */
const MAX_USAGES = 2;
const MAX_SIMILAR = 3;
/** Similar texts that are searched for existing translations. */
const MAX_LIKE = 20;
/** Longer similar texts are not sent. Characters. */
const MAX_SIMILAR_LENGTH = 300;

/** Yields the texts of a language with their context. */
export async function* collectTexts(
  open: OpenProject,
  { locale, keys }: SelectedKeys,
  { usages, glossary }: { readonly usages: UsageRepository; readonly glossary: Glossary },
): AsyncGenerator<TextToTranslate> {
  let files = new FileTextCache(open);
  for (const [index, key] of keys.entries()) {
    // Limits the number of cached files.
    if (index % 40 === 0) files = new FileTextCache(open);
    if (key.text === null) continue;
    const places: string[] = [];
    for (const { path, span } of usages.usagesOf(key.hash).slice(0, MAX_USAGES)) {
      const read = await files.read(path);
      places.push(read === undefined ? path : `${path}:${read.lines.range(span).start.line + 1}`);
    }
    yield {
      hash: key.hash,
      name: projectKeyLabel(open, key),
      source: key.text,
      description: key.description,
      maxLength: key.maxLength,
      usages: places,
      similar: similarTo(open, key, locale),
      glossary: glossaryTermsIn(glossary, joinedText(key), locale),
    };
    await yieldNow();
  }
}

function joinedText({ text }: ProjectKey): string {
  return text === null ? "" : "forms" in text ? Object.values(text.forms).join("\n") : text.value;
}

function similarTo(open: OpenProject, key: ProjectKey, locale: string): TextToTranslate["similar"] {
  const { translations } = open.project;
  return open.keySearch
    .similarTexts(joinedText(key), MAX_LIKE)
    .flatMap(({ hash, text }) => {
      const row = hash === key.hash ? undefined : translations.get(locale, hash);
      if (row === undefined || !row.isTranslated || row.isOutdated || row.issues.length > 0) return [];
      const pair = { source: plainText(text), translation: plainText(row.text) };
      const isShort = Object.values(pair).every(({ length }) => length > 0 && length <= MAX_SIMILAR_LENGTH);
      return isShort ? [pair] : [];
    })
    .slice(0, MAX_SIMILAR);
}

/** Selects the texts to translate and collects their context for a language model. */
import type { RefusedText } from "../../commands/declarations/text-commands.ts";
import type { ProjectKey, ProjectRow } from "../../database/records.ts";
import type { RequestContext, TextToTranslate } from "../../machine-translation/translation-prompt.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { isEmptyText, plainText, valuesOf } from "../../model/translation-text.ts";
import type { App } from "../../vscode/app.ts";
import { CommandError, type CommandRun } from "../../commands/command-types.ts";
import { FileTextCache } from "../../vscode/files/file-text-cache.ts";
import { chosenDelimiters } from "../../workspace/problems/project-placeholder-families.ts";
import { l10n } from "../../util/l10n.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { GlossaryError, glossaryTermsIn, readGlossary } from "../../workspace/project-file/glossary.ts";

export function refusedText(
  { namespace, key, context }: KeyName,
  locale: string,
  reason: string,
): RefusedText {
  return { locale, namespace, key, context, reason };
}

/** The reason for a text that a user typed and did not save. */
export const typedTextReason = (): string => l10n.t("What you typed there is not saved yet.");

const unknownKeyReason = ({ source }: OpenProject): string =>
  source.hasService
    ? l10n.t("The service does not know the key.")
    : l10n.t("No translation file has this key.");

/** The keys to translate into a language, and those of the requested ones that are not translated. */
export interface SelectedKeys {
  readonly locale: string;
  readonly keys: readonly ProjectKey[];
  readonly refused: readonly RefusedText[];
}

/**
 * Returns the untranslated and outdated keys without a draft; with `names` exactly these keys, or with `missingOnly` those
 * of them that are missing. Drafts of the user and keys without a source text are excluded.
 */
export async function selectKeys(
  open: OpenProject,
  locale: string,
  names: readonly KeyName[] | undefined,
  missingOnly: boolean,
): Promise<SelectedKeys> {
  const { drafts, keys, translations } = open.connection;
  const selected = new Map<string, ProjectKey>();
  const refused: RefusedText[] = [];
  const select = (key: ProjectKey): void => {
    if (key.text !== null && !isEmptyText(key.text)) selected.set(key.hash, key);
  };
  const selectMissing = (key: ProjectKey | undefined): void => {
    if (key !== undefined && drafts.get(locale, key.hash) === undefined) select(key);
  };
  for (const [index, name] of (names ?? []).entries()) {
    if (index % 500 === 499) await yieldNow();
    const key = keys.get(keyHash(name));
    const row = key && translations.get(locale, key.hash);
    const isMissing = row?.isTranslated !== true || row.isOutdated;
    if (missingOnly) selectMissing(isMissing ? key : undefined);
    else if (key === undefined) refused.push(refusedText(name, locale, unknownKeyReason(open)));
    else if (drafts.get(locale, key.hash)?.origin === "person")
      refused.push(refusedText(name, locale, typedTextReason()));
    else select(key);
  }
  if (names === undefined) {
    for (const batch of keys.untranslated(locale)) {
      batch.forEach(selectMissing);
      await yieldNow();
    }
    for (const { hash } of translations.rows(locale, "outdated")) selectMissing(keys.get(hash));
  }
  return { locale, keys: [...selected.values()], refused };
}

/** The texts of a language to be sent. */
export interface PreparedTexts {
  readonly context: RequestContext;
  readonly texts: readonly TextToTranslate[];
  /** The translations at the time the texts were collected, by hash. */
  readonly bases: ReadonlyMap<string, ProjectRow>;
}

/** Usages and similar translations sent with each text. */
const MAX_USAGES = 2;
const MAX_SIMILAR_TEXTS = 3;
/** Similar texts that are searched for translations. */
const MAX_SEARCHED_TEXTS = 20;
/** Keys after which the cached files are dropped. */
const FILE_CACHE_KEYS = 40;
/** Characters. Longer similar texts are not sent. */
const MAX_SIMILAR_LENGTH = 300;

/**
 * Collects the texts to send with their context.
 * @throws {CommandError} if the glossary cannot be read.
 */
export async function prepareTexts(
  app: App,
  open: OpenProject,
  wanted: readonly SelectedKeys[],
  run: CommandRun,
): Promise<readonly PreparedTexts[]> {
  const { file } = open;
  const glossary = await readGlossary(file, open.files).catch((error: unknown) => {
    if (!(error instanceof GlossaryError)) throw error;
    throw new CommandError(
      "invalid",
      l10n.t(
        "The glossary {0} cannot be read. Check “translate.glossary” in project-translations.json.",
        error.path,
      ),
    );
  });
  run.report(l10n.t("Searching the code"));
  // Usages are only context: without them the texts are translated all the same.
  const usages = await app.usages.reload(open, run.signal).catch(() => app.usages.of(open));
  const total = wanted.reduce((sum, { keys }) => sum + keys.length, 0);
  const prepared: PreparedTexts[] = [];
  let files = new FileTextCache(open);
  let done = 0;
  for (const { locale, keys } of wanted) {
    const texts: TextToTranslate[] = [];
    const bases = new Map<string, ProjectRow>();
    for (const key of keys) {
      run.signal.throwIfAborted();
      if (done % FILE_CACHE_KEYS === 0) files = new FileTextCache(open);
      run.report(l10n.t("Gathering {0}", formatCount.texts(total)), (100 * ++done) / total);
      if (key.text === null) continue;
      const locations: string[] = [];
      for (const { path, span } of usages.usagesOf(key.hash).slice(0, MAX_USAGES)) {
        const read = await files.read(path);
        locations.push(read === undefined ? path : `${path}:${read.lines.range(span).start.line + 1}`);
      }
      const source = valuesOf(key.text).join("\n");
      texts.push({
        hash: key.hash,
        name: projectKeyLabel(open, key),
        source: key.text,
        description: key.description,
        maxLength: key.maxLength,
        usages: locations,
        similar: similarTranslations(open, key.hash, source, locale),
        glossary: glossaryTermsIn(glossary, source, locale),
      });
      const base = open.translations.get(locale, key.hash);
      if (base !== undefined) bases.set(key.hash, base);
      await yieldNow();
    }
    const instructions = file.translate?.instructions ?? null;
    const delimiters = chosenDelimiters(app.documentUsages.lookupOptions(open));
    const context = { sourceLocale: open.sourceLocale ?? "en", locale, instructions, delimiters };
    if (texts.length > 0) prepared.push({ context, texts, bases });
  }
  return prepared;
}

function similarTranslations(
  open: OpenProject,
  hash: string,
  source: string,
  locale: string,
): TextToTranslate["similar"] {
  const found = open.keySearch.similarTexts(source, MAX_SEARCHED_TEXTS).flatMap((hit) => {
    const row = hit.hash === hash ? undefined : open.translations.get(locale, hit.hash);
    if (row === undefined || !row.isTranslated || row.isOutdated || row.issues.length > 0) return [];
    const pair = { source: plainText(hit.text), translation: plainText(row.text) };
    const isShort = Object.values(pair).every(({ length }) => length > 0 && length <= MAX_SIMILAR_LENGTH);
    return isShort ? [pair] : [];
  });
  return found.slice(0, MAX_SIMILAR_TEXTS);
}

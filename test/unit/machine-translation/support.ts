/** A language model as a function of the JSON that it receives, and texts to translate. */
import { hash } from "node:crypto";
import type { TextToTranslate } from "../../../src/machine-translation/translation-prompt.ts";
import {
  translateTexts,
  type TranslateDependencies,
  type TranslationResult,
} from "../../../src/machine-translation/translate-texts.ts";
import { checkTranslation } from "../../../src/machine-translation/validate-translation.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { provideModel } from "../support/vscode-stub.ts";

/** An item of a request as a model reads it. */
export interface ModelItem {
  readonly id: string;
  readonly key: string;
  readonly source?: string;
  readonly forms?: Readonly<Record<string, string>>;
  readonly problem?: string;
  readonly [name: string]: unknown;
}

/** What a model answers for an item. */
export interface ModelAnswer {
  readonly id: string;
  readonly key?: string;
  readonly text?: string;
  readonly forms?: Readonly<Record<string, string>>;
}

export function textToTranslate(source: Text | string, more: Partial<TextToTranslate> = {}): TextToTranslate {
  const text: Text = typeof source === "string" ? { value: source } : source;
  const id = hash("sha1", JSON.stringify(text));
  return {
    hash: id,
    name: `key-${id}`,
    source: text,
    description: null,
    maxLength: null,
    usages: [],
    similar: [],
    glossary: {},
    ...more,
  };
}

/** The items that the last message ends with. */
export function itemsOf(messages: readonly string[]): { locale: string; items: readonly ModelItem[] } {
  const last = messages.at(-1) ?? "";
  return JSON.parse(last.slice(last.indexOf("{"))) as { locale: string; items: readonly ModelItem[] };
}

/** The right answer: each text with `x` before it. */
export function rightAnswer({ id, key, source, forms }: ModelItem): ModelAnswer {
  if (forms === undefined) return { id, key, text: `x ${source ?? ""}` };
  return {
    id,
    key,
    forms: Object.fromEntries(Object.entries(forms).map(([form, text]) => [form, `x ${text}`])),
  };
}

export function answerOf(items: readonly ModelAnswer[]): string {
  return JSON.stringify({ items });
}

/** Everything that comes of the texts, with what was sent. */
export async function translateAll(
  texts: readonly TextToTranslate[],
  model: (items: readonly ModelItem[], request: number) => string,
  locale = "nl",
): Promise<{ results: TranslationResult[]; requests: (readonly string[])[] }> {
  const requests: (readonly string[])[] = [];
  const context = { sourceLocale: "en", locale, instructions: null };
  const dependencies: TranslateDependencies = {
    send: async (messages) => {
      requests.push(messages);
      return model(itemsOf(messages).items, requests.length);
    },
    check: ({ source, maxLength }, translation) =>
      checkTranslation({ source, sourceLocale: "en", locale, maxLength }, translation),
  };
  const results: TranslationResult[] = [];
  for await (const some of translateTexts(context, texts, dependencies)) results.push(...some);
  return { results, requests };
}

/** The translation of each text, or why there is none, in the order of the texts. */
export function outcomes(
  texts: readonly TextToTranslate[],
  results: readonly TranslationResult[],
): (Text | readonly string[])[] {
  return texts.map((text) => {
    const own = results.filter((result) => result.text === text);
    if (own.length !== 1 || own[0] === undefined) throw new Error(`${own.length} results of one text`);
    const [result] = own;
    return result.kind === "translated" ? result.translation : result.reasons.map(({ kind }) => kind);
  });
}

/** Provides a model that translates everything, but `meanwhile` comes first; returns what it was asked for (`nl title`). */
export function translateWhile(meanwhile: (locale: string) => unknown = () => undefined): readonly string[] {
  const asked: string[] = [];
  provideModel(async (sent) => {
    const { locale, items } = itemsOf(sent);
    asked.push(...items.map(({ key }) => `${locale} ${key}`));
    await meanwhile(locale);
    return answerOf(items.map(rightAnswer));
  });
  return asked;
}

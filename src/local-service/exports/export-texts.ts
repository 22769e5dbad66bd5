/** The texts of an export: each language's own, and replacements for missing ones. */
import { getOrCreate } from "../../model/maps.ts";
import { neededCategories } from "../../model/plural-categories.ts";
import type { Text } from "../../model/text.ts";
import type { Missing } from "../service-settings.ts";
import { storedText, type KeyRow, type LanguageRow } from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";

/** Returns an empty text of the key's kind. */
export function emptyText(key: KeyRow, locale: string): Text {
  if (!key.isPlural) return { value: "" };
  return { forms: Object.fromEntries(neededCategories(locale).map((category) => [category, ""])) };
}

/** The texts of each language, read on first use. */
export class Texts {
  readonly #connection: Connection;
  readonly #keys: readonly KeyRow[];
  readonly #languages: readonly LanguageRow[];
  readonly #byLanguage = new Map<number, ReadonlyMap<number, Text>>();

  constructor(connection: Connection, keys: readonly KeyRow[], languages: readonly LanguageRow[]) {
    this.#connection = connection;
    this.#keys = keys;
    this.#languages = languages;
  }

  /** `undefined`: the key is omitted; `null`: it is included without a text. */
  of(key: KeyRow, language: LanguageRow, missing: Missing): Text | null | undefined {
    const own = this.#textsOf(language).get(key.id);
    if (own !== undefined) return own;
    if (missing === "omit") return undefined;
    if (missing === "fallback") {
      for (const other of this.#chain(language)) {
        const text = this.#textsOf(other).get(key.id);
        if (text !== undefined) return text;
      }
    }
    return null;
  }

  /** "fall back along the fallback chain": the language's own list, then the source language. */
  #chain(language: LanguageRow): LanguageRow[] {
    const listed = language.fallback.flatMap(
      (locale) => this.#languages.find((one) => one.locale === locale) ?? [],
    );
    return [...listed, ...this.#languages.slice(0, 1)];
  }

  #textsOf(language: LanguageRow): ReadonlyMap<number, Text> {
    return getOrCreate(this.#byLanguage, language.id, () =>
      language === this.#languages[0] ? this.#sourceTexts() : this.#targetTexts(language.id),
    );
  }

  #sourceTexts(): Map<number, Text> {
    return new Map(this.#keys.flatMap((key) => (key.text === null ? [] : [[key.id, key.text] as const])));
  }

  #targetTexts(languageId: number): Map<number, Text> {
    const texts = new Map<number, Text>();
    for (const row of this.#connection
      .sql("SELECT key_id, value, forms FROM translations WHERE language_id = ?")
      .iterate(languageId)) {
      const text = storedText(row["value"], row["forms"]);
      if (text !== null) texts.set(Number(row["key_id"]), text);
    }
    return texts;
  }
}

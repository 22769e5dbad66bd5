/**
 * The project of `--demo` and its initial content. The texts (`demo-texts.json`) differ slightly from the files of the
 * sample shop; some are wrong on purpose (`:nom`, `:Anzahl`, `: count`), to demonstrate the placeholder checks.
 */
import { keyHash } from "../model/key-hash.ts";
import { isForms, type Forms, type Text } from "../model/translation-text.ts";
import demoTexts from "./demo-texts.json" with { type: "json" };
import { ContentEdit } from "./edit-keys-and-translations.ts";
import type { Service } from "./service-context.ts";
import type { ProjectFile } from "./service-settings.ts";
import type { Connection } from "./store/store.ts";

/** A Laravel app with PHP groups and a JSON file; English plus four other languages. */
export const DEMO_PROJECT: ProjectFile = {
  slug: "webshop",
  name: "Webshop",
  type: "laravel",
  sourceLocale: "en",
  languages: [
    { locale: "nl", name: "Nederlands" },
    { locale: "fr", name: "Français" },
    { locale: "de", name: "Deutsch", fallback: ["nl"] },
    { locale: "pl", name: "Polski" },
  ],
  exportProfiles: [
    {
      key: "app",
      name: "Laravel app",
      format: "laravel_php",
      path: "lang/{locale}/{namespace}.php",
      files: [{ format: "laravel_json", path: "lang/{locale}.json" }],
    },
    {
      key: "json",
      name: "JSON",
      format: "json_js",
      path: "{locale}/{namespace}.json",
      missing: "fallback",
    },
  ],
};

type DemoText = string | Forms;

const TARGETS = ["nl", "fr", "de", "pl"] as const;

interface DemoKey extends Partial<Record<(typeof TARGETS)[number], DemoText>> {
  readonly ns: string;
  readonly key: string;
  readonly en: DemoText;
  /** The source text that the translations are based on, if it has changed since. */
  readonly was?: DemoText;
  readonly description?: string;
  readonly maxLength?: number;
  readonly tags?: readonly string[];
  readonly archived?: boolean;
}

const DEMO_KEYS = (demoTexts as readonly DemoKey[]).map((demo) => {
  const name = { namespace: demo.ns, key: demo.key, context: null };
  return { ...demo, name, hash: keyHash(name) };
});

const DAY_MS = 86_400_000;
/** Age in days of the keys, of each language's translations, and of the changed source texts. */
const AGE_DAYS = { keys: 40, nl: 3, fr: 6, de: 12, pl: 21, changes: 1 } as const;

/** Fills the store in one transaction: keys, then each language, then the changed source texts. */
export function seedDemo(service: Service, connection: Connection): void {
  const editOf = (part: keyof typeof AGE_DAYS): ContentEdit => {
    const now = service.now() - AGE_DAYS[part] * DAY_MS;
    // The initial content must not cause webhook deliveries.
    const settings = { ...service.settings, webhooks: [] };
    return new ContentEdit({ ...service, now: () => now, settings }, connection);
  };
  const keys = editOf("keys");
  for (const { name, hash, en, was, description = null, maxLength = null, tags = [] } of DEMO_KEYS) {
    const text = textOf(was ?? en);
    keys.addTags(
      keys.insertKey({ ...name, hash, isPlural: isForms(text), text, description, maxLength }),
      tags,
    );
  }
  keys.finish();
  for (const locale of TARGETS) {
    const edit = editOf(locale);
    const language = edit.language(locale);
    if (language === undefined) continue;
    for (const { hash, [locale]: text } of DEMO_KEYS) {
      if (text !== undefined) edit.setTranslation(edit.getKey(hash), language, textOf(text));
    }
    edit.finish();
  }
  const changes = editOf("changes");
  for (const { hash, en, was, archived } of DEMO_KEYS) {
    const key = changes.getKey(hash);
    if (was !== undefined) changes.setSource(key, textOf(en));
    if (archived === true) changes.setArchived(key.id, true);
  }
  changes.finish();
}

function textOf(text: DemoText): Text {
  return typeof text === "string" ? { value: text } : { forms: text };
}

/**
 * The demo project of `--demo`, and the initial content of its store. Its texts (`demo-texts.json`) are those of the
 * sample shop with slight differences from its files; some are deliberately wrong (`:nom`, `:Anzahl`, `: count`) to
 * demonstrate the placeholder checks.
 */
import { keyHash, type KeyName } from "../model/key-hash.ts";
import type { Forms, Text } from "../model/text.ts";
import { ContentEdit } from "./edit-keys-and-translations.ts";
import type { Service } from "./service-context.ts";
import demoTexts from "./demo-texts.json" with { type: "json" };
import type { ProjectFile } from "./service-settings.ts";
import type { Connection } from "./store/store.ts";

/** A Laravel app with PHP groups and a JSON file; English plus four other languages. */
export const DEMO_PROJECT: ProjectFile = {
  slug: "webshop",
  name: "Webshop",
  type: "laravel",
  sourceLocale: "en",
  languages: [
    { locale: "nl", name: "Nederlands", fallback: [] },
    { locale: "fr", name: "Français", fallback: [] },
    { locale: "de", name: "Deutsch", fallback: ["nl"] },
    { locale: "pl", name: "Polski", fallback: [] },
  ],
  exportProfiles: [
    {
      key: "app",
      name: "Laravel app",
      format: "laravel_php",
      path: "lang/{locale}/{namespace}.php",
      files: [{ format: "laravel_json", path: "lang/{locale}.json" }],
      locales: null,
      missing: "omit",
    },
    {
      key: "json",
      name: "JSON",
      format: "json_js",
      path: "{locale}/{namespace}.json",
      files: [],
      locales: null,
      missing: "fallback",
    },
  ],
};

type DemoText = string | Forms;

interface DemoKey {
  readonly ns: string;
  readonly key: string;
  readonly en: DemoText;
  /** The source text that the translations are based on, if it has changed since. */
  readonly was?: DemoText;
  readonly nl?: DemoText;
  readonly fr?: DemoText;
  readonly de?: DemoText;
  readonly pl?: DemoText;
  readonly description?: string;
  readonly maxLength?: number;
  readonly tags?: readonly string[];
  readonly archived?: boolean;
}

const DEMO_KEYS = demoTexts as readonly DemoKey[];

const TARGETS = ["nl", "fr", "de", "pl"] as const;
const DAY = 86_400_000;
/** Days since the last change of each language. */
const DAYS_AGO = { keys: 40, nl: 3, fr: 6, de: 12, pl: 21, changes: 1 } as const;

/** Fills the store in one transaction: keys, then each language, then the changed source texts. */
export function seedDemo(service: Service, connection: Connection): void {
  const ago = (days: number): ContentEdit => {
    const now = service.now() - days * DAY;
    // The initial content must not cause webhook deliveries.
    return new ContentEdit(
      { ...service, now: () => now, settings: { ...service.settings, webhooks: [] } },
      connection,
    );
  };
  const keys = ago(DAYS_AGO.keys);
  for (const demo of DEMO_KEYS) insert(keys, demo);
  keys.finish();
  for (const locale of TARGETS) {
    const edit = ago(DAYS_AGO[locale]);
    const language = edit.languages.find((one) => one.locale === locale);
    if (language === undefined) continue;
    for (const demo of DEMO_KEYS) {
      const text = demo[locale];
      if (text !== undefined)
        edit.setTranslation(edit.current(keyHash(nameOf(demo))), language, textOf(text));
    }
    edit.finish();
  }
  const changes = ago(DAYS_AGO.changes);
  for (const demo of DEMO_KEYS) {
    const key = changes.current(keyHash(nameOf(demo)));
    if (demo.was !== undefined) changes.setSource(key, textOf(demo.en));
    if (demo.archived === true) changes.setArchived(key.id, true);
  }
  changes.finish();
}

function insert(edit: ContentEdit, demo: DemoKey): void {
  const text = textOf(demo.was ?? demo.en);
  const id = edit.insertKey({
    ...nameOf(demo),
    hash: keyHash(nameOf(demo)),
    isPlural: "forms" in text,
    text,
    description: demo.description ?? null,
    maxLength: demo.maxLength ?? null,
  });
  edit.addTags(id, demo.tags ?? []);
}

function nameOf(demo: DemoKey): KeyName {
  return { namespace: demo.ns, key: demo.key, context: null };
}

function textOf(text: DemoText): Text {
  return typeof text === "string" ? { value: text } : { forms: text };
}

/** Inputs of the tools for agents. VS Code does not validate calls against the manifest's schema. */
import * as v from "valibot";
import { shortText } from "../messages/escape-text.ts";
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";

const MAX_LENGTH = 4_000;
const MAX_TEXT_LENGTH = 1_000_000;
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_LENGTH));
/** `description`: for the model. */
const described = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(v.pipe(schema, v.description(description)));
const project = described(name, "Its name; only where there are several.");
/** As returned by an earlier result. */
const cursor = described(v.pipe(v.string(), v.regex(/^\d{1,9}$/u)), '"next" of the last page.');
const language = described(name, "Language code.");

const key = {
  namespace: described(name, "Left out where the key has none."),
  key: v.pipe(name, v.description("As in other results.")),
  context: v.optional(v.nullable(v.string())),
};
const KeySchema = v.strictObject(key);

/** The name of a key in an input. */
export type KeyInput = v.InferOutput<typeof KeySchema>;

/** Returns the complete name of the key. */
export function toKeyName({ namespace = NO_NAMESPACE, key, context }: KeyInput): KeyName {
  return { namespace, key, context: context === undefined || context === "" ? null : context };
}

/**
 * Input schemas by tool name, without the names' common prefix. The schemas of the manifest are made from them
 * (`npm run docs`).
 */
export const TOOL_INPUTS = {
  list_keys: v.strictObject({
    namespace: described(name, "Only its keys."),
    tag: described(name, "Only keys with it."),
    locale: language,
    state: described(v.picklist(["untranslated", "outdated", "proposed"]), "Needs locale."),
    cursor,
    project,
  }),
  search_texts: v.strictObject({
    query: v.pipe(name, v.description("Words that all have to be there.")),
    locale: described(name, "Also give translations in this language."),
    cursor,
    project,
  }),
  get_translations: v.strictObject({
    keys: v.pipe(v.array(KeySchema), v.minLength(1), v.maxLength(100)),
    locales: described(v.array(name), "Default: all."),
    cursor,
    project,
  }),
  find_usages: v.strictObject({ ...key, cursor, project }),
  list_issues: v.strictObject({ locale: described(name, "Default: all languages."), cursor, project }),
  get_glossary: v.strictObject({ locale: language, cursor, project }),
  stage_translations: v.strictObject({
    locale: v.pipe(name, v.description("Language to translate to.")),
    translations: v.pipe(
      v.array(
        v.strictObject({
          ...key,
          text: described(v.string(), "The translation; of a plural key give forms instead."),
          forms: described(
            v.record(v.string(), v.string()),
            "Plural category to text, for every category of neededForms.",
          ),
          source: described(
            v.string(),
            "The source text that you translated: refused where it changed since.",
          ),
        }),
      ),
      v.minLength(1),
      v.maxLength(100),
    ),
    project,
  }),
  push_changes: v.strictObject({
    keys: described(v.pipe(v.array(KeySchema), v.minLength(1)), "Default: all that changed."),
    project,
  }),
  add_key: v.strictObject({
    ...key,
    key: v.pipe(name, v.description("Its new name.")),
    text: v.optional(v.pipe(v.string(), v.minLength(1), v.description("The source text."))),
    forms: described(
      v.record(v.string(), v.string()),
      "Of a plural key, in place of text: plural category of the source language to text.",
    ),
    description: described(v.pipe(v.string(), v.maxLength(MAX_LENGTH)), "For translators."),
    maxLength: described(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_TEXT_LENGTH)),
      "Most characters that a translation may have.",
    ),
    tags: described(v.pipe(v.array(name), v.maxLength(20)), "Of the key."),
    project,
  }),
} as const;

export type ToolName = keyof typeof TOOL_INPUTS;
export type ToolInput<Name extends ToolName> = v.InferOutput<(typeof TOOL_INPUTS)[Name]>;

/**
 * Validates the input of a call.
 * @throws {Error} with a message for the model
 */
export function parseToolInput<Name extends ToolName>(tool: Name, input: unknown): ToolInput<Name> {
  // Arrays have properties too, so they are rejected explicitly.
  const result = v.safeParse(TOOL_INPUTS[tool], Array.isArray(input) ? "a list" : (input ?? {}));
  if (result.success) return result.output;
  const [first] = result.issues;
  // Both name what was received, which may be of any length.
  const path = shortText((first.path ?? []).map((item) => String(item.key)).join("."), 100);
  const members = Object.keys(TOOL_INPUTS[tool].entries).join(", ");
  throw new Error(
    `The input is wrong at ${path === "" ? "the top" : `"${path}"`}: ${shortText(first.message, 200)}. It has the members ${members}. Correct it and call the tool again.`,
  );
}

/** Inputs of the language model tools. VS Code does not validate calls against the manifest's schema. */
import * as v from "valibot";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(4_000));
const project = v.optional(name);
/** As returned by an earlier result. */
const cursor = v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/u)));
const forms = v.record(v.string(), v.string());

const key = { namespace: v.optional(name), key: name, context: v.optional(v.nullable(v.string())) };
const KeySchema = v.strictObject(key);

/** The name of a key in an input. */
export type KeyInput = v.InferOutput<typeof KeySchema>;

/** Returns the complete name of the key. */
export function toKeyName({ namespace = NO_NAMESPACE, key, context }: KeyInput): KeyName {
  return { namespace, key, context: context === undefined || context === "" ? null : context };
}

/** Input schemas by tool name, without the names' common prefix. */
export const TOOL_INPUTS = {
  list_keys: v.strictObject({
    namespace: v.optional(name),
    tag: v.optional(name),
    locale: v.optional(name),
    state: v.optional(v.picklist(["untranslated", "outdated", "proposed"])),
    cursor,
    project,
  }),
  search_texts: v.strictObject({ query: name, locale: v.optional(name), cursor, project }),
  get_translations: v.strictObject({
    keys: v.pipe(v.array(KeySchema), v.minLength(1), v.maxLength(100)),
    locales: v.optional(v.array(name)),
    cursor,
    project,
  }),
  find_usages: v.strictObject({ ...key, cursor, project }),
  list_issues: v.strictObject({ locale: v.optional(name), cursor, project }),
  get_glossary: v.strictObject({ locale: v.optional(name), cursor, project }),
  stage_translations: v.strictObject({
    locale: name,
    translations: v.pipe(
      v.array(
        v.strictObject({
          ...key,
          text: v.optional(v.string()),
          forms: v.optional(forms),
          source: v.optional(v.string()),
        }),
      ),
      v.minLength(1),
      v.maxLength(100),
    ),
    project,
  }),
  push_changes: v.strictObject({ keys: v.optional(v.pipe(v.array(KeySchema), v.minLength(1))), project }),
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
  const path = (first.path ?? []).map((item) => String(item.key)).join(".");
  const members = Object.keys(TOOL_INPUTS[tool].entries).join(", ");
  throw new Error(
    `The input is wrong at ${path === "" ? "the top" : `"${path}"`}: ${first.message}. It has the members ${members}. Correct it and call the tool again.`,
  );
}

/** Schemas of options that several commands share. */
import * as v from "valibot";
import { FORMAT_NAMES } from "../model/file-formats.ts";
import type { Forms } from "../model/translation-text.ts";
import { NO_NAMESPACE } from "../model/key-hash.ts";

/** Metadata of a schema whose values need their own words in messages and docs. */
export interface ValueMetadata {
  readonly value: "uri" | "hash" | "locale" | "forms" | "key" | "issue" | "function";
}

/** Declares an option that can be left out. `description`: Markdown. */
export function option<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.exactOptional(v.pipe(schema, v.description(description)));
}

/** Declares an option that must be set. `description`: Markdown. */
export function requiredOption<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description));
}

/** A list, which commands do not change. */
export function listOf<const Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(v.array(schema), v.readonly());
}

/** A path, a URI, or a `Uri` of VS Code or its JSON form. */
export type UriOption = string | { readonly scheme: string; readonly path: string };

export const UriSchema = v.pipe(v.custom<UriOption>(isUriOption), v.metadata({ value: "uri" }));

function isUriOption(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object" || value === null) return false;
  const { scheme, path } = value as Readonly<Record<string, unknown>>;
  return typeof scheme === "string" && typeof path === "string";
}

/** One or several paths or `Uri`s. */
export const UrisSchema = v.union([UriSchema, listOf(UriSchema)]);

/** § Key identity: 40 hex characters. */
export const HashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/u), v.metadata({ value: "hash" }));
export const HashesSchema = listOf(HashSchema);

export const LocaleSchema = v.pipe(v.string(), v.nonEmpty(), v.metadata({ value: "locale" }));
export const LocalesSchema = listOf(LocaleSchema);

export const FormatSchema = v.picklist(FORMAT_NAMES);

export const PortSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));

/** Plural category to text. */
export const FormsSchema = v.pipe(
  // `v.record` accepts lists, too.
  v.custom<Forms>((forms) => !Array.isArray(forms)),
  v.record(v.string(), v.string()),
  v.check((forms) => Object.keys(forms).length > 0),
  v.metadata({ value: "forms" }),
);

const KeyNameTextSchema = v.pipe(v.string(), v.nonEmpty());
const ContextSchema = v.nullable(v.string());

/** The name of a key in a list. */
export const KeySchema = v.pipe(
  v.strictObject({
    key: KeyNameTextSchema,
    namespace: v.exactOptional(v.string()),
    context: v.exactOptional(ContextSchema),
  }),
  v.metadata({ value: "key" }),
);

const namespaceOptions = {
  namespace: option(v.string(), `Of the key; \`${NO_NAMESPACE}\`, the default, for none.`),
  context: option(ContextSchema, "Of the key; default: none."),
};

/** Options that identify a key, which is the one at the cursor or is asked for if it is left out. */
export const keyOptions = {
  key: option(KeyNameTextSchema, "The key; default: the one at the cursor, else it is asked for."),
  ...namespaceOptions,
};

/** Options that identify a key. */
export const requiredKeyOptions = {
  key: requiredOption(KeyNameTextSchema, "The key."),
  ...namespaceOptions,
};

/** The text of a singular or of a plural key; at most one of both. */
export const textOptions = {
  value: option(v.string(), "The text."),
  forms: option(FormsSchema, "The texts of a plural key, by plural category."),
};

/** Rules about `value` and `forms`, by the message of their `v.check`. */
export const TEXT_RULES = { both: "both-texts", none: "no-text" } as const;

interface TextValues {
  readonly value?: unknown;
  readonly forms?: unknown;
}

/** Refuses both `value` and `forms`. */
export const isAtMostOneText = ({ value, forms }: TextValues): boolean =>
  value === undefined || forms === undefined;

/** Refuses neither `value` nor `forms`. */
export const hasText = ({ value, forms }: TextValues): boolean => value !== undefined || forms !== undefined;

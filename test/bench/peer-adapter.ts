/**
 * What the bench in the editor must be told of an extension to measure it: plain data, so that a peer's stands in a
 * JSON file of its own beside no code.
 */
import { readFileSync } from "node:fs";
import * as v from "valibot";

const CommandSchema = v.object({ id: v.string(), options: v.optional(v.unknown()) });

const AdapterSchema = v.object({
  /** What the columns are called. */
  name: v.string(),
  /** Settings of the machine, by their names. */
  settings: v.optional(v.record(v.string(), v.unknown()), {}),
  /** Files to put into the workspace (vue-i18n, `locales/{locale}.json`), by path: a project file, say. */
  files: v.optional(v.record(v.string(), v.unknown()), {}),
  /** Makes the report of used and unused keys; resolves when that is done. */
  usageReport: v.optional(CommandSchema),
  /** Whether keys that nobody has become problems. */
  unknownKeys: v.optional(v.boolean(), false),
  /** Whether keys can be renamed. */
  rename: v.optional(v.boolean(), false),
});

/** How one extension is measured. Ready it is when a hover shows the key's text: that needs no telling. */
export type Adapter = v.InferOutput<typeof AdapterSchema>;

/** The extension without which the others' figures mean little. */
export const NOTHING: Adapter = {
  name: "nothing",
  settings: {},
  files: {},
  unknownKeys: false,
  rename: false,
};

/** This extension. */
export const OURS: Adapter = {
  name: "ours",
  settings: {},
  files: {
    "project-translations.json": { files: [{ path: "locales/{locale}.json", format: "json_js" }] },
  },
  usageReport: { id: "projectTranslations.findUnused", options: { confirm: false } },
  unknownKeys: true,
  rename: true,
};

/** A peer's adapter from its file. Throws with valibot's words when it is none. */
export function readAdapter(path: string): Adapter {
  return v.parse(AdapterSchema, JSON.parse(readFileSync(path, "utf8")));
}

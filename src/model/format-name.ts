/** File formats of the service. */

/** The formats of § POST /imports, by their names there. */
export const FORMAT_NAMES = [
  "laravel_php",
  "laravel_json",
  "json_js",
  "js_module",
  "po",
  "pot",
  "mo",
  "wordpress_php",
  "wordpress_jed",
  "csv",
  "xlsx",
  "xliff12",
  "xliff20",
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

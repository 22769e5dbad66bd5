/** The file formats that the service knows (§ POST /imports), by its own names. */

/** The file formats of `POST /imports`, the service's own names. */
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

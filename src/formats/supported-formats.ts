/** The supported file formats, by the service's names. Add a line here for each new format. */
import { csv } from "./sheets/csv-format.ts";
import type { Format } from "./format.ts";
import { jsModule } from "./js/js-module-format.ts";
import { jsonJs, laravelJson } from "./json/json-format.ts";
import { laravelPhp } from "./php/laravel-php-format.ts";
import { mo } from "./gettext/mo-format.ts";
import { po, pot } from "./gettext/po-format.ts";
import { wordpressJed } from "./gettext/wordpress-jed-format.ts";
import { wordpressPhp } from "./php/wordpress-php-format.ts";
import { xliff12, xliff20 } from "./xliff/xliff-format.ts";
import { xlsx } from "./sheets/xlsx-format.ts";

/** All supported formats, in the order of the service's list. */
export const FORMATS: readonly Format[] = [
  laravelPhp,
  laravelJson,
  jsonJs,
  jsModule,
  po,
  pot,
  mo,
  wordpressPhp,
  wordpressJed,
  csv,
  xlsx,
  xliff12,
  xliff20,
];

const byName = new Map<string, Format>(FORMATS.map((format) => [format.name, format]));

/** Returns the format with that name; `undefined` if the service has it but it is not supported (yet). */
export function formatOf(name: string): Format | undefined {
  return byName.get(name);
}

/** The list of frameworks. To add one, implement `Framework` in a file of this folder and add a line here. */
import { craft } from "./craft.ts";
import { django } from "./django.ts";
import { formatjs } from "./formatjs.ts";
import type { Framework } from "./framework.ts";
import { gettext } from "./gettext.ts";
import { i18next } from "./i18next.ts";
import { jinja } from "./jinja.ts";
import { laravel } from "./laravel.ts";
import { lingui } from "./lingui.ts";
import { nextIntl } from "./next-intl.ts";
import { ngxTranslate } from "./ngx-translate.ts";
import { svelteI18n } from "./svelte-i18n.ts";
import { symfony } from "./symfony.ts";
import { messageFormat, transloco } from "./transloco.ts";
import { vueI18n } from "./vue-i18n.ts";
import { wordpress } from "./wordpress.ts";

/**
 * Names and definitions. In a project with several, the names of keys are tried in this order, and of functions with
 * the same name the last one counts.
 */
const FRAMEWORKS = {
  gettext,
  django,
  jinja,
  laravel,
  craft,
  symfony,
  wordpress,
  i18next,
  "vue-i18n": vueI18n,
  "next-intl": nextIntl,
  "svelte-i18n": svelteI18n,
  formatjs,
  "ngx-translate": ngxTranslate,
  transloco,
  messageformat: messageFormat,
  lingui,
} satisfies Readonly<Record<string, Framework>>;

export type FrameworkName = keyof typeof FRAMEWORKS;

/** All frameworks, in the order of the list. */
export const supportedFrameworks: ReadonlyMap<FrameworkName, Framework> = new Map(
  Object.entries(FRAMEWORKS) as readonly (readonly [FrameworkName, Framework])[],
);

/** Definitions by set of names, since they are looked up for every usage. */
const bySet = new WeakMap<ReadonlySet<FrameworkName>, readonly Framework[]>();

/** Returns the definitions of a project's frameworks, in the order of the list. */
export function frameworksOf(names: ReadonlySet<FrameworkName>): readonly Framework[] {
  let found = bySet.get(names);
  if (found === undefined) {
    found = [...supportedFrameworks].flatMap(([name, framework]) => (names.has(name) ? [framework] : []));
    bySet.set(names, found);
  }
  return found;
}

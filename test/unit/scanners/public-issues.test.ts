/**
 * What users of other tools reported publicly as not found, wrongly found or wrongly bound: one case each, named
 * by the tracker's project and number. The cases are tables in `issues`.
 */
import { describe, expect, test } from "vitest";
import { constants } from "./issues/constants.ts";
import { dynamic } from "./issues/dynamic.ts";
import { gettext } from "./issues/gettext.ts";
import { i18next } from "./issues/i18next.ts";
import { laravel } from "./issues/laravel.ts";
import { literals } from "./issues/literals.ts";
import { markup } from "./issues/markup.ts";
import { nextIntl } from "./issues/next-intl.ts";
import { svelte } from "./issues/svelte.ts";
import { twig } from "./issues/twig.ts";
import { python, templates } from "./issues/python.ts";
import { vue } from "./issues/vue.ts";
import { wordpress } from "./issues/wordpress.ts";
import { check } from "./marked.ts";

const tables = {
  literals,
  dynamic,
  constants,
  i18next,
  nextIntl,
  vue,
  svelte,
  twig,
  markup,
  laravel,
  gettext,
  python,
  templates,
  wordpress,
};

describe.each(Object.entries(tables))("public issues: %s", (_, cases) => {
  for (const [issue, what, language, marked, expected] of cases) {
    test(`${issue} ${what}`, () => check([what, language, marked, expected]));
  }
});

test("covers at least 120 distinct issues", () => {
  const issues = Object.values(tables).flatMap((cases) => cases.map(([issue]) => issue));
  for (const issue of issues) expect(issue).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
  expect(new Set(issues).size).toBe(issues.length);
  expect(issues.length).toBeGreaterThanOrEqual(120);
});
